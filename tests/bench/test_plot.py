"""The plot of ratios."""

from pathlib import Path
from xml.etree import ElementTree as ET

from bench import plot
from bench.results import compared, plain

SVG = "{http://www.w3.org/2000/svg}"
RESULTS = [
    compared("peers", "squares/s, against <one>", [200, 220, 240], [100, 100, 100], at_least=1.0),
    plain("peers", "ms to an answer", 12),
    compared("peers", "likes/s, against another", [50, 50, 50], [100, 100, 100], at_least=0.25),
]


def test_each_ratio_is_a_bar_from_one_to_the_median_with_its_range_and_its_goal(tmp_path: Path) -> None:
    plot.save(RESULTS, tmp_path / "plot.svg", "Load average of 2 cores: 0.1 before, 2.0 at the end.")

    svg = ET.parse(tmp_path / "plot.svg").getroot()  # noqa: S314 - our own file
    *texts, note = [text.text for text in svg.iter(f"{SVG}text")]
    assert texts == [
        *("0.25", "0.5", "1", "2", "4"),
        *("squares/s, against <one>", "2.20", "likes/s, against another", "0.50"),
    ]
    assert note
    assert note.endswith("Load average of 2 cores: 0.1 before, 2.0 at the end.")
    x_of = {text.text: float(text.attrib["x"]) for text in svg.iter(f"{SVG}text")}
    faster, slower = [bar for bar in svg.iter(f"{SVG}rect") if bar.attrib["fill"] == "#4878a8"]
    assert float(faster.attrib["x"]) == x_of["1"]
    assert x_of["2"] < x_of["1"] + float(faster.attrib["width"]) < x_of["4"]
    assert float(slower.attrib["x"]) == x_of["0.5"]
    assert float(slower.attrib["width"]) == x_of["1"] - x_of["0.5"]
    goals = [float(line.attrib["x1"]) for line in svg.iter(f"{SVG}line") if "stroke-dasharray" in line.attrib]
    assert goals == [x_of["1"], x_of["0.25"]]
    ranges = [line for line in svg.iter(f"{SVG}line") if line.attrib.get("stroke-width") == "2"]
    assert [float(ranges[0].attrib[end]) for end in ("x1", "x2")] == [x_of["2"], float(ranges[0].attrib["x2"])]
    assert ranges[1].attrib["x1"] == ranges[1].attrib["x2"] == str(x_of["0.5"])
