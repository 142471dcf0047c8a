"""What every response and every request body goes through. Pure ASGI: the framework's own base class
costs more per layer than a whole request."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aurum.bff.problems import respond

BODY_BYTES_MAX = 128 * 1024
"""Twice the largest variable the engine takes; an application record has about 4 kB."""

BODILESS = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})

BIG_BODIES = frozenset({"/evidence/verification"})
"""Routes that read their body themselves, after they know who asks, and against a limit of their own."""

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

SECURITY_HEADERS = (
    # Answers hold personal data and tokens; the pages say otherwise themselves.
    (b"cache-control", b"no-store"),
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class SecurityHeaders:
    """Adds the headers that every response carries."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with headers added to the start of the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                added = [pair for pair in SECURITY_HEADERS if pair[0] not in present]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        await self._app(scope, receive, with_headers)


class BodyLimit:
    """Refuses a body above `BODY_BYTES_MAX` before anything parses it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body within the limit, then hand it on in one piece."""
        if scope["type"] != "http" or scope["method"] in BODILESS or scope["path"] in BIG_BODIES:
            await self._app(scope, receive, send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > BODY_BYTES_MAX:
                await respond("too-large")(scope, receive, send)
                return
        delivered = False

        async def whole_body() -> Message:
            nonlocal delivered
            if delivered:
                return await receive()
            delivered = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, whole_body, send)
