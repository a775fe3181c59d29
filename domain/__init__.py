"""Pure rules: ids, cursors, texts, errors, ranking, moderation. Nothing here waits or uses a store."""
