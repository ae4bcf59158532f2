import { createHash, randomBytes } from 'node:crypto';
import type { Machine } from '../../../lib/machine.ts';
import type { StreamStopReason } from '../calls/call.ts';

export const STREAM_STATUSES = ['starting', 'active', 'stopped', 'failed'] as const;
export type StreamStatus = (typeof STREAM_STATUSES)[number];

/**
 *  starting ──client connects──▶ active ──▶ stopped
 *     │  └─────────────────────────────────────▲
 *     └──▶ failed ◀── active
 *
 * `stopped` by the API, with the call or by its client; `failed` when nobody connects in time or the audio is lost.
 */
export const streamMachine: Machine<StreamStatus> = {
  starting: ['active', 'stopped', 'failed'],
  active: ['stopped', 'failed'],
  stopped: [],
  failed: [],
};

/** The status that a stream ends in. */
export function endOf(reason: StreamStopReason): 'stopped' | 'failed' {
  return reason === 'carrier_error' || reason === 'no_client' ? 'failed' : 'stopped';
}

/** How long a client may take to connect. */
export const CLIENT_WITHIN_MS = 30_000;

/** A gateway that has not been seen for so long is missed, and gets no more streams. */
export const NODE_MISSED_MS = 10_000;

/**
 * One that is still missing so long after that was noticed is lost, with the audio that it had. In between it has had two
 * heartbeats' time to say that it was the database that was away.
 */
export const NODE_LOST_AFTER_MS = 4_000;

/** Connected time as events show it: seconds, one that has begun counts. */
export function billedSeconds(billedMs: number): number {
  return Math.ceil(billedMs / 1000);
}

const TOKEN_PREFIX = 'svcst_';

/** A token that opens one stream once: 256 random bits. */
export function newStreamToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** What is stored of a token. */
export function hashStreamToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Where the client of a stream connects, and where a carrier brings its audio. */
export function streamUrls(mediaUrl: string, nodeId: string, streamId: string): { client: string; ingest: string } {
  const path = `${nodeId}/${streamId}`;
  return { client: `${mediaUrl}/v1/streams/${path}`, ingest: `${mediaUrl}/v1/ingest/${path}` };
}
