"""Rules for ids, handles, texts, topics, ranking, moderation and more. The code here reads no database and no cache."""
