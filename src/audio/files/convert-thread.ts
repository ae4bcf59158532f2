/** The thread of `convert-file.ts`: converts the file in `workerData`, and posts the result. */
import { parentPort, workerData } from 'node:worker_threads';
import { resample } from '../resample.ts';
import { encodeWav } from '../wav.ts';
import { AudioFileError } from './mono-audio.ts';
import { toTelephoneAudio } from './telephone-audio.ts';
import { readWavFile } from './wav-file.ts';

/** The aim of a conversion: audio for a phone line, or the recording of a call. */
export type Conversion = { readonly to: 'telephone' | 'recording'; readonly file: Uint8Array };

/** The message that the thread posts: the audio (mu-law, or a WAV file), or a sentence that says why there is none. */
export type Converted = { readonly audio: Uint8Array } | { readonly problem: string };

// After an error the MP3 decoder writes to the console, and may then repeat this endlessly. Throwing the error stops
// it.
console.error = (message: unknown) => {
  throw new Error(String(message));
};

async function convert({ to, file }: Conversion): Promise<Converted> {
  try {
    return { audio: to === 'telephone' ? await toTelephoneAudio(file) : toRecording(file) };
  } catch (error) {
    if (!(error instanceof AudioFileError)) throw error;
    return { problem: error.message };
  }
}

function toRecording(file: Uint8Array): Uint8Array {
  const { samples, sampleRateHz } = readWavFile(file, Number.POSITIVE_INFINITY);
  return new Uint8Array(encodeWav(resample(samples, sampleRateHz)));
}

parentPort?.postMessage(await convert(workerData as Conversion));
