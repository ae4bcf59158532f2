/** Transfers of a call that one of its web clients requests. */
import type { WebClientLegIds } from '../../../../carriers/ports/web-client.ts';
import type { Context } from '../../../../context.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import type { Ledger, Scope } from '../../../../lib/scope.ts';
import type { Speech } from '../../../../speech/port.ts';
import type { LockedCall } from '../queries.ts';
import { requireSpoken, speakAhead } from '../request-speech.ts';
import { controlCall } from './control-call.ts';
import type { StartTransfer } from './talk-schema.ts';
import { checkNewAgent, transferCall } from './transfer-call.ts';

export type OwnTransfer =
  | { readonly do: 'start'; readonly wanted: StartTransfer }
  | { readonly do: 'complete' | 'cancel' };

export type OwnTransferContext = Pick<Context, 'db' | 'carriers'> & {
  /** Absent if the carriers have a voice. */
  readonly speech?: Pick<Speech, 'voice'> | undefined;
};

/**
 * Starts, completes or cancels the transfer of a call as its agent, who is at a web client of the tenant. Errors:
 * call_not_active if the leg is not the leg of the agent who has the call; the errors of `transferCall`;
 * no_consult_in_progress.
 */
export async function transferOwnCall(
  { db, carriers, speech }: OwnTransferContext,
  {
    ledger,
    tenantId,
    webClientId,
  }: { readonly ledger: Ledger; readonly tenantId: string; readonly webClientId: string },
  { callId, legId }: WebClientLegIds,
  asked: OwnTransfer,
): Promise<void> {
  const scope: Scope = { ...ledger, tenantId, keyId: webClientId };
  const requireOwn = (call: Pick<LockedCall, 'state'>) => requireTransferrer(call, legId);
  if (asked.do !== 'start') {
    const type = asked.do === 'complete' ? 'complete_consult' : 'cancel_consult';
    await db.transaction(async (tx) => requireOwn(await controlCall(tx, scope, callId, { type })));
    return;
  }
  const { wanted } = asked;
  checkNewAgent(wanted);
  const voice = speech?.voice(ledger);
  const text = wanted.announce_text;
  // Before the transaction, because making the speech may take a request to a server.
  const failure = voice === undefined || text === undefined ? undefined : await speakAhead(voice, [text]);
  const parts = { carriers, requireSpeech: () => requireSpoken(failure), requireOwn };
  await db.transaction((tx) => transferCall(parts, tx, scope, { callId, wanted }));
}

/** Only the agent who has the call may transfer it. A listener and the agent who will get the call may not. */
function requireTransferrer({ state: { legs, transfer } }: Pick<LockedCall, 'state'>, legId: string): void {
  const isOwn = legs.some(({ id, party, state }) => id === legId && party === 'agent' && state === 'up');
  if (isOwn && transfer?.legId !== legId) return;
  throw new ApiError('call_not_active', { message: 'Only the agent who has the call can transfer it.' });
}
