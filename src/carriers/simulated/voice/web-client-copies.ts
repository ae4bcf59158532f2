/**
 * The copies of web clients' legs on simulated calls. A person acts at a web client, and the simulation makes the
 * action audible.
 */
import type { Tx } from '../../../db/database.ts';
import { ADDRESS_CHECK_NUMBER, EMERGENCY_NUMBER } from '../../../lib/phone/emergency.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { WebClientCopies, WebClientLegIds } from '../../ports/web-client.ts';
import { findAddressOfNumber } from '../e911-queries.ts';
import { newCall, type Script, type WebClientChange } from './call.ts';
import { beginWebClientCall } from './call-machine.ts';
import type { CallDomain, CallExecutor } from './call-parts.ts';
import { lockCall, openCall } from './queries.ts';

export function createWebClientCopies(
  executor: CallExecutor,
  domain: Pick<CallDomain, 'findE911Address'>,
): WebClientCopies {
  const take = async (
    tx: Tx,
    ledger: Ledger,
    { callId: callRef, legId: legRef }: WebClientLegIds,
    change: WebClientChange,
  ): Promise<void> => {
    await executor.execute(tx, { ledger, callRef, input: { type: 'web_client', legRef, change } });
  };
  return {
    lock: async (tx, { ledgerId }, callRef, { opens }) => {
      if (opens) await openCall(tx, ledgerId, newCall(callRef));
      const stored = await lockCall(tx, { ledgerId, callRef });
      return { ringsNobody: stored !== undefined && stored.call.message_text !== null };
    },
    addCall: async (tx, ledger, { callId: callRef, legId: legRef, webClientId, from, to }) => {
      const script = await scriptOf(tx, ledger, { domain, from, to });
      await executor.begin(tx, ledger, beginWebClientCall({ callRef, legRef, webClientId, script }));
    },
    set: (tx, ledger, leg) => take(tx, ledger, leg, { do: 'become', webClientId: leg.webClientId, state: leg.state }),
    press: (tx, ledger, leg, keys) => take(tx, ledger, leg, { do: 'press_digits', ...keys }),
  };
}

const NO_EMERGENCY = 'This is a test call. No emergency service has been reached.';
const NO_ADDRESS = 'No emergency address is registered for the number that you are calling from.';

/** Returns the script of a call to an emergency number: a voice speaks, and no emergency service is called. */
async function scriptOf(
  tx: Tx,
  ledger: Ledger,
  { domain, from, to }: { domain: Pick<CallDomain, 'findE911Address'>; from: string; to: string },
): Promise<Script> {
  if (to === EMERGENCY_NUMBER) return recite(NO_EMERGENCY);
  if (to !== ADDRESS_CHECK_NUMBER) return null;
  const addressId = await findAddressOfNumber(tx, ledger, from);
  const address = addressId === undefined ? undefined : await domain.findE911Address(tx, ledger, addressId);
  if (address === undefined) return recite(NO_ADDRESS);
  const { street, unit, city, state, postal_code } = address;
  const place = [street, unit, city, state, postal_code].filter((part) => part !== null).join(', ');
  return recite(`The emergency address of the number that you are calling from is: ${place}.`);
}

function recite(text: string): Script {
  return [
    { do: 'say', party: 'customer', text },
    { do: 'wait', ms: 1_000 },
    { do: 'hang_up', party: 'customer' },
  ];
}
