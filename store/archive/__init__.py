"""SQL of exports and imports: tables read page by page, and rows that only imports write, such as the ids of imported
content. Also what `plaudit import --check` remembers.
"""
