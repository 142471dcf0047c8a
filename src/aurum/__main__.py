"""`python -m aurum` is `aurum`."""

from aurum.cli import main

if __name__ == "__main__":
    main()
