"""The simulated people of the demonstration."""

from datetime import datetime, time, timedelta
from uuid import uuid4

from dialplane import new_person, say


def book(client, zone):
    """Returns appointments of three people, on the day after tomorrow by the clock of the test data."""
    now = datetime.fromisoformat(client.get("/test/clock")["now"]).astimezone(zone)
    first = datetime.combine(now.date() + timedelta(days=2), time(10, 30))
    return [
        {"id": uuid4().hex, "person": name, "phone": new_person(), "at": (first + timedelta(hours=index)).isoformat()}
        for index, name in enumerate(["Ana", "Ben", "Cleo"])
    ]


def play(client, number, appointments, receiver):
    """Cleo opts out, the reminders arrive, Ana and Ben answer."""
    ana, ben, cleo = appointments

    def text(person, body):
        client.post("/test/inbound_messages", {"from": person.phone, "to": number["phone_number"], "body": body})

    def show(person):
        newest = client.get("/test/outbox", to=person.phone)["data"][0]
        say(f"  {person.person}'s phone shows: {newest['body']}")

    say("\nCleo wants no texts.")
    text(cleo, "STOP")
    receiver.wait_for("opt_out.created")

    say("\nThe clock of the test data moves to the day before.")
    moment = datetime.fromisoformat(client.get(f"/messages/{ana.reminder_id}")["send_at"])
    now = datetime.fromisoformat(client.get("/test/clock")["now"])
    client.post("/test/clock", {"advance_seconds": int((moment - now).total_seconds()) + 10})
    show(ana)
    show(ben)

    say("\nAna and Ben answer.")
    for person, body in ((ana, "C"), (ben, "R please, I have to work")):
        text(person, body)
        receiver.wait_for("message.received", body=body)
    client.post("/test/clock", {"advance_seconds": 5})
    show(ana)
    show(ben)
