/**
 * A server with OpenAI's transcription API that knows a few sentences. It compares the received audio with the spoken
 * sentences, and returns the sentence that matches, or an empty text.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { samplesOf } from '../../src/audio/pcm.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { createSynthesizer } from '../../src/speech/speech-synthesis.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { silentLog } from './jobs.ts';
import { powerOf } from './tone-power.ts';

const { synthesize } = createSynthesizer({ log: silentLog });

/** A sentence with at least this likeness counts as found. Other sentences have less than 0.3. */
const FOUND = 0.6;

/**
 * If at least this share of a sentence's pieces is in the audio, the sentence counts as found. For other sentences the
 * share is at most 0.17.
 */
export const SHARE_FOUND = 0.3;

/** The lowest likeness of a piece to the sentence that it is recognized as. */
const PIECE_FOUND = 0.9;
const PIECE_MS = 200;
/** The mean square of a piece that is not a pause. */
const SPOKEN = 10_000;

/** Returns a text in the voice of the other phone in test mode. */
export const speakText = synthesize;

/**
 * Starts a recognizer for the tests of the file. Returns its address, and the sentences that it has found.
 * @param measure returns the share of a sentence in the audio, from 0 to 1
 */
export async function useRecognizer(
  sentences: readonly string[],
  measure: Measure = likeness,
): Promise<{ url: string; found: string[] }> {
  const found: string[] = [];
  const server = createServer((request, response) => {
    void hear(request, sentences, measure).then((text) => {
      found.push(text);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTests(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, found };
}

type Measure = (audio: Int16Array, sentence: Int16Array) => number;

async function hear(request: IncomingMessage, sentences: readonly string[], measure: Measure): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const file = (await new Response(Buffer.concat(chunks), { headers }).formData()).get('file') as Blob;
  const { pcm } = decodeWav(new Uint8Array(await file.arrayBuffer()));
  const spoken = await Promise.all(sentences.map((sentence) => speakText(sentence)));
  const likenesses = spoken.map((sentence) => measure(pcm, sentence));
  const best = Math.max(...likenesses);
  return best < (measure === shareOf ? SHARE_FOUND : FOUND) ? '' : (sentences[likenesses.indexOf(best)] as string);
}

/**
 * Returns the likeness of a part to the most similar stretch of the audio: the highest correlation at any position,
 * from 0 to 1. Both are first halved in rate.
 */
export function likeness(audio: Int16Array, part: Int16Array): number {
  const [whole, wanted] = [halve(audio), halve(part)];
  const size = Math.min(whole.length, wanted.length);
  const power = wanted.subarray(0, size).reduce((sum, x) => sum + x * x, 0);
  let best = 0;
  for (let from = 0; from + size <= whole.length; from++) {
    let [product, own] = [0, 0];
    for (let at = 0; at < size; at++) {
      const sample = whole[from + at] as number;
      product += sample * (wanted[at] as number);
      own += sample * sample;
    }
    if (own > 0) best = Math.max(best, product / Math.sqrt(own * power));
  }
  return best;
}

/**
 * Returns the share of a sentence's pieces that are in the audio, at any position. An engine on a busy machine drops
 * parts of a recording or adds silence, so that no part matches the whole sentence.
 */
export function shareOf(audio: Int16Array, sentence: Int16Array): number {
  const length = samplesOf(PIECE_MS);
  const pieces = Array.from({ length: Math.floor(sentence.length / length) }, (_, at) =>
    sentence.subarray(at * length, (at + 1) * length),
  ).filter((piece) => powerOf(piece) > SPOKEN);
  return pieces.filter((piece) => likeness(audio, piece) > PIECE_FOUND).length / pieces.length;
}

function halve(audio: Int16Array): Float64Array {
  return Float64Array.from({ length: audio.length >> 1 }, (_, i) => {
    return (audio[2 * i] as number) + (audio[2 * i + 1] as number);
  });
}
