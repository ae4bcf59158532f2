"""The common parts of the examples in Python: a client, set-up, a receiver of webhooks, start and end.

Python 3.11 or newer, without packages. Settings are environment variables; their defaults suit `npm start` in the same
checkout.
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import random
import signal
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

# True if the program must also play the people, show what happens, and end.
IS_DEMO = "--demo" in sys.argv
ATTEMPTS = 4
TRANSIENT = {408, 429, 500, 502, 503, 504}
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 1024 * 1024


class ApiError(Exception):
    """A refusal of the API: `code` is one of docs/errors.md. `connection_failed` if there was no reply."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Client:
    """Sends requests, and repeats one without a reply. An Idempotency-Key makes a repeated POST act once."""

    def __init__(self, url, key):
        self.url, self.key = url.rstrip("/") + "/v1", key

    def get(self, path, **query):
        return self._request("GET", f"{path}?{urlencode(query)}" if query else path)

    def post(self, path, body=None, idempotency_key=None):
        return self._request("POST", path, body or {}, {"Idempotency-Key": idempotency_key or str(uuid.uuid4())})

    def patch(self, path, body):
        return self._request("PATCH", path, body)

    def put(self, path, body):
        return self._request("PUT", path, body)

    def delete(self, path):
        return self._request("DELETE", path)

    def _request(self, method, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        media_type = {} if data is None else {"Content-Type": "application/json"}
        headers = {"Authorization": f"Bearer {self.key}", **media_type, **(headers or {})}
        for attempt in range(1, ATTEMPTS + 1):
            wait = 0.5 * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
            try:
                # A move of the test clock is answered when all due work has run.
                with urlopen(Request(self.url + path, data, headers, method=method), timeout=130) as reply:
                    return json.loads(reply.read() or "null")
            except HTTPError as error:
                refusal, is_transient = read_refusal(error), error.code in TRANSIENT
                wait = max(wait, float(error.headers.get("Retry-After") or 0))
            except (URLError, TimeoutError, ConnectionError) as error:
                message = f"The connection to {self.url} failed: {getattr(error, 'reason', error)}"
                refusal, is_transient = ApiError("connection_failed", message), True
            if not is_transient or attempt == ATTEMPTS:
                raise refusal
            time.sleep(wait)


def read_refusal(error):
    """Returns the error in the body of a reply."""
    try:
        body = json.loads(error.read())["error"]
        return ApiError(body["code"], f"{body['code']}: {body['message']}")
    except (ValueError, KeyError, TypeError):
        return ApiError("unexpected_reply", f"{error.code} without an error of the API")


def say(line):
    print(line, flush=True)


def run(main):
    """Runs `main(client)`. A failure is printed in one line, and the exit code is 1."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main(connect())
    except ApiError as error:
        print(error, file=sys.stderr)
        if error.code == "connection_failed":
            print("Is the server running? Start it with: npm start", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        say("")


def connect():
    """Returns a client of the server that the settings name. A demonstration needs a test key."""
    key = os.environ.get("DIALPLANE_KEY") or key_of_installation()
    if IS_DEMO and not key.startswith("svc_test_"):
        raise ApiError("invalid_argument", "DIALPLANE_KEY is no test key (svc_test_…), which --demo needs.")
    return Client(os.environ.get("DIALPLANE_URL", "http://localhost:8080"), key)


def key_of_installation():
    """Returns the test key that `npm start` has written."""
    file = Path(os.environ.get("DIALPLANE_DATA", ".dialplane")) / "keys.json"
    try:
        return json.loads(file.read_text())["test_key"]
    except (OSError, ValueError, KeyError):
        raise ApiError("invalid_argument", f"There is no key in {file}: run npm start, or set DIALPLANE_KEY.") from None


def ensure_number(client, name):
    """Returns the number DIALPLANE_NUMBER, or one of the example's tenant. Later runs find both by `external_ref`."""
    if "DIALPLANE_NUMBER" in os.environ:
        return client.get(f"/phone_numbers/{os.environ['DIALPLANE_NUMBER']}")
    if client.key.startswith("svc_live_"):
        raise ApiError("invalid_argument", "With a live key set DIALPLANE_NUMBER: examples buy no live numbers.")
    ref = f"example-{name}"
    found = client.get("/tenants", external_ref=ref)["data"]
    fields = {"name": "Desert Paws Clinic", "external_ref": ref, "timezone": "America/Phoenix"}
    tenant = found[0] if found else client.post("/tenants", fields)
    for number in client.get("/phone_numbers", tenant_id=tenant["id"])["data"]:
        if number["status"] == "active":
            return number
    on_sale = client.get("/phone_numbers/available", area_code="602", limit=1)["data"]
    if not on_sale:
        raise ApiError("invalid_argument", "Area code 602 has no numbers on sale.")
    return client.post("/phone_numbers", {"tenant_id": tenant["id"], "phone_number": on_sale[0]["phone_number"]})


def new_person():
    """Returns the number of a person whom no earlier run has texted."""
    return f"+1602555{random.randint(1000, 9999)}"


def is_genuine(secret, headers, body):
    """Returns true if the body was signed with the secret in the last five minutes (standardwebhooks.com)."""
    event_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in given)


class Receiver:
    """A webhook endpoint that hands each verified event of a tenant to `handle`, one after another.

    An event is answered with 204 when it has been handled. If `handle` raises, the answer is 500, and the server sends
    the event again: what is done twice must have an idempotency key. PORT is the port (any free one by default),
    WEBHOOK_URL the address for the server if it is not on this machine. Use it in a `with`.
    """

    def __init__(self, client, name, tenant_id, types, handle):
        self.client, self.tenant_id, self.handle = client, tenant_id, handle
        self.handled = queue.Queue()
        self.server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), handler_of(self._receive))
        url = os.environ.get("WEBHOOK_URL", f"http://127.0.0.1:{self.server.server_port}/")
        description = f"Example {name}"
        # Removes the endpoints of runs that were killed.
        for old in client.get("/webhook_endpoints", limit=100)["data"]:
            if old["description"] == description:
                client.delete(f"/webhook_endpoints/{old['id']}")
        fields = {"url": url, "description": description, "enabled_events": types}
        self.endpoint = client.post("/webhook_endpoints", fields)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.client.delete(f"/webhook_endpoints/{self.endpoint['id']}")
        self.server.shutdown()
        self.server.server_close()

    def wait_for(self, type, timeout=30, **fields):
        """Returns the next event of a type whose data has these fields, when it has been handled. Drops others."""
        limit = time.monotonic() + timeout
        while True:
            try:
                event = self.handled.get(timeout=max(0, limit - time.monotonic()))
            except queue.Empty:
                raise ApiError("timeout", f"No {type} came within {timeout} s.") from None
            if event["type"] == type and fields.items() <= event["data"].items():
                return event

    def _receive(self, headers, body):
        """Returns the status of the answer."""
        if not is_genuine(self.endpoint["secret"], headers, body):
            return 400
        event = json.loads(body)
        # An endpoint gets the events of all tenants of the account.
        if event["tenant_id"] != self.tenant_id:
            return 204
        try:
            self.handle(event)
        except Exception as error:
            print(f"{event['type']} failed and will be sent again: {error}", file=sys.stderr)
            return 500
        self.handled.put(event)
        return 204


def handler_of(receive):
    """Returns a handler of requests that answers a POST with the status that `receive(headers, body)` returns."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self):
            size = self.headers.get("Content-Length") or "0"
            is_fine = size.isdigit() and int(size) <= BODY_BYTES_MAX
            self.send_response(receive(self.headers, self.rfile.read(int(size))) if is_fine else 413)
            self.end_headers()

        def log_message(self, *_):
            """Requests are not logged: the program says what it does."""

    return Handler
