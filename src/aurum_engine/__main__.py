"""Entry of `python -m aurum_engine`."""

from aurum_engine.cli import app

if __name__ == "__main__":
    app(prog_name="python -m aurum_engine")
