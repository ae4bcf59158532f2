"""The requests of the login page, over HTTP and JSON."""

import json
from http.server import BaseHTTPRequestHandler

BODY_BYTES_MAX = 1024


class Refused(Exception):
    """What the login page gets: an HTTP status, and a code to show a sentence for."""

    def __init__(self, status, code, **fields):
        super().__init__(code)
        self.status, self.body = status, {"error": code, **fields}


def make_handler(codes):
    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self):
            try:
                size = self.headers.get("Content-Length") or "0"
                if not size.isdigit() or int(size) > BODY_BYTES_MAX:
                    raise Refused(413, "body_too_large")
                fields = json.loads(self.rfile.read(int(size)))
                if self.path == "/codes":
                    codes.send(str(fields["phone"]))
                    self.answer(202, {"sent": True})
                elif self.path == "/codes/verify":
                    codes.verify(str(fields["phone"]), str(fields["code"]))
                    self.answer(200, {"verified": True})
                else:
                    raise Refused(404, "not_found")
            except Refused as refused:
                self.answer(refused.status, refused.body)
            except (ValueError, KeyError, TypeError):
                self.answer(400, {"error": "invalid_body"})

        def answer(self, status, body):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_):
            """Requests are not logged: they have codes in them."""

    return Handler
