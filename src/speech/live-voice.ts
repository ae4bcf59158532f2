/**
 * Text-to-speech of live calls: by a server with OpenAI's HTTP API if one is configured, otherwise by the voice of this
 * machine, which also speaks while the server fails. If that voice fails too, the text fails: no live caller hears
 * tones in place of words.
 *
 * Adapters of live carriers play what it makes. The audio of a server is cached in memory and, for all processes, in
 * the database. The audio of this machine's voice is cached in memory only, because it is quick to make again.
 */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { decodeMulaw, encodeMulaw } from '../audio/mulaw.ts';
import { type Pcm, silence } from '../audio/pcm.ts';
import { ignoreError } from '../lib/errors/ignore-error.ts';
import { monotonicMs } from '../lib/time/time.ts';
import { createCachedSpeech, type SpokenText } from './cached-speech.ts';
import type { LocalVoice } from './local-voice.ts';
import type { ClientLimits } from './openai/model-client.ts';
import { createOpenAiTextToSpeech, type VoiceServer, voiceFor } from './openai/text-to-speech.ts';
import { ModelError, type Synthesizer, type VoiceChoice } from './port.ts';
import { SpeechError } from './speech-error.ts';
import { TEXT_CHARS_MAX } from './speech-synthesis.ts';

/** A durable and bounded cache of spoken texts, shared by all processes. Audio is mu-law. */
export type SpokenTextStore = {
  find(key: Buffer): Promise<Uint8Array | undefined>;
  /** Keeps the audio; may drop the texts that were not used for longest. */
  keep(key: Buffer, audio: Uint8Array): Promise<void>;
};

export type LiveVoiceOptions = {
  readonly log: Logger;
  readonly server: VoiceServer | null;
  readonly store: SpokenTextStore;
  /** The voice of this machine. */
  readonly local: LocalVoice;
  readonly limits?: Partial<ClientLimits>;
  /** Bytes of audio in memory. */
  readonly cacheBytesMax?: number;
  /** The time without requests to a server that has failed. */
  readonly pauseMs?: number;
};

export type LiveVoice = Synthesizer & { close(): Promise<void> };

/** The most different texts that are spoken or wait at a time. A text beyond them fails immediately. */
const TEXTS_MAX = 64;
const PAUSE_MS = 10_000;

/** Returns the voice. It starts nothing and opens no connection before the first text. */
export function createLiveVoice(options: LiveVoiceOptions): LiveVoice {
  const { server, store, local, log, pauseMs = PAUSE_MS } = options;
  const remote = server === null ? undefined : createOpenAiTextToSpeech(server, options.limits);
  const synthesize = createCachedSpeech(makeBounded, options.cacheBytesMax);
  let pausedUntilMs = 0;
  let texts = 0;

  async function makeBounded(text: string, choice?: VoiceChoice): Promise<SpokenText> {
    if (text === '') return { pcm: silence(100), isFinal: false };
    if (texts >= TEXTS_MAX) throw new ModelError('unavailable', `${TEXTS_MAX} texts wait to be spoken already`);
    texts++;
    try {
      return await make(text, choice);
    } finally {
      texts--;
    }
  }

  async function make(text: string, choice?: VoiceChoice): Promise<SpokenText> {
    const fromServer = server === null ? undefined : await speakRemotely(server, text, voiceFor(server, choice));
    if (fromServer !== undefined) return { pcm: fromServer, isFinal: true };
    try {
      const { pcm, isFinal } = await local.speak(text, choice?.language);
      return { pcm, isFinal: isFinal && server === null };
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      const why = server === null ? 'no voice server is configured' : 'the voice server failed';
      throw new ModelError('unavailable', `${why}, and ${error.message}`, { cause: error });
    }
  }

  /** Returns the audio of the cache or the server; undefined if the server fails, or has just failed. */
  async function speakRemotely(server: VoiceServer, text: string, voice: string): Promise<Pcm | undefined> {
    const key = keyOf(server, voice, text);
    const kept = await store.find(key).catch((error: unknown) => {
      log.warn({ err: error }, 'the cache of spoken texts cannot be read; asking the voice server');
      return undefined;
    });
    if (kept !== undefined) return decodeMulaw(kept);
    if (remote === undefined || monotonicMs() < pausedUntilMs) return undefined;
    try {
      const pcm = await remote.speak(text, voice);
      ignoreError(store.keep(key, encodeMulaw(pcm)), log, 'the text is spoken again by other processes');
      return pcm;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === 'unavailable') pausedUntilMs = monotonicMs() + pauseMs;
      if (error.kind === 'refused' && voice !== server.voice) {
        log.warn({ err: error, voice }, 'voice server refused a voice; using the voice of VOICE_NAME');
        return await speakRemotely(server, text, server.voice);
      }
      log.warn({ err: error }, 'voice server failed; using the voice of this machine');
      return undefined;
    }
  }

  return {
    synthesize: (text, choice) => synthesize(text.trim().slice(0, TEXT_CHARS_MAX), choice),
    close: async () => remote?.close(),
  };
}

/** Returns the key of a spoken text in the cache. Another server, model or voice gives another key. */
function keyOf({ url, model }: VoiceServer, voice: string, text: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([url, model, voice, text]))
    .digest();
}
