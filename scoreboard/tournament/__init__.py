"""Many tables, one event: entrants, formats, seating, standings. Pure: no clock, no file."""
