"""The agent: its words at the start of a call, after a question, after a key. Put your model where `answer_to` is."""

import re

MENU = "You can ask for our hours, or for a person."


def answer_to(question):
    if re.search("hours|open|close", question, re.I):
        return "We are open from nine to five, Monday to Friday."
    return f"I did not understand that. {MENU}"


def run_agent(socket, log):
    """Talks on one call until its relay ends. docs/relay.md lists the messages."""
    asked = []

    def say(text):
        log(f"agent: {text}")
        socket.send({"type": "text", "token": text, "last": True})

    def hand_over():
        say("One moment, I will get a person.")
        socket.send({"type": "end", "handoffData": {"asked": asked}})

    for message in socket:
        kind = message["type"]
        if kind == "setup":
            log(f"{message['from']} calls")
            say("Hello, this is the clinic. How can I help you?")
        elif kind == "prompt" and message["last"]:
            question = message["voicePrompt"]
            log(f"caller: {question}")
            asked.append(question)
            if re.search("person|human", question, re.I):
                hand_over()
            else:
                say(answer_to(question))
        elif kind == "dtmf":
            if message["digit"] == "0":
                hand_over()
            else:
                say(MENU)
        elif kind == "interrupt":
            log(f"interrupted after \"{message['utteranceUntilInterrupt']}\"")
        elif kind == "error":
            log(f"error: {message['description']}")
    log("over")
