"""Presigned URLs have the signatures of AWS."""

from datetime import UTC, datetime

from domain.presigned_urls import Credentials, presigned

CREDENTIALS = Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
"""The credentials of the examples in AWS's documentation."""


def test_the_example_of_aws_has_the_signature_of_its_documentation() -> None:
    url, at = "https://examplebucket.s3.amazonaws.com/test.txt", datetime(2013, 5, 24, tzinfo=UTC)

    signed = presigned("GET", url, CREDENTIALS, at, 86_400, {})

    assert signed == (
        f"{url}?X-Amz-Algorithm=AWS4-HMAC-SHA256"
        "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    )
