import type { Context } from '../../../context.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import type { Speech } from '../../../speech/port.ts';
import { createAudioKeeper } from '../recordings/keep-audio.ts';
import { createCallSummarizer } from '../transcripts/summarize-call.ts';
import { createUtteranceTranscriber } from '../transcripts/transcribe-utterance.ts';

/** Returns the handlers of post-call jobs: keeping audio, transcribing utterances, summarizing calls. */
export function audioJobs(context: Pick<Context, 'db' | 'carriers' | 'blobs' | 'log'>, speech: Speech): JobHandler[] {
  return [
    createAudioKeeper(context, speech),
    createUtteranceTranscriber(context, speech),
    createCallSummarizer(context, speech),
  ] as JobHandler[];
}
