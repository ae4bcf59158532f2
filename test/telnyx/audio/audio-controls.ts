/** What tests and people ask about the audio of calls. */
import type { World } from '../world.ts';
import { frameNow, heardAt, type Line, saidAt } from './lines.ts';
import { pcmOf, type Sounding, soundingOf } from './listening.ts';

type Listening = {
  readonly callControlId: string;
  /** Up to 10 s; the last second by default. */
  readonly lastMs?: number;
};

export type AudioControls = {
  /** Returns what the person of a leg has heard lately. */
  heard(asked: Listening): Promise<Sounding>;
  /** Returns what the person of a leg has said lately. */
  said(asked: Listening): Promise<Sounding>;
  /** Gives a person words: one text each time that the person talks. Without words left, the person makes some up. */
  words(asked: { readonly phoneNumber: string; readonly texts: readonly string[] }): Promise<null>;
};

const LAST_MS = { usual: 1_000, max: 10_000 } as const;

export function audioControls({ state }: World): AudioControls {
  const listen = (
    { callControlId, lastMs = LAST_MS.usual }: Listening,
    at: (line: Line, frame: number) => Uint8Array,
  ) => {
    const line = state.audio.lines.get(callControlId);
    if (line === undefined) throw new Error(`no leg ${callControlId} has been answered`);
    const until = frameNow();
    const length = Math.ceil(Math.min(lastMs, LAST_MS.max) / 20);
    return soundingOf(pcmOf(Array.from({ length }, (_, i) => at(line, until - length + i))));
  };
  return {
    heard: async (asked) => listen(asked, heardAt),
    said: async (asked) => listen(asked, saidAt),
    words: async ({ phoneNumber, texts }) => {
      state.audio.words.set(phoneNumber, [...texts]);
      return null;
    },
  };
}
