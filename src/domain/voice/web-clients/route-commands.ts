/**
 * Commands about the legs of web clients. A dial or hang-up of such a leg goes to the exchange. For a bridge with such
 * a leg, the carrier gets a request for the audio of the customer's leg. A speech to such a leg goes to its gateway.
 * Other commands are sent without these legs. A carrier with copies of the legs gets all commands unchanged. While the
 * customer is on hold, the gateway sends no audio between the customer and web clients.
 */

import type { VoiceCommand, VoiceInstruction, VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { isId } from '../../../lib/ids.ts';
import { isWebClient } from '../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { AudioRoute, CommandRoute, DispatchResult } from '../calls/commands/command-dispatcher.ts';
import { stepCall } from '../calls/execution/executor.ts';
import type { Leg } from '../calls/state/call.ts';
import { chooseNodeNow } from '../media-streams/node-queries.ts';
import { askForSpeech, stopSpeech } from './agent-speech.ts';
import type { CopiesOf } from './change-leg.ts';
import type { WebClientExchange } from './exchange.ts';
import { wakeWebClient } from './web-client-signal.ts';

/** The ports to web clients. */
export type WebClientRoutes = { readonly exchange: WebClientExchange; readonly copiesOf: CopiesOf };

type RouteContext = Pick<Context, 'db' | 'bus'>;
type Legs = readonly Leg[] | null | undefined;
type Speak = Extract<VoiceInstruction, { do: 'speak' }>;

/** Returns a route that handles the legs of web clients, and leaves the rest to `audio`. */
export function createWebClientRoute(
  context: RouteContext,
  { exchange, copiesOf }: WebClientRoutes,
  audio: AudioRoute,
): CommandRoute {
  const reportBridged = ({ ledgerId }: Ledger, callId: string) =>
    context.db.transaction((tx) => stepCall(tx, { ledgerId }, callId, [{ type: 'bridged' }]));
  return {
    take: async (ledger, { callRef: callId, instruction }, legs) => {
      // The gateways of web clients read again whether the customer is on hold.
      if (isAboutHold(instruction)) wakeWebClients(context, ledger, legs);
      if (instruction.do === 'dial' && isWebClient(instruction.to)) {
        const isDialled = await exchange.ring(ledger, callId, instruction);
        return isDialled ? { outcome: 'dispatched' } : { outcome: 'refused', reason: 'leg_gone' };
      }
      if (instruction.do === 'hang_up' && isId('listener', instruction.legRef)) {
        await exchange.endListener(ledger, { callId, legId: instruction.legRef });
        return { outcome: 'dispatched' };
      }
      const leg = instruction.do === 'hang_up' ? findWebClient(legs, instruction.legRef) : undefined;
      if (leg === undefined || instruction.do !== 'hang_up') return undefined;
      const { id: legId, address: webClientId } = leg;
      await exchange.end(ledger, { callId, legId, webClientId, reason: instruction.reason });
      return { outcome: 'dispatched' };
    },
    route: async (ledger, port, command, legs) => {
      const isOwn = (legRef: string) => findWebClient(legs, legRef) !== undefined;
      const { callRef, instruction } = command;
      if (copiesOf(ledger) !== undefined) return audio.route(ledger, port, command);
      if (await stopOwn(context, ledger, command, legs)) return undefined;
      if (!('legRefs' in instruction) || !instruction.legRefs.some(isOwn)) {
        return audio.route(ledger, port, command);
      }
      const legRefs = instruction.legRefs.filter((legRef) => !isOwn(legRef));
      if (instruction.do !== 'bridge') {
        const ofCarrier = { ...command, instruction: { ...instruction, legRefs } };
        if (legRefs.length > 0) return audio.route(ledger, port, ofCarrier);
        if (instruction.do === 'speak') await speakToOwn(context, ledger, { callId: callRef, speech: instruction });
        return undefined;
      }
      // A separate command requests the audio of a telephone that talks to a web client.
      const isBetweenAgents = legRefs.every((legRef) => legs?.find(({ id }) => id === legRef)?.party === 'agent');
      const opening = isBetweenAgents
        ? undefined
        : await openAudio(context, audio, { ledger, port, command, legRef: legRefs[0] });
      if (opening === undefined) await reportBridged(ledger, callRef);
      return opening;
    },
    conclude: async (ledger, commands, result) => {
      const concluded = await audio.conclude(ledger, commands, result);
      const { callRef, instruction } = commands.wanted;
      if (concluded.outcome !== 'dispatched') return concluded;
      if (instruction.do === 'bridge') await reportBridged(ledger, callRef);
      // Changes a speech only if the speech is also to a web client.
      const { instruction: carried } = commands.command;
      if (instruction.do === 'speak') {
        await speakToOwn(context, ledger, { callId: callRef, speech: instruction, carried });
      }
      return concluded;
    },
  };
}

function isAboutHold({ do: name }: VoiceInstruction): boolean {
  return name === 'hold' || name === 'resume' || name === 'bridge';
}

function wakeWebClients({ db }: RouteContext, { ledgerId }: Ledger, legs: Legs): void {
  for (const { address, state } of legs ?? []) {
    if (isWebClient(address) && state !== 'ended') wakeWebClient(db, { ledgerId, webClientId: address });
  }
}

function findWebClient(legs: Legs, legRef: string): Leg | undefined {
  return legs?.find(({ id, address }) => id === legRef && isWebClient(address));
}

type Opening = {
  readonly ledger: Ledger;
  readonly port: VoicePort;
  /** The bridge. */
  readonly command: VoiceCommand;
  /** The customer's leg. */
  readonly legRef: string | undefined;
};

/** Returns the command that requests the customer's audio from the carrier; undefined if the audio is already sent. */
async function openAudio(
  { db }: RouteContext,
  audio: AudioRoute,
  { ledger, port, command, legRef }: Opening,
): Promise<VoiceCommand | DispatchResult | undefined> {
  if (port.audio === undefined || legRef === undefined) return { outcome: 'refused', reason: 'not_supported' };
  if ((await chooseNodeNow(db, ledger, { callId: command.callRef })) === undefined) return { outcome: 'unavailable' };
  if (port.audio.dialect === undefined) return undefined;
  const { commandRef: streamRef } = command;
  const start = { do: 'start_stream', streamRef, legRef, direction: 'bidirectional', track: 'both' } as const;
  return audio.route(ledger, port, { ...command, instruction: start });
}

type Spoken = { readonly callId: string; readonly speech: Speak; readonly carried?: VoiceInstruction };

/**
 * Requests the speech from the gateways of the legs that the carrier does not speak to. `carried` is the command that
 * the carrier got.
 */
async function speakToOwn(context: RouteContext, ledger: Ledger, { callId, speech, carried }: Spoken): Promise<void> {
  const { speechRef, legRefs, text } = speech;
  const ofCarrier = carried?.do === 'speak' ? carried.legRefs : [];
  const legIds = legRefs.filter((legRef) => !ofCarrier.includes(legRef));
  const isAlone = carried === undefined;
  await askForSpeech(context, ledger, { callId, speechRef, legIds, text, isAlone });
}

/** Stops a speech to web clients. Resolves with true if the carrier does not have the speech. */
async function stopOwn(
  context: RouteContext,
  ledger: Ledger,
  { callRef: callId, instruction }: VoiceCommand,
  legs: Legs,
): Promise<boolean> {
  const legIds = (legs ?? []).flatMap(({ id, address }) => (isWebClient(address) ? [id] : []));
  if (instruction.do !== 'stop_speech' || legIds.length === 0) return false;
  return await stopSpeech(context, ledger, { callId, legIds, speechRef: instruction.speechRef });
}
