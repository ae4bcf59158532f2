/** The sweeps that request the audio of calls again if it was requested and does not arrive. */
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { stepCall } from '../calls/execution/executor.ts';
import { agentAudioSweep } from './agent-audio.ts';
import { listUnheardCalls, type UnheardCall } from './leg-audio-queries.ts';

const SWEEP_EVERY_MS = 5_000;
/** The most running calls of one ledger and direction that a round reads. */
const CALLS_MAX = 2_000;

/**
 * Returns the sweep that requests the audio of calls again, if its node is gone or the carrier has not connected. It
 * handles calls that are transcribed or have a web client.
 */
function customerAudioSweep(context: Pick<Context, 'db' | 'carriers' | 'log'>): Sweep {
  const { db, log } = context;
  return defineSweep({
    ...{ db, name: 'unheard_calls', everyMs: SWEEP_EVERY_MS, queue: 'voice' },
    run: async () => {
      const calls = (await listUnheardCalls(db, CALLS_MAX)).filter((call) => sendsAudio(context, call));
      for (const { ledger_id: ledgerId, id } of calls) {
        await db.transaction((tx) => stepCall(tx, { ledgerId }, id, [{ type: 'audio_lost' }]));
      }
      const ids = calls.slice(0, NAMED_MAX).map(({ id }) => id);
      if (calls.length > 0)
        log.warn({ count: calls.length, ids }, 'no gateway has the audio of these calls; requests it again');
      return false;
    },
  });
}

/** Returns the sweeps that request audio again if it was requested and does not arrive. */
export function audioSweeps(context: Pick<Context, 'db' | 'carriers' | 'log'>): Sweep[] {
  return [customerAudioSweep(context), agentAudioSweep(context)];
}

/** The most ids in a line of the log. */
const NAMED_MAX = 20;

/**
 * Returns true if the carrier of a call sends audio, and the call needs it. A call without a web client does not need
 * it if the carrier cuts the utterances.
 */
function sendsAudio({ carriers }: Pick<Context, 'carriers'>, call: UnheardCall): boolean {
  const { ledger_id: ledgerId, account_id: accountId, connection_id: connectionId } = call;
  try {
    const port = carriers.voice({ ledgerId, accountId, mode: 'live' }, connectionId);
    return (call.has_web_client || port.fetchUtterance === undefined) && port.audio?.dialect !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
