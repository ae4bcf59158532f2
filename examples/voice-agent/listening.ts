/** The caller's speech: the start and the end of each utterance, and its words. */
import { SAMPLE_RATE } from '@dialplane/sdk';

/**
 * Numbers of frames of 20 ms: the loud frames that start an utterance, the quiet frames that end it, the frames before
 * it that are kept, and the most frames of an utterance.
 */
const [START_FRAMES, END_FRAMES, KEPT_FRAMES, LONGEST_FRAMES] = [4, 35, 20, 750];
/** The length of a key's tone, and a little more. */
const KEY_FRAMES = 25;
/** Audio is loud if its mean square is above this. */
const LOUD = 500 ** 2;
/** The frequency of the tone that a silent caller sends in test mode. */
const HUM_HZ = 440;
const RECOGNIZER_MS = 10_000;

export type Listener = {
  /** Takes 20 ms of the caller's audio. */
  hear(frame: Int16Array): void;
  /** Skips the tone of a key that the caller has pressed, because it is not speech. */
  skipTone(): void;
};

/** Reports when an utterance starts, and its samples when it is over. */
export function createListener(onStart: () => void, onUtterance: (samples: Int16Array) => void): Listener {
  let frames: Int16Array[] = [];
  let [loud, quiet, skipped, isActive, wasLoud] = [0, 0, 0, false, false];
  const forget = () => {
    [frames, loud, isActive] = [[], 0, false];
  };
  const hear = (frame: Int16Array) => {
    skipped -= 1;
    if (skipped >= 0) return;
    const isLoud = isSpeech(frame);
    frames.push(frame);
    if (!isActive) {
      loud = isLoud ? loud + 1 : Math.max(0, loud - 1);
      if (frames.length > KEPT_FRAMES) frames.shift();
      isActive = loud >= START_FRAMES;
      if (isActive) onStart();
      quiet = 0;
    } else {
      quiet = isLoud && wasLoud ? 0 : quiet + 1;
      if (quiet >= END_FRAMES || frames.length >= LONGEST_FRAMES) {
        onUtterance(Int16Array.from(frames.flatMap((each) => [...each])));
        forget();
      }
    }
    wasLoud = isLoud;
  };
  const skipTone = () => {
    skipped = KEY_FRAMES;
    forget();
  };
  return { hear, skipTone };
}

/** Returns true for loud audio other than that tone. */
function isSpeech(samples: Int16Array): boolean {
  const mean = (part: (sample: number, angle: number) => number) =>
    samples.reduce((sum, sample, at) => sum + part(sample, (at * 2 * Math.PI * HUM_HZ) / SAMPLE_RATE), 0) /
    samples.length;
  const power = mean((sample) => sample ** 2);
  const hum =
    2 *
    (mean((sample, angle) => sample * Math.cos(angle)) ** 2 + mean((sample, angle) => sample * Math.sin(angle)) ** 2);
  return power > LOUD && hum < power / 2;
}

/**
 * Returns the words of an utterance, by a server with OpenAI's transcription API: SPEECH_URL, SPEECH_KEY, SPEECH_MODEL.
 * Without SPEECH_URL the agent understands keys only, and the words are undefined.
 */
export async function recognize(samples: Int16Array): Promise<string | undefined> {
  const { SPEECH_URL, SPEECH_KEY, SPEECH_MODEL = 'whisper-1' } = process.env;
  if (SPEECH_URL === undefined) return undefined;
  const form = new FormData();
  form.set('file', new Blob([wavHead(samples), Int16Array.from(samples)], { type: 'audio/wav' }), 'utterance.wav');
  form.set('model', SPEECH_MODEL);
  form.set('response_format', 'json');
  const reply = await fetch(`${SPEECH_URL}/audio/transcriptions`, {
    method: 'POST',
    headers: SPEECH_KEY === undefined ? {} : { authorization: `Bearer ${SPEECH_KEY}` },
    body: form,
    signal: AbortSignal.timeout(RECOGNIZER_MS),
  });
  if (!reply.ok) throw new Error(`the recognizer answered ${reply.status}`);
  return ((await reply.json()) as { text: string }).text;
}

/** The header of a WAV file: "RIFF", "WAVE", "fmt ", one channel of 16-bit samples, "data". */
function wavHead({ byteLength }: Int16Array): Uint32Array<ArrayBuffer> {
  const format = [0x20746d66, 16, 0x10001, SAMPLE_RATE, 2 * SAMPLE_RATE, 0x100002];
  return Uint32Array.from([0x46464952, 36 + byteLength, 0x45564157, ...format, 0x61746164, byteLength]);
}
