"""The page in a real Chromium: by visible text and role, with clicks and taps alone."""
