/** The thread of `shipped-voice.ts`: speaks the texts that it is sent, one after the other, by the program flite. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { Pcm } from '../../audio/pcm.ts';
import { resample } from '../../audio/resample.ts';
import { decodeWav } from '../../audio/wav.ts';
import { runProgram } from './run-program.ts';

/** `program`: the path of flite, compiled to WebAssembly. */
export type ThreadOptions = { readonly program: string; readonly outputBytesMax: number };

/** `problem`: the rest of a sentence that begins with the name of the program. */
export type Spoken = { readonly pcm: Pcm } | { readonly problem: string };

/** A woman's voice from the United States, made from the recordings "slt" of CMU ARCTIC. */
const VOICE = 'slt';

const { program, outputBytesMax } = workerData as ThreadOptions;
const module = new WebAssembly.Module(readFileSync(program));

/** Speaks a text in ASCII, in paragraphs. */
function speak(text: string): Pcm {
  const file = runProgram(module, {
    args: ['flite', '-voice', VOICE, '-f', 'text', '-o', 'speech'],
    // The program does not read a last line without a line break.
    files: { text: Buffer.from(`${text}\n`) },
    output: 'speech',
    outputBytesMax,
  });
  const { pcm, sampleRateHz } = decodeWav(file);
  return resample(pcm, sampleRateHz);
}

parentPort?.on('message', (text: string) => {
  try {
    const pcm = speak(text);
    parentPort?.postMessage({ pcm } satisfies Spoken, [pcm.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage({ problem: `failed: ${(error as Error).message}` } satisfies Spoken);
  }
});
