"""Runs the command line: `python -m cli`."""

from cli.main import app

app()
