/**
 * Cuts the utterances of the parties out of a call's audio, for carriers that do not cut them. It is a sink of the
 * call's audio, with a detector for each party, and passes on each utterance with its true times.
 *
 * It receives the customer on `inbound` and the agent on `outbound`, the lines of a call's audio. Other audio for the
 * customer on `outbound`, such as a stream's playback, counts as the agent's words. If the carrier cuts the utterances
 * of the other party, the words of a web client have a separate cutter.
 */
import { FRAME_MS } from '../../audio/frames.ts';
import { type Utterance, VoiceDetector } from '../../audio/voice-detector.ts';
import type { Party } from '../../carriers/ports/voice.ts';
import type { AudioSink, Frame } from './types.ts';

/** An utterance of a party, as mu-law, and its times. */
export type PartyUtterance = {
  readonly party: Party;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly audio: Uint8Array;
};

export type UtteranceCutterOptions = {
  /** Wall time in milliseconds, which the call's ledger uses too. */
  readonly nowMs: () => number;
  /** Takes each utterance. Must not throw. */
  readonly take: (utterance: PartyUtterance) => void;
};

/** Cuts the utterances of one party. */
export type PartyCutter = {
  /** Takes the frame of each tick. */
  write(tick: number, frame: Frame): void;
  /** Ends the open utterance. */
  end(): void;
};

export function createPartyCutter(party: Party, { nowMs, take }: UtteranceCutterOptions): PartyCutter {
  const detector = new VoiceDetector();
  /** Wall time of tick 0. */
  let beganAtMs: number | undefined;

  const handOn = (utterance: Utterance | undefined) => {
    if (utterance === undefined || beganAtMs === undefined) return;
    const { startMs, endMs, frames } = utterance;
    const [startedAt, endedAt] = [new Date(beganAtMs + startMs), new Date(beganAtMs + endMs)];
    take({ party, startedAt, endedAt, audio: Buffer.concat(frames) });
  };

  return {
    write: (tick, frame) => {
      const atMs = tick * FRAME_MS;
      // A frame is written when its 20 ms are over.
      beganAtMs ??= nowMs() - atMs - FRAME_MS;
      handOn(detector.write(frame, atMs));
    },
    end: () => handOn(detector.end()),
  };
}

/** Returns a sink that cuts the utterances of both parties until the call's audio ends. */
export function createUtteranceCutter(options: UtteranceCutterOptions): AudioSink {
  const customer = createPartyCutter('customer', options);
  const agent = createPartyCutter('agent', options);
  return {
    write: ({ tick, inbound, outbound }) => {
      customer.write(tick, inbound);
      agent.write(tick, outbound);
    },
    end: () => {
      customer.end();
      agent.end();
    },
  };
}
