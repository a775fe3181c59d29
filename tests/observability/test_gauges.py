"""A process exports a gauge if it has set the gauge, or has given it a function."""

from observability.metrics import _Gauge


def samples(gauge: _Gauge) -> list[float]:
    return [sample.value for metric in gauge.collect() for sample in metric.samples]


def test_a_gauge_that_was_never_set_is_not_exported() -> None:
    assert samples(_Gauge("never_set", "A test", registry=None)) == []


def test_a_gauge_is_exported_from_when_it_is_set_until_it_is_cleared() -> None:
    gauge = _Gauge("set_once", "A test", registry=None)
    gauge.set(0)
    assert samples(gauge) == [0]
    gauge.clear()
    assert samples(gauge) == []


def test_a_gauge_with_a_function_is_exported() -> None:
    gauge = _Gauge("with_a_function", "A test", registry=None)
    gauge.set_function(lambda: 7)
    assert samples(gauge) == [7]
