/**
 * The audio of a call that its carrier sends to the gateway over sockets. The carrier gets a request for the customer's
 * leg when the first stream or the transcription needs it: both tracks, in both directions. All receivers share this
 * audio.
 */
import type { Party, VoiceCommand, VoiceInstruction } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { isId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { AudioRoute } from '../calls/commands/command-dispatcher.ts';
import { stepCall } from '../calls/execution/executor.ts';
import { hearingOf, isHearingRef, type Wanted } from '../calls/machine/hearing.ts';
import { readCallState } from '../calls/queries.ts';
import type { CallInput } from '../calls/state/call-step.ts';
import { findTranscribedLeg } from '../transcripts/queries.ts';
import { agentLegOf, chooseAgentNode, concludeAgentAudio } from './agent-audio.ts';
import { connectAgentAudio, forgetAgentAudio } from './agent-audio-queries.ts';
import { type ClaimRefusal, closeStream } from './connections.ts';
import { DETECTOR, mintIngestToken, openIngestToken } from './ingest-token.ts';
import {
  askForAudio,
  connectAudio,
  findAskedNode,
  findOpenStream,
  forgetAudio,
  type WantedAudio,
} from './leg-audio-queries.ts';
import { chooseNodeNow } from './node-queries.ts';

type AudioContext = Pick<Context, 'db' | 'cipher' | 'clock' | 'settings'>;

/** Returns the route of commands to carriers with sockets. */
export function createAudioRoute(context: AudioContext): AudioRoute {
  const { db } = context;
  return {
    route: async (ledger, port, command) => {
      const { callRef, instruction } = command;
      const hasSockets = port.audio?.dialect !== undefined;
      const agentLegId = agentLegOf(command);
      if (instruction.do === 'start_stream' && isHearingRef(instruction.streamRef)) {
        if (!hasSockets) return undefined;
        if (!port.audio.hasOneStream) return hearingCommand(context, ledger, command, instruction);
        const nodeId = await chooseNodeNow(db, ledger, { callId: callRef });
        const isLost = nodeId === undefined && (await findAskedNode(db, ledger, callRef)) === undefined;
        return isLost ? NO_GATEWAY : openAudio(context, ledger, command, instruction);
      }
      if (agentLegId !== undefined) {
        const nodeId = hasSockets ? await chooseAgentNode(db, ledger, command, agentLegId) : undefined;
        if (nodeId === undefined) return undefined;
        const asked = { legRef: agentLegId, streamRef: command.commandRef, track: 'inbound', nodeId } as const;
        return streamCommand(context, ledger, command, asked);
      }
      if (instruction.do === 'start_transcription' && port.fetchUtterance === undefined) {
        const legRef = hasSockets ? await findTranscribedLeg(db, ledger, callRef, 'customer') : undefined;
        if (legRef === undefined) return undefined;
        // If no gateway is up, the sweep repeats the request.
        await chooseNodeNow(db, ledger, { callId: callRef });
        return openAudio(context, ledger, command, { legRef, streamRef: command.commandRef });
      }
      if (instruction.do === 'start_stream' && isId('listener', instruction.streamRef)) {
        if (!hasSockets) return undefined;
        await chooseNodeNow(db, ledger, { callId: callRef });
        // A listener's audio may be lost and requested again, and a carrier starts no second stream of the same name.
        return openAudio(context, ledger, command, { legRef: instruction.legRef, streamRef: command.commandRef });
      }
      if (!hasSockets) return command;
      if (instruction.do === 'start_stream') return openAudio(context, ledger, command, instruction);
      // The carrier sends the audio until its leg ends, because another receiver may need it now or later.
      return instruction.do === 'stop_stream' ? undefined : command;
    },
    conclude: async (ledger, { wanted, command: { callRef, commandRef } }, result) => {
      const agentLegId = agentLegOf(wanted);
      if (agentLegId !== undefined) {
        await concludeAgentAudio(db, ledger, { legId: agentLegId, commandRef }, result);
        return result;
      }
      const { instruction } = wanted;
      const isTranscription = instruction.do === 'start_transcription';
      const isAbsent = result.outcome === 'refused' || (isTranscription && result.outcome === 'unavailable');
      if (isAbsent) await forgetAudio(db, ledger, callRef, { commandRef });
      if (!isTranscription || result.outcome === 'dispatched') return result;
      // If the carrier is unavailable, the command counts as dispatched, because the sweep repeats the request. The
      // same holds for an ended leg: it sends no more audio, and its transcript stays.
      const isFailed = result.outcome === 'refused' && result.reason !== 'leg_gone';
      return isFailed ? result : { outcome: 'dispatched' };
    },
  };
}

/** The detection of machines does not wait for a gateway. Without one, the kind of party that answers is `unknown`. */
const NO_GATEWAY = { outcome: 'refused', reason: 'not_supported' } as const;

/**
 * Returns the command that requests the audio of a leg. Undefined if the audio already arrives, or no node can take it.
 */
async function openAudio(
  context: AudioContext,
  ledger: Ledger,
  command: VoiceCommand,
  { legRef, streamRef }: { readonly legRef: string; readonly streamRef: string },
): Promise<VoiceCommand | undefined> {
  const nodeId = await askForAudio(context.db, ledger, command);
  if (nodeId === undefined) return undefined;
  return streamCommand(context, ledger, command, { legRef, streamRef, track: 'both', nodeId });
}

/**
 * Returns the command that requests the voice of a leg for the detector of answering machines. Any node may receive it.
 */
function hearingCommand(
  context: AudioContext,
  ledger: Ledger,
  command: VoiceCommand,
  instruction: Extract<VoiceInstruction, { do: 'start_stream' }>,
): VoiceCommand {
  const { callRef } = command;
  const { legRef } = instruction;
  const token = mintIngestToken(context, ledger, { callRef, legRef, party: DETECTOR });
  const query = new URLSearchParams({ call: callRef, leg: legRef, track: 'inbound', token });
  return { ...command, instruction: { ...instruction, url: `${context.settings.mediaUrl}/v1/ingest?${query}` } };
}

type AskedAudio = {
  readonly legRef: string;
  readonly streamRef: string;
  /** For an agent's leg, the gateway needs only the voice of the agent (`inbound`). */
  readonly track: 'both' | 'inbound';
  readonly nodeId: string;
};

function streamCommand(
  context: AudioContext,
  ledger: Ledger,
  command: VoiceCommand,
  { legRef, streamRef, track, nodeId }: AskedAudio,
): VoiceCommand {
  const { callRef } = command;
  const party = track === 'both' ? 'customer' : 'agent';
  const token = mintIngestToken(context, ledger, { callRef, legRef, party });
  const query = new URLSearchParams({ node: nodeId, call: callRef, leg: legRef, track, token });
  const url = `${context.settings.mediaUrl}/v1/ingest?${query}`;
  const instruction = { do: 'start_stream', streamRef, legRef, direction: 'bidirectional', track, url } as const;
  return { ...command, instruction };
}

export type ClaimedAudio = WantedAudio & {
  readonly ledgerId: number;
  readonly party: Party;
  /** Set if the detector of answering machines gets the audio: what it looks for. */
  readonly detects?: Wanted;
  /** True if only the detector gets the audio. */
  readonly isForDetectorAlone?: boolean;
};

/** Checks a carrier's token for the audio of a leg, and stores that the carrier has connected to the node. */
export async function claimAudio(
  { cipher, clock, db }: Pick<Context, 'cipher' | 'clock' | 'db'>,
  {
    token,
    ...wanted
  }: { readonly callId: string; readonly legId: string; readonly token: string; readonly nodeId: string },
): Promise<ClaimedAudio | ClaimRefusal> {
  const grant = openIngestToken({ cipher, clock }, token);
  if (grant === undefined || grant.callRef !== wanted.callId || grant.legRef !== wanted.legId) return 'bad_token';
  const { ledgerId } = grant;
  if (grant.party === DETECTOR) return await claimHearing(db, { ledgerId }, wanted);
  const party = grant.party === 'agent' ? 'agent' : 'customer';
  const connect = party === 'agent' ? connectAgentAudio : connectAudio;
  const connected: WantedAudio | undefined = await connect(db, { ledgerId }, wanted);
  if (connected !== undefined) {
    const detects = connected.is_shared ? (await readWanted(db, { ledgerId }, wanted))?.detects : undefined;
    return { ...connected, ledgerId, party, ...(detects && { detects }) };
  }
  const asked = await findAskedNode(db, { ledgerId }, wanted.callId);
  return asked === undefined || asked === wanted.nodeId ? 'no_stream' : 'elsewhere';
}

type LegOfCall = { readonly callId: string; readonly legId: string };

/** Checks that the detection in the voice of a leg is not complete. */
async function claimHearing(
  db: Database,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { callId, legId }: LegOfCall,
): Promise<ClaimedAudio | ClaimRefusal> {
  const wanted = await readWanted(db, { ledgerId }, { callId, legId });
  if (wanted?.detects === undefined) return 'no_stream';
  return { ...wanted, ledgerId, party: 'customer', detects: wanted.detects, isForDetectorAlone: true };
}

/** Returns what the detector looks for in the voice of a leg, and the connection of its call. */
async function readWanted(db: Database, { ledgerId }: Pick<Ledger, 'ledgerId'>, { callId, legId }: LegOfCall) {
  const call = await readCallState(db, { ledgerId }, callId);
  const leg = call?.state.legs.find(({ id }) => id === legId);
  return call && { connection_id: call.connection_id, detects: hearingOf(call.state, leg, call.now.getTime()) };
}

type NodeCall = {
  readonly ledgerId: number;
  readonly callId: string;
  readonly nodeId: string;
  /** The leg of an agent; the customer's by default. */
  readonly agentLegId?: string | undefined;
};

/**
 * Handles the end of a carrier's sockets of a call on a node. If the audio was lost, the stream on this node ends. If
 * the carrier ended the audio, the carrier reports that. The sweep requests the audio again. If the call has left the
 * node, its audio is requested immediately, because everyone on the call waits for it.
 */
export async function endAudio(
  db: Database,
  { ledgerId, callId, nodeId, agentLegId }: NodeCall,
  how: 'ended' | 'lost',
): Promise<void> {
  if (agentLegId !== undefined) return await forgetAgentAudio(db, { ledgerId }, agentLegId, { nodeId });
  const forgotten = await forgetAudio(db, { ledgerId }, callId, { nodeId });
  const inputs: CallInput[] = [];
  if (forgotten?.hearing !== undefined) {
    inputs.push({ type: 'stream_over', streamId: forgotten.hearing, reason: 'carrier_error' });
  }
  if (forgotten !== undefined && forgotten.nodeId !== nodeId) inputs.push({ type: 'audio_lost' });
  if (inputs.length > 0) {
    await db.transaction((tx) => stepCall(tx, { ledgerId }, callId, inputs));
  }
  const streamId = how === 'lost' ? await findOpenStream(db, { ledgerId }, { callId, nodeId }) : undefined;
  if (streamId !== undefined) await closeStream(db, streamId, { reason: 'carrier_error' });
}
