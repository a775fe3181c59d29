"""The failure of an attempt to send events."""


class DeliveryFailed(Exception):
    """Raised if a destination may not have received events. They are sent again. `reason` is short, for metrics."""

    def __init__(self, reason: str, details: str = "") -> None:
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason = reason
