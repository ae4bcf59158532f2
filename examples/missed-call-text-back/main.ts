/**
 * Missed-call text-back: a caller whose call is not answered gets a text, so the conversation continues by text.
 * README.md says how to run it.
 */
import { type Call, type Dialplane, DialplaneError, type Event, type PhoneNumber } from '@dialplane/sdk';
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

const NAME = 'missed-call-text-back';
/** The person who rings first. In test mode this number never answers. */
const FRONT_DESK = process.env['FRONT_DESK'] ?? '+15005550003';
const TEXT =
  'Desert Paws Clinic: sorry that we missed your call. Text us here, and we will answer. Reply STOP to opt out.';
/** A caller who tries three times in an hour gets one text. */
const PAUSE_MS = 24 * 60 * 60 * 1000;
/** Mobile and landline numbers of the US and Canada; not "anonymous", and no short code. */
const PHONE = /^\+1[2-9]\d{9}$/;

/** Refusals that concern this caller only. Another attempt would be refused too. */
const NO_TEXT = ['recipient_opted_out', 'destination_not_supported', 'invalid_to'] as const;

async function textBack(client: Dialplane, call: Call): Promise<void> {
  const { from: caller, tenant_id } = call;
  if (!PHONE.test(caller)) return say(`  missed call from ${caller}: not a number that gets texts`);
  // Times of calls follow the clock of test mode, so the pause is counted from the call, and not from the real time.
  const start = new Date(Date.parse(call.started_at) - PAUSE_MS).toISOString();
  const recent = await client.messages.list({ tenant_id, to: caller, direction: 'outbound', start, limit: 1 });
  if (recent.data.length > 0) return say(`  missed call from ${caller}: has had a text in the last 24 hours`);
  try {
    // The key belongs to the call: if this event comes twice, one text is sent.
    const send = { from: call.phone_number_id, to: caller, body: TEXT, metadata: { missed_call: call.id } };
    const message = await client.messages.send(send, { idempotencyKey: `${NAME}-${call.id}` });
    say(`  missed call from ${caller}: text ${message.id} is ${message.status}`);
  } catch (error) {
    if (!DialplaneError.is(error, ...NO_TEXT)) throw error;
    say(`  missed call from ${caller}: no text, ${error.code}`);
  }
}

async function handle(client: Dialplane, event: Event): Promise<void> {
  if (event.type === 'call.missed') await textBack(client, event.data);
  if (event.type === 'message.received') say(`  text from ${event.data.from}: ${event.data.body}`);
  if (event.type === 'message.failed') say(`  text to ${event.data.to} failed: ${event.data.failure_reason}`);
}

/** Plays a person who calls three times, and shows what their phone gets. */
async function demonstrate(client: Dialplane, number: PhoneNumber, receiver: Receiver): Promise<void> {
  const maria = new TestMode(client).phone(newPerson());
  const callAndGiveUp = async () => {
    const missed = receiver.next('call.missed');
    await maria.call(number.phone_number, 'ring 1, hangup');
    await missed;
  };
  say(`\nMaria (${maria.number}) calls ${number.phone_number}. Nobody answers.`);
  await callAndGiveUp();
  const { body } = await maria.waitForText('missed your call');
  say(`  Maria's phone shows: ${body}`);

  say('\nShe answers the text.');
  const received = receiver.next('message.received');
  await maria.reply('Can you see Biscuit at three?');
  await received;

  say('\nShe calls again.');
  await callAndGiveUp();

  say('\nShe wants no texts, and calls once more a day later.');
  await maria.reply('STOP');
  await new TestMode(client).advanceClock({ days: 1, minutes: 5 });
  await callAndGiveUp();
}

await run(async (client) => {
  const number = await ensureNumber(client, NAME);
  await ensureRouting(client, number, {
    name: 'Front desk',
    open_behavior: { type: 'ring', targets: [FRONT_DESK], timeout_seconds: 20, no_answer: null },
  });
  const about = {
    name: NAME,
    tenantId: number.tenant_id,
    types: ['call.missed' as const, 'message.received' as const, 'message.failed' as const],
  };
  const receiver = await receiveEvents(client, about, (event) => handle(client, event));
  say(`${number.phone_number} rings ${FRONT_DESK}. Callers whom nobody answers get a text.`);
  try {
    await (isDemo ? demonstrate(client, number, receiver) : untilStopped());
  } finally {
    await receiver.close();
  }
});
