/**
 * A recogniser of speech on this machine (pocketsphinx, with its model of American English) behind OpenAI's
 * transcription API. It returns the sentence of a list that was most likely said, or none.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeWav } from '../../src/audio/wav.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { findProgram } from './programs.ts';
import { makeScratch } from './scratch.ts';

/** The folder of Debian's package. */
const MODEL = '/usr/share/pocketsphinx/model/en-us';
/** The recogniser expects some silence around the words. */
const SILENCE_SAMPLES = 4_000;

/** Starts the recogniser for the tests of the file. Returns its address. */
export async function useLocalRecognizer(sentences: readonly string[]): Promise<{ readonly url: string }> {
  const scratch = makeScratch('words');
  const grammar = join(scratch.path, 'sentences.gram');
  writeFileSync(grammar, `#JSGF V1.0;\ngrammar sentences;\npublic <said> = ${sentences.join(' | ')};\n`);
  let count = 0;
  const recognize = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const file = (await new Response(Buffer.concat(chunks), { headers }).formData()).get('file') as Blob;
    const path = join(scratch.path, `${++count}.raw`);
    writeFileSync(path, wide(decodeWav(new Uint8Array(await file.arrayBuffer())).pcm));
    const { stdout } = await promisify(execFile)(findProgram('pocketsphinx') ?? 'pocketsphinx_continuous', [
      ...['-infile', path, '-jsgf', grammar, '-logfn', '/dev/null'],
      ...['-hmm', join(MODEL, 'en-us'), '-dict', join(MODEL, 'cmudict-en-us.dict')],
    ]);
    return stdout.trim();
  };
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    recognize(request).then(
      (text) => answer(200, { text }),
      (error: unknown) => answer(500, { error: { message: String(error) } }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(() => {
    server.closeAllConnections();
    server.close();
    scratch.remove();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/** Returns telephone audio at 16 kHz, the rate of the model, with silence around it. */
function wide(pcm: Int16Array): Buffer {
  const samples = new Int16Array(2 * (pcm.length + 2 * SILENCE_SAMPLES));
  pcm.forEach((sample, n) => {
    const at = 2 * (n + SILENCE_SAMPLES);
    samples[at] = sample;
    samples[at + 1] = (sample + (pcm[n + 1] ?? sample)) / 2;
  });
  return Buffer.from(samples.buffer);
}
