"""The training loops; needs the training extra."""
