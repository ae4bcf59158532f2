/**
 * The smallest adapter that passes a conformance suite: a carrier of texts with an HTTP API. Copy it for a first
 * capability (docs/adding-a-carrier.md). It takes no reports: that is the next step, `ingress`.
 */
import type { AdapterKind, Connection } from '../../src/carriers/adapter.ts';
import type { MessagingPort } from '../../src/carriers/ports/messaging.ts';
import { requestSignalWithin } from '../../src/carriers/ports/request-signal.ts';

const REQUEST_MS = 5_000;

export const FIRST_KIND = {
  description: {
    kind: 'first',
    capabilities: ['messaging'],
    settings: [{ name: 'url', isRequired: true, description: 'The address of the API.' }],
    credentials: [{ name: 'api_key', isRequired: true, description: 'The key of the account.' }],
  },
  make: () => ({
    connect: (connection) => {
      const request = createClient(connection);
      return {
        carrier: { name: 'first', messaging: createMessaging(request) },
        check: async () => {
          const reply = await request('GET', '/account');
          if (typeof reply !== 'string' && reply.ok) return [{ check: 'key', state: 'good', found: 'accepted' }];
          const found = typeof reply === 'string' ? 'no answer' : 'refused';
          return [{ check: 'key', state: 'bad', found, advice: 'Make a new key at the carrier.' }];
        },
        setup: async () => [],
      };
    },
  }),
} as const satisfies AdapterKind;

/** A reply; `unreachable` if the carrier certainly did not get the request; `unclear` if it may have got it. */
type Answer = Response | 'unreachable' | 'unclear';
type Client = (method: 'GET' | 'PUT', path: string, body?: object) => Promise<Answer>;

function createClient({ settings, credentials }: Connection): Client {
  const headers = { authorization: `Bearer ${credentials['api_key']}`, 'content-type': 'application/json' };
  return async (method, path, body) => {
    const signal = requestSignalWithin(REQUEST_MS);
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return await fetch(`${settings['url']}${path}`, { method, headers, signal, ...sent });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      return cause?.code === 'ECONNREFUSED' ? 'unreachable' : 'unclear';
    }
  };
}

/** Returns the messaging port. The carrier uses our id of a text as its own, so the adapter stores no pairs of ids. */
function createMessaging(request: Client): MessagingPort {
  return {
    send: async (_ledger, { ref, ...text }) => {
      const reply = await request('PUT', `/texts/${ref}`, text);
      if (reply === 'unreachable') return { outcome: 'unavailable', cause: 'unreachable' };
      if (reply === 'unclear') return { outcome: 'unknown' };
      if (reply.ok) return { outcome: 'accepted' };
      if (reply.status === 429 || reply.status === 503) return { outcome: 'unavailable' };
      return reply.status >= 500 ? { outcome: 'unknown' } : { outcome: 'rejected', reason: 'carrier_rejected' };
    },
    findSend: async (_ledger, ref) => {
      const reply = await request('GET', `/texts/${ref}`);
      if (typeof reply === 'string') return { found: 'undecided' };
      if (reply.ok) return { found: 'accepted' };
      return { found: reply.status === 404 ? 'absent' : 'undecided' };
    },
  };
}
