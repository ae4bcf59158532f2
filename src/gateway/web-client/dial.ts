/** Calls that a web client makes itself. */

import type { WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { findAccount } from '../../domain/accounts/index.ts';
import {
  findPlacedCall,
  lockWebClient,
  namePlacedCall,
  type PlacedCall,
  placeWebClientCall,
  type WebClientName,
} from '../../domain/voice/index.ts';
import { isEmergencyNumber } from '../../lib/emergency.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { WebClientView } from './call-view.ts';
import type { ClientMessage } from './protocol.ts';
import { WebClientError } from './web-client-error.ts';

export type PlaceOptions = {
  readonly webClient: WebClientName;
  readonly ledger: Ledger;
  readonly tenantId: string;
  readonly port: WebClientPort;
  readonly view: WebClientView;
};

type Place = Extract<ClientMessage, { type: 'place' }>;
type PlaceContext = Pick<Context, 'db' | 'carriers'>;

/** Two requests with one name came at the same moment, and the other was first. */
class NameTaken extends Error {}

/**
 * Makes a call of the web client's own, or shows the one that it asked for before by the same `ref`. Nothing of ours stands in
 * the way of a call for help: no other call, no suspended account, nobody who holds the web client.
 * Errors: account_suspended, seat_busy, and those of `placeWebClientCall`.
 */
export async function place(context: PlaceContext, options: PlaceOptions, wanted: Place): Promise<void> {
  const { ledger, view } = options;
  if (!isEmergencyNumber(wanted.to)) await requireActiveAccount(context, ledger);
  const before = await attempt(context, options, wanted).catch((error: unknown) => {
    if (error instanceof NameTaken) return attempt(context, options, wanted);
    throw error;
  });
  if (before === undefined || wanted.ref === undefined) await view.look();
  else await view.showAgain(before, wanted.ref);
}

/** @returns the call that has the name already; undefined where a new one has been made */
async function attempt(context: PlaceContext, options: PlaceOptions, wanted: Place): Promise<PlacedCall | undefined> {
  /** Of each time that the transaction had to be run. */
  const legIds: string[] = [];
  let made = false;
  try {
    return await context.db.transaction(async (tx) => {
      const before = await findBefore(tx, options, wanted);
      made = before?.isMeant !== true;
      if (!made) return before;
      const formerCallId = before?.callId ?? null;
      await begin(context, tx, options, { wanted, formerCallId, onLeg: (legId) => legIds.push(legId) });
      return undefined;
    });
  } catch (error) {
    made = false;
    throw error;
  } finally {
    for (const legId of made ? legIds.slice(0, -1) : legIds) options.view.forget(legId);
  }
}

/** The call of the same name. Where none is meant the web client is free, and held from now on; help asks for neither. */
async function findBefore(
  tx: Tx,
  { webClient, ledger, port }: PlaceOptions,
  { to, ref }: Place,
): ReturnType<typeof findPlacedCall> {
  const help = helpOf(to);
  if (help === null) await lockWebClient(tx, webClient);
  const before = ref === undefined ? undefined : await findPlacedCall(tx, { ...webClient, ref, emergency: help });
  if (before?.isMeant !== true && help === null && (await port.isBusy(tx, ledger, webClient.webClientId))) {
    throw new WebClientError('seat_busy', 'This web client is on a call already.');
  }
  return before;
}

type Beginning = {
  readonly wanted: Place;
  /** Had the name until now. */
  readonly formerCallId: string | null;
  readonly onLeg: (legId: string) => void;
};

async function begin(
  context: PlaceContext,
  tx: Tx,
  { webClient, ledger, tenantId, port, view }: PlaceOptions,
  { wanted: { to, from, ref }, formerCallId, onLeg }: Beginning,
): Promise<void> {
  const { webClientId } = webClient;
  const placed = await placeWebClientCall(context, tx, ledger, { webClient: { id: webClientId, tenantId }, to, from });
  const { callId, legId } = placed;
  // Before the commit: whoever looks at once after it is to know whose call it is.
  view.expect(legId, ref);
  onLeg(legId);
  await port.addCall(tx, ledger, { callId, legId, webClientId, from: placed.from, to });
  if (ref === undefined) return;
  const name = { ledgerId: webClient.ledgerId, webClientId, ref, emergency: helpOf(to) };
  if (!(await namePlacedCall(tx, name, placed, formerCallId))) throw new NameTaken();
}

function helpOf(to: string): string | null {
  return isEmergencyNumber(to) ? to : null;
}

async function requireActiveAccount({ db }: PlaceContext, { accountId }: Ledger): Promise<void> {
  if ((await findAccount(db, accountId))?.status === 'suspended') throw new ApiError('account_suspended');
}
