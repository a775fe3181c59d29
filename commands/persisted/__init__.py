"""What operators do with persisted operations, by `plaudit persisted` or the administration API: check the operations
of manifests, import them, list them, see who uses them, and withdraw them.
"""
