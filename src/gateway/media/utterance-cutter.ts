/**
 * Cuts the utterances of the parties out of a call's audio, for carriers that do not: a listener to the call with a
 * detector for each party. Each utterance is handed on with its true times.
 *
 * It hears the customer on `inbound` and the agent on `outbound`, the lines that a call's audio has. What else is
 * played to the customer on `outbound`, such as a stream's playback, counts as the agent's words.
 */
import { FRAME_MS } from '../../audio/frames.ts';
import { type Utterance, VoiceDetector } from '../../audio/voice-detector.ts';
import type { Party } from '../../carriers/ports/voice.ts';
import type { AudioSink } from './types.ts';

/** What a party said, as mu-law, and when. */
export type PartyUtterance = {
  readonly party: Party;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly audio: Uint8Array;
};

export type UtteranceCutterOptions = {
  /** Wall time in milliseconds, at which the call's ledger runs too. */
  readonly nowMs: () => number;
  /** Takes each utterance. Must not throw. */
  readonly take: (utterance: PartyUtterance) => void;
};

/** Returns a sink that cuts until the call's audio ends. */
export function createUtteranceCutter({ nowMs, take }: UtteranceCutterOptions): AudioSink {
  const customer = new VoiceDetector();
  const agent = new VoiceDetector();
  /** Wall time of tick 0. */
  let beganAtMs: number | undefined;

  const handOn = (party: Party, utterance: Utterance | undefined) => {
    if (utterance === undefined || beganAtMs === undefined) return;
    const { startMs, endMs, frames } = utterance;
    const [startedAt, endedAt] = [new Date(beganAtMs + startMs), new Date(beganAtMs + endMs)];
    take({ party, startedAt, endedAt, audio: Buffer.concat(frames) });
  };

  return {
    write: ({ tick, inbound, outbound }) => {
      const atMs = tick * FRAME_MS;
      // A frame is written when its 20 ms are over.
      beganAtMs ??= nowMs() - atMs - FRAME_MS;
      handOn('customer', customer.write(inbound, atMs));
      handOn('agent', agent.write(outbound, atMs));
    },
    end: () => {
      handOn('customer', customer.end());
      handOn('agent', agent.end());
    },
  };
}
