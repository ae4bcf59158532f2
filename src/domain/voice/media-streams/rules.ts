import { createHash, randomBytes } from 'node:crypto';
import type { Machine } from '../../../lib/machine.ts';
import type { StreamStopReason } from '../calls/state/call.ts';

export const STREAM_STATUSES = ['starting', 'active', 'stopped', 'failed'] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

/**
 *  starting ──client connects──▶ active ──▶ stopped
 *     │  └─────────────────────────────────────▲
 *     └──▶ failed ◀── active
 *
 * `stopped` by the API, with the call or by its client; `failed` when no client connects in time or the audio is lost.
 */
export const streamMachine: Machine<StreamStatus> = {
  starting: ['active', 'stopped', 'failed'],
  active: ['stopped', 'failed'],
  stopped: [],
  failed: [],
};

/** Returns the status of a stream that ends for a reason. */
export function endOf(reason: StreamStopReason): 'stopped' | 'failed' {
  return reason === 'carrier_error' || reason === 'no_client' ? 'failed' : 'stopped';
}

/** The most streams in the list of one call. A call may open streams one after another for hours. */
export const STREAMS_LISTED_MAX = 100;

/** How long a client may take to connect. */
export const CLIENT_WITHIN_MS = 30_000;

/** The kind of the jobs that fail a stream whose client has not connected in time. Their queue is `voice`. */
export const STREAM_DEADLINE = 'stream-deadline';
export type StreamDeadline = { readonly callId: string; readonly streamId: string };

export function deadlineJobId(streamId: string): string {
  return `stream:${streamId}:deadline`;
}

/** A gateway without a heartbeat for this long is missing, and gets no more streams. */
export const NODE_MISSED_MS = 10_000;

/**
 * A missing gateway counts as lost, with its audio, if it is still missing this long after it was marked. The time
 * covers two heartbeats, so a gateway survives an outage of the database.
 */
export const NODE_LOST_AFTER_MS = 4_000;

/** Returns connected time as events show it: in seconds, rounded up. */
export function billedSeconds(billedMs: number): number {
  return Math.ceil(billedMs / 1000);
}

const TOKEN_PREFIX = 'svcst_';

/** Returns a token that opens one stream once: 256 random bits. */
export function newStreamToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** Returns the hash of a token, which is stored in place of the token. */
export function hashStreamToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the address for a stream's client. */
export function streamUrl(mediaUrl: string, nodeId: string, streamId: string): string {
  return `${mediaUrl}/v1/streams/${nodeId}/${streamId}`;
}
