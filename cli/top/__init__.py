"""`plaudit top`: a live view of a running system, from the metrics of its processes."""
