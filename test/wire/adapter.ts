/** The adapter of the wire carrier: every operation is a request, and events return as signed callbacks. */
import type {
  AdapterKind,
  ConnectedCarrier,
  Connection,
  ConnectionFinding,
  Ingress,
} from '../../src/carriers/adapter.ts';
import { type Book, openBook } from '../../src/carriers/book/book.ts';
import { telnyxDialect } from '../../src/carriers/connections/media-dialects.ts';
import type { AudioPort } from '../../src/carriers/ports/audio.ts';
import { type Carrier, DECLARED_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { OPERATIONS, type OperationKind } from '../../src/carriers/ports/operations.ts';
import { requestSignalWithin } from '../../src/carriers/ports/request-signal.ts';
import { isVoiceEvent } from '../../src/carriers/ports/voice.ts';
import { findLedger } from '../../src/db/ledgers.ts';
import { ApiError } from '../../src/lib/errors/errors.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { reportProblem } from '../support/reporting-carrier.ts';
import { bookRequests } from './booked-requests.ts';
import { type Callback, decode, encode, LEDGER_HEADER } from './protocol.ts';

const KIND = 'wire';
const REQUEST_MS = 5_000;

/** The kind of the wire carrier. */
export const WIRE_KIND: AdapterKind = {
  description: {
    kind: KIND,
    capabilities: DECLARED_CAPABILITIES,
    settings: [
      { name: 'url', isRequired: true, description: 'The address of the carrier.' },
      { name: 'public_url', isRequired: true, description: 'Where the carrier reaches this installation.' },
      { name: 'request_ms', isRequired: false, description: 'How long an answer may take; 5000 by default.' },
      { name: 'transcribes', isRequired: false, description: 'no: it cuts and transcribes no utterances.' },
      { name: 'askable', isRequired: false, description: 'no: it cannot say what became of an order or a dial.' },
    ],
    credentials: [
      { name: 'key', isRequired: true, description: 'The key of requests.' },
      { name: 'secret', isRequired: true, description: 'Signs what the carrier reports.' },
    ],
  },
  make: ({ db }) => ({ connect: (connection) => connectWire(connection, openBook(db, connection.id)) }),
};

/** Opens a connection to the wire carrier. Without a book its requests are not recorded. */
export function connectWire(connection: Connection, book?: Book): ConnectedCarrier {
  const { id, settings, credentials } = connection;
  const ask = createClient(connection);
  const transcribes = settings['transcribes'] !== 'no';
  const carrier = makeCarrier(ask, transcribes);
  const isAskable = settings['askable'] !== 'no';
  return {
    carrier: book === undefined ? carrier : bookRequests(carrier, { book, isAskable }),
    check: async () => [findingOf(await ask('control/check', {}))],
    setup: async () => {
      const address = `${settings['public_url']}/carrier/${KIND}/${id}`;
      const { is } = await ask('control/setup', { address });
      if (is !== 'answered') throw new ApiError('carrier_unavailable');
      return [`Reports go to ${address}.`];
    },
    ingress: ingressOf(credentials['secret'] as string, transcribes),
  };
}

/** The outcome of a request. unreachable, refused: the carrier does not have it. unclear: it may have it. */
type Answer =
  | { readonly is: 'answered'; readonly value: unknown }
  | { readonly is: 'refused'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly is: 'unreachable' }
  | { readonly is: 'unclear' };

type Client = (path: string, body: unknown, ledger?: Ledger) => Promise<Answer>;

function createClient({ settings, credentials }: Connection): Client {
  const requestMs = Number(settings['request_ms'] ?? REQUEST_MS);
  return async (path, body, ledger) => {
    try {
      const reply = await fetch(`${settings['url']}/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${credentials['key']}`,
          'content-type': 'application/json',
          ...(ledger && { [LEDGER_HEADER]: String(ledger.ledgerId) }),
        },
        body: encode(body),
        signal: requestSignalWithin(requestMs),
      });
      return await readAnswer(reply);
    } catch (error) {
      return isUnreachable(error) ? { is: 'unreachable' } : { is: 'unclear' };
    }
  };
}

async function readAnswer(reply: Response): Promise<Answer> {
  const { status, headers } = reply;
  const bytes = new Uint8Array(await reply.arrayBuffer());
  if (status >= 500) return { is: 'unclear' };
  if (!reply.ok) {
    const retryAfterS = headers.get('retry-after');
    return { is: 'refused', status, ...(retryAfterS !== null && { retryAfterMs: Number(retryAfterS) * 1000 }) };
  }
  if (status === 204) return { is: 'answered', value: undefined };
  const isAudio = headers.get('content-type') === 'audio/wav';
  return { is: 'answered', value: isAudio ? bytes : decode(new TextDecoder().decode(bytes)) };
}

/** Returns true if nothing listens at the address, so that the request was not sent. */
function isUnreachable(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED';
}

function findingOf(answer: Answer): ConnectionFinding {
  if (answer.is === 'answered') return { check: 'key', state: 'good', found: 'accepted' };
  const found = answer.is === 'refused' && answer.status === 401 ? 'refused' : 'no answer';
  return { check: 'key', state: 'bad', found, advice: 'Start the carrier, or use its key.' };
}

const LIMITS = { ringMsMax: 30_000, callMsMax: 600_000 } as const;

/** Over the wire both tracks come by one socket, in Telnyx's frames. */
const AUDIO: AudioPort = { dialect: telnyxDialect };

function makeCarrier(ask: Client, transcribes: boolean): Carrier {
  const ports = Object.entries(OPERATIONS).map(([capability, operations]) => {
    const offered = Object.entries(operations).filter(([operation]) => transcribes || operation !== 'fetchUtterance');
    const port = offered.map(([operation, kind]) => {
      const request = async (ledger: Ledger, ...args: readonly unknown[]) =>
        conclude(kind, await ask(`${capability}/${operation}`, args, ledger));
      return [operation, request];
    });
    return [
      capability,
      { ...Object.fromEntries(port), ...(capability === 'voice' && { limits: LIMITS, audio: AUDIO }) },
    ];
  });
  return { name: KIND, ...Object.fromEntries(ports) };
}

/** Returns the port's result for an answer. Throws carrier_unavailable (ApiError) if a read fails. */
function conclude(kind: OperationKind, answer: Answer): unknown {
  if (answer.is === 'answered') return answer.value;
  if (kind === 'question') return { found: 'undecided' };
  if (kind !== 'command' && kind !== 'upload') throw new ApiError('carrier_unavailable', { retryAfterS: 1 });
  if (answer.is === 'unclear') return { outcome: 'unknown' };
  if (answer.is === 'unreachable') return { outcome: 'unavailable', cause: 'unreachable' };
  const { retryAfterMs } = answer;
  return { outcome: 'unavailable', ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function ingressOf(secret: string, transcribes: boolean): Ingress {
  return {
    read: (request) => {
      const problem = reportProblem(secret, request);
      if (problem !== undefined) return problem;
      const { id, key, ...body } = JSON.parse(request.body.toString()) as Callback;
      return [{ id, key, type: body.event.type, body }];
    },
    translate: async (db, { body }) => {
      const { ledger: name, event } = readCallback(body);
      const ledger = await findLedger(db, Number(name));
      if (ledger === undefined || (event.type === 'leg.utterance' && !transcribes)) return { is: 'ignored' };
      // The arrival of the event's call may not be reported yet.
      const waitsForCall = isVoiceEvent(event) && event.type !== 'call.arrived';
      return { is: 'events', ledger, events: [event], waitsForCall };
    },
  };
}

/** Reads the stored body of a notice. */
export function readCallback(body: unknown): Pick<Callback, 'ledger' | 'event'> {
  return decode(encode(body)) as Callback;
}
