"""One rulebook a file."""
