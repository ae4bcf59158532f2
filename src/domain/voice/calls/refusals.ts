import { ApiError } from '../../../lib/errors.ts';
import type { Call, CallInput, CallRefusal } from './call.ts';

/** What the requests of callers need a call to be, by the input that they become. */
const NEEDS: Partial<Record<CallInput['type'], string>> = {
  hang_up: 'a hang-up needs one that has not ended',
  send_digits: 'keys need one that is in_progress',
  transcribe: 'a transcription needs one that is in_progress',
  gather: 'a gather needs one that is in_progress, on which two people are joined',
  start_stream: 'a media stream needs one that is ringing or in_progress',
};

/** The error for what a call does not take now. Of call_not_active it tells what the call is, and what it should be. */
export function refusalError(refusal: CallRefusal, { status }: Pick<Call, 'status'>, input: CallInput): ApiError {
  const needs = NEEDS[input.type];
  if (refusal !== 'call_not_active' || needs === undefined) return new ApiError(refusal);
  return new ApiError(refusal, { message: `The call is ${status}; ${needs}.` });
}
