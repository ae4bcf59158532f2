/**
 * The data of the events that the product emits, compared with the schemas of the webhooks in the OpenAPI document.
 * Objects may have only the described fields.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { findLedger } from '../../src/db/ledgers.ts';
import { chargeFee } from '../../src/domain/billing/index.ts';
import { sampleOf } from '../../src/domain/events/catalog.ts';
import { EVENT_TYPES, type EventType } from '../../src/domain/events/index.ts';
import { claimStream, connectStream, placeWebClientCall } from '../../src/domain/voice/index.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { today } from '../../src/lib/time/time.ts';
import { callIn, playParty, ringing, route, voicemail } from '../support/calls.ts';
import { makeCampaign } from '../support/compliance.ts';
import { type Json, testLedger } from '../support/events.ts';
import { useHarness } from '../support/harness.ts';
import { arrive, newPerson, read, sendText } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { makeLine } from '../support/numbers.ts';
import { makePortIn } from '../support/port-ins.ts';
import { leaveMessage, talk } from '../support/recordings.ts';
import { startStream } from '../support/streams.ts';
import { makeWebClient } from '../support/web-clients.ts';
import { document, resolve } from './document.ts';
import { createSchemaCheck } from './schema-check.ts';

const harness = await useHarness({ liveCarrier: ({ simulated }) => simulated, startWorkers: false, injects: true });
const { db } = harness.context;

/** Returns a schema whose objects have only the fields that it describes. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in schema ? { additionalProperties: false, ...inner } : inner;
}

const checkSchema = createSchemaCheck({ components: closed(document.components) });

/** The schema of each type's envelope, and of its data. */
const SCHEMAS = new Map<string, { envelope: Json; data: Json }>(
  Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const envelope = item['post']?.requestBody?.content['application/json']?.schema as Json;
    return [type, { envelope, data: (resolve(envelope) as Json).properties.data }];
  }),
);

function assertDescribed(type: string, envelope: Json | undefined, data: Json): void {
  const schemas = SCHEMAS.get(type) ?? assert.fail(`${type} is not described`);
  checkSchema(schemas.data, data, type);
  if (envelope !== undefined) checkSchema(schemas.envelope, envelope, type);
}

const act = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Json> => {
  const reply = await harness.call(method, `/v1${path}`, body === undefined ? {} : { body });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return reply.body;
};

/** Actions that make the product emit events, with the types of these events. */
const SCENES: readonly { emits: readonly EventType[]; play: () => Promise<unknown> }[] = [
  {
    emits: [
      'message.received',
      'message.sent',
      'message.delivered',
      'message.failed',
      'conversation.updated',
      'opt_out.created',
      'opt_out.removed',
    ],
    play: async () => {
      const { number } = await makeLine(harness);
      await sendText(harness, number.id, newPerson());
      const { id, conversation_id } = await sendText(harness, number.id, newPerson());
      await act('PATCH', `/conversations/${conversation_id}`, { state: 'done', tags: ['vip'], assignee: 'u1' });
      await act('POST', `/test/messages/${id}/receipt`, { status: 'sent' });
      await sendText(harness, number.id, MAGIC.deliveryFails);
      const person = newPerson();
      await arrive(harness, person, number.phone_number, 'STOP');
      await arrive(harness, person, number.phone_number, 'START');
      await harness.advance(10);
    },
  },
  {
    emits: [
      ...(['call.placed', 'call.answered', 'call.completed', 'call.transcript', 'call.summary'] as const),
      ...(['call.gather', 'call.dtmf', 'recording.created'] as const),
    ],
    play: async () => {
      const { id } = await talk(harness, await makeLine(harness), { transcribe: true, record: true });
      // Words before the end of the announcement are not transcribed.
      await harness.advance(4);
      await act('POST', `/calls/${id}/gather`, { prompt: 'Press a key.' });
      await act('POST', `/calls/${id}/dtmf`, { digits: '5' });
      await playParty(harness, id, 'speech', { speaker: 'agent', text: 'Hello' });
      await harness.advance(60);
    },
  },
  {
    emits: ['call.machine_detected', 'call.greeting_ended'],
    play: async () => {
      const { number } = await makeLine(harness);
      const machine_detection = { on_machine: 'leave_message', message: { text: 'Please call us back.' } };
      const to = MAGIC.machine;
      await act('POST', '/calls', { from: number.id, to, connect_to: newPerson(), machine_detection });
      await harness.advance(60);
    },
  },
  {
    emits: [
      'call.speech.ended',
      'call.transfer.started',
      'call.transfer.answered',
      'call.transfer.completed',
      'call.transfer.failed',
    ],
    play: async () => {
      const { id } = await talk(harness, await makeLine(harness));
      await act('POST', `/calls/${id}/speak`, { text: 'One moment.' });
      await act('POST', `/calls/${id}/transfer`, { to: MAGIC.neverAnswers, ring_seconds: 5 });
      await harness.advance(6);
      await act('POST', `/calls/${id}/transfer`, { to: newPerson(), mode: 'consult' });
      await harness.advance(3);
      await act('POST', `/calls/${id}/transfer/complete`);
      await harness.advance(60);
    },
  },
  {
    emits: ['call.menu'],
    play: async () => {
      const line = await makeLine(harness);
      const menu = { type: 'menu', prompt: 'Press one.', options: { '1': voicemail }, otherwise: voicemail };
      await route(harness, line, { open_behavior: menu });
      const { id } = await callIn(harness, line);
      await harness.advance(1);
      await playParty(harness, id, 'dtmf', { digits: '1' });
    },
  },
  {
    emits: ['call.queued', 'call.dequeued'],
    play: async () => {
      const line = await makeLine(harness);
      const made = await act('POST', '/queues', { tenant_id: line.tenantId, name: 'Support', agents: [newPerson()] });
      await route(harness, line, { open_behavior: { type: 'queue', queue_id: made.id } });
      await callIn(harness, line);
      await harness.advance(10);
    },
  },
  {
    emits: ['call.started', 'call.missed', 'voicemail.created'],
    play: async () => {
      const line = await makeLine(harness);
      await leaveMessage(harness, line);
      await route(harness, line, { open_behavior: ringing([MAGIC.neverAnswers], { no_answer: null }) });
      await callIn(harness, line);
      await harness.advance(60);
    },
  },
  {
    emits: ['call.stream.started', 'call.stream.stopped', 'call.stream.failed'],
    play: async () => {
      const { id: callId } = await talk(harness, await makeLine(harness));
      const { id, token, url } = await startStream(harness, callId);
      const nodeId = new URL(url).pathname.split('/')[3] as string;
      await claimStream(db, { streamId: id, token, nodeId });
      assert.equal(await connectStream(db, id), null);
      await act('DELETE', `/calls/${callId}/streams/${id}`);
      await startStream(harness, callId);
      await harness.advance(60);
    },
  },
  {
    emits: ['call.relay.started', 'call.relay.ended'],
    play: async () => {
      const { id: callId } = await talk(harness, await makeLine(harness));
      const url = 'wss://agent.example.com/relay';
      const { body } = await harness.call('POST', `/v1/calls/${callId}/relay`, { body: { url } });
      assert.equal(await connectStream(db, body.id), null);
      await act('DELETE', `/calls/${callId}/relay`);
    },
  },
  {
    emits: ['emergency_call.placed'],
    play: async () => {
      const { tenantId, number } = await makeLine(harness);
      const { id } = await makeWebClient(harness, tenantId);
      const ledger = (await findLedger(db, await testLedger(harness))) as Ledger;
      const wanted = { webClient: { id, tenantId }, to: '911', from: number.id };
      await db.transaction((tx) => placeWebClientCall(harness.context, tx, ledger, wanted));
    },
  },
  {
    emits: ['opt_in.submitted'],
    play: async () => {
      const { tenantId } = await makeLine(harness);
      const { slug } = await act('POST', '/opt_in_forms', { tenant_id: tenantId, name: 'Text reminders' });
      const body = { phone_number: newPerson(), consent: 'yes' };
      const reply = await harness.call('POST', `/opt-in/${slug}`, { key: null, body });
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
    },
  },
  {
    emits: [
      ...(['brand.status_changed', 'campaign.status_changed', 'number.status_changed'] as const),
      ...(['number.port_out', 'port_in.status_changed'] as const),
    ],
    play: async () => {
      const { tenantId, number } = await makeLine(harness);
      await makeCampaign(harness, tenantId);
      await act('POST', `/test/phone_numbers/${number.id}/port_out`, { status: 'pending', carrier_name: 'Other' });
      await act('DELETE', `/phone_numbers/${number.id}`);
      const { id } = await makePortIn(harness, tenantId);
      await act('POST', `/port_ins/${id}/submit`);
      await harness.advance(60);
    },
  },
  {
    emits: ['webhook_endpoint.disabled', 'balance.low'],
    play: async () => {
      const url = 'https://platform.example/hooks';
      const { id } = await act('POST', '/webhook_endpoints', { url });
      await act('PATCH', `/webhook_endpoints/${id}`, { url, status: 'disabled' });
      const ledger = await fund(harness, '20');
      const fee = { kind: 'brand_registration', reference: 'brand:1', description: 'Registration' } as const;
      await db.transaction((tx) => chargeFee(tx, ledger, fee));
    },
  },
];

/** Returns all events of a type that the account's keys see. */
async function listOf(type: EventType): Promise<Json[]> {
  const { test_key, live_key } = harness.account;
  const pages = await Promise.all(
    [test_key, live_key].map((key) => read(harness, `/events?type=${type}&limit=100`, key)),
  );
  return pages.flatMap(({ data }) => data);
}

for (const { emits, play } of SCENES) {
  test(`${emits.join(', ')}: every event has the data that the document describes`, async () => {
    await play();
    for (const type of emits) {
      const events = await listOf(type);
      assert.ok(events.length > 0, `no ${type} was emitted`);
      for (const event of events) assertDescribed(type, event, event.data);
    }
  });
}

test('every event type is emitted and compared with its description', () => {
  assert.deepEqual(SCENES.flatMap(({ emits }) => emits).sort(), [...EVENT_TYPES].sort());
});

test('the sample of every event type has the data that the document describes', () => {
  for (const type of EVENT_TYPES) {
    const { data } = JSON.parse(JSON.stringify(sampleOf(type, today())));
    assertDescribed(type, undefined, data);
  }
});
