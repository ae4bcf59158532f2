import { isE164 } from '../../../lib/phone/phone.ts';
import type { CallFacts } from './queries.ts';

/** Returns the number of a call's customer; null if the caller hides it, and for a call to an emergency number. */
export function customerOf({ direction, from, to }: Pick<CallFacts, 'direction' | 'from' | 'to'>): string | null {
  const customer = direction === 'inbound' ? from : to;
  return isE164(customer) ? customer : null;
}
