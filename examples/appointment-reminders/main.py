"""Appointment reminders: a text on the day before. C confirms, R asks to move it, STOP ends the texts.

README.md says how to run it.
"""

import json
import os
import sys
import threading
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
import people
from dialplane import IS_DEMO, ApiError, Receiver, ensure_number, run, say

NAME = "appointment-reminders"
ZONE = ZoneInfo("America/Phoenix")
REMIND_AT = time(9, 0)
QUIET_HOURS = {"start": "21:00", "end": "08:00", "zone": "recipient"}
CONFIRM, MOVE = {"c", "confirm", "yes"}, {"r", "reschedule", "move"}
# Refusals that concern one person. The front desk has to call.
NO_TEXT = {"recipient_opted_out", "destination_not_supported", "invalid_to"}


@dataclass
class Appointment:
    id: str
    person: str
    phone: str
    at: datetime
    # booked, reminded, confirmed, to be moved, or why the clinic has to call
    status: str = "booked"
    reminder_id: str | None = None


class Reminders:
    def __init__(self, client, number, appointments):
        self.client, self.number, self.appointments = client, number, appointments

    def schedule(self):
        """Schedules the text of each appointment. A second run, with the same appointments, sends nothing twice."""
        for each in self.appointments:
            send_at = datetime.combine(each.at.date() - timedelta(days=1), REMIND_AT, ZONE)
            when = f"tomorrow at {each.at:%H:%M}"
            body = f"Desert Paws Clinic: see you {when}. Reply C to confirm, R to move it, STOP to opt out."
            fields = {"send_at": send_at.isoformat(), "respect_quiet_hours": True, "metadata": {"appointment": each.id}}
            # A moved appointment gets another reminder.
            key = f"reminder-{self.number['id']}-{each.id}-{each.at.isoformat()}"
            message = self.send(each, body, key, fields)
            if message:
                each.reminder_id, each.status = message["id"], "reminded"
                say(f"  {each.person}: the reminder goes out on {send_at:%A at %H:%M}")

    def send(self, appointment, body, key, fields={}):
        """Sends a text. Returns None, and says so, if this person gets no texts."""
        try:
            send = {"from": self.number["id"], "to": appointment.phone, "body": body, **fields}
            return self.client.post("/messages", send, idempotency_key=key)
        except ApiError as error:
            if error.code not in NO_TEXT:
                raise
            self.call_instead(appointment, error.code)

    def handle(self, event):
        data = event["data"]
        if event["type"] == "message.received":
            self.answer(data)
        elif event["type"] == "opt_out.created":
            for each in self.appointments:
                if each.phone == data["external_number"]:
                    self.stop(each)
        elif event["type"] == "message.failed":
            for each in self.appointments:
                if each.id == data["metadata"].get("appointment"):
                    self.call_instead(each, data["failure_reason"])

    def answer(self, message):
        words = message["body"].lower().replace(".", " ").split()
        waiting = [each for each in self.appointments if each.phone == message["from"] and each.status == "reminded"]
        say(f"  {message['from']} texts: {message['body']}")
        if not waiting or not words:
            return
        appointment = min(waiting, key=lambda each: each.at)
        # The key belongs to the text that is answered: if this event comes twice, one answer is sent.
        key = f"answer-{message['id']}"
        if words[0] in CONFIRM:
            self.send(appointment, f"Thank you, see you at {appointment.at:%H:%M}.", key)
            appointment.status = "confirmed"
        elif words[0] in MOVE:
            self.send(appointment, "Which day suits you? We will call you to find a time.", key)
            appointment.status = "to be moved"
        # All else is for the people at the front desk.

    def stop(self, appointment):
        """Cancels a reminder that waits. The server would refuse it anyway."""
        try:
            if appointment.reminder_id:
                self.client.post(f"/messages/{appointment.reminder_id}/cancel")
        except ApiError as error:
            if error.code != "message_not_cancellable":
                raise
        if appointment.status == "reminded":
            self.call_instead(appointment, "recipient_opted_out")

    def call_instead(self, appointment, reason):
        appointment.status = f"call: {reason}"
        say(f"  {appointment.person} gets no text ({reason}); the front desk calls.")


def read_appointments():
    """Returns the rows of the file APPOINTMENTS."""
    if "APPOINTMENTS" not in os.environ:
        row = {"id": "4711", "person": "Ana", "phone": "+16025550143", "at": "2026-12-01T10:30"}
        sys.exit(f"Set APPOINTMENTS to a file with a list of appointments, such as {json.dumps([row])}")
    return json.loads(Path(os.environ["APPOINTMENTS"]).read_text())


def local_time(text):
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def main(client):
    rows = people.book(client, ZONE) if IS_DEMO else read_appointments()
    appointments = [Appointment(**{**row, "at": local_time(row["at"])}) for row in rows]
    number = ensure_number(client, NAME)
    client.patch(f"/tenants/{number['tenant_id']}", {"quiet_hours": QUIET_HOURS})
    reminders = Reminders(client, number, appointments)
    types = ["message.received", "message.failed", "opt_out.created"]
    with Receiver(client, NAME, number["tenant_id"], types, reminders.handle) as receiver:
        say(f"Reminders from {number['phone_number']}:")
        reminders.schedule()
        if IS_DEMO:
            people.play(client, number, appointments, receiver)
        else:
            threading.Event().wait()
    say("\nThe appointments:")
    for each in appointments:
        say(f"  {each.at:%d %b %H:%M}  {each.person}  {each.status}")


run(main)
