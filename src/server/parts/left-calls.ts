/**
 * Calls that leave this node while it drains. A draining node accepts no new sockets. If a call needs a new connection,
 * the call gets another node, and this node closes the call's audio. Then every party connects to the new node.
 */
import type { Context } from '../../context.ts';
import { type AudioLeft, audioLeftOf, findLeftCalls } from '../../domain/voice/index.ts';
import type { CallAudios, CallRef } from '../../gateway/media/types.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';

const CHANNEL = 'call-audio-left';

/** Reports to all nodes, including this process, that a call has left its node. */
export function linkLeftCalls({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const left = audioLeftOf(signal);
    if (left !== undefined) bus.publish(CHANNEL, JSON.stringify(left));
  });
}

/**
 * Closes the audio of a call when the bus reports that the call has left this node.
 * @returns a function that finds and closes the audio of all these calls, because the bus may lose a message
 */
export function closeLeftCalls(
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  nodeId: string,
  audios: CallAudios,
): () => Promise<void> {
  const closeLeft = async (candidates: readonly CallRef[]) => {
    for (const [ledgerId, calls] of Map.groupBy(candidates, (call) => call.ledgerId)) {
      const callIds = calls.map(({ callId }) => callId);
      const left = await findLeftCalls(db, { ledgerId }, { nodeId, callIds });
      for (const callId of left) audios.find(callId)?.close('carrier_error');
    }
  };
  bus.subscribe(CHANNEL, (message) => {
    const left = JSON.parse(message) as AudioLeft;
    if (left.nodeId !== nodeId) return;
    ignoreError(closeLeft([left]), log, 'the next heartbeat closes the audio of calls that have left');
  });
  return () => closeLeft(audios.calls);
}
