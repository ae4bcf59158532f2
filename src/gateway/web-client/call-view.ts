/** A web client's view of its calls: re-reads its legs and sends the differences. */
import type { WebClientLeg, WebClientLegIds, WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findCall, type WebClientName } from '../../domain/voice/index.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import type { ServerMessage, WebClientCallView } from './protocol.ts';
import { compare, nothingSent, type SentState, type Update } from './sent-state.ts';

export type CallViewOptions = {
  readonly webClient: WebClientName;
  readonly ledger: Ledger;
  /** Undefined if the ledger's carrier cannot ring web clients. */
  readonly port: WebClientPort | undefined;
  /** Undefined if no gateway serves the audio of web clients. */
  readonly audio: AudioAuthorizer | undefined;
  readonly send: (message: ServerMessage) => void;
  readonly isOpen: () => boolean;
};

export type CallView = {
  /** Re-reads the legs and sends what changed. Calls during a running refresh cause one more after it. */
  refresh(): Promise<void>;
  callIds(): Promise<string[]>;
  /** Errors: call_not_found. */
  legOf(callId: string): Promise<WebClientLegIds>;
  /** Sends `media` of a call again. Errors: call_not_found, call_not_active, carrier_unavailable. */
  resendMedia(callId: string): Promise<void>;
  /** Announces a leg that the web client is about to dial: it is sent even if it is over at the first refresh. */
  expectLeg(legId: string, ref: string | undefined): void;
  /** Takes the announcement back: the leg was not created. */
  forgetLeg(legId: string): void;
  /** Sends `dialing` of a call with this `ref`, even if it was sent before or the call is over. */
  resendDialing(leg: WebClientLegIds, ref: string): Promise<void>;
  /** True while the web client knows of no call. */
  readonly isIdle: boolean;
};

/** Pause before a refresh that failed, or could not send everything, is repeated. */
const RETRY_MS = 1_000;

export function createCallView({ db, log }: Pick<Context, 'db' | 'log'>, options: CallViewOptions): CallView {
  const { webClient, ledger, port, audio, send, isOpen } = options;
  const { webClientId } = webClient;
  /** By leg. */
  const sent = new Map<string, SentState>();
  /** Legs that the web client dials and was not shown yet, with the `ref` of their `place`. */
  const expected = new Map<string, string | undefined>();
  let retry: NodeJS.Timeout | undefined;

  const summaryOf = async (callId: string): Promise<WebClientCallView> => {
    const call = await findCall(db, ledger, callId);
    return { call_id: callId, direction: call?.direction ?? 'inbound', from: call?.from ?? '', to: call?.to ?? '' };
  };

  /** Undefined while no gateway can take the audio. */
  const mediaOf = async (leg: WebClientLegIds): Promise<ServerMessage | undefined> => {
    const address = await audio?.authorize(webClient, leg);
    return address && { type: 'media', call_id: leg.callId, ...address };
  };

  const messageOf = async ({ leg, ...update }: Update): Promise<ServerMessage | undefined> => {
    const { callId: call_id, legId } = leg;
    switch (update.type) {
      case 'incoming':
        return { type: 'incoming', ...(await summaryOf(call_id)) };
      case 'dialing': {
        const ref = expected.get(legId);
        return { type: 'dialing', ...(await summaryOf(call_id)), ...(ref !== undefined && { ref }) };
      }
      case 'media':
        return mediaOf(leg);
      case 'ended': {
        const outcome = (await findCall(db, ledger, call_id))?.outcome ?? null;
        return { type: 'ended', call_id, reason: update.reason, outcome };
      }
      default:
        return { type: update.type, call_id };
    }
  };

  /** Reads everything before it sends anything: if a read fails nothing is sent, and the next refresh sends it all. */
  const updateLeg = async (leg: WebClientLeg): Promise<void> => {
    const before = sent.get(leg.legId) ?? (expected.has(leg.legId) ? nothingSent(leg) : undefined);
    const after = compare(before, leg);
    const messages = await Promise.all(after.updates.map(messageOf));
    for (const message of messages) if (message !== undefined) send(message);
    expected.delete(leg.legId);
    if (after.sent === undefined) {
      sent.delete(leg.legId);
      return;
    }
    const isComplete = !messages.includes(undefined);
    sent.set(leg.legId, { ...after.sent, media: after.sent.media && (isComplete || audio === undefined) });
    if (!isComplete && audio !== undefined) refreshLater();
  };

  const refreshLater = () => {
    if (isOpen()) retry ??= setTimeout(() => void refresh(), RETRY_MS).unref();
  };

  const updateLegs = async (): Promise<void> => {
    const known = [...sent.keys()];
    const legs = (await port?.listLegs(ledger, webClientId, [...known, ...expected.keys()])) ?? [];
    const failures: unknown[] = [];
    for (const leg of legs) await updateLeg(leg).catch((error: unknown) => failures.push(error));
    // Legs that the carrier no longer has: their ledger was reset.
    const present = new Set(legs.map(({ legId }) => legId));
    for (const legId of known) if (!present.has(legId)) sent.delete(legId);
    if (failures.length > 0) throw failures[0];
  };

  const refresh = coalesce(async () => {
    clearTimeout(retry);
    retry = undefined;
    try {
      await updateLegs();
    } catch (error) {
      log.warn({ err: error, web_client: webClientId }, "could not read a web client's calls; retrying in 1 s");
      refreshLater();
    }
  });

  const findLegId = (callId: string) => [...sent].find(([, state]) => state.callId === callId)?.[0];

  const legOf = async (callId: string): Promise<WebClientLegIds> => {
    if (findLegId(callId) === undefined) await refresh();
    const legId = findLegId(callId);
    if (legId === undefined) throw new ApiError('call_not_found', { param: 'call_id' });
    return { callId, legId };
  };

  return {
    refresh,
    callIds: async () => {
      const legs = (await port?.listLegs(ledger, webClientId, [])) ?? [];
      return legs.map(({ callId }) => callId);
    },
    legOf,
    resendMedia: async (callId) => {
      const leg = await legOf(callId);
      if (sent.get(leg.legId)?.media !== true) throw new ApiError('call_not_active');
      const message = await mediaOf(leg);
      if (message === undefined) throw new ApiError('carrier_unavailable');
      send(message);
    },
    expectLeg: (legId, ref) => expected.set(legId, ref),
    forgetLeg: (legId) => expected.delete(legId),
    resendDialing: async ({ callId, legId }, ref) => {
      await refresh();
      if (sent.get(legId)?.shown === true) return send({ type: 'dialing', ...(await summaryOf(callId)), ref });
      expected.set(legId, ref);
      await refresh();
    },
    get isIdle() {
      return sent.size === 0;
    },
  };
}
