/**
 * Connects streams to the addresses that their callers chose. A failed attempt is repeated twice. All attempts are
 * within 30 s, because a stream without a client fails after that. If a connection ends later, its stream ends too.
 */
import { sleep } from '../../lib/time/time.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { type DialledSocket, openWebSocket } from '../../outbound/web-socket.ts';
import { MESSAGE_BYTES_MAX } from './protocol.ts';
import type { DialledStream } from './types.ts';
import { AGENT_MESSAGE_BYTES_MAX } from './voice-agent/frames.ts';

export type Connected = DialledSocket;

const HANDSHAKE_MS = 5_000;
/** Pauses before the second and the third attempt. */
const PAUSES_MS = [1_000, 3_000] as const;

/** Opens the socket of a stream. Returns the failure of the last attempt if none succeeds, or after an abort. */
export async function connectOut(
  { url, allowLoopback, relay }: DialledStream,
  signal: AbortSignal,
): Promise<Connected | { readonly failure: OutboundError }> {
  const messageBytesMax = relay === undefined ? MESSAGE_BYTES_MAX : AGENT_MESSAGE_BYTES_MAX;
  const options = { allowLoopback, signal, timeoutMs: HANDSHAKE_MS, messageBytesMax };
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      return await openWebSocket(url, options);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      if (pauseMs === undefined || signal.aborted || error.kind === 'blocked_address') return { failure: error };
    }
    if (!(await pause(pauseMs, signal))) break;
  }
  return { failure: new OutboundError('aborted') };
}

/** Returns false if the pause was aborted. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, { signal }).then(
    () => true,
    () => false,
  );
}
