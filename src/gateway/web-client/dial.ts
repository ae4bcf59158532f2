/** Calls that a web client dials. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { findAccount } from '../../domain/accounts/index.ts';
import {
  findPlacedCall,
  lockWebClient,
  namePlacedCall,
  type PlacedCall,
  placeWebClientCall,
  type WebClientExchange,
  type WebClientName,
} from '../../domain/voice/index.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { isEmergencyNumber } from '../../lib/phone/emergency.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { CallView } from './call-view.ts';
import { WebClientError } from './errors.ts';
import type { ClientMessage } from './protocol.ts';

export type DialOptions = {
  readonly webClient: WebClientName;
  readonly ledger: Ledger;
  readonly tenantId: string;
  readonly exchange: WebClientExchange;
  readonly view: CallView;
  /** Called if an emergency call was dialled and could not be shown. */
  readonly onUnshown: (error: unknown) => void;
};

type DialRequest = Extract<ClientMessage, { type: 'place' }>;
type DialContext = Pick<Context, 'db' | 'carriers'>;

/** Another request with the same `ref` ran concurrently and committed first. */
class RefTaken extends Error {}

/**
 * Dials a call of the web client, or shows the call that an earlier request with the same `ref` has dialled. An
 * emergency call is dialled even if the account is suspended, the web client is busy or its row is locked. Errors:
 * account_suspended, seat_busy, and the errors of `placeWebClientCall`.
 *
 * Resolves when the call is shown to the web client. For an emergency call it resolves once the call is dialled: with
 * many calls, showing can be slow, and the next emergency call must not wait for that.
 */
export async function dial(context: DialContext, options: DialOptions, request: DialRequest): Promise<void> {
  const { ledger, view, onUnshown } = options;
  const { to, ref } = request;
  if (!isEmergencyNumber(to)) await requireActiveAccount(context, ledger);
  const existing = await attempt(context, options, request).catch((error: unknown) => {
    if (error instanceof RefTaken) return attempt(context, options, request);
    throw error;
  });
  const shown = existing === undefined || ref === undefined ? view.refresh() : view.resendDialing(existing, ref);
  if (!isEmergencyNumber(to)) return shown;
  void shown.catch(onUnshown);
}

/** @returns the call that already has the `ref`; undefined if a new one was dialled */
async function attempt(
  context: DialContext,
  options: DialOptions,
  request: DialRequest,
): Promise<PlacedCall | undefined> {
  /** The ids of dialled legs. Each run of the transaction adds one. */
  const legIds: string[] = [];
  let isCommitted = false;
  try {
    return await context.db.transaction(async (tx) => {
      const existing = await findExisting(tx, options, request);
      isCommitted = existing?.isMeant !== true;
      if (!isCommitted) return existing;
      const formerCallId = existing?.callId ?? null;
      await createCall(context, tx, options, { request, formerCallId, onLeg: (legId) => legIds.push(legId) });
      return undefined;
    });
  } catch (error) {
    isCommitted = false;
    throw error;
  } finally {
    for (const legId of isCommitted ? legIds.slice(0, -1) : legIds) options.view.forgetLeg(legId);
  }
}

/**
 * Finds the call that already has the `ref`. If the request needs a new call, locks the web client and checks that it
 * is free; an emergency call skips both.
 */
async function findExisting(
  tx: Tx,
  { webClient, ledger, exchange }: DialOptions,
  { to, ref }: DialRequest,
): ReturnType<typeof findPlacedCall> {
  const emergency = emergencyNumberOrNull(to);
  if (emergency === null) await lockWebClient(tx, webClient);
  const existing = ref === undefined ? undefined : await findPlacedCall(tx, { ...webClient, ref, emergency });
  if (existing?.isMeant !== true && emergency === null && (await exchange.isBusy(tx, ledger, webClient.webClientId))) {
    throw new WebClientError('seat_busy', 'This web client is on a call already.');
  }
  return existing;
}

type NewCall = {
  readonly request: DialRequest;
  /** The earlier call with the `ref`. */
  readonly formerCallId: string | null;
  readonly onLeg: (legId: string) => void;
};

async function createCall(
  context: DialContext,
  tx: Tx,
  { webClient, ledger, tenantId, exchange, view }: DialOptions,
  { request: { to, from, ref }, formerCallId, onLeg }: NewCall,
): Promise<void> {
  const { webClientId } = webClient;
  const placed = await placeWebClientCall(context, tx, ledger, { webClient: { id: webClientId, tenantId }, to, from });
  const { callId, legId } = placed;
  // Called before the commit, because a refresh right after it must already know the leg's `ref`.
  view.expectLeg(legId, ref);
  onLeg(legId);
  await exchange.addCall(tx, ledger, { callId, legId, webClientId, from: placed.from, to });
  if (ref === undefined) return;
  const name = { ledgerId: webClient.ledgerId, webClientId, ref, emergency: emergencyNumberOrNull(to) };
  if (!(await namePlacedCall(tx, name, placed, formerCallId))) throw new RefTaken();
}

function emergencyNumberOrNull(to: string): string | null {
  return isEmergencyNumber(to) ? to : null;
}

async function requireActiveAccount({ db }: DialContext, { accountId }: Ledger): Promise<void> {
  if ((await findAccount(db, accountId))?.status === 'suspended') throw new ApiError('account_suspended');
}
