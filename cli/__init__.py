"""The command line, `plaudit`."""
