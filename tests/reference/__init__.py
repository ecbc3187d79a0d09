"""Slow and obvious readings of what `thresher` computes fast; tests compare the two."""
