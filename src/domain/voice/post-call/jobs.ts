import type { Context } from '../../../context.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import type { Speech } from '../../../speech/port.ts';
import { createAudioDropper } from '../recordings/drop-audio.ts';
import { createAudioKeeper } from '../recordings/keep-audio.ts';
import { createCallSummarizer } from '../transcripts/summarize-call.ts';
import { createUtteranceTranscriber } from '../transcripts/transcribe-utterance.ts';

/** Returns the handlers of post-call jobs: keeping and removing audio, transcribing utterances, summarizing calls. */
export function audioJobs(context: Pick<Context, 'db' | 'carriers' | 'blobs' | 'log'>, speech: Speech): JobHandler[] {
  return [
    createAudioKeeper(context, speech),
    createAudioDropper(context),
    createUtteranceTranscriber(context, speech),
    createCallSummarizer(context, speech),
  ] as JobHandler[];
}
