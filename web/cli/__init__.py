"""One command a file; `web/__main__.py` lists them."""
