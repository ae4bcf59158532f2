/** Text-to-speech by the program espeak-ng, as a child process: it reads the text and writes a WAV file. */
import { spawn } from 'node:child_process';
import type { Pcm } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { decodeWav } from '../audio/wav.ts';
import { after } from '../lib/time/time.ts';
import { SpeechError } from './speech-error.ts';

const ESPEAK_COMMAND = 'espeak-ng';

export type SpeechProgram = { command: string; timeoutMs: number; outputBytesMax: number };

export const SPEECH_PROGRAM: SpeechProgram = { command: ESPEAK_COMMAND, timeoutMs: 20_000, outputBytesMax: 32_000_000 };

/** The whole text from standard input, UTF-8, 160 words a minute, no pause at the end, the file to standard output. */
const SPEAK_ARGS = ['--stdin', '-b', '1', '-s', '160', '-z', '--stdout'];
const LANGUAGE = 'en-us';
const PROBE_TIMEOUT_MS = 5_000;
const PROBE_BYTES_MAX = 10_000;

/** Returns the version of the program, such as `1.51`; undefined if it is not installed or does not run. */
export async function findSpeechProgram(command: string = ESPEAK_COMMAND): Promise<string | undefined> {
  try {
    const probe = { command, timeoutMs: PROBE_TIMEOUT_MS, outputBytesMax: PROBE_BYTES_MAX };
    const output = await run(probe, ['--version'], '');
    return /\d+(?:\.\d+)+/.exec(output.toString('utf8'))?.[0] ?? 'of unknown version';
  } catch (error) {
    if (error instanceof SpeechError) return undefined;
    throw error;
  }
}

/**
 * Returns a text as speech. Throws SpeechError.
 * @param language a tag such as `es-MX`; the program looks for the nearest that it speaks, and fails without one
 */
export async function speak(program: SpeechProgram, text: string, language = LANGUAGE): Promise<Pcm> {
  const file = await run(program, [...SPEAK_ARGS, '-v', language.toLowerCase()], plain(text));
  try {
    const { pcm, sampleRateHz } = decodeWav(file);
    return resample(pcm, sampleRateHz);
  } catch (error) {
    throw new SpeechError(`${program.command} did not write readable audio`, { cause: error });
  }
}

/** Replaces text that the program takes for commands: control characters, and phonemes in double brackets. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll('[[', '[ [');
}

/** Runs the program to its end, without a shell. Returns its output. */
function run(program: SpeechProgram, args: readonly string[], input: string): Promise<Buffer> {
  const { command, timeoutMs, outputBytesMax } = program;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => {
      deadline.cancel();
      child.kill('SIGKILL');
      reject(new SpeechError(`${command} ${why}`, { cause }));
    };
    const deadline = after(timeoutMs, () => fail(`did not finish within ${timeoutMs} ms`));
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.once('error', (error) => fail('could not be started', error));
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > outputBytesMax) fail(`wrote more than ${outputBytesMax} bytes`);
      else chunks.push(chunk);
    });
    child.once('close', (code, signal) => {
      if (code !== 0) return fail(`ended with ${code ?? signal}`);
      deadline.cancel();
      resolve(Buffer.concat(chunks));
    });
    // A program that ends without reading closes the pipe. Only its exit code counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
