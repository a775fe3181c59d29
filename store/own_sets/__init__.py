"""Own sets: each user's reactions, saves, collections, follows, blocks, mutes and muted threads, as cached in Redis.
Also the boundaries between users that blocks and mutes make.
"""
