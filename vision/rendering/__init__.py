"""Rendered photographs; needs the training extra."""
