/** The events of the phone: their text on the screen, and the waits of a script for them. */

import { monotonicMs, sleep } from '../../../lib/time/time.ts';
import { CommandError, type Terminal } from '../../command.ts';

export type Text = {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly media_urls: readonly string[];
};

export type PhoneEvent =
  | ({ readonly type: 'text' | 'sent' } & Text)
  | {
      readonly type: 'ring';
      readonly call_id: string;
      readonly from: string;
      /** The name that the caller sends; null without one. */
      readonly caller_name: string | null;
    }
  | { readonly type: 'calling'; readonly call_id: string; readonly to: string }
  /** The person and another person hear each other, or the person hears a machine. */
  | { readonly type: 'talk'; readonly call_id: string }
  /** The call waits for digits from the phone. */
  | { readonly type: 'keys'; readonly call_id: string }
  | { readonly type: 'voicemail'; readonly call_id: string }
  | { readonly type: 'heard'; readonly call_id: string; readonly text: string }
  | { readonly type: 'end'; readonly call_id: string; readonly outcome: string | null };

/** The events that a script can wait for. */
export const AWAITED = ['text', 'ring', 'talk', 'keys', 'voicemail', 'heard', 'end'] as const;
export type Awaited = (typeof AWAITED)[number];

const LOOK_MS = 50;
const WAIT_MS = 60_000;

export type Diary = {
  add(event: PhoneEvent): void;
  /** Resolves at the first event of the type since the last wait for it. Throws CommandError after a minute. */
  wait(type: Awaited, signal: AbortSignal): Promise<void>;
};

/** Creates the record of events. `show` is called with each event. */
export function createDiary(show: (event: PhoneEvent) => void): Diary {
  const unawaited = new Map<string, number>();
  return {
    add: (event) => {
      unawaited.set(event.type, (unawaited.get(event.type) ?? 0) + 1);
      show(event);
    },
    wait: async (type, signal) => {
      const giveUpAt = monotonicMs() + WAIT_MS;
      for (;;) {
        const count = unawaited.get(type) ?? 0;
        if (count > 0) {
          unawaited.set(type, count - 1);
          return;
        }
        if (monotonicMs() > giveUpAt) throw new CommandError(`/wait ${type}: nothing came for ${WAIT_MS / 1_000} s.`);
        await sleep(LOOK_MS, { signal });
      }
    },
  };
}

/** Returns the line of the screen for an event. */
export function lineOf(event: PhoneEvent, style: Terminal['style']): string {
  switch (event.type) {
    case 'text':
      return `${style('cyan', `< ${event.from}`)}  ${contentOf(event)}`;
    case 'sent':
      return `${style('green', `> ${event.to}`)}  ${contentOf(event)}`;
    case 'ring':
      return style('yellow', `${callerOf(event)} calls. /accept, /decline or /ignore, or only /a, /d, /i`);
    case 'calling':
      return style('yellow', `Calling ${event.to}`);
    case 'talk':
      return style('yellow', 'Connected. /say, /keys or /hangup');
    case 'keys':
      return style('yellow', 'You are asked for digits. /keys');
    case 'voicemail':
      return style('yellow', 'The voicemail listens. /say, then /hangup');
    case 'heard':
      return `${style('cyan', 'They say:')}  ${event.text}`;
    case 'end':
      return style('yellow', `The call is over${event.outcome === null ? '' : `: ${event.outcome}`}`);
  }
}

function callerOf({ caller_name, from }: Extract<PhoneEvent, { type: 'ring' }>): string {
  return caller_name === null ? from : `${caller_name} ${from}`;
}

/** Returns the words of a text and the addresses of its media. */
export function contentOf({ body, media_urls }: Pick<Text, 'body' | 'media_urls'>): string {
  return [body, ...media_urls].filter((part) => part !== '').join('  ');
}
