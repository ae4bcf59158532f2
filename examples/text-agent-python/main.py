"""An agent of text in Python: Dialplane hears and speaks, and this program gets words and sends words.

README.md says how to run it, docs/agent-quickstart.md how to make one.
"""

import os
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))

from agent import run_agent  # noqa: E402
from dialplane import IS_DEMO, ApiError, ensure_number, new_person, run, say  # noqa: E402
from websocket import serve  # noqa: E402

NAME = "Text agent in Python"


def route_to(client, number, url):
    """Lets the agent answer the number. Keeps a routing config that this example did not make."""
    agent = {"type": "relay", "url": url, "fallback": {"type": "voicemail"}}
    fields = {"tenant_id": number["tenant_id"], "name": NAME, "open_behavior": agent}
    current = number["routing_config_id"]
    if current is None:
        routing = client.post("/routing_configs", fields)
        client.patch(f"/phone_numbers/{number['id']}", {"routing_config_id": routing["id"]})
    elif client.get(f"/routing_configs/{current}")["name"] == NAME:
        client.put(f"/routing_configs/{current}", fields)
    else:
        raise ApiError("invalid_argument", f"{number['phone_number']} has a routing of its own: {current}.")


def demonstrate(client, number, over):
    """Plays a caller who asks, and then wants a person."""
    maria = new_person()
    say(f"\nMaria ({maria}) calls {number['phone_number']}:")
    script = 'wait 5, say "When are you open?", wait 6, say "A person."'
    call = client.post("/test/inbound_calls", {"from": maria, "to": number["phone_number"], "script": script})
    if not over.wait(timeout=60):
        raise ApiError("timeout", "The relay has not ended within a minute.")
    client.post(f"/test/calls/{call['id']}/hangup", {"party": "customer"})
    answered_by = client.get(f"/calls/{call['id']}")["answered_by"]
    say(f"  answered by: {answered_by}")


def main(client):
    number = ensure_number(client, "text-agent-python")
    over = threading.Event()

    def answer(socket):
        run_agent(socket, lambda line: say(f"  {line}"))
        over.set()

    server = serve(int(os.environ.get("PORT", "0")), answer)
    url = os.environ.get("AGENT_URL", f"ws://127.0.0.1:{server.server_port}/")
    try:
        route_to(client, number, url)
        say(f"{number['phone_number']} is answered by the agent at {url}")
        if IS_DEMO:
            demonstrate(client, number, over)
        else:
            threading.Event().wait()
    finally:
        server.shutdown()
        server.server_close()


run(main)
