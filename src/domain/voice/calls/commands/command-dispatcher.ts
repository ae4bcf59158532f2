/**
 * Dispatches commands to the carrier and finds out their outcome. The guard of a connection limits how long its carrier
 * may take to answer (src/carriers/connections/guard.ts). A text is first turned into speech, so that the adapter finds
 * the audio in the cache.
 */
import type { Logger } from 'pino';
import type { ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { VoiceCommand, VoicePort, VoiceRefusal } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import { endsWithin } from '../../../../lib/concurrency/ends-within.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { ModelError, type Speech } from '../../../../speech/port.ts';
import type { Leg } from '../state/call.ts';
import type { WaitReason } from '../state/call-step.ts';

/**
 * - dispatched: the carrier has the command.
 * - refused: the carrier will never carry it out.
 * - unavailable: the carrier does not have it, so the dispatcher sends it again. `reason` is set if the operator's
 *   account is the cause.
 * - unknown: the carrier may have it, so the dispatcher looks it up.
 */
export type DispatchResult =
  | { readonly outcome: 'dispatched' }
  | { readonly outcome: 'refused'; readonly reason: VoiceRefusal }
  | { readonly outcome: 'unavailable'; readonly retryAfterMs?: number; readonly reason?: WaitReason }
  | { readonly outcome: 'unknown' };

/** Converts commands about the audio of a call into commands of its carrier. */
export type AudioRoute = {
  /**
   * Returns the command that the carrier gets in place of a command. Returns undefined if the carrier has nothing to
   * do, or a result if no request to the carrier is possible. A command that is not about audio stays the same object.
   */
  route(ledger: Ledger, port: VoicePort, command: VoiceCommand): Promise<VoiceCommand | DispatchResult | undefined>;
  /** Returns the result of `wanted`. `result` is the carrier's result for `command`. */
  conclude(ledger: Ledger, commands: RoutedCommand, result: DispatchResult): Promise<DispatchResult>;
};

/** The route of all commands of calls. `legs` are the known legs of the call. */
export type CommandRoute = Pick<AudioRoute, 'conclude'> & {
  /** Carries out a command that is not for the carrier. Returns undefined for a command that is for the carrier. */
  take?(ledger: Ledger, command: VoiceCommand, legs: Legs): Promise<DispatchResult | undefined>;
  /** Does the same as `route` of `AudioRoute`, or returns the result if no request to the carrier is possible. */
  route(
    ledger: Ledger,
    port: VoicePort,
    command: VoiceCommand,
    legs: Legs,
  ): Promise<VoiceCommand | DispatchResult | undefined>;
};

type Legs = readonly Leg[] | null | undefined;

type RoutedCommand = { readonly wanted: VoiceCommand; readonly command: VoiceCommand };

type Dispatch = {
  readonly ledger: Ledger;
  /** The connection of the call. */
  readonly connectionId: ConnectionId;
  readonly command: VoiceCommand;
  readonly legs?: Legs;
  /** True if the carrier may have the command from an earlier dispatch. The dispatcher then looks it up first. */
  readonly unsure: boolean;
};

type Answer = Awaited<ReturnType<VoicePort['dispatch']>>;

export type CommandDispatcher = {
  /** Dispatches a command. Never throws. */
  dispatch(dispatch: Dispatch): Promise<DispatchResult>;
  /**
   * Returns true while a request of this process is in progress, even after its time limit: the command may still reach
   * the carrier.
   */
  isPending(commandRef: string): boolean;
};

type SpeechOfCommands = Pick<Speech, 'voice'> & {
  /** How long a dispatch waits for the speech of a text. Other commands to the leg wait too. */
  readonly speechMsMax?: number;
};

/**
 * Shorter than the lease of a call's lane. A retry of the command continues to wait, so the voice gets its full time.
 */
const SPEECH_MS_MAX = 4_000;

/** Creates the dispatcher of this process. */
export function createCommandDispatcher(context: DispatchContext, speech: SpeechOfCommands): CommandDispatcher {
  const { log, audio } = context;
  const pending = new Map<string, Promise<Answer>>();
  const dispatchSpoken = createSpokenDispatch(speech, log);
  const logThrown =
    (what: string, { callRef: call, commandRef: command }: VoiceCommand) =>
    (error: unknown) => {
      log.error({ err: error, call, command }, `carrier adapter threw in ${what}; the outcome is unknown`);
    };

  const start = (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<Answer> => {
    const { commandRef } = command;
    const answer = dispatchSpoken({ port, ledger, command }).catch((error: unknown): Answer => {
      logThrown('dispatch', command)(error);
      return { outcome: 'unknown' };
    });
    pending.set(commandRef, answer);
    void answer
      .then((known) => (known.outcome === 'unknown' ? known.ended : undefined))
      .finally(() => pending.delete(commandRef));
    return answer;
  };

  /** Sends the command to the carrier. If it is pending already, it is not sent again, and the first answer counts. */
  const send = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<DispatchResult> => {
    const answer = await (pending.get(command.commandRef) ?? start(port, ledger, command));
    if (answer.outcome === 'accepted') return { outcome: 'dispatched' };
    if (answer.outcome === 'rejected') return { outcome: 'refused', reason: answer.reason };
    if (answer.outcome === 'unknown') return { outcome: 'unknown' };
    const { retryAfterMs } = answer;
    const reason = reasonOf(answer.cause);
    return { outcome: 'unavailable', ...(retryAfterMs !== undefined && { retryAfterMs }), ...(reason && { reason }) };
  };

  const find = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<DispatchResult> => {
    const answer = await port.findCommand(ledger, command).catch((error: unknown) => {
      logThrown('findCommand', command)(error);
      return { found: 'undecided' as const };
    });
    if (answer.found === 'accepted') return { outcome: 'dispatched' };
    // A pending command may still reach a carrier that does not have it yet.
    const isAbsent = answer.found === 'absent' && !pending.has(command.commandRef);
    return { outcome: isAbsent ? 'unavailable' : 'unknown' };
  };

  return {
    isPending: (commandRef) => pending.has(commandRef),
    dispatch: async ({ ledger, connectionId, command: wanted, legs, unsure }) => {
      const routed = await routeCommand(context, { ledger, connectionId, wanted, legs });
      if ('outcome' in routed) return routed;
      const { port, command } = routed;
      const conclude = (result: DispatchResult) =>
        command === wanted ? result : audio.conclude(ledger, { wanted, command }, result);
      if (unsure && !pending.has(command.commandRef)) {
        const found = await find(port, ledger, command);
        if (found.outcome !== 'unavailable') return conclude(found);
      }
      const sent = await send(port, ledger, command);
      return conclude(sent.outcome === 'unknown' ? await find(port, ledger, command) : sent);
    },
  };
}

/** Returns why the operator's account does not allow a command; undefined if the account is not the cause. */
function reasonOf(cause: Extract<Answer, { outcome: 'unavailable' }>['cause']): WaitReason | undefined {
  if (cause === 'account') return 'carrier_unavailable';
  return cause === 'limit' ? 'carrier_limit' : undefined;
}

type SpokenDispatch = { readonly port: VoicePort; readonly ledger: Ledger; readonly command: VoiceCommand };

/**
 * Returns a function that dispatches a command. A text that cannot be spoken is rejected with speech_unavailable. A
 * text that takes too long is `unavailable`, and a retry finds it spoken.
 */
function createSpokenDispatch(
  { voice: voiceOf, speechMsMax = SPEECH_MS_MAX }: SpeechOfCommands,
  log: Logger,
): (dispatch: SpokenDispatch) => Promise<Answer> {
  return async ({ port, ledger, command }) => {
    const { callRef: call, instruction } = command;
    const isSpoken = instruction.do === 'speak' && instruction.audioRef === undefined;
    const voice = isSpoken ? voiceOf(ledger) : undefined;
    if (instruction.do !== 'speak' || voice === undefined) return await port.dispatch(ledger, command);
    try {
      if (!(await endsWithin(voice.synthesize(instruction.text), speechMsMax))) return { outcome: 'unavailable' };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      log.error(
        { err: error, call, purpose: instruction.purpose },
        'text cannot be spoken; the call continues without it',
      );
      return { outcome: 'rejected', reason: 'speech_unavailable' };
    }
    return await port.dispatch(ledger, command);
  };
}

type DispatchContext = Pick<Context, 'carriers' | 'log'> & { readonly audio: CommandRoute };
type Wanted = Pick<Dispatch, 'ledger' | 'connectionId'> & { readonly wanted: VoiceCommand; readonly legs: Legs };

/**
 * Returns the carrier and its command. Returns a result if no carrier can get the command or there is nothing to do.
 * Never throws.
 */
async function routeCommand(
  { carriers, log, audio }: DispatchContext,
  { ledger, connectionId, wanted, legs }: Wanted,
): Promise<{ readonly port: VoicePort; readonly command: VoiceCommand } | DispatchResult> {
  try {
    const taken = await audio.take?.(ledger, wanted, legs);
    if (taken !== undefined) return taken;
    const port = carriers.voice(ledger, connectionId);
    const command = await audio.route(ledger, port, wanted, legs);
    if (command === undefined) return { outcome: 'dispatched' };
    return 'outcome' in command ? command : { port, command };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      const { callRef: call, commandRef: command } = wanted;
      log.error({ err: error, call, command }, 'a command could not be prepared; tries again');
    }
    return { outcome: 'unavailable' };
  }
}
