/** The agent's words as audio, by espeak-ng on this machine. Put the speech model of your choice in its place. */
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { resample, SAMPLE_RATE } from '@dialplane/sdk';

const HEADER_BYTES = 44;
const RATE_AT = 24;
const made = new Map<string, Promise<Int16Array | undefined>>();

/**
 * Returns a text as samples at 8 kHz. Each text is made once: the program has a fixed set of texts. Undefined without
 * espeak-ng.
 */
export function synthesize(text: string): Promise<Int16Array | undefined> {
  const audio = made.get(text) ?? speak(text);
  made.set(text, audio);
  return audio;
}

async function speak(text: string): Promise<Int16Array | undefined> {
  const child = spawn('espeak-ng', ['-v', 'en-us', '-s', '160', '--stdout', text]);
  const isMade = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
  });
  const wav = await buffer(child.stdout);
  if (!(await isMade)) return undefined;
  const samples = Array.from({ length: Math.floor((wav.length - HEADER_BYTES) / 2) }, (_, at) =>
    wav.readInt16LE(HEADER_BYTES + 2 * at),
  );
  return resample(Int16Array.from(samples), wav.readUInt32LE(RATE_AT), SAMPLE_RATE);
}
