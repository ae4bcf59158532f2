/**
 * Dispatches the commands of calls. Each call has a lane, which one worker at a time drains. The worker dispatches
 * commands to one leg in order and those to different legs concurrently (command-order.ts). The position of a command
 * is its name, and a carrier carries out a name once.
 *
 * A worker starts a dispatch only while at least half of its lease is left. A worker that resumes after its lease, when
 * another has the lane, therefore dispatches nothing more: a dial never follows its own hang-up. The result of a
 * command and its end in the lane are written in one transaction.
 */
import type { Context } from '../../../context.ts';
import type { LaneHandler } from '../../../queue/lanes/lane.ts';
import type { Speech } from '../../../speech/port.ts';
import { createAudioRoute } from '../media-streams/leg-audio.ts';
import { callWithCommands } from './call-signal.ts';
import { createCommandDispatcher } from './command-dispatcher.ts';
import { CommandDrain } from './command-drain.ts';
import { CALL_LANES } from './write-queries.ts';

/** Lanes that one process drains concurrently, and those of one ledger, which leaves room for other ledgers. */
const LANES_MAX = 48;
const LEDGER_LANES_MAX = 36;
/** Lanes of one process that wait for slow carriers beside those. */
const LINGERING_MAX = 1_024;

/** Returns the handler of calls' lanes for this process. */
export function createCallLanes(
  context: Pick<Context, 'db' | 'carriers' | 'log' | 'cipher' | 'clock' | 'settings'>,
  speech: Pick<Speech, 'voice'>,
): LaneHandler {
  const dispatcher = createCommandDispatcher({ ...context, audio: createAudioRoute(context) }, speech);
  const drains = new Set<CommandDrain>();
  context.db.onSignal((signal) => {
    const callId = callWithCommands(signal);
    if (callId !== undefined) for (const drain of drains) drain.wake(callId);
  });
  return {
    kind: CALL_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => LEDGER_LANES_MAX,
    lingeringMax: LINGERING_MAX,
    urgent: true,
    prompt: true,
    countsItself: true,
    drain: async (lane) => {
      const drain = new CommandDrain({ db: context.db, lane, dispatcher });
      drains.add(drain);
      try {
        await drain.run();
      } finally {
        drains.delete(drain);
      }
    },
  };
}
