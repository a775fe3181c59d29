"""The base class of settings that have fields of their own."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part of the settings: a JSON object in a variable, or a table of the businesses file. Unknown names are
    refused. `python -m cli.reference` prints the docstrings of the fields for operators.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
