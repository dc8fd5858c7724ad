"""The devices: cameras, buttons, lamps."""
