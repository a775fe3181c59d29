"""The archive format, in which `plaudit export` writes all data and `plaudit import` reads it: JSON lines. Each line is
one record, such as a user or a reaction.
"""
