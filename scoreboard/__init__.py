"""Rules, scoresheets and the table at play; knows no clock, pixel, pin or page."""
