"""What a picture shows."""
