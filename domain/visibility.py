"""The rules for what a viewer may see of another user. `loaders/visibility.py` reads the facts and applies the rules.

| between the viewer and the other user | profile, comments | posts, likes, lists of users |
|---|---|---|
| one of the two blocks the other | hidden | hidden |
| a suspension (`HIDDEN` or `SHADOW`) hides the other user | hidden | hidden |
| the other user's account is private, and the viewer does not follow | shown | hidden |

A hidden comment with public replies stays as a tombstone, which shows neither text nor author. If a post is hidden, its
comments are hidden, too. Users see everything of themselves. Moderators see everything that they may moderate.

A mute hides posts and comments too, but only in lists with several authors. Labels hide content of all authors
(domain/labels.py).
"""

from typing import NamedTuple


class Facts(NamedTuple):
    """The facts about a viewer and another user on which the rules depend. Do not apply them to users who look at their
    own content, and to moderators: both see everything.
    """

    is_blocked: bool = False
    """Whether one of the two blocks the other."""
    is_suspended: bool = False
    """Whether a suspension hides the user."""
    is_private: bool = False
    """Whether the user's account is private."""
    is_followed: bool = False
    """Whether the viewer follows the user."""

    @property
    def hides_user(self) -> bool:
        """Tells whether the profile and the comments of the user are hidden from the viewer."""
        return self.is_blocked or self.is_suspended

    @property
    def hides_posts(self) -> bool:
        """Tells whether the posts, likes and lists of the user are hidden from the viewer."""
        return self.hides_user or (self.is_private and not self.is_followed)
