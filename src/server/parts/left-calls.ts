/**
 * The calls that leave this node while it drains: somebody connects to a call whose audio is here, and no new socket is
 * taken here. The call gets another node, and its audio here is closed. So everyone connects again, to the new node.
 */
import type { Context } from '../../context.ts';
import { audioLeftOf, findLeftCalls } from '../../domain/voice/index.ts';
import type { CallAudios } from '../../gateway/media/types.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';

const CHANNEL = 'call-audio-left';

/** Relays to all nodes, this process's included, that a call has left one of them. */
export function linkLeftCalls({ db, bus }: Pick<Context, 'db' | 'bus'>): void {
  db.onSignal((signal) => {
    const left = audioLeftOf(signal);
    if (left !== undefined) bus.publish(CHANNEL, left.nodeId);
  });
}

/**
 * Closes the audio of calls that have left this node, at their message on the bus.
 * @returns a function that finds and closes all of them, for those whose message was lost
 */
export function closeLeftCalls(
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  nodeId: string,
  audios: CallAudios,
): () => Promise<void> {
  const closeLeft = async () => {
    for (const [ledgerId, calls] of Map.groupBy(audios.calls, (call) => call.ledgerId)) {
      const callIds = calls.map(({ callId }) => callId);
      const left = await findLeftCalls(db, { ledgerId }, { nodeId, callIds });
      for (const callId of left) audios.find(callId)?.close('carrier_error');
    }
  };
  bus.subscribe(CHANNEL, (leftId) => {
    if (leftId === nodeId) ignoreError(closeLeft(), log, 'the heartbeat looks for calls that have left again');
  });
  return closeLeft;
}
