/**
 * A voice agent. It answers calls, listens to words and keys, speaks, and stops when the caller interrupts. It passes
 * the caller to a person or to the voicemail. It follows a script, or uses a model that hears and speaks. README.md
 * says how to run it, docs/voice-agents.md how it works.
 */
import { randomUUID } from 'node:crypto';
import type { Call, Dialplane, Event, EventType, PhoneNumber } from '@dialplane/sdk';
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
import { Bridge } from './bridge.ts';
import { Conversation, type Script } from './conversation.ts';
import { synthesize } from './speaking.ts';
import { acceptStreams } from './streams.ts';

const NAME = 'voice-agent';
/** The person or place for callers who ask for a person: a number, or the id of a web client. */
const { PERSON = 'voicemail' } = process.env;
/** With REALTIME_URL a model hears and speaks, in place of the script. */
const { REALTIME_URL, REALTIME_KEY, REALTIME_VOICE = 'marin', STREAM_PORT = '0', STREAM_URL } = process.env;
const INSTRUCTIONS = `You answer the phone of Desert Paws Clinic, a clinic for animals in Phoenix. Speak briefly and
kindly. Greet the caller first. The clinic is open from nine to five, Monday to Friday. For everything that you do not
know, offer to connect the caller with a person.`;
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

const calls = new Map<string, Conversation | Bridge>();
/** Calls whose audio has not arrived yet, by the secrets of their streams. */
const expected = new Map<string, Bridge>();

function takeSecret(secret: string): Bridge | undefined {
  const bridge = expected.get(secret);
  expected.delete(secret);
  return bridge;
}

/** Answers a call: with the script, or with a model, if there is an address for the audio. */
function answer(client: Dialplane, number: PhoneNumber, call: Call, streamUrl: string | undefined): void {
  if (REALTIME_URL === undefined || streamUrl === undefined) {
    const conversation = new Conversation(client, call.id, SCRIPT);
    calls.set(call.id, conversation);
    conversation.start();
    return;
  }
  const model = { url: REALTIME_URL, key: REALTIME_KEY, voice: REALTIME_VOICE, instructions: INSTRUCTIONS };
  const bridge = new Bridge(client, { id: call.id, caller: call.from, number }, { ...model, person: PERSON });
  const secret = randomUUID();
  calls.set(call.id, bridge);
  expected.set(secret, bridge);
  bridge.start(streamUrl, secret);
}

/** Starts work without waiting for it, because a webhook is answered at once and a call takes minutes. */
function handle(client: Dialplane, number: PhoneNumber, event: Event, streamUrl: string | undefined): void {
  if (event.type === 'call.started') {
    const { id, phone_number_id } = event.data;
    // A webhook may come twice.
    if (phone_number_id === number.id && !calls.has(id)) answer(client, number, event.data, streamUrl);
  } else if (event.type === 'call.answered') {
    // A person took the call.
    if (event.data.answered_by !== 'application') calls.get(event.data.id)?.leave();
  } else if (event.type === 'call.speech.ended') {
    const call = calls.get(event.data.call_id);
    if (call instanceof Conversation) call.noteSpeechEnded(event.data.speech_id);
  } else if (event.type === 'call.completed') {
    const call = calls.get(event.data.id);
    call?.leave();
    call?.log(`over: ${event.data.outcome}`);
    calls.delete(event.data.id);
    for (const [secret, bridge] of expected) if (bridge === call) expected.delete(secret);
  } else if (event.type.startsWith('call.transfer.') && 'call_id' in event.data) {
    const reason = 'reason' in event.data ? (event.data.reason ?? '') : '';
    calls.get(event.data.call_id)?.log(`${event.type} ${reason}`.trim());
  }
}

/**
 * Plays a caller who interrupts by speaking, asks by key, interrupts by key, and leaves a message. A model gets a
 * caller who asks for a person, by key if the words do not help.
 */
async function demonstrate(client: Dialplane, number: PhoneNumber, receiver: Receiver): Promise<void> {
  const lab = new TestMode(client);
  const maria = lab.phone(newPerson());
  const question = 'say "Do you treat parrots as well?"';
  const script = REALTIME_URL
    ? `wait 3, ${question}, wait 6, say "I would like to talk to a person, please.", wait 8, press 0`
    : `wait 3, ${question}, wait 4, press 3, wait 1, press 2`;
  say(`\nMaria (${maria.number}) calls: ${script}`);
  const transferred = receiver.next('call.transfer.completed');
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
  if (REALTIME_URL === undefined) await synthesize(SCRIPT.greeting);
  const streams = REALTIME_URL === undefined ? undefined : await acceptStreams(Number(STREAM_PORT), takeSecret);
  const streamUrl = STREAM_URL ?? streams?.url;
  const about = { name: NAME, tenantId: number.tenant_id, types: TYPES };
  const receiver = await receiveEvents(client, about, (event) => handle(client, number, event, streamUrl));
  say(`waiting for calls to ${number.phone_number}`);
  try {
    await (isDemo ? demonstrate(client, number, receiver) : untilStopped());
  } finally {
    await Promise.all([...calls.values()].map((call) => call.giveUp(new Error('the agent stops'))));
    streams?.close();
    await receiver.close();
  }
});
