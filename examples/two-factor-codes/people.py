"""The simulated people of the demonstration."""

import json
import re
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from dialplane import new_person, say


def play(client, codes, url, receiver):
    """Logs in, and then tries what should fail."""

    def ask(path, **fields):
        """Does what the login page does. Prints the answer."""
        try:
            with urlopen(Request(url + path, json.dumps(fields).encode(), method="POST"), timeout=30) as reply:
                say(f"  {path}: {reply.status} {reply.read().decode()}")
        except HTTPError as error:
            say(f"  {path}: {error.code} {error.read().decode()}")

    def read_code(phone, count):
        """Waits for the text number `count` on a phone, and returns its code."""
        for _ in range(100):
            texts = client.get("/test/outbox", to=phone)["data"]
            if len(texts) == count:
                say(f"  the phone shows: {texts[0]['body']}")
                return re.search(r"\d{6}", texts[0]["body"])[0]
            time.sleep(0.1)
        raise TimeoutError(f"{phone} got no text")

    ana = new_person()
    say(f"\nAna ({ana}) logs in, with a slip of the finger.")
    ask("/codes", phone=ana)
    code = read_code(ana, 1)
    ask("/codes/verify", phone=ana, code=wrong(code))
    ask("/codes/verify", phone=ana, code=code)
    say("The code works once.")
    ask("/codes/verify", phone=ana, code=code)

    say("\nShe asks for another code, and comes back after five minutes.")
    ask("/codes", phone=ana)
    code = read_code(ana, 2)
    codes.now = lambda: time.time() + 301
    ask("/codes/verify", phone=ana, code=code)

    say("\nSomebody guesses.")
    ask("/codes", phone=ana)
    code = read_code(ana, 3)
    for _ in range(5):
        ask("/codes/verify", phone=ana, code=wrong(code))
    say("After five attempts even the right code is refused, and there is no fourth text in ten minutes.")
    ask("/codes/verify", phone=ana, code=code)
    ask("/codes", phone=ana)

    say("\nA number that the carrier rejects.")
    ask("/codes", phone="+15005550001")
    receiver.wait_for("message.failed")


def wrong(code):
    return f"{(int(code) + 1) % 10**6:06}"
