"""Two-factor codes by text: sent at most three times in ten minutes, valid for five minutes, five attempts, used once.

A service for your login page: POST /codes {"phone"} sends a code, POST /codes/verify {"phone", "code"} checks it.
README.md says how to run it.
"""

import hashlib
import hmac
import os
import re
import secrets
import sys
import threading
import time
import uuid
from collections import deque
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
import people
from dialplane import IS_DEMO, ApiError, Receiver, ensure_number, run, say
from login_requests import Refused, make_handler

NAME = "two-factor-codes"
CODES_MAX, WINDOW_SECONDS = 3, 600
VALID_SECONDS = 300
ATTEMPTS_MAX = 5
# Refusals that concern one person. The login page offers another way.
NO_TEXT = {"recipient_opted_out", "destination_not_supported", "invalid_to"}
PHONE = re.compile(r"\+1[2-9]\d{9}")


@dataclass
class Code:
    id: str
    digest: bytes
    expires_at: float
    attempts: int = 0


class Codes:
    """The codes that are valid. Several processes keep them in a shared store instead, such as a database."""

    def __init__(self, client, number, now=time.time):
        self.client, self.number, self.now = client, number, now
        self.pepper = secrets.token_bytes(32)
        self.codes, self.requests, self.lock = {}, {}, threading.Lock()

    def send(self, phone):
        if not PHONE.fullmatch(phone):
            raise Refused(400, "invalid_phone")
        digits = f"{secrets.randbelow(10**6):06}"
        code = Code(uuid.uuid4().hex, self.digest(phone, digits), self.now() + VALID_SECONDS)
        with self.lock:
            self.limit(phone)
            # A new code ends the one before.
            self.codes[phone] = code
        body = f"{digits} is your Desert Paws code, for {VALID_SECONDS // 60} minutes. We never ask you for it."
        send = {"from": self.number["id"], "to": phone, "body": body, "metadata": {"code_id": code.id}}
        try:
            self.client.post("/messages", send, idempotency_key=f"code-{code.id}")
        except ApiError as error:
            self.withdraw(code.id)
            if error.code in NO_TEXT:
                raise Refused(409, "cannot_text_this_number", reason=error.code) from error
            say(f"  no code was sent: {error}")
            raise Refused(503, "try_again") from error

    def limit(self, phone):
        """Counts a request, and refuses it above the limit of the window. Drops what has expired."""
        now = self.now()
        self.codes = {each: code for each, code in self.codes.items() if code.expires_at > now}
        for each, times in list(self.requests.items()):
            while times and times[0] <= now - WINDOW_SECONDS:
                times.popleft()
            if not times:
                del self.requests[each]
        times = self.requests.setdefault(phone, deque())
        if len(times) >= CODES_MAX:
            raise Refused(429, "too_many_codes", retry_after=int(times[0] + WINDOW_SECONDS - now) + 1)
        times.append(now)

    def verify(self, phone, digits):
        with self.lock:
            code = self.codes.get(phone)
            if code is None or code.expires_at <= self.now():
                raise Refused(410, "no_valid_code")
            if code.attempts >= ATTEMPTS_MAX:
                raise Refused(429, "too_many_attempts")
            code.attempts += 1
            # The comparison takes the same time for every wrong code.
            if not hmac.compare_digest(code.digest, self.digest(phone, digits)):
                raise Refused(403, "wrong_code", attempts_left=ATTEMPTS_MAX - code.attempts)
            del self.codes[phone]

    def withdraw(self, code_id):
        with self.lock:
            self.codes = {phone: code for phone, code in self.codes.items() if code.id != code_id}

    def digest(self, phone, digits):
        """Returns the hash that is stored, so that a copy of the memory shows no codes."""
        return hmac.new(self.pepper, f"{phone}:{digits}".encode(), hashlib.sha256).digest()

    def handle(self, event):
        message = event["data"]
        if event["type"] == "message.failed" and "code_id" in message["metadata"]:
            self.withdraw(message["metadata"]["code_id"])
            say(f"  the text to {message['to']} failed ({message['failure_reason']}): offer another way to log in")


def main(client):
    number = ensure_number(client, NAME)
    codes = Codes(client, number)
    port = 0 if IS_DEMO else int(os.environ.get("LOGIN_PORT", "8100"))
    server = ThreadingHTTPServer(("127.0.0.1", port), make_handler(codes))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    with Receiver(client, NAME, number["tenant_id"], ["message.failed"], codes.handle) as receiver:
        say(f"Codes come from {number['phone_number']}. The login page asks {url}/codes and {url}/codes/verify.")
        if IS_DEMO:
            people.play(client, codes, url, receiver)
        else:
            threading.Event().wait()
    server.shutdown()


run(main)
