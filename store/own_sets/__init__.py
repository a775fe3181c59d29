"""Own sets: the cached reactions, saves, collections, follows, blocks, mutes and muted threads of each user; and the
boundaries that blocks and mutes make.
"""
