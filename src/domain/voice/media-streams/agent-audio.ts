/**
 * The audio of agents' telephones that carriers send to the gateway (calls/machine/agent-audio.ts). It joins the audio
 * of the call, on the same node.
 */
import type { VoiceCommand } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { DispatchResult } from '../calls/commands/command-dispatcher.ts';
import { stepCall } from '../calls/execution/executor.ts';
import {
  askForAgentAudio,
  deleteAgentAudio,
  forgetAgentAudio,
  type LostAgentAudio,
  listLostAgentAudio,
} from './agent-audio-queries.ts';
import { chooseNodeNow } from './node-queries.ts';

/** Returns the leg whose audio a command requests; undefined for any other command. */
export function agentLegOf({ instruction }: VoiceCommand): string | undefined {
  if (instruction.do !== 'start_stream' || instruction.streamRef !== instruction.legRef) return undefined;
  return instruction.legRef;
}

/**
 * Returns the node that gets the audio of an agent's leg. Undefined if the audio already arrives, or no node can take
 * it.
 */
export async function chooseAgentNode(
  db: Database,
  ledger: Ledger,
  { callRef: callId, commandRef }: VoiceCommand,
  legId: string,
): Promise<string | undefined> {
  await chooseNodeNow(db, ledger, { callId });
  return await askForAgentAudio(db, ledger, { callId, legId, commandRef });
}

/**
 * Handles the result of a request. A refused request is stored as lost, so that the sweep repeats it. The cause may be
 * temporary: Telnyx refuses a leg whose answer it has just reported, and a leg whose audio it still sends to another
 * node. The other results need no handling: a retry belongs to the same request, and if no carrier connects, the sweep
 * repeats the request.
 */
export async function concludeAgentAudio(
  db: Database,
  ledger: Ledger,
  { legId, commandRef }: { readonly legId: string; readonly commandRef: string },
  { outcome }: DispatchResult,
): Promise<void> {
  if (outcome === 'refused') await forgetAgentAudio(db, ledger, legId, { commandRef });
}

const SWEEP_EVERY_MS = 5_000;
const LEGS_MAX = 1_000;

/** Returns the sweep that requests the audio of agents' legs again if no live node has it. */
export function agentAudioSweep({ db, log }: Pick<Context, 'db' | 'log'>): Sweep {
  const loseAudio = ({ ledger_id: ledgerId, call_id: callId, leg_id: legId }: LostAgentAudio) =>
    db.transaction((tx) => stepCall(tx, { ledgerId }, callId, [{ type: 'audio_lost', legId }]));
  return defineSweep({
    ...{ db, name: 'lost_agent_audio', everyMs: SWEEP_EVERY_MS, queue: 'voice' },
    run: async () => {
      const lost = await listLostAgentAudio(db, LEGS_MAX);
      const live = lost.filter(({ is_live }) => is_live);
      for (const leg of live) await loseAudio(leg);
      if (live.length > 0)
        log.warn({ count: live.length }, 'no gateway has the audio of these agents; requests it again');
      const over = lost.filter(({ is_live }) => !is_live);
      if (over.length > 0) await deleteAgentAudio(db, over);
      return lost.length === LEGS_MAX;
    },
  });
}
