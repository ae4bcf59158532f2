/** Fixtures of calls. No party is simulated: the fixtures report what happens in the calls. */
import { randomInt } from 'node:crypto';
import { legsOf, report } from '../support/voice.ts';
import type { Fixture, Request } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

function callBody({ numberId }: World): NonNullable<Request['body']> {
  return { from: numberId, to: externalNumber(), connect_to: externalNumber(), transcribe: true, record: true };
}

async function newCall(world: World): Promise<string> {
  return (await world.must('POST', '/v1/calls', callBody(world))).id;
}

/** A call whose parties are connected. */
export async function newTalk(world: World, fields: object = {}): Promise<string> {
  const { harness, ledgerId, numberId } = world;
  const body = { from: numberId, to: externalNumber(), connect_to: externalNumber(), ...fields };
  const { id } = await world.must('POST', '/v1/calls', body);
  for (const party of [0, 1]) {
    const legRef = (await legsOf(harness, id))[party].id;
    await report(harness, ledgerId, [{ type: 'leg.answered', callRef: id, legRef }]);
  }
  return id;
}

const refs = { 'path.call_id': 'call_not_found' } as const;

function ofTalk(body?: () => NonNullable<Request['body']>): Fixture {
  return {
    make: async (world) => ({ path: { call_id: await newTalk(world) }, ...(body !== undefined && { body: body() }) }),
    refs,
  };
}

const ofConsult: Fixture = {
  make: async (world) => {
    const call_id = await newTalk(world);
    await world.must('POST', `/v1/calls/${call_id}/transfer`, { to: externalNumber(), mode: 'consult' });
    return { path: { call_id } };
  },
  refs,
};

/** Count the streams and recordings that were made, so that no two consecutive requests are equal. */
let streams = 0;
let relays = 0;

/** The words that a relay waits for. No carrier speaks them here, so no gateway dials. */
const UNSPOKEN = { listening_announcement: 'An assistant listens.' };

/** A call that opens no connection for its relay. */
export const newRelayTalk = (world: World): Promise<string> => newTalk(world, UNSPOKEN);

export const RELAY = {
  url: 'wss://agent.example.com/relay',
  welcome_text: 'Hello.',
  language: 'en-US',
  voice: null,
  interruptible: true,
  dtmf: true,
  silence_ms: 500,
  partial_prompts: true,
};

const ofRelay: Fixture = {
  make: async (world) => {
    const call_id = await newRelayTalk(world);
    await world.must('POST', `/v1/calls/${call_id}/relay`, RELAY);
    return { path: { call_id } };
  },
  refs: { 'path.call_id': 'call_not_found' },
};
let recordings = 0;

export const CALL_FIXTURES: Readonly<Record<string, Fixture>> = {
  'POST /v1/calls': {
    make: async (world) => ({ body: callBody(world) }),
    refs: { 'body.from': 'from_number_not_found' },
  },
  'POST /v1/calls/check': {
    make: async (world) => ({ body: callBody(world) }),
    refs: { 'body.from': 'from_number_not_found' },
  },
  'GET /v1/calls': {
    make: async ({ tenantId, numberId }) => ({
      query: { tenant_id: tenantId, phone_number_id: numberId, direction: 'outbound', status: 'dialing' },
    }),
    refs: { 'query.tenant_id': 'tenant_not_found', 'query.phone_number_id': 'phone_number_not_found' },
    row: newCall,
  },
  'GET /v1/calls/{call_id}': { make: async (world) => ({ path: { call_id: await newCall(world) } }), refs },
  'POST /v1/calls/{call_id}/opt_out': { make: async (world) => ({ path: { call_id: await newCall(world) } }), refs },
  'POST /v1/calls/{call_id}/dtmf': ofTalk(() => ({ digits: String(randomInt(1_000_000_000)) })),
  'POST /v1/calls/{call_id}/gather': ofTalk(() => ({
    prompt: `Please enter ${randomInt(1_000_000_000)}`,
    max_digits: 9,
    terminator: '#',
    timeout_ms: 5_000,
  })),
  'POST /v1/calls/{call_id}/speak': ofTalk(() => ({ text: `Your code is ${randomInt(1_000_000_000)}.`, to: 'both' })),
  'POST /v1/calls/{call_id}/speak/stop': ofTalk(),
  'POST /v1/calls/{call_id}/transfer': ofTalk(() => ({
    to: externalNumber(),
    announce_text: 'A caller about an appointment.',
    ring_seconds: 20,
    on_no_answer: 'voicemail',
  })),
  'POST /v1/calls/{call_id}/transfer/complete': ofConsult,
  'POST /v1/calls/{call_id}/transfer/cancel': ofConsult,
  'POST /v1/calls/{call_id}/listeners': {
    make: async (world) => {
      const { id: web_client_id } = await world.must('POST', '/v1/web_clients', { tenant_id: world.tenantId });
      return { path: { call_id: await newTalk(world) }, body: { web_client_id, speaks_to: 'agent' } };
    },
    refs: { ...refs, 'body.web_client_id': 'web_client_not_found' },
  },
  'DELETE /v1/calls/{call_id}/listeners/{listener_id}': {
    make: async (world) => {
      const call_id = await newTalk(world);
      const { id: web_client_id } = await world.must('POST', '/v1/web_clients', { tenant_id: world.tenantId });
      const body = { web_client_id, speaks_to: 'none' };
      const { id: listener_id } = await world.must('POST', `/v1/calls/${call_id}/listeners`, body);
      return { path: { call_id, listener_id } };
    },
    refs: { ...refs, 'path.listener_id': 'listener_not_found' },
  },
  'POST /v1/calls/{call_id}/hold': ofTalk(),
  'POST /v1/calls/{call_id}/resume': ofTalk(),
  'POST /v1/calls/{call_id}/recording': {
    make: async (world) => {
      const call_id = await newTalk(world);
      if (recordings++ % 2 === 0) return { path: { call_id }, body: { action: 'start' } };
      await world.must('POST', `/v1/calls/${call_id}/recording`, { action: 'start' });
      return { path: { call_id }, body: { action: 'stop' } };
    },
    refs,
  },
  'POST /v1/calls/{call_id}/transcription': ofTalk(),
  'POST /v1/calls/{call_id}/hangup': ofTalk(),
  'POST /v1/calls/{call_id}/streams': ofTalk(() => ({
    direction: 'bidirectional',
    track: ['inbound', 'outbound', 'both'][streams++ % 3] as string,
  })),
  'POST /v1/calls/{call_id}/relay': {
    make: async (world) => ({
      path: { call_id: await newRelayTalk(world) },
      body: { ...RELAY, parameters: { n: `${relays++}` } },
    }),
    refs,
  },
  'GET /v1/calls/{call_id}/relay': ofRelay,
  'DELETE /v1/calls/{call_id}/relay': ofRelay,
  'GET /v1/calls/{call_id}/streams': ofTalk(),
  'DELETE /v1/calls/{call_id}/streams/{stream_id}': {
    make: async (world) => {
      const call_id = await newTalk(world);
      const { id: stream_id } = await world.must('POST', `/v1/calls/${call_id}/streams`, {});
      return { path: { call_id, stream_id } };
    },
    refs: { 'path.call_id': 'call_not_found', 'path.stream_id': 'stream_not_found' },
  },
};
