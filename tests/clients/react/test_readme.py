"""The README and the guide of clients/react show an example that a test runs."""

from tests.support.deployment import ROOT


def test_the_readme_has_the_example_of_an_article() -> None:
    example = (ROOT / "clients" / "examples" / "article" / "main.tsx").read_text()

    assert len(example.splitlines()) <= 15
    assert f"```tsx\n{example}```" in (ROOT / "clients" / "react" / "README.md").read_text()
    assert f"```tsx\n{example}```" in (ROOT / "docs" / "build" / "components.md").read_text()
