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
    """The first of these claims that is present gives a new user's handle. `a.b` is the claim `b` in the object `a`."""
    name: Names = ("name", "user_metadata.full_name", "user_metadata.name")
    """The same for the display name, and for the handle if no claim has one."""
    email: Names = ("email",)
    """The part before the @ is the handle of a new user without handle and name. Empty: none."""
    picture: Names = ("picture", "user_metadata.avatar_url", "user_metadata.picture")
    """The first of these claims that is present gives a new user's avatar."""
    age_band: Names = ()
    """The first of these claims has the user's age band, one of `age_bands` in the businesses file. With another value,
    the stored one counts, or the lowest. **Do not list a claim that users can edit.**
    """
    scope: Names = ("scope",)
    """All claims that grant scopes. **Do not list a claim that users can edit.**"""
