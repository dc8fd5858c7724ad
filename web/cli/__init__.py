"""The commands by topic; `web/__main__.py` lists them."""
