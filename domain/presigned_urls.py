"""Presigned URLs of S3: whoever has such a URL can send one request to an S3-compatible store, until the URL expires.

The signature is version 4 of AWS, with the signature in the query. It covers the method, the path, the expiry and the
given headers, and not the body. Source:
https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
"""

import hmac
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote, urlsplit

_ALGORITHM = "AWS4-HMAC-SHA256"
_UNSIGNED = "UNSIGNED-PAYLOAD"


class Credentials(NamedTuple):
    """The keys of an account of an S3-compatible store, and the region of the bucket."""

    access_key: str
    secret_key: str
    region: str


def presigned(
    method: str,
    url: str,
    credentials: Credentials,
    at: datetime,
    seconds: int,
    headers: Mapping[str, str],
    query: Mapping[str, str] | None = None,
) -> str:
    """Returns a URL with a signature that is valid for `seconds` from the time `at`, which is in UTC. The request must
    have exactly these headers, whose names are in lower case. `url` has no query, and a path that needs no escapes.
    `query` has the parameters of the request, not escaped.
    """
    parts, day, moment = urlsplit(url), f"{at:%Y%m%d}", f"{at:%Y%m%dT%H%M%SZ}"
    signed = dict(sorted({**headers, "host": parts.netloc}.items()))
    names, scope = ";".join(signed), f"{day}/{credentials.region}/s3/aws4_request"
    parameters = _query(
        {
            **(query or {}),
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": f"{credentials.access_key}/{scope}",
            "X-Amz-Date": moment,
            "X-Amz-Expires": str(seconds),
            "X-Amz-SignedHeaders": names,
        }
    )
    lines = "".join(f"{name}:{value.strip()}\n" for name, value in signed.items())
    request = f"{method}\n{parts.path}\n{parameters}\n{lines}\n{names}\n{_UNSIGNED}"
    text = f"{_ALGORITHM}\n{moment}\n{scope}\n{sha256(request.encode()).hexdigest()}"
    signature = hmac.new(_key(credentials, day), text.encode(), sha256).hexdigest()
    return f"{url}?{parameters}&X-Amz-Signature={signature}"


def _query(values: Mapping[str, str]) -> str:
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in sorted(values.items()))


def _key(credentials: Credentials, day: str) -> bytes:
    """Returns the key that signs the requests of one day."""
    key = f"AWS4{credentials.secret_key}".encode()
    for part in (day, credentials.region, "s3", "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
