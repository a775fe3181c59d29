"""The base class of settings that have fields of their own."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part of the settings: a JSON object in a variable, or a table of the businesses file. Unknown names are
    refused. The docstrings of the fields are their descriptions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
