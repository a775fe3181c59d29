"""The error of a failed attempt to send outgoing events."""


class DeliveryFailed(Exception):
    """Raised if a destination may not have received events. The events are sent again later. `reason` is a short name
    of the failure, for metrics.
    """

    def __init__(self, reason: str, details: str = "") -> None:
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason = reason
