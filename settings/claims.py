"""Settings of the claims that describe the user of a token (docs/build/authentication.md)."""

from settings.lists import Names
from settings.part import Part


class ClaimSettings(Part):
    """The claims of a token that give a user's handle, name, e-mail address, picture, age band and scopes."""

    handle: Names = (
        "preferred_username",
        "handle",
        "username",
        "nickname",
        "user_metadata.preferred_username",
        "user_metadata.user_name",
    )
    """A new user's handle comes from the first of these claims that is present. `a.b` is the claim `b` in the object
    `a`.
    """
    name: Names = ("name", "user_metadata.full_name", "user_metadata.name")
    """A new user's display name comes from the first of these claims, and the handle too if no claim has a handle."""
    email: Names = ("email",)
    """The part before the @ becomes the handle of a new user without handle and name. Empty: e-mail addresses are not
    used.
    """
    picture: Names = ("picture", "user_metadata.avatar_url", "user_metadata.picture")
    """A new user's avatar comes from the first of these claims."""
    age_band: Names = ()
    """The first of these claims has the user's age band, one of `age_bands` in the businesses file. With another value,
    the stored age band counts, or else the lowest one. **Do not list a claim that users can edit.**
    """
    scope: Names = ("scope",)
    """The claims that grant scopes; all of them count. **Do not list a claim that users can edit.**"""
