"""SQL of exports: tables read page by page, and what the rows of a page refer to."""
