/**
 * A voice agent: answers calls, listens to words and keys, speaks, stops when the caller interrupts, and passes the
 * caller to a person or to the voicemail. README.md says how to run it, docs/voice-agents.md how it works.
 */
import type { Dialplane, Event, EventType, PhoneNumber } from '@dialplane/sdk';
import { TestMode } from '@dialplane/sdk/testing';
import {
  ensureNumber,
  ensureRouting,
  isDemo,
  newPerson,
  type Receiver,
  receiveEvents,
  run,
  say,
  untilStopped,
} from '../shared/local-server.ts';
import { Conversation, type Script } from './conversation.ts';
import { synthesize } from './speaking.ts';

const NAME = 'voice-agent';
/** Who gets callers that ask for a person: a number, or the id of a web client. */
const { PERSON = 'voicemail' } = process.env;
const KEYS = 'Press 1 for a person, or 2 to leave a message.';
const SCRIPT: Script = {
  greeting: `Hello, you have reached the clinic. How can I help you? ${KEYS}`,
  unclear: `I did not understand that. ${KEYS}`,
  intents: [
    { key: '1', words: /\b(person|human|someone|appointment)\b/i, act: (call) => call.transfer(PERSON) },
    { key: '2', words: /\b(message|voicemail)\b/i, act: (call) => call.transfer('voicemail') },
    { key: '3', words: /\b(hours|open|close)\b/i, act: (call) => call.say('We are open from nine to five.') },
    { key: '9', words: /\b(bye|goodbye)\b/i, act: (call) => call.sayAndHangUp('Goodbye.') },
  ],
};
const TYPES: EventType[] = [
  ...(['call.started', 'call.answered', 'call.completed', 'call.speech.ended', 'voicemail.created'] as const),
  ...(['call.transfer.started', 'call.transfer.completed', 'call.transfer.failed'] as const),
];

const calls = new Map<string, Conversation>();

/** Starts work and does not wait for it: a webhook is answered at once, and a call takes minutes. */
function handle(client: Dialplane, number: PhoneNumber, event: Event): void {
  if (event.type === 'call.started') {
    const { id, phone_number_id } = event.data;
    // A webhook may come twice.
    if (phone_number_id !== number.id || calls.has(id)) return;
    const call = new Conversation(client, id, SCRIPT);
    calls.set(id, call);
    call.start();
  } else if (event.type === 'call.answered') {
    // A person took the call.
    if (event.data.answered_by !== 'application') calls.get(event.data.id)?.leave();
  } else if (event.type === 'call.speech.ended') {
    calls.get(event.data.call_id)?.noteSpeechEnded(event.data.speech_id);
  } else if (event.type === 'call.completed') {
    const call = calls.get(event.data.id);
    call?.leave();
    call?.log(`over: ${event.data.outcome}`);
    calls.delete(event.data.id);
  } else if (event.type.startsWith('call.transfer.') && 'call_id' in event.data) {
    const reason = 'reason' in event.data ? (event.data.reason ?? '') : '';
    calls.get(event.data.call_id)?.log(`${event.type} ${reason}`.trim());
  }
}

/** Plays a caller who interrupts by speaking, asks by key, interrupts by key, and leaves a message. */
async function demonstrate(client: Dialplane, number: PhoneNumber, receiver: Receiver): Promise<void> {
  const lab = new TestMode(client);
  const maria = lab.phone(newPerson());
  say(`\nMaria (${maria.number}) calls. She interrupts the greeting with a question, then presses 3 and 2.`);
  const transferred = receiver.next('call.transfer.completed');
  const script = 'wait 3, say "Do you treat parrots as well?", wait 4, press 3, wait 1, press 2';
  await maria.call(number.phone_number, script);
  await transferred;
  const voicemail = receiver.next('voicemail.created');
  const completed = receiver.next('call.completed');
  await lab.advanceClock({ minutes: 1 });
  const { data } = await voicemail;
  await completed;
  say(`  her message has ${data.duration_seconds} seconds: GET /v1/voicemails/${data.id}/audio`);
}

await run(async (client) => {
  const number = await ensureNumber(client, NAME);
  await ensureRouting(client, number, {
    name: 'Agent',
    open_behavior: { type: 'ring', targets: ['application'], no_answer: { type: 'voicemail' } },
  });
  // The audio of the greeting is ready before the first call.
  await synthesize(SCRIPT.greeting);
  const about = { name: NAME, tenantId: number.tenant_id, types: TYPES };
  const receiver = await receiveEvents(client, about, (event) => handle(client, number, event));
  say(`waiting for calls to ${number.phone_number}`);
  try {
    await (isDemo ? demonstrate(client, number, receiver) : untilStopped());
  } finally {
    await Promise.all([...calls.values()].map((call) => call.giveUp(new Error('the agent stops'))));
    await receiver.close();
  }
});
