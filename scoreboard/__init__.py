"""Rules, scoresheets and the table at play, without clocks, pixels, pins or pages."""
