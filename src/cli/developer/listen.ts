/** `dialplane listen`: sends the events of an account to a program on this machine, as signed webhooks. */
import { createSigner, EVENT_TYPES, makeSecret, type Signer, signDelivery } from '../../domain/events/index.ts';
import { PROGRAM } from '../../lib/program.ts';
import { monotonicMs, now, timeoutSignal, today } from '../../lib/time/time.ts';
import { type Arguments, type Command, required, type Terminal, UsageError } from '../command.ts';
import { didYouMean } from '../similar.ts';
import { type FeedEvent, openEvents } from './event-feed.ts';
import { PAGE_MAX } from './feed.ts';
import { reachReporter, untilInterrupted } from './following.ts';
import { ACCESS_MEANINGS, ACCESS_OPTIONS, ACCESS_USAGE, findServer } from './server-access.ts';

/** How long the server waits for a receiver's reply. */
const RECEIVER_MS = 15_000;

export const listenCommand: Command = {
  name: 'listen',
  usage: `--forward-to URL [--events TYPES] [--tenant TENANT_ID] [--replay COUNT] [--secret SECRET] ${ACCESS_USAGE}`,
  summary: 'Send events to a program on this machine as signed webhooks, and show its answers',
  positionals: 0,
  options: ['forward-to', 'events', 'tenant', 'replay', 'secret', ...ACCESS_OPTIONS],
  meanings: {
    'forward-to': 'An address such as localhost:3000/hooks, or a port, which stands for its /',
    events: 'Types, separated by commas; message.* stands for all types that begin with message.',
    tenant: 'Send only the events of this tenant',
    replay: 'How many of the last events are sent first, at most 100',
    secret: 'Your own secret for the signatures; a new one by default',
    ...ACCESS_MEANINGS,
  },
  examples: [`${PROGRAM} listen --forward-to http://localhost:3000/hooks --events "message.*"`],
  run: async (args, terminal) => {
    const target = targetOf(required(args, 'forward-to'));
    const replay = replayOf(args);
    const isWanted = filterOf(args.options['events']);
    const secret = secretOf(args);
    const signers = [createSigner(secret)];
    const server = findServer(args, terminal);
    const send = async (event: FeedEvent) => {
      if (isWanted(event.type)) report(terminal, event, await deliver(target, event, signers));
    };
    await untilInterrupted(async (signal) => {
      const options = { tenantId: args.options['tenant'], replay, signal, onReach: reachReporter(terminal, server) };
      const { past, next } = await openEvents(server, options);
      terminal.err(`Events of ${server.url} go to ${target}. Ctrl+C ends it.`);
      terminal.out(terminal.json ? JSON.stringify({ secret }) : `Secret  ${secret}`);
      for (const event of past) await send(event);
      for await (const event of next) await send(event);
    });
    return 0;
  },
};

function targetOf(text: string): string {
  const url = URL.parse(
    /^\d+$/.test(text) ? `http://localhost:${text}` : text.includes('://') ? text : `http://${text}`,
  );
  // A single word is more probably a mistake than the name of a machine.
  const isWord = /^[\w-]+(\/|$)/.test(text) && !/^\d+$/.test(text) && url?.hostname !== 'localhost';
  if (url === null || !/^https?:$/.test(url.protocol) || isWord || url.port === '0') {
    throw new UsageError(
      `--forward-to is "${text}"; give an address such as http://localhost:3000/hooks, or a port of this machine`,
    );
  }
  return url.href;
}

function replayOf({ options }: Arguments): number {
  const count = Number(options['replay'] ?? 0);
  if (!Number.isInteger(count) || count < 0 || count > PAGE_MAX) {
    throw new UsageError(`--replay takes the number of past events to send first, at most ${PAGE_MAX}`);
  }
  return count;
}

/** At least 24 bytes, which cannot be guessed. The secret of an endpoint has 32 bytes. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

function secretOf({ options }: Arguments): string {
  const secret = options['secret'];
  if (secret === undefined) return makeSecret();
  if (SECRET.test(secret)) return secret;
  throw new UsageError('--secret takes whsec_ and the base64 of at least 24 bytes: whsec_$(openssl rand -base64 32)');
}

/** Reads a list of types with commas between them. `message.*` means all types that begin with `message.`. */
function filterOf(types: string | undefined): (type: string) => boolean {
  if (types === undefined) return () => true;
  const wanted = types.split(',').map((type) => type.trim());
  const isOneOf = (type: string, pattern: string) =>
    pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
  const unknown = wanted.find((pattern) => !EVENT_TYPES.some((type) => isOneOf(type, pattern)));
  if (unknown !== undefined) {
    const similar = didYouMean(unknown, EVENT_TYPES);
    throw new UsageError(`--events: there is no event ${unknown}.${similar} "${PROGRAM} trigger --list" lists them`);
  }
  return (type) => wanted.some((pattern) => isOneOf(type, pattern));
}

type Delivered = { readonly status: number | null; readonly ms: number; readonly problem?: string };

/** Sends an event once, with the body and headers that the server sends. */
async function deliver(target: string, event: FeedEvent, signers: readonly Signer[]): Promise<Delivered> {
  const body = Buffer.from(JSON.stringify(event));
  const timestampS = Math.floor(now() / 1000);
  const signed = signDelivery({ eventId: event.id, body, signers, timestampS });
  const startedMs = monotonicMs();
  const passed = () => Math.round(monotonicMs() - startedMs);
  try {
    const reply = await fetch(target, {
      ...{ method: 'POST', body, redirect: 'manual', signal: timeoutSignal(RECEIVER_MS) },
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'Dialplane-Webhooks/1', ...signed },
    });
    await reply.arrayBuffer();
    return { status: reply.status, ms: passed() };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: null, ms: passed(), problem: cause instanceof Error ? cause.message : message };
  }
}

function report(terminal: Terminal, { id, type, resource_id }: FeedEvent, { status, ms, problem }: Delivered): void {
  const time = today().toTimeString().slice(0, 8);
  const answer = status ?? `no answer: ${problem}`;
  terminal.out(
    terminal.json
      ? JSON.stringify({ event: id, type, resource_id, status, ms, problem })
      : `${time}  ${type.padEnd(28)} ${resource_id}  ${answer}  ${ms} ms`,
  );
}
