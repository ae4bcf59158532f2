import type { Mode } from '../../../../lib/scope.ts';
import { AUTO_REPLY, type AutoReply, replyJobId } from '../../../messaging/index.ts';
import { KEEP_AUDIO, type KeepAudio } from '../../recordings/keep-audio.ts';
import { LAST_WORDS_MS, SUMMARIZE_CALL, type SummarizeCall } from '../../transcripts/summarize-call.ts';
import type { CallEffect, NewPostCallJob } from '../state/call-step.ts';

/** Returns the job that an effect plans; undefined for an effect of another kind. */
export function toJob(callId: string, effect: CallEffect, mode: Mode): NewPostCallJob | undefined {
  switch (effect.do) {
    case 'keep_recording': {
      const { recordingId, durationMs, announced } = effect;
      const payload: KeepAudio = { purpose: 'call', callId, recordingId, durationMs, announced };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'keep_voicemail': {
      const { recordingId, durationMs, transcribe } = effect;
      const payload: KeepAudio = { purpose: 'voicemail', callId, recordingId, durationMs, transcribe };
      return { id: `${KEEP_AUDIO}:${recordingId}`, kind: KEEP_AUDIO, payload };
    }
    case 'summarize': {
      const payload: SummarizeCall = { callId };
      return { id: `${SUMMARIZE_CALL}:${callId}`, kind: SUMMARIZE_CALL, payload, inMs: LAST_WORDS_MS[mode] };
    }
    case 'reply': {
      const { number, person, isClosed } = effect;
      const payload: AutoReply = { cause: 'missed_call', source: callId, number, person, isClosed };
      return { id: replyJobId(callId), kind: AUTO_REPLY, payload };
    }
    default:
      return undefined;
  }
}
