"""The filmed clips, and in truth.json what happens in them."""
