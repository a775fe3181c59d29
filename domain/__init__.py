"""Pure rules: ids, cursors, texts, errors, ranking, moderation. Nothing here waits or knows a store."""
