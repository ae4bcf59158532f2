import type { Ledger } from '../../../lib/scope.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import type { OnCall } from './parties.ts';
import { saveCall } from './queries.ts';

/**
 * Ends the holding of a call: what has happened goes into the domain and into the books, in the transaction of both. The
 * domain first: its timers come before acts in the order of names, in which jobs are locked where there are several.
 */
export async function settleCall(
  { tx, ledgerId, call }: OnCall,
  ledger: Ledger,
  { takeEvents, events }: { takeEvents: TakeEvents; events: readonly VoiceEvent[] },
): Promise<void> {
  if (events.length > 0) await takeEvents(tx, ledger, events);
  await saveCall(tx, ledgerId, call);
}
