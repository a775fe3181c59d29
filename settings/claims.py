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
    """The claims from which a new user's handle is made. The first claim that is present is used. `a.b` is the claim
    `b` in the object `a`.
    """
    name: Names = ("name", "user_metadata.full_name", "user_metadata.name")
    """The claims from which a new user's display name is made. The handle is made from it, too, if no claim has a
    handle.
    """
    email: Names = ("email",)
    """The claims with an e-mail address. Its part before the @ becomes the handle of a new user without handle and
    name. Empty: e-mail addresses are not used.
    """
    picture: Names = ("picture", "user_metadata.avatar_url", "user_metadata.picture")
    """The claims from which a new user's avatar is taken."""
    age_band: Names = ()
    """The claims with the user's age band, which is one of `age_bands` in the businesses file. The first claim that is
    present is used. With another value, the stored age band counts, or else the lowest one. Do not list a claim that
    users can edit. Empty: tokens state no age band.
    """
    scope: Names = ("scope",)
    """The claims that grant scopes. All of them are used. Do not list a claim that users can edit."""
