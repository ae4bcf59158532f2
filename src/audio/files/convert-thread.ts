/** The thread of `convert-file.ts`: converts the file in `workerData`, and posts the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { AudioFileError } from './mono-audio.ts';
import { toTelephoneAudio } from './telephone-audio.ts';

/** What the thread posts: the audio as mu-law, or a sentence that says why there is none. */
export type Converted = { readonly mulaw: Uint8Array } | { readonly problem: string };

// The MP3 decoder writes an error to the console and may then meet the same error without end. Thrown, it ends there.
console.error = (message: unknown) => {
  throw new Error(String(message));
};

async function convert(): Promise<Converted> {
  try {
    return { mulaw: await toTelephoneAudio(workerData as Uint8Array) };
  } catch (error) {
    if (!(error instanceof AudioFileError)) throw error;
    return { problem: error.message };
  }
}

parentPort?.postMessage(await convert());
