/** Text-to-speech by POST /audio/speech of OpenAI's HTTP API, which many servers offer. */
import type { Pcm } from '../../audio/pcm.ts';
import { resample } from '../../audio/resample.ts';
import { decodeWav, pcmFromBytes, WavError } from '../../audio/wav.ts';
import { ModelError } from '../port.ts';
import { type ClientLimits, createModelClient, type ModelReply, type ModelServer } from './model-client.ts';

export type VoiceServer = Omit<ModelServer, 'stream'> & {
  /** The name of the voice, which the server requires. */
  readonly voice: string;
};

/** A caller may be listening: the bounds are shorter than those of work after a call. */
const LIMITS: Partial<ClientLimits> = {
  connectTimeoutMs: 3_000,
  attemptTimeoutMs: 10_000,
  totalTimeoutMs: 15_000,
  attemptsMax: 2,
  retryMinMs: 500,
  responseBytesMax: 16_000_000,
};

const AUDIO_SECONDS_MAX = 300;
/** The rate of raw audio that names none: that of OpenAI's own. */
const RAW_RATE_HZ = 24_000;

export type TextToSpeech = {
  /** @throws ModelError */
  speak(text: string): Promise<Pcm>;
  close(): Promise<void>;
};

/** Returns the adapter. It opens no connection before the first text. */
export function createOpenAiTextToSpeech(server: VoiceServer, limits: Partial<ClientLimits> = {}): TextToSpeech {
  const client = createModelClient(server, { ...LIMITS, ...limits });
  const { model, voice } = server;
  return {
    close: client.close,
    speak: (input) =>
      client.post({
        path: '/audio/speech',
        contentType: 'application/json',
        accept: 'audio/wav, audio/pcm',
        body: JSON.stringify({ model, voice, input, response_format: 'wav' }),
        signal: new AbortController().signal,
        spend: () => undefined,
        read: readAudio,
      }),
  };
}

/** Returns the audio of a reply: WAV whatever its media type says, or raw samples, 16 bits and little-endian. */
function readAudio({ contentType, bytes }: ModelReply): Pcm {
  const { pcm, sampleRateHz } = decode(contentType, bytes);
  if (pcm.length === 0) throw new ModelError('refused', 'the reply of the voice server has no audio');
  if (pcm.length > AUDIO_SECONDS_MAX * sampleRateHz) {
    throw new ModelError('refused', `the voice server replied with more than ${AUDIO_SECONDS_MAX} s of audio`);
  }
  try {
    return resample(pcm, sampleRateHz);
  } catch (error) {
    throw new ModelError('refused', `audio of ${sampleRateHz} samples a second cannot be used`, { cause: error });
  }
}

function decode(contentType: string, bytes: Buffer): { readonly pcm: Int16Array; readonly sampleRateHz: number } {
  if (contentType.startsWith('audio/pcm') && bytes.toString('latin1', 0, 4) !== 'RIFF') {
    const rate = /;\s*rate=(\d+)/.exec(contentType)?.[1];
    return { pcm: pcmFromBytes(bytes), sampleRateHz: rate === undefined ? RAW_RATE_HZ : Number(rate) };
  }
  try {
    return decodeWav(bytes);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    throw new ModelError('refused', 'the voice server replied with neither WAV nor PCM', { cause: error });
  }
}
