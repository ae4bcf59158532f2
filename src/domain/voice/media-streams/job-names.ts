/** A stream to which nobody has connected in time. In the queue `voice`. */
export const STREAM_DEADLINE = 'stream-deadline';
export type StreamDeadline = { readonly callId: string; readonly streamId: string };

export function deadlineJobId(streamId: string): string {
  return `stream:${streamId}:deadline`;
}
