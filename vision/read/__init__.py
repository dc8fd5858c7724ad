"""What a picture shows: dice and tiles, with the confidence of each reading."""
