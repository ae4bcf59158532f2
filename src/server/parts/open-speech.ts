import type { Logger } from 'pino';
import type { OwnSpeech } from '../../carriers/adapter.ts';
import type { Database } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { createLiveVoice, type LiveVoice } from '../../speech/live-voice.ts';
import type { LocalVoice } from '../../speech/local-voice.ts';
import type { ModelServer } from '../../speech/openai/model-client.ts';
import { createOpenAiSpeechToText } from '../../speech/openai/speech-to-text.ts';
import { createOpenAiSummarizer } from '../../speech/openai/summarizer.ts';
import type { VoiceServer } from '../../speech/openai/text-to-speech.ts';
import type { Speech } from '../../speech/port.ts';
import { createSpokenTextStore } from '../../speech/speech-queries.ts';
import { createVoskLiveSpeech, type LiveServer } from '../../speech/vosk/live-words.ts';

/** The servers that transcribe, summarize and speak on live calls; null if there is none. */
export type SpeechSettings = {
  readonly toText: ModelServer | null;
  /** Recognises a caller's words for a relay while the caller speaks. */
  readonly live?: LiveServer | null;
  readonly summary: ModelServer | null;
  readonly voice: VoiceServer | null;
};

/** The settings without any speech server. */
export const NO_SPEECH_SERVERS: SpeechSettings = { toText: null, summary: null, voice: null };

type LiveVoiceParts = {
  readonly speech?: SpeechSettings;
  /** The voice of this machine. */
  readonly localVoice: LocalVoice;
  readonly log: Logger;
};

/** Opens the voice of live calls: the configured server, or the voice of this machine. */
export function openLiveVoice(
  { speech = NO_SPEECH_SERVERS, localVoice: local, log }: LiveVoiceParts,
  db: Database,
): LiveVoice {
  return createLiveVoice({ log, server: speech.voice, store: createSpokenTextStore(db), local });
}

type SpeechParts = {
  /** Returns the speech services of a ledger's network, if it has any. */
  readonly ownSpeech: (ledger: Ledger) => OwnSpeech | undefined;
  readonly voice: LiveVoice;
};

/** Returns the speech services of a ledger: those of its network, else the configured servers. */
export function openSpeech(
  { toText, live, summary }: SpeechSettings = NO_SPEECH_SERVERS,
  { ownSpeech, voice }: SpeechParts,
): Speech & { close(): Promise<void> } {
  const liveToText = toText === null ? undefined : createOpenAiSpeechToText(toText);
  const liveWords = live === null || live === undefined ? undefined : createVoskLiveSpeech(live);
  const liveSummarizer = summary === null ? undefined : createOpenAiSummarizer(summary);
  return {
    toText: (ledger) => ownSpeech(ledger)?.toText ?? liveToText,
    liveToText: (ledger) => (ownSpeech(ledger) === undefined ? liveWords : undefined),
    summarizer: (ledger) => ownSpeech(ledger)?.summarizer ?? liveSummarizer,
    agentVoice: (ledger) => ownSpeech(ledger)?.voice ?? voice,
    voice: (ledger) => (ownSpeech(ledger) === undefined ? voice : undefined),
    close: async () => {
      await Promise.all([liveToText?.close(), liveSummarizer?.close(), voice.close()]);
    },
  };
}
