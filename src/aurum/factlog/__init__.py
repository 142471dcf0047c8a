"""The ordered facts of each case: one port, several stores, one contract suite over all of them."""
