"""What stands between the network and the handlers."""

import hashlib
import hmac
import time
from collections import defaultdict, deque

from starlette.responses import JSONResponse, Response


def _bearer(request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" else ""


def require_token(tokens: set[str]):
    digests = [hashlib.sha256(token.encode()).digest() for token in tokens]

    async def check(request, forward):
        given = hashlib.sha256(_bearer(request).encode()).digest()
        # Every digest is compared, so that the time taken says nothing about which one is close.
        if not any([hmac.compare_digest(given, known) for known in digests]):
            return JSONResponse({"error": "missing or unknown token"}, status_code=401)
        return await forward(request)

    return check


class RateLimit:
    def __init__(self, per_minute: int, clock=time.monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._seen: dict[str, deque[float]] = defaultdict(deque)

    async def __call__(self, request, forward):
        now = self._clock()
        recent = self._seen[_bearer(request)]
        while recent and now - recent[0] > 60:
            recent.popleft()
        if len(recent) >= self._most:
            wait = int(60 - (now - recent[0])) + 1
            return JSONResponse(
                {"error": "too many requests"}, status_code=429, headers={"Retry-After": str(wait)}
            )
        recent.append(now)
        return await forward(request)


class Idempotency:
    """Replays the stored answer when a client repeats itself."""

    def __init__(self, db, keep_hours: int, clock=time.time) -> None:
        self._db = db
        self._keep = keep_hours * 3600
        self._clock = clock

    async def __call__(self, request, forward):
        key = request.headers.get("idempotency-key")
        if request.method != "POST" or not key:
            return await forward(request)
        fingerprint = hashlib.sha256(request.url.path.encode() + await request.body()).hexdigest()
        self._db.execute("DELETE FROM replies WHERE stored_at < ?", (self._clock() - self._keep,))
        known = self._db.execute(
            "SELECT fingerprint, status, body FROM replies WHERE key = ?", (key,)
        ).fetchone()
        if known and known[0] != fingerprint:
            return JSONResponse({"error": "this key was used for another request"}, status_code=409)
        if known:
            return Response(known[2], known[1], media_type="application/json")
        response = await forward(request)
        body = b"".join([part async for part in response.body_iterator])
        self._db.execute(
            "INSERT INTO replies VALUES (?, ?, ?, ?, ?)",
            (key, fingerprint, response.status_code, body.decode(), self._clock()),
        )
        return Response(body, response.status_code, media_type="application/json")
