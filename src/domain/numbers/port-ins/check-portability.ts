import type { Portability } from '../../../carriers/port.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { ALREADY_HERE } from './rules.ts';

/**
 * Whether each number can be ported in, in the order given, without any effect: what the carrier says, and no number
 * that is here already. Error: carrier_unavailable.
 */
export async function checkPortability(
  { db, carriers }: Pick<Context, 'db' | 'carriers'>,
  ledger: Ledger,
  phoneNumbers: readonly string[],
): Promise<Portability[]> {
  const verdicts = await carriers.porting(ledger).checkPortability(ledger, phoneNumbers);
  const taken = await listTakenAmong(db, ledger, phoneNumbers);
  return verdicts.map((verdict) =>
    taken.has(verdict.phone_number) ? { ...verdict, portable: false, reason: ALREADY_HERE } : verdict,
  );
}

/** Refuses numbers of which one is not portable. Error: numbers_not_portable, naming each and why. */
export function requirePortable(verdicts: readonly Portability[]): void {
  const refused = verdicts.filter(({ portable }) => !portable);
  if (refused.length === 0) return;
  const first = verdicts.findIndex(({ portable }) => !portable);
  const reasons = refused.map(({ phone_number, reason }) => `${phone_number}: ${reason ?? 'not portable'}`);
  throw new ApiError('numbers_not_portable', { param: `phone_numbers[${first}]`, message: reasons.join(' ') });
}
