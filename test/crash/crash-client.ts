import { setTimeout as pause } from 'node:timers/promises';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import type { Caller, Reply } from '../support/caller.ts';
import { createCaller } from '../support/caller.ts';

/** What the client knows of one text: its marker in the metadata, who it goes to and, once acknowledged, its id. */
export type Text = { marker: string; to: string; keyed: boolean; id: string | undefined; lost: boolean };

export type CrashClient = {
  readonly texts: Text[];
  /** STOP and START that were acknowledged, by person. */
  readonly changes: Map<string, number>;
  acknowledged(): number;
  /** Requests that a broken connection or an outage left unanswered. */
  unanswered(): number;
  /** Sends all texts; resolves when each is acknowledged, or was sent without a key and got no answer. */
  sendAll(): Promise<void>;
  /** Lets people opt out and in by turns, until `sendAll` is done. */
  changeMinds(): Promise<void>;
};

type ClientOptions = { url: string; key: string; numberId: string; e164: string; sends: number };

const CONNECTIONS = 16;
const PEOPLE = 200;
const INDECISIVE = 5;
const RETRY_MS = 20;

/** A caller that keeps asking until it is answered, as a platform with Idempotency-Keys does. */
export function createCrashClient({ url, key, numberId, e164, sends }: ClientOptions): CrashClient {
  const call = createCaller(url, key);
  const texts = Array.from({ length: sends }, (_, index) => newText(index));
  const changes = new Map<string, number>();
  const counts = { next: 0, acknowledged: 0, unanswered: 0 };
  let sending = true;

  const sendOne = async (text: Text) => {
    const { marker, to, keyed } = text;
    const body = { from: numberId, to, body: `Text ${marker}`, metadata: { marker } };
    const reply = await ask(call, '/v1/messages', { body, once: keyed ? marker : undefined, counts });
    text.lost = reply === undefined;
    text.id = reply?.body.id;
    if (reply !== undefined) counts.acknowledged++;
  };

  const work = async () => {
    for (let text = texts[counts.next++]; text !== undefined; text = texts[counts.next++]) await sendOne(text);
  };

  const waver = async (from: string) => {
    for (let change = 0; sending || change % 2 === 1; change++) {
      const body = { from, to: e164, body: change % 2 === 0 ? 'STOP' : 'START' };
      await ask(call, '/v1/test/inbound_messages', { body, once: `${from} ${change}`, counts });
      changes.set(from, change + 1);
      await pause(RETRY_MS);
    }
  };

  return {
    texts,
    changes,
    acknowledged: () => counts.acknowledged,
    unanswered: () => counts.unanswered,
    sendAll: async () => {
      await Promise.all(Array.from({ length: CONNECTIONS }, work));
      sending = false;
    },
    changeMinds: async () => {
      await Promise.all(Array.from({ length: INDECISIVE }, (_, index) => waver(`+1602556${1000 + index}`)));
    },
  };
}

/** One in ten goes without a key; a few meet a recipient or a carrier that fails. */
function newText(index: number): Text {
  const ordinary = `+1602555${1000 + (index % PEOPLE)}`;
  const to = index % 50 === 7 ? MAGIC.deliveryFails : index % 100 === 13 ? MAGIC.sendFails : ordinary;
  return { marker: `text-${index}`, to, keyed: index % 10 !== 0, id: undefined, lost: false };
}

type Question = { body: object; once: string | undefined; counts: { unanswered: number } };

/** Asks until there is an answer that says 201; without a key only once, as asking again could send again. */
async function ask(call: Caller, path: string, { body, once, counts }: Question): Promise<Reply | undefined> {
  for (;;) {
    const headers = once === undefined ? {} : { 'idempotency-key': once };
    const reply = await call('POST', path, { body, headers }).catch(ignoreBroken);
    if (reply?.status === 201) return reply;
    if (reply !== undefined && reply.status < 500 && reply.body.error?.code !== 'idempotency_in_progress') {
      throw new Error(`refused: ${JSON.stringify(reply.body)}`);
    }
    counts.unanswered++;
    if (once === undefined) return undefined;
    await pause(RETRY_MS);
  }
}

/** Nobody listens, or the connection broke before the reply was complete. */
function ignoreBroken(error: unknown): undefined {
  if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
  throw error;
}
