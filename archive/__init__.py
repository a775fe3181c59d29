"""Archives: files that `plaudit export` writes and `plaudit import` reads. An archive has one JSON object per line,
which is called a record, and describes one thing, such as a user or a reaction. The modules of this folder define the
records and make them from rows; `importing` writes rows from records.
"""
