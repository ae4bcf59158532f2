/** The server of the wire carrier: the simulated carrier on a separate database, reached over HTTP. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Carrier } from '../../src/carriers/ports/carrier.ts';
import { OPERATIONS } from '../../src/carriers/ports/operations.ts';
import type { VoiceCommand } from '../../src/carriers/ports/voice.ts';
import { isSameText } from '../../src/lib/crypto/same-text.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { time } from '../support/emulator-time.ts';
import { delayOf } from '../support/fault-rules.ts';
import { createControls } from './controls.ts';
import type { OperationRule } from './faults.ts';
import { type Network, openNetwork } from './network.ts';
import { decode, encode, LEDGER_HEADER } from './protocol.ts';

export type WireOptions = {
  readonly databaseUrl: string;
  /** The bearer key of requests. */
  readonly key: string;
  /** Signs callbacks. */
  readonly secret: string;
  /** The round trip: the delays of a request and of its reply, added. */
  readonly roundTripMs: number;
  /** If false, time passes only when a test uses the control `advance`. */
  readonly works: boolean;
  /** 0: any free port. */
  readonly port: number;
};

export type WireServer = {
  readonly url: string;
  /** Closes the server, its connections and its network. Nothing that was planned happens. */
  close(): Promise<void>;
};

type Reply = { readonly status: number; readonly body?: string | Uint8Array; readonly retryAfterS?: number };

const OK: Reply = { status: 200, body: 'null' };

type Parts = {
  readonly network: Network;
  readonly roundTripMs: number;
  readonly counts: Map<string, number>;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
};

/** Answers a port operation. Undefined: there is no answer. */
async function operate(parts: Parts, name: string, request: IncomingMessage): Promise<Reply | undefined> {
  const { network, roundTripMs, counts, closing: signal } = parts;
  const args = decode(await text(request)) as readonly unknown[];
  const operation = operationOf(network.carrier, name);
  if (operation === undefined) return { status: 404 };
  const fault = network.faults.ofOperation(name);
  await time.sleep(roundTripMs / 2, { signal });
  const refused = fault === undefined ? undefined : refusalOf(fault);
  if (refused !== undefined || fault?.is === 'lose') {
    fault?.onStruck?.();
    return refused;
  }
  const ledger = await network.ledgerOf(String(request.headers[LEDGER_HEADER]));
  const answer = await operation(ledger, ...args);
  if (name === 'voice.dispatch' && isAccepted(answer)) network.lines.follow(ledger, args[0] as VoiceCommand);
  for (const counted of namesOf(name, args[0], answer)) counts.set(counted, (counts.get(counted) ?? 0) + 1);
  fault?.onStruck?.();
  if (fault?.is === 'timeout_after_acceptance') return undefined;
  await time.sleep(roundTripMs / 2 + (fault?.is === 'delay' ? delayOf(fault) : 0), { signal });
  return replyOf(answer);
}

type Operation = (ledger: Ledger, ...args: readonly unknown[]) => Promise<unknown>;

function operationOf(carrier: Carrier, name: string): Operation | undefined {
  const [capability = '', operation = ''] = name.split('.');
  const isKnown = Object.hasOwn(OPERATIONS[capability as keyof typeof OPERATIONS] ?? {}, operation);
  return isKnown ? Reflect.get(Reflect.get(carrier, capability) as object, operation) : undefined;
}

function refusalOf({ is, retryAfterS = 1 }: OperationRule): Reply | undefined {
  if (is === '500') return { status: 500 };
  return is === '429' ? { status: 429, retryAfterS } : undefined;
}

function isAccepted(answer: unknown): boolean {
  return (answer as { outcome?: string } | null)?.outcome === 'accepted';
}

/** Returns the names that an operation is counted under; none if it was not carried out. A dial has two. */
function namesOf(name: string, argument: unknown, answer: unknown): string[] {
  const { outcome = 'accepted' } = (answer ?? {}) as { outcome?: string };
  if (outcome !== 'accepted' && outcome !== 'unknown') return [];
  const { instruction } = (argument ?? {}) as Partial<VoiceCommand>;
  const isDial = name === 'voice.dispatch' && instruction?.do === 'dial';
  return [`${name} ${refOf(argument)}`, ...(isDial ? [`voice.dial ${instruction.legRef}`] : [])];
}

/** Returns our own id of the object of an operation. */
function refOf(argument: unknown): string {
  if (typeof argument !== 'object' || argument === null) return String(argument);
  if ('commandRef' in argument) return String(argument.commandRef);
  return 'ref' in argument ? String(argument.ref) : '';
}

/** Returns the carrier's answer as an HTTP reply: 429 if the carrier refuses for now, 500 if the outcome is unknown. */
function replyOf(answer: unknown): Reply {
  if (answer === undefined) return { status: 204 };
  if (answer instanceof Uint8Array) return { status: 200, body: answer };
  const outcome = (answer as { outcome?: string } | null)?.outcome;
  if (outcome === 'unavailable') return { status: 429 };
  return outcome === 'unknown' ? { status: 500 } : { status: 200, body: encode(answer) };
}

/** Answers requests of the adapter's `setup` and `check`, and of tests. */
async function control({ network, counts }: Parts, name: string, request: IncomingMessage): Promise<Reply> {
  const asked = decode((await text(request)) || '{}') as never;
  if (name === 'check') return OK;
  if (name === 'setup') {
    network.outbox.postTo((asked as { address: string }).address);
    return OK;
  }
  const controls = createControls(network, counts);
  const isKnown = Object.hasOwn(controls, name);
  return isKnown
    ? { status: 200, body: encode(await controls[name as keyof typeof controls](asked)) }
    : { status: 404 };
}

async function answer(parts: Parts, key: string, request: IncomingMessage): Promise<Reply | undefined> {
  if (!isSameText(request.headers.authorization ?? '', `Bearer ${key}`)) return { status: 401 };
  const [, group = '', name = ''] = (request.url ?? '').split('/');
  try {
    return group === 'control'
      ? await control(parts, name, request)
      : await operate(parts, `${group}.${name}`, request);
  } catch (error) {
    if (parts.closing.aborted) return undefined;
    console.error(error);
    return { status: 500, body: encode(String(error)) };
  }
}

function send(response: ServerResponse, { status, body = '', retryAfterS }: Reply): void {
  const type = typeof body === 'string' ? 'application/json' : 'audio/wav';
  response.writeHead(status, {
    ...(status === 204 ? {} : { 'content-type': type }),
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  });
  response.end(body);
}

/** Starts the server on loopback. */
export async function openWireServer(options: WireOptions): Promise<WireServer> {
  const { key, roundTripMs } = options;
  const network = await openNetwork(options);
  const closing = new AbortController();
  const parts = { network, roundTripMs, counts: new Map<string, number>(), closing: closing.signal };
  const server = createServer(async (request, response) => {
    const reply = await answer(parts, key, request);
    if (reply !== undefined) send(response, reply);
  });
  // On a stalled process a connection could be closed at the moment of a new request.
  server.keepAliveTimeout = 300_000;
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  if (options.works) network.workers.start();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      closing.abort();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await network.close();
    },
  };
}
