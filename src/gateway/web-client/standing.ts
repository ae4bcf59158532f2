/** Whether those who have the audio of a web client's leg may still have it: as long as the leg is up and the web client's own. */

import type { WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import { listActiveWebClients } from '../../domain/voice/index.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { AudioGrant } from './audio-authorizer.ts';

/** `over`: the leg has ended, or is not up yet. `revoked`: there is no such web client any more. */
export type Standing = 'up' | 'over' | 'revoked';

/** Reads how grants of one ledger stand, in two questions however many they are. */
export async function readStandings(
  db: Context['db'],
  webClientPortOf: (ledger: Ledger) => WebClientPort | undefined,
  ledgerId: number,
  grants: readonly AudioGrant[],
): Promise<(grant: AudioGrant) => Standing> {
  const ledger = await findLedger(db, ledgerId);
  const legIds = grants.map(({ legId }) => legId);
  const webClientIds = grants.map(({ webClientId }) => webClientId);
  const [active, up] = await Promise.all([
    listActiveWebClients(db, { ledgerId }, webClientIds),
    ledger === undefined ? undefined : webClientPortOf(ledger)?.listLegsUp(ledger, legIds),
  ]);
  return ({ webClientId, legId }) => {
    if (!active.has(webClientId)) return 'revoked';
    return up?.has(legId) === true ? 'up' : 'over';
  };
}
