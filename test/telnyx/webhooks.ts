/** The events that the emulator reports: signed, in order for each subject, and repeated until they are taken. */

import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { time, timeoutSignal } from '../support/emulator-time.ts';
import { delayOf } from '../support/fault-rules.ts';
import type { Faults } from './faults.ts';
import { checkWebhook } from './schemas.ts';
import { nowText } from './state.ts';

type Event = {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The event's id; a new one by default. */
  readonly id?: string;
  /** The id of the event's subject. Default: the `id` of the payload. */
  readonly about?: string;
  /** True: only the payload is posted, without an envelope. */
  readonly isFlat?: boolean;
  /** The address, then the ones to try if it does not take the event. */
  readonly urls: readonly string[];
};

/** All attempts to post an event, once they are over. */
export type Delivery = {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
  readonly event: { readonly id: string; readonly event_type: string };
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
};

/** One attempt to post an event. */
export type Attempt = {
  /** The event's id, the same at each attempt. */
  readonly id: string;
  readonly event_type: string;
  readonly url: string;
  readonly attempt: number;
  /** The receiver's status; null if there was no answer. */
  readonly status: number | null;
  readonly body: string;
  /** False: a fault cut the body in half. */
  readonly isWhole: boolean;
  readonly startedAt: string;
  readonly at: string;
};

export type Webhooks = {
  /** Base64 of the 32 bytes of the Ed25519 public key. */
  readonly publicKey: string;
  /** Posts an event; at once if no event about the same subject waits. */
  send(event: Event): void;
  /** Posts an event again that was posted before. Returns false if none has the id. */
  repeat(id: string): boolean;
  /** Returns the newest attempts, oldest first. */
  attempts(): readonly Attempt[];
  /** Returns the newest deliveries that are over, oldest first. */
  deliveries(): readonly Delivery[];
  /** Resolves once nothing waits to be posted. */
  settled(): Promise<void>;
  /** Forgets all waiting and all posted events. */
  reset(): void;
};

export type Timing = {
  /** How long a receiver has for its answer. */
  readonly answerMs: number;
  /** The pause before the second attempt; it doubles. */
  readonly retryMs: number;
  /** How often an event is posted to one address. */
  readonly attemptsMax: number;
};

/** The only body without an envelope, by its name in the schemas. */
const FLAT_TYPE = 'campaignStatusUpdate';
const RETRY_MS_MAX = 2_000;
const ATTEMPTS_KEPT = 20_000;
const DELIVERIES_KEPT = 20_000;
/** The bytes before the key in an Ed25519 public key in DER. */
const DER_PREFIX_LENGTH = 12;

type Run = {
  readonly stop: AbortController;
  readonly lines: Map<string, Promise<void>>;
  readonly kept: Attempt[];
  readonly deliveries: Delivery[];
};

/** Opens the webhooks of an emulator, with a new key pair. */
export function openWebhooks(faults: Faults, timing: Timing): Webhooks {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  let run = newRun();
  const waiting = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    // An aborted pause belongs to a run that was forgotten.
    const tracked = work.catch((error) => {
      if (error.name !== 'AbortError') console.error(error);
    });
    waiting.add(tracked);
    void tracked.then(() => waiting.delete(tracked));
  };
  const post = (current: Run, posting: Posting) => attempt(current, posting, { privateKey, answerMs: timing.answerMs });
  /** Makes the attempts after the first one. Resolves with true once the receiver has accepted one. */
  const insist = async (current: Run, first: Posting, urls: readonly string[]): Promise<boolean> => {
    for (const url of urls) {
      for (let count = url === first.url ? 2 : 1; count <= timing.attemptsMax; count++) {
        const pauseMs = Math.min(timing.retryMs * 2 ** (count - 1), RETRY_MS_MAX);
        await time.sleep(pauseMs, { signal: current.stop.signal });
        if (await post(current, { ...first, url, attempt: count })) return true;
      }
    }
    return false;
  };
  const send = ({
    type,
    payload,
    urls,
    isFlat = false,
    id = randomUUID(),
    about = `${payload['id'] ?? id}`,
  }: Event) => {
    const fault = faults.ofWebhook(type);
    const [url] = urls;
    if (fault?.is === 'lost' || url === undefined) return;
    const current = run;
    const { signal } = current.stop;
    const data = {
      record_type: 'event',
      event_type: type,
      id,
      occurred_at: nowText(),
      payload: structuredClone(payload),
    };
    const posting: Posting = { data, url, attempt: 1, isFlat, attempts: [] };
    const before = current.lines.get(about) ?? Promise.resolve();
    const first = async (): Promise<void> => {
      if (fault?.is === 'late' || fault?.is === 'disorder') await time.sleep(delayOf(fault), { signal });
      if (fault?.is === 'malformed') await post(current, { ...posting, isHalf: true });
      if (fault?.is === 'duplicate') track(post(current, posting).then(() => undefined));
      if (await post(current, posting)) keepDelivery(current, posting, 'delivered');
      else
        track(
          insist(current, posting, urls).then((isTaken) =>
            keepDelivery(current, posting, isTaken ? 'delivered' : 'failed'),
          ),
        );
    };
    if (fault?.is === 'disorder') return track(first());
    const line = before.then(first);
    // The next one follows also after a failure.
    const end = line.then(
      () => undefined,
      () => undefined,
    );
    current.lines.set(about, end);
    void end.then(() => {
      if (current.lines.get(about) === end) current.lines.delete(about);
    });
    track(line);
  };
  return {
    publicKey: der.subarray(DER_PREFIX_LENGTH).toString('base64'),
    send,
    repeat: (id) => {
      const old = run.kept.find((each) => each.id === id && each.isWhole);
      if (old === undefined) return false;
      const { event_type, url, attempt: count } = old;
      const body = JSON.parse(old.body);
      const isFlat = body.data === undefined;
      const data = isFlat ? { id, event_type, payload: body } : body.data;
      track(post(run, { data, url, attempt: count, isFlat, attempts: [] }).then(() => undefined));
      return true;
    },
    attempts: () => run.kept,
    deliveries: () => run.deliveries,
    settled: async () => {
      while (waiting.size > 0) await Promise.all(waiting);
    },
    reset: () => {
      run.stop.abort();
      run = newRun();
    },
  };
}

function newRun(): Run {
  return { stop: new AbortController(), lines: new Map(), kept: [], deliveries: [] };
}

function keepDelivery({ deliveries }: Run, { data, attempts }: Posting, status: Delivery['status']): void {
  deliveries.push({ id: randomUUID(), status, event: data, attempts });
  if (deliveries.length > DELIVERIES_KEPT) deliveries.shift();
}

type Posting = {
  readonly data: { readonly id: string; readonly event_type: string; readonly payload: object };
  readonly url: string;
  readonly attempt: number;
  /** True: only half of the body is posted. */
  readonly isHalf?: boolean;
  /** True: only the payload is posted. */
  readonly isFlat: boolean;
  /** The attempts until now. */
  readonly attempts: Attempt[];
};

type Post = { readonly privateKey: KeyObject; readonly answerMs: number };

/** Posts an event once. Resolves with true if it is not posted again. */
async function attempt(
  run: Run,
  { data, url, attempt: count, isHalf, isFlat, attempts }: Posting,
  { privateKey, answerMs }: Post,
) {
  if (run.stop.signal.aborted) return true;
  const report = isFlat ? data.payload : { data, meta: { attempt: count, delivered_to: url } };
  checkWebhook(isFlat ? FLAT_TYPE : data.event_type, report);
  const whole = JSON.stringify(report);
  const body = isHalf ? whole.slice(0, whole.length / 2) : whole;
  const timestamp = String(Math.floor(time.now() / 1000));
  const headers = {
    'content-type': 'application/json',
    'telnyx-timestamp': timestamp,
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${body}`), privateKey).toString('base64'),
  };
  const startedAt = nowText();
  const status = await statusOf(url, { method: 'POST', body, headers, redirect: 'manual' }, answerMs);
  const { id, event_type } = data;
  const made = { id, event_type, url, attempt: count, status, body, isWhole: !isHalf, startedAt, at: nowText() };
  attempts.push(made);
  run.kept.push(made);
  if (run.kept.length > ATTEMPTS_KEPT) run.kept.shift();
  return isFinal(event_type, status);
}

/**
 * True for 2xx. For events of calls also true for a 4xx other than 408 and 429: Telnyx does not repeat what the
 * receiver refuses.
 */
function isFinal(eventType: string, status: number | null): boolean {
  if (status === null || status < 200) return false;
  if (status < 300) return true;
  const isOfCall = /^(?:call|streaming)\./.test(eventType);
  return isOfCall && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

async function statusOf(url: string, request: RequestInit, answerMs: number): Promise<number | null> {
  try {
    const reply = await fetch(url, { ...request, signal: timeoutSignal(answerMs) });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    // The receiver may be stopped: the next attempt follows.
    return null;
  }
}
