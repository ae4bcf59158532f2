import { setTimeout as pause } from 'node:timers/promises';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { ignoreBroken, postUntilAnswered, type RequestCounts } from './retry-request.ts';

/**
 * talk: a click-to-call, recorded and transcribed, with a gather of one digit · ring: a caller that one of three
 * targets answers · message: a caller that leaves a message · unanswered: an agent that never answers · given_up: a
 * caller that hangs up early · hung_up: a click-to-call that the API ends
 */
const CALL_KINDS = ['talk', 'ring', 'message', 'unanswered', 'given_up', 'hung_up'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** One call, as its client knows it. */
export type PlacedCall = { readonly kind: CallKind; readonly marker: string; id: string | undefined; over: boolean };

export type VoiceClient = {
  readonly calls: readonly PlacedCall[];
  /** Returns the number of requests without an answer, because of a broken connection or an outage. */
  unanswered(): number;
  acknowledged(): number;
  ended(): number;
  /** Plays all calls. Resolves when the end of each has been read. */
  playAll(): Promise<void>;
  /** Makes `playAll` reject, at the next look at a call or the next request without an answer. */
  abandon(): void;
};

export type Lines = {
  /** Inbound calls ring three targets. */
  readonly ringing: { readonly id: string; readonly e164: string };
  /** Inbound calls reach the voicemail immediately. */
  readonly voicemail: { readonly id: string; readonly e164: string };
};

type ClientOptions = {
  readonly url: string;
  readonly key: string;
  readonly lines: Lines;
  readonly calls: number;
  /** All calls start within this time, one after another. */
  readonly beginWithinMs: number;
  /** Lets a person call a number, and resolves with the id of the call; by default the request of test mode. */
  readonly arrive?: (caller: Arrival) => Promise<string>;
  /** The number of a person who never answers. Default: the number of test mode. */
  readonly neverAnswers?: string;
  /** Lets the customer of a call hang up. By default customers hang up automatically. */
  readonly hangUp?: (id: string) => Promise<void>;
  /** Milliseconds between two reads of a call, and between two attempts of a request; short by default. */
  readonly lookMs?: number;
};

/** `givesUp`: the caller hangs up before anybody answers. */
export type Arrival = { readonly from: string; readonly to: string; readonly givesUp?: true };

/** Returns the script of a caller on the simulated network, as a field of the request that lets them call. */
export function scriptOf({ givesUp }: Arrival): { readonly script?: string } {
  return givesUp ? { script: 'ring 1, hangup' } : {};
}

const LOOK_MS = 250;
/** How long a customer talks before hanging up. */
const TALK_MS = 4_000;
const PEOPLE = 50;

/** The people who call and are called. */
export const PERSONS = Array.from({ length: PEOPLE }, (_, n) => `+1602555${2000 + n}`);

const person = (n: number) => PERSONS[n % PEOPLE] as string;

/** Plays callers, agents and the platform. Every request is repeated until it is answered. */
export function createVoiceClient(options: ClientOptions): VoiceClient {
  const { url, key, lines, calls: count, beginWithinMs } = options;
  const call = createCaller(url, key);
  const { lookMs } = options;
  const counts: RequestCounts = { unanswered: 0, ...(lookMs !== undefined && { retryMs: lookMs }) };
  const calls = Array.from({ length: count }, (_, n): PlacedCall => {
    return { kind: kindOf(n), marker: `call-${n}`, id: undefined, over: false };
  });
  const ask = (path: string, body: object, once: string) => postUntilAnswered(call, path, { body, once, counts });
  const place = async (path: string, body: object, once: string): Promise<string> =>
    (await ask(path, body, once)).body.id;
  const arriveInTestMode = (arrival: Arrival, once: string) =>
    place('/v1/test/inbound_calls', { from: arrival.from, to: arrival.to, ...scriptOf(arrival) }, once);

  const play = async (placed: PlacedCall, n: number) => {
    await pause((beginWithinMs * n) / count);
    const arrival = arrivalOf(placed.kind, n, lines);
    if (arrival === undefined)
      placed.id = await place('/v1/calls', clickToCall(placed.kind, n, options), placed.marker);
    else if (options.arrive !== undefined) placed.id = await options.arrive(arrival);
    else placed.id = await arriveInTestMode(arrival, placed.marker);
    let isTold = false;
    for (;;) {
      if (counts.abandoned) throw new Error(`abandoned: ${placed.marker}`);
      const status = await readStatus(call, placed.id);
      if (status === 'completed' || status === 'failed' || status === 'missed') break;
      if (status === 'in_progress' && !isTold) {
        isTold = true;
        await control(placed.id, placed, n);
      }
      await pause(lookMs ?? LOOK_MS);
    }
    placed.over = true;
  };

  const leave = async (id: string) => {
    if (options.hangUp === undefined) return;
    await pause(TALK_MS);
    await options.hangUp(id);
  };

  /** Sends the platform's requests for a call in progress. A refusal because the call has ended is accepted too. */
  const control = async (id: string, { kind, marker }: PlacedCall, n: number) => {
    if (kind === 'talk') {
      await pause((n % 5) * 400);
      const body = { prompt: 'Press one to confirm.', max_digits: 1, timeout_ms: 3_000 };
      await ask(`/v1/calls/${id}/gather`, body, `${marker} gather`);
    }
    if (kind === 'talk' || kind === 'ring') await leave(id);
    if (kind !== 'hung_up') return;
    await pause((n % 7) * 300);
    await ask(`/v1/calls/${id}/hangup`, {}, `${marker} hangup`);
  };

  return {
    calls,
    unanswered: () => counts.unanswered,
    acknowledged: () => calls.filter(({ id }) => id !== undefined).length,
    ended: () => calls.filter(({ over }) => over).length,
    playAll: async () => {
      await Promise.all(calls.map(play));
    },
    abandon: () => {
      counts.abandoned = true;
    },
  };
}

/** Of eight calls three are talks, and every other kind occurs once. */
function kindOf(n: number): CallKind {
  return CALL_KINDS[Math.max(0, (n % 8) - 2)] as CallKind;
}

/** Returns who calls which number; undefined for a call that the platform places. */
function arrivalOf(kind: CallKind, n: number, { ringing, voicemail }: Lines): Arrival | undefined {
  const from = person(n);
  switch (kind) {
    case 'ring':
      return { from, to: ringing.e164 };
    case 'message':
      return { from, to: voicemail.e164 };
    case 'given_up':
      return { from, to: ringing.e164, givesUp: true };
    default:
      return undefined;
  }
}

function clickToCall(kind: CallKind, n: number, { lines: { ringing }, neverAnswers }: ClientOptions): object {
  const connect_to = kind === 'unanswered' ? (neverAnswers ?? MAGIC.neverAnswers) : person(n + 1);
  const recorded = kind === 'talk' ? { record: true, transcribe: true } : {};
  return { from: ringing.id, to: person(n), connect_to, ...recorded };
}

async function readStatus(call: Caller, id: string): Promise<string | undefined> {
  const reply = await call('GET', `/v1/calls/${id}`).catch(ignoreBroken);
  return reply?.status === 200 ? reply.body.status : undefined;
}
