"""The games of dice, against brute force, test vectors and laws."""
