"""The rows that only imports write: ids of imported content, and new users in bulk. Also what `--check` remembers."""
