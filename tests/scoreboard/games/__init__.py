"""The rulebooks, against brute force, test vectors and laws."""
