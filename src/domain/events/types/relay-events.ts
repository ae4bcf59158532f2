/** The events of relays, the connections of calls to agents of text. */
import { CALL_ID } from './call-samples.ts';
import { type EventEntry, type Sample, TENANT_ID } from './entry.ts';

const RELAY_ID = 'rly_01jd5h0s4mp1e0000000000000';

function relay(at: string, changes: Readonly<Record<string, unknown>>): Sample {
  const data = {
    id: RELAY_ID,
    object: 'call_relay',
    call_id: CALL_ID,
    tenant_id: TENANT_ID,
    status: 'active',
    url: 'wss://agent.example.com/relay',
    welcome_text: 'Hello, how can I help you?',
    language: 'en-US',
    voice: null,
    interruptible: true,
    dtmf: true,
    silence_ms: 700,
    partial_prompts: false,
    parameters: {},
    reason: null,
    connect_error: null,
    handoff_data: null,
    created_at: at,
    started_at: at,
    ended_at: null,
    billed_seconds: 0,
    ...changes,
  };
  return { tenantId: TENANT_ID, resourceId: RELAY_ID, data };
}

const RELAY_DATA = { data: 'with `billed_seconds`' };

/** These events come after all others: clients of the last release know events by their position in the list. */
export const RELAY_EVENTS = {
  'call.relay.started': {
    when: 'The agent of a relay is connected.',
    docs: RELAY_DATA,
    data: 'call_relay',
    sample: (at) => relay(at, {}),
  },
  'call.relay.ended': {
    when: 'A relay ended, for any reason; handoff_data is what its agent has handed over.',
    docs: RELAY_DATA,
    data: 'call_relay',
    sample: (at) =>
      relay(at, {
        status: 'ended',
        reason: 'agent_ended',
        handoff_data: '{"reason":"wants_a_person"}',
        ended_at: at,
        billed_seconds: 84,
      }),
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
