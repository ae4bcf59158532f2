import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../support/caller.ts';
import type { FarSide } from './far-side.ts';
import { postUntilAnswered, type RequestCounts } from './retry-request.ts';

/** A text of the run. No other text has its body. */
export type ChaosText = {
  readonly direction: 'inbound' | 'outbound';
  /** The person that gets or sends it. */
  readonly person: string;
  readonly body: string;
  readonly segments: number;
  /** The id in the reply; undefined for an inbound text, and for one that is not acknowledged yet. */
  id: string | undefined;
};

export type TextTraffic = {
  readonly texts: readonly ChaosText[];
  unanswered(): number;
  acknowledged(): number;
  /** Plays all texts. Resolves when each outbound one is acknowledged. */
  playAll(): Promise<void>;
  /** Makes `playAll` reject at the next request without an answer. */
  abandon(): void;
};

type Options = {
  readonly call: Caller;
  readonly textIn: FarSide['textIn'];
  /** Our number. */
  readonly number: { readonly id: string; readonly e164: string };
  readonly texts: number;
  /** All texts start within this time, one after another. */
  readonly beginWithinMs: number;
};

const RETRY_MS = 500;
const PEOPLE = 100;
const ONE_SEGMENT = 160;

/** Creates texts. One in ten is inbound, and one in five has two segments. */
export function createTexts({ call, textIn, number, texts: count, beginWithinMs }: Options): TextTraffic {
  const counts: RequestCounts = { unanswered: 0, retryMs: RETRY_MS };
  const texts = Array.from({ length: count }, (_, index) => newText(index));
  const play = async (text: ChaosText, index: number): Promise<void> => {
    await pause((beginWithinMs * index) / count);
    const { person, body } = text;
    if (text.direction === 'inbound') {
      await textIn({ from: person, to: number.e164, body });
      return;
    }
    const request = { body: { from: number.id, to: person, body }, once: `chaos ${index} ${randomUUID()}`, counts };
    text.id = (await postUntilAnswered(call, '/v1/messages', request)).body.id;
  };
  return {
    texts,
    unanswered: () => counts.unanswered,
    acknowledged: () => texts.filter(({ id }) => id !== undefined).length,
    playAll: async () => {
      await Promise.all(texts.map(play));
    },
    abandon: () => {
      counts.abandoned = true;
    },
  };
}

function newText(index: number): ChaosText {
  const segments = index % 5 === 3 ? 2 : 1;
  const body = `Text ${index} of many.`.padEnd(segments === 2 ? ONE_SEGMENT + 1 : 0, '.');
  const direction = index % 10 === 9 ? 'inbound' : 'outbound';
  return { direction, person: `+1602555${2000 + (index % PEOPLE)}`, body, segments, id: undefined };
}
