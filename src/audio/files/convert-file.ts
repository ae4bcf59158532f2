/** Conversions of audio files, each in a separate thread, so that the audio of calls continues. */
import { Worker } from 'node:worker_threads';
import { threadModule } from '../../lib/program.ts';
import { after } from '../../lib/time/time.ts';
import type { Conversion, Converted } from './convert-thread.ts';

/** A file of ten megabytes takes a few seconds. */
const LIMIT_MS = 60_000;
const TOO_LONG: Converted = { problem: 'The file could not be converted in time.' };

/** Megabytes of the thread's heap. Samples and the decoder's memory are outside of it. */
const HEAP_MB_MAX = 128;

/**
 * Converts a WAV or MP3 file to mu-law, 8 kHz, one channel, its first five minutes. Returns a sentence for the customer
 * if the file cannot be converted. The memory of the file moves to the thread: its bytes cannot be read afterwards.
 */
export function convertAudioFile(file: Uint8Array): Promise<Converted> {
  return convert('telephone', file);
}

/**
 * Converts the recording of a call, a WAV file, to WAV with 8 kHz, 16 bits and one channel. The memory of the file
 * moves to the thread. Throws if it cannot be converted.
 */
export async function convertRecording(file: Uint8Array): Promise<Uint8Array> {
  const converted = await convert('recording', file);
  if ('problem' in converted) throw new Error(converted.problem);
  return converted.audio;
}

function convert(to: Conversion['to'], file: Uint8Array): Promise<Converted> {
  // A small file may be part of a larger block of memory, which other data shares.
  const { buffer: memory } = file.byteLength === file.buffer.byteLength ? file : Uint8Array.from(file);
  const worker = new Worker(threadModule(new URL('./convert-thread.ts', import.meta.url)), {
    workerData: { to, file: new Uint8Array(memory) } satisfies Conversion,
    transferList: [memory as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
  });
  return new Promise<Converted>((resolve, reject) => {
    const limit = after(LIMIT_MS, () => resolve(TOO_LONG));
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => {
      limit.cancel();
      reject(new Error(`the thread that converts audio ended with code ${code}`));
    });
  }).finally(() => worker.terminate());
}
