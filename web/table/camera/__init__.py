"""The camera: what it sees, its set-up, tray and uploads."""
