"""Players, devices and what these may do."""
