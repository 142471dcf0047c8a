"""The routes, one file per person or purpose."""
