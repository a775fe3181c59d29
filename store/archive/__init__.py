"""The SQL of exports and imports: it reads tables page by page, and writes rows that only imports write, such as the
ids of imported content. Also the temporary file in which `plaudit import --check` keeps what an archive would create.
"""
