"""One camera a file."""
