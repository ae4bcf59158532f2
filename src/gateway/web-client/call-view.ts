/** What one web client sees of its calls: the legs are read as often as something may have changed, and it is told what has. */

import type { WebClientLeg, WebClientLegIds, WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findCall, type WebClientName } from '../../domain/voice/index.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioDoor } from './audio-authorizer.ts';
import type { ServerMessage, WebClientCallView } from './protocol.ts';
import { compare, type News, nothingTold, type Told } from './sent-state.ts';

export type WebClientViewOptions = {
  readonly webClient: WebClientName;
  readonly ledger: Ledger;
  /** Undefined where the ledger's carrier rings no web clients. */
  readonly port: WebClientPort | undefined;
  readonly audio: AudioDoor | undefined;
  readonly send: (message: ServerMessage) => void;
  readonly isOpen: () => boolean;
};

export type WebClientView = {
  /** Looks at the legs and tells what is new, now or as soon as the look that is under way has ended. */
  look(): Promise<void>;
  callIds(): Promise<string[]>;
  /** Errors: call_not_found. */
  legOf(callId: string): Promise<WebClientLegIds>;
  /** Says once more where the audio of a call goes. Errors: call_not_found, call_not_active, carrier_unavailable. */
  inviteAgain(callId: string): Promise<void>;
  /** A call of the web client's own is being made: whatever becomes of it is told, also if it is over at the first look. */
  expect(legId: string, ref: string | undefined): void;
  /** Shows a call by the `ref` that it was asked for with, whether it was shown before, and also if it is over. */
  showAgain(leg: WebClientLegIds, ref: string): Promise<void>;
  /** It has not been made. */
  forget(legId: string): void;
  /** True while the web client knows of no call. */
  readonly isIdle: boolean;
};

/** Pause before legs that could not be read, or told of, are looked at again. */
const RETRY_MS = 1_000;

export function createWebClientView(
  { db, log }: Pick<Context, 'db' | 'log'>,
  options: WebClientViewOptions,
): WebClientView {
  const { webClient, ledger, port, audio, send, isOpen } = options;
  const { webClientId } = webClient;
  /** By leg. */
  const told = new Map<string, Told>();
  /** Legs of calls that the web client makes and has not been shown yet, with the `ref` of their `place`. */
  const expected = new Map<string, string | undefined>();
  let retry: NodeJS.Timeout | undefined;

  const viewOf = async (callId: string): Promise<WebClientCallView> => {
    const call = await findCall(db, ledger, callId);
    return { call_id: callId, direction: call?.direction ?? 'inbound', from: call?.from ?? '', to: call?.to ?? '' };
  };

  /** Undefined where no gateway takes the audio, or none does just now. */
  const invite = async (leg: WebClientLegIds): Promise<ServerMessage | undefined> => {
    const invitation = await audio?.invite(webClient, leg);
    return invitation && { type: 'media', call_id: leg.callId, ...invitation };
  };

  const messageOf = async ({ leg, ...item }: News): Promise<ServerMessage | undefined> => {
    const { callId: call_id, legId } = leg;
    switch (item.say) {
      case 'incoming':
        return { type: 'incoming', ...(await viewOf(call_id)) };
      case 'dialing': {
        const ref = expected.get(legId);
        return { type: 'dialing', ...(await viewOf(call_id)), ...(ref !== undefined && { ref }) };
      }
      case 'media':
        return invite(leg);
      case 'ended': {
        const outcome = (await findCall(db, ledger, call_id))?.outcome ?? null;
        return { type: 'ended', call_id, reason: item.reason, outcome };
      }
      default:
        return { type: item.say, call_id };
    }
  };

  /** All that is to be read comes first: where it cannot be, nothing is said, and the next look says all of it. */
  const tellOf = async (leg: WebClientLeg): Promise<void> => {
    const before = told.get(leg.legId) ?? (expected.has(leg.legId) ? nothingTold(leg) : undefined);
    const after = compare(before, leg);
    const messages = await Promise.all(after.news.map(messageOf));
    for (const message of messages) if (message !== undefined) send(message);
    expected.delete(leg.legId);
    if (after.told === undefined) {
      told.delete(leg.legId);
      return;
    }
    const isInvited = !messages.includes(undefined);
    told.set(leg.legId, { ...after.told, media: after.told.media && (isInvited || audio === undefined) });
    if (!isInvited && audio !== undefined) lookLater();
  };

  const lookLater = () => {
    if (isOpen()) retry ??= setTimeout(() => void look(), RETRY_MS).unref();
  };

  const lookOnce = async (): Promise<void> => {
    const known = [...told.keys()];
    const legs = (await port?.listLegs(ledger, webClientId, [...known, ...expected.keys()])) ?? [];
    const failures: unknown[] = [];
    for (const leg of legs) await tellOf(leg).catch((error: unknown) => failures.push(error));
    // Of these the carrier knows nothing any more, as their ledger was emptied.
    const there = new Set(legs.map(({ legId }) => legId));
    for (const legId of known) if (!there.has(legId)) told.delete(legId);
    if (failures.length > 0) throw failures[0];
  };

  const look = coalesce(async () => {
    clearTimeout(retry);
    retry = undefined;
    try {
      await lookOnce();
    } catch (error) {
      log.warn(
        { err: error, web_client: webClientId },
        "a web client's calls could not be read, and are looked at again",
      );
      lookLater();
    }
  });

  const find = (callId: string) => [...told].find(([, { callId: of }]) => of === callId)?.[0];

  const legOf = async (callId: string): Promise<WebClientLegIds> => {
    if (find(callId) === undefined) await look();
    const legId = find(callId);
    if (legId === undefined) throw new ApiError('call_not_found', { param: 'call_id' });
    return { callId, legId };
  };

  return {
    look,
    callIds: async () => {
      const legs = (await port?.listLegs(ledger, webClientId, [])) ?? [];
      return legs.map(({ callId }) => callId);
    },
    legOf,
    inviteAgain: async (callId) => {
      const leg = await legOf(callId);
      if (told.get(leg.legId)?.media !== true) throw new ApiError('call_not_active');
      const invitation = await invite(leg);
      if (invitation === undefined) throw new ApiError('carrier_unavailable');
      send(invitation);
    },
    expect: (legId, ref) => expected.set(legId, ref),
    showAgain: async ({ callId, legId }, ref) => {
      await look();
      if (told.get(legId)?.shown === true) return send({ type: 'dialing', ...(await viewOf(callId)), ref });
      expected.set(legId, ref);
      await look();
    },
    forget: (legId) => expected.delete(legId),
    get isIdle() {
      return told.size === 0;
    },
  };
}
