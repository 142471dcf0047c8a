"""Measurements; each prints ratios against a named peer of the same run."""
