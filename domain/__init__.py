"""The rules of ids, handles, texts, topics, ranking, moderation and more. Nothing here waits or uses a store."""
