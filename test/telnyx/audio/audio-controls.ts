/** Controls and queries of the audio of calls, for tests and people. */
import { FRAME_MS } from '../../../src/audio/frames.ts';
import type { World } from '../world.ts';
import { frameNow, heardAt, type Line, saidAt } from './lines.ts';
import { pcmOf, type Sounding, soundingOf } from './listening.ts';

type Listening = {
  readonly callControlId?: string;
  /** In place of a leg: the newest leg of the person with this number. */
  readonly phoneNumber?: string;
  /** Up to 10 s; the last second by default. */
  readonly lastMs?: number;
};

/** A sound on a line: its first frame, and the frame after its last one. */
type Span = { readonly from: number; readonly until: number };

export type AudioControls = {
  /** Returns the audio that the person of a leg heard lately, also of a leg that has ended. */
  heard(asked: Listening): Promise<Sounding>;
  /** Returns the audio that the person of a leg said lately. */
  said(asked: Listening): Promise<Sounding>;
  /** Returns when the person of a leg said something, and when something was played to the person, oldest first. */
  spans(asked: Listening): Promise<{ readonly said: readonly Span[]; readonly played: readonly Span[] }>;
  /**
   * Sets the words that a person says: one text each time that the person talks. After the last one the person makes
   * words up.
   */
  words(asked: { readonly phoneNumber: string; readonly texts: readonly string[] }): Promise<null>;
};

const LAST_MS = { usual: 1_000, max: 10_000 } as const;

export function audioControls({ state }: World): AudioControls {
  const lineOf = ({ callControlId, phoneNumber }: Listening): Line => {
    const ids = callControlId === undefined ? legsOf(phoneNumber) : [callControlId];
    const line = ids.map((id) => state.audio.lines.get(id)).findLast((each) => each !== undefined);
    if (line === undefined) throw new Error(`no such leg has been answered: ${callControlId ?? phoneNumber}`);
    return line;
  };
  const legsOf = (phoneNumber = '') =>
    [...state.calls.legs.values()].filter(({ person }) => person === phoneNumber).map((leg) => leg.call_control_id);
  const listen = (asked: Listening, at: (line: Line, frame: number) => Uint8Array): Sounding => {
    const line = lineOf(asked);
    const until = Math.min(frameNow(), line.until);
    const length = Math.ceil(Math.min(asked.lastMs ?? LAST_MS.usual, LAST_MS.max) / FRAME_MS);
    return soundingOf(pcmOf(Array.from({ length }, (_, i) => at(line, until - length + i))));
  };
  return {
    heard: async (asked) => listen(asked, heardAt),
    said: async (asked) => listen(asked, saidAt),
    spans: async (asked) => {
      const { said, played } = lineOf(asked);
      return { said: said.map(spanOf), played: played.map(spanOf) };
    },
    words: async ({ phoneNumber, texts }) => {
      state.audio.words.set(phoneNumber, [...texts]);
      return null;
    },
  };
}

const spanOf = ({ from, until }: Span): Span => ({ from, until });
