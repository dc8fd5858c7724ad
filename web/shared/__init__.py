"""What pages of table and hub share."""
