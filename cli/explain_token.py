"""`plaudit token --explain`: prints why a token is accepted or refused."""

import sys

import typer

from commands.explain_token import explain
from settings import Settings


def show(settings: Settings, token: str) -> bool:
    """Prints the claims of a token, and whether the API accepts the token. Returns whether the API accepts it. If
    `token` is `-`, reads the token from standard input.
    """
    explanation = explain(settings, sys.stdin.read() if token == "-" else token)  # noqa: S105 - not a secret
    for name, value in explanation.facts:
        print(f"{name:12}{value}")
    if explanation.refusal:
        typer.secho(f"refused     {explanation.refusal}", fg="red")
        return False
    typer.secho("accepted", fg="green")
    return True
