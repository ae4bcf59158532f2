/** Speech-to-text by POST /audio/transcriptions of OpenAI's HTTP API, which many servers offer. */
import { randomUUID } from 'node:crypto';
import { type Pcm, SAMPLE_RATE_HZ } from '../../audio/pcm.ts';
import { decodeWav, encodeWav, WAV_CONTENT_TYPE, WavError } from '../../audio/wav.ts';
import { valueAt } from '../../lib/json-object.ts';
import { ModelError, type SpeechToText } from '../port.ts';
import { createCallBudgets } from './budgets.ts';
import { createEventReader, eventsOf } from './event-stream.ts';
import { type ClientLimits, createModelClient, type ModelReply, type ModelServer, parseReply } from './model-client.ts';

export type SpeechLimits = ClientLimits & {
  /** The most requests of one call, retries included. */
  readonly requestsMax: number;
  /** The most audio of one call. Audio beyond it is not sent. */
  readonly audioSecondsMax: number;
};

const CALL_LIMITS = { requestsMax: 2_000, audioSecondsMax: 4 * 3_600 } as const;
const TEXT_CHARS_MAX = 20_000;

/** Returns the adapter. It opens no connection before the first audio. */
export function createOpenAiSpeechToText(
  server: ModelServer,
  limits: Partial<SpeechLimits> = {},
): SpeechToText & { close(): Promise<void> } {
  const { requestsMax, audioSecondsMax } = { ...CALL_LIMITS, ...limits };
  const client = createModelClient(server, limits);
  const budgets = createCallBudgets({ requestsMax, audioMsMax: audioSecondsMax * 1_000 });
  return {
    close: client.close,
    transcribe: async ({ ledgerId }, { source, audio, language, onPartial, signal }) => {
      const file = await audio();
      if (file === undefined) return null;
      const call = `${ledgerId}:${source.callRef}`;
      const granted = withinBudget(file, (ms) => budgets.takeAudio(call, ms));
      const form = formOf(server, granted, language);
      const spend = () => {
        if (!budgets.takeRequest(call)) throw new ModelError('spent', 'the call has used up its speech requests');
      };
      const text = await client.post({
        path: '/audio/transcriptions',
        ...form,
        signal,
        spend,
        read: readTranscript,
        ...(server.stream && onPartial !== undefined && { onStart: () => readWords(onPartial) }),
      });
      const words = text.trim().slice(0, TEXT_CHARS_MAX);
      return words === '' ? null : words;
    },
  };
}

/** Returns the beginning of the audio, as much as the call's budget allows. */
function withinBudget(file: Uint8Array, take: (ms: number) => number): Uint8Array {
  const { pcm, sampleRateHz } = decode(file);
  const durationMs = (pcm.length / sampleRateHz) * 1_000;
  const grantedMs = take(durationMs);
  if (grantedMs >= durationMs) return file;
  if (grantedMs <= 0) throw new ModelError('spent', 'the call has used up its audio budget');
  return encodeWav(pcm.subarray(0, Math.floor((grantedMs * SAMPLE_RATE_HZ) / 1_000)));
}

function decode(file: Uint8Array): { pcm: Pcm; sampleRateHz: number } {
  try {
    return decodeWav(file);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    throw new ModelError('refused', 'the audio cannot be read', { cause: error });
  }
}

/** multipart/form-data (RFC 7578). */
function formOf(
  { model, stream }: ModelServer,
  file: Uint8Array,
  language: string | undefined,
): { contentType: string; body: Buffer } {
  const boundary = `dialplane-${randomUUID()}`;
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}`;
  const field = (name: string, value: string) => `${part(`name="${name}"`)}\r\n\r\n${value}\r\n`;
  const fields = [
    field('model', model),
    field('response_format', 'json'),
    // The interface takes only the language, without a region (ISO 639).
    ...(language === undefined ? [] : [field('language', language.split('-')[0] as string)]),
    ...(stream ? [field('stream', 'true')] : []),
    `${part('name="file"; filename="audio.wav"')}\r\nContent-Type: ${WAV_CONTENT_TYPE}\r\n\r\n`,
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(fields.join('')), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function readTranscript({ contentType, bytes }: ModelReply): string {
  const text = bytes.toString('utf8');
  if (contentType.startsWith('text/event-stream')) return readStream(text);
  // Servers that support only this format send it for any requested format.
  if (contentType.startsWith('text/plain')) return text;
  const words = valueAt(parseReply(text), 'text');
  if (typeof words !== 'string') throw new ModelError('refused', 'the reply of the model server has no text');
  return words;
}

/** Returns a function that reads a stream piece by piece. After each piece it reports all words since the start. */
function readWords(report: (words: string) => void): (piece: Buffer) => void {
  const events = createEventReader();
  let words = '';
  return (piece) => {
    for (const event of events(piece)) {
      const value = event.startsWith('{') ? parseReply(event) : undefined;
      const delta = valueAt(value, 'delta');
      if (valueAt(value, 'type') !== 'transcript.text.delta' || typeof delta !== 'string') continue;
      words = (words + delta).slice(0, TEXT_CHARS_MAX);
      report(words.trim());
    }
  };
}

/** Returns the text of the last event, which is the whole text. A stream without that event was cut off. */
function readStream(text: string): string {
  for (const event of eventsOf(text)) {
    if (!event.startsWith('{')) continue;
    const value = parseReply(event);
    const words = valueAt(value, 'text');
    if (valueAt(value, 'type') === 'transcript.text.done' && typeof words === 'string') return words;
  }
  throw new ModelError('unavailable', 'the reply of the model server is incomplete');
}
