"""One recogniser a file."""
