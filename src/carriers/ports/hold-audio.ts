/** A stretch of hold audio. */
type HoldAudioPart = {
  /** Mu-law, 8 kHz, one channel: a byte is a sample. */
  readonly mulaw: Uint8Array;
  /** Samples of the whole audio. */
  readonly length: number;
};

/**
 * Reads hold audio by the `audioRef` of a command, at most ten seconds from sample `at` on, which lies within the
 * audio. A player reads the next part while it plays one, and begins again at 0. Undefined if the audio was deleted:
 * the built-in pattern plays then.
 */
export type ReadHoldAudio = (audioRef: string, at: number) => Promise<HoldAudioPart | undefined>;
