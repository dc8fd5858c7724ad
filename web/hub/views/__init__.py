"""The hub's pages, one noun a file."""
