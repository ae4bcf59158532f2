"""A WebSocket server of the standard library, as far as an agent of text needs one (RFC 6455)."""

import base64
import hashlib
import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
MESSAGE_BYTES_MAX = 64 * 1024


class Closed(Exception):
    """The other side has closed the connection, or does not speak the protocol."""


class Socket:
    """One connection. Messages are JSON objects."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.lock = reader, writer, threading.Lock()

    def __iter__(self):
        """Yields the messages until the connection ends."""
        text = b""
        while True:
            try:
                is_last, kind, payload = self._read_frame()
            except (Closed, OSError):
                return
            if kind == CLOSE:
                self._write(CLOSE, payload[:2])
                return
            if kind == PING:
                self._write(PONG, payload)
            elif kind <= TEXT:
                text += payload
                if len(text) > MESSAGE_BYTES_MAX:
                    return
                if is_last:
                    yield json.loads(text)
                    text = b""

    def send(self, message):
        self._write(TEXT, json.dumps(message).encode())

    def _read(self, size):
        data = self.reader.read(size)
        if len(data) < size:
            raise Closed
        return data

    def _read_frame(self):
        first, second = self._read(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack("!H", self._read(2))[0]
        elif size == 127:
            size = struct.unpack("!Q", self._read(8))[0]
        if size > MESSAGE_BYTES_MAX or not second & 0x80:
            raise Closed
        mask, data = self._read(4), self._read(size)
        return bool(first & 0x80), first & 0x0F, bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))

    def _write(self, kind, payload):
        size = len(payload)
        head = struct.pack("!BB", 0x80 | kind, size) if size < 126 else struct.pack("!BBH", 0x80 | kind, 126, size)
        with self.lock:
            self.writer.write(head + payload)
            self.writer.flush()


def serve(port, answer):
    """Starts a server on this machine that calls `answer(socket)` for each connection, in a separate thread."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            key = self.headers.get("Sec-WebSocket-Key")
            self.close_connection = True
            if key is None:
                self.send_error(426)
                return
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            accept = hashlib.sha1((key + GUID).encode()).digest()
            self.send_header("Sec-WebSocket-Accept", base64.b64encode(accept).decode())
            self.end_headers()
            answer(Socket(self.rfile, self.wfile))

        def log_message(self, *_):
            """Requests are not logged: the agent says what it does."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
