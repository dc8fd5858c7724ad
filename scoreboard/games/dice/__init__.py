"""The Yacht family: games of dice on a card of boxes; their differences are data."""
