"""The demo's match of Tong Tong: a deck of its own, taught and played, card by card."""
