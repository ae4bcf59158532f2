/** Web clients on simulated calls. A person acts at a web client, so the simulation acts only for the other party. */
import type { Tx } from '../../../db/database.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import { ADDRESS_CHECK_NUMBER, EMERGENCY_NUMBER } from '../../../lib/emergency.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { WebClientLegIds, WebClientPort } from '../../ports/web-client.ts';
import { findAddressOfNumber } from '../e911-queries.ts';
import type { Script, WebClientRequest } from './call.ts';
import { beginWebClientCall } from './call-machine.ts';
import type { CallDomain, CallParts } from './executor.ts';
import { hasOtherLeg, listLegsUp, listWebClientLegs } from './queries.ts';

export function createWebClientPort({
  db,
  executor,
  domain,
}: Pick<CallParts, 'db' | 'executor' | 'domain'>): WebClientPort {
  const act = async (
    ledger: Ledger,
    { callId: callRef, legId: legRef }: WebClientLegIds,
    request: WebClientRequest,
  ): Promise<boolean> => {
    const input = { type: 'web_client', legRef, request } as const;
    const refusal = await db.transaction((tx) => executor.execute(tx, { ledger, callRef, input }));
    return refusal === undefined;
  };
  return {
    listLegs: ({ ledgerId }, webClientId, known) => listWebClientLegs(db, ledgerId, { address: webClientId, known }),
    listLegsUp: ({ ledgerId }, legIds) => listLegsUp(db, ledgerId, legIds),
    isBusy: (tx, { ledgerId }, webClientId) => hasOtherLeg(tx, ledgerId, { address: webClientId, legRef: null }),
    answer: (ledger, leg) => act(ledger, leg, { do: 'answer' }),
    hangUp: (ledger, leg) => act(ledger, leg, { do: 'hang_up' }),
    endLegs: async (ledger, webClientId) => {
      const legs = await listWebClientLegs(db, ledger.ledgerId, { address: webClientId, known: [] });
      await allThenThrow(legs.map((leg) => act(ledger, leg, { do: 'lose' })));
    },
    sendDigits: (ledger, leg, digits) =>
      act(ledger, leg, { do: 'press_digits', digits, ref: `web client:${newId('request')}` }),
    addCall: async (tx, ledger, { callId: callRef, legId: legRef, webClientId, from, to }) => {
      const script = await scriptOf(tx, ledger, { domain, from, to });
      await executor.begin(tx, ledger, beginWebClientCall({ callRef, legRef, webClientId, script }));
    },
  };
}

const NO_EMERGENCY = 'This is a test call. No emergency service has been reached.';
const NO_ADDRESS = 'No emergency address is registered for the number that you are calling from.';

/** Emergency numbers are answered by a voice of the simulation, and by no emergency service. */
async function scriptOf(
  tx: Tx,
  ledger: Ledger,
  { domain, from, to }: { domain: CallDomain; from: string; to: string },
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
