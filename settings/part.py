"""The base class of settings that have fields of their own."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """The base class of settings that are groups of fields: a JSON object in a variable, or a table of the businesses
    file. Names that the class does not declare are refused, and values cannot be changed. `python -m cli.reference`
    prints the docstrings of the fields for operators.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
