import { setTimeout as pause } from 'node:timers/promises';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { createCaller } from '../support/caller.ts';
import { postOnce, postUntilAnswered } from './retry-request.ts';

/** The client's record of one text: its marker in the metadata, its recipient and, once acknowledged, its id. */
export type Text = { marker: string; to: string; keyed: boolean; id: string | undefined; lost: boolean };

export type CrashClient = {
  readonly texts: Text[];
  /** Number of acknowledged STOPs and STARTs, by person. */
  readonly changes: Map<string, number>;
  acknowledged(): number;
  /** When each text was acknowledged, by performance.now(). */
  readonly acknowledgedAt: readonly number[];
  /** Number of requests without an answer because of a broken connection or an outage. */
  unanswered(): number;
  /** Sends all texts. Resolves when each is acknowledged, or was sent without a key and got no answer. */
  sendAll(): Promise<void>;
  /** Ends `sendAll` early: the texts that were not sent yet are dropped from `texts`. */
  stop(): void;
  /** Makes `sendAll` and `toggleOptOuts` reject at the next request without an answer. */
  abandon(): void;
  /** Makes people opt out and in alternately until `sendAll` is done. */
  toggleOptOuts(): Promise<void>;
};

type ClientOptions = {
  url: string;
  key: string;
  numberId: string;
  e164: string;
  sends: number;
  /** How long each connection rests after a text; 0 by default. */
  pauseMs?: number;
};

const CONNECTIONS = 16;
const PEOPLE = 200;
const TOGGLING_PEOPLE = 5;
const RETRY_MS = 20;

/** Creates a client that repeats a request until it is answered, as a platform with Idempotency-Keys does. */
export function createCrashClient({ url, key, numberId, e164, sends, pauseMs = 0 }: ClientOptions): CrashClient {
  const call = createCaller(url, key);
  const texts = Array.from({ length: sends }, (_, index) => newText(index));
  const changes = new Map<string, number>();
  const counts = { next: 0, unanswered: 0, abandoned: false };
  const acknowledgedAt: number[] = [];
  let sending = true;

  const sendOne = async (text: Text) => {
    const { marker, to, keyed } = text;
    const body = { from: numberId, to, body: `Text ${marker}`, metadata: { marker } };
    const post = keyed ? postUntilAnswered : postOnce;
    const reply = await post(call, '/v1/messages', { body, once: marker, counts });
    text.lost = reply === undefined;
    text.id = reply?.body.id;
    if (reply !== undefined) acknowledgedAt.push(performance.now());
  };

  const work = async () => {
    for (let text = texts[counts.next++]; text !== undefined; text = texts[counts.next++]) {
      await sendOne(text);
      if (pauseMs > 0) await pause(pauseMs);
    }
  };

  const toggle = async (from: string) => {
    for (let change = 0; sending || change % 2 === 1; change++) {
      const body = { from, to: e164, body: change % 2 === 0 ? 'STOP' : 'START' };
      await postUntilAnswered(call, '/v1/test/inbound_messages', { body, once: `${from} ${change}`, counts });
      changes.set(from, change + 1);
      await pause(Math.max(RETRY_MS, pauseMs));
    }
  };

  return {
    texts,
    changes,
    acknowledged: () => acknowledgedAt.length,
    acknowledgedAt,
    unanswered: () => counts.unanswered,
    sendAll: async () => {
      await Promise.all(Array.from({ length: CONNECTIONS }, work));
      sending = false;
    },
    stop: () => {
      texts.length = Math.min(counts.next, texts.length);
    },
    abandon: () => {
      counts.abandoned = true;
    },
    toggleOptOuts: async () => {
      await Promise.all(Array.from({ length: TOGGLING_PEOPLE }, (_, index) => toggle(`+1602556${1000 + index}`)));
    },
  };
}

/** Makes a text. One in ten has no key; for a few the delivery or the send fails. */
function newText(index: number): Text {
  const ordinary = `+1602555${1000 + (index % PEOPLE)}`;
  const to = index % 50 === 7 ? MAGIC.deliveryFails : index % 100 === 13 ? MAGIC.sendFails : ordinary;
  return { marker: `text-${index}`, to, keyed: index % 10 !== 0, id: undefined, lost: false };
}
