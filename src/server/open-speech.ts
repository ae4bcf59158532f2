import type { ModelServer } from '../speech/openai/model-client.ts';
import { createOpenAiSpeechToText } from '../speech/openai/speech-to-text.ts';
import { createOpenAiSummarizer } from '../speech/openai/summarizer.ts';
import type { Speech, SpeechToText, Summarizer } from '../speech/port.ts';

/** The servers that transcribe and summarize live calls; null for none. */
export type SpeechSettings = {
  readonly toText: ModelServer | null;
  readonly summary: ModelServer | null;
};

/** Returns the services by ledger: simulated in test mode, the servers of the settings in live mode. */
export function openSpeech(
  { toText, summary }: SpeechSettings = { toText: null, summary: null },
  simulated: { readonly toText: SpeechToText; readonly summarizer: Summarizer },
): Speech & { close(): Promise<void> } {
  const liveToText = toText === null ? undefined : createOpenAiSpeechToText(toText);
  const liveSummarizer = summary === null ? undefined : createOpenAiSummarizer(summary);
  return {
    toText: ({ mode }) => (mode === 'test' ? simulated.toText : liveToText),
    summarizer: ({ mode }) => (mode === 'test' ? simulated.summarizer : liveSummarizer),
    close: async () => {
      await Promise.all([liveToText?.close(), liveSummarizer?.close()]);
    },
  };
}
