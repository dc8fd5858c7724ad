"""What a hub keeps."""
