"""Pure rules: ids, handles, cursors, texts, errors, ranking, images, moderation. Nothing here waits or uses a store."""
