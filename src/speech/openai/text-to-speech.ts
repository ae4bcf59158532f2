/** Text-to-speech by POST /audio/speech of OpenAI's HTTP API, which many servers offer. */
import type { Pcm } from '../../audio/pcm.ts';
import { resample } from '../../audio/resample.ts';
import { decodeWav, pcmFromBytes, WavError } from '../../audio/wav.ts';
import { ModelError, type VoiceChoice } from '../port.ts';
import { type ClientLimits, createModelClient, type ModelReply, type ModelServer } from './model-client.ts';

export type VoiceServer = Omit<ModelServer, 'stream'> & {
  /** The name of the voice, which the server requires. */
  readonly voice: string;
  /** Voices for languages, by tag such as `es` or `es-MX` in lower case. */
  readonly voices?: Readonly<Record<string, string>>;
};

/** A caller may be listening, so the bounds are shorter than the bounds of work after a call. */
const LIMITS: Partial<ClientLimits> = {
  connectTimeoutMs: 3_000,
  attemptTimeoutMs: 10_000,
  totalTimeoutMs: 15_000,
  attemptsMax: 2,
  retryMinMs: 500,
  responseBytesMax: 16_000_000,
};

const AUDIO_SECONDS_MAX = 300;
/** The rate of raw audio without a stated rate: the rate of OpenAI's own audio. */
const RAW_RATE_HZ = 24_000;

export type TextToSpeech = {
  /** @throws ModelError */
  speak(text: string, voice: string): Promise<Pcm>;
  close(): Promise<void>;
};

/** Returns the adapter. It opens no connection before the first text. */
export function createOpenAiTextToSpeech(server: VoiceServer, limits: Partial<ClientLimits> = {}): TextToSpeech {
  const client = createModelClient(server, { ...LIMITS, ...limits });
  const { model } = server;
  return {
    close: client.close,
    speak: (input, voice) =>
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

/** Returns the voice that speaks a text: the chosen voice, the voice of its language, or the usual one. */
export function voiceFor({ voice: usual, voices = {} }: VoiceServer, choice?: VoiceChoice): string {
  if (choice === undefined) return usual;
  const tag = choice.language.toLowerCase();
  const ofLanguage = voices[tag] ?? voices[tag.split('-')[0] as string];
  const isChosen = choice.voice !== null && (ofLanguage === undefined || choice.language === choice.voiceLanguage);
  return isChosen ? (choice.voice as string) : (ofLanguage ?? usual);
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
