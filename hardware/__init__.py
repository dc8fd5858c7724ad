"""What can be touched: cameras, buttons, lamps."""
