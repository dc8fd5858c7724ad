"""What a picture shows: dice and tiles, with how far each may be believed."""
