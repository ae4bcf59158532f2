import type { Portability } from '../../../carriers/port.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { isMagicNumber } from '../../../lib/phone.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { listComingAmong } from './queries.ts';
import { ALREADY_COMING, ALREADY_HERE } from './rules.ts';

/** `except`: the port-in that they are for, whose own numbers do not stand in its way. */
type Asked = { readonly phoneNumbers: readonly string[]; readonly except?: string | undefined };

/**
 * Whether each number can be ported in, in the order given, without any effect: what the carrier says, and no number
 * that is here or on its way already. Error: carrier_unavailable.
 */
export async function checkPortability(
  { db, carriers }: Pick<Context, 'db' | 'carriers'>,
  ledger: Ledger,
  { phoneNumbers, except }: Asked,
): Promise<Portability[]> {
  const verdicts = await carriers.porting(ledger).checkPortability(ledger, phoneNumbers);
  const taken = await listTakenAmong(db, ledger, phoneNumbers);
  const coming = await listComing(db, ledger, { phoneNumbers, except });
  return verdicts.map((verdict) => {
    const { phone_number } = verdict;
    const obstacle = taken.has(phone_number) ? ALREADY_HERE : coming.has(phone_number) ? ALREADY_COMING : null;
    return obstacle === null ? verdict : { ...verdict, portable: false, reason: obstacle };
  });
}

/**
 * Refuses numbers of which one is not portable, or which are with more than one losing carrier. Error:
 * numbers_not_portable, naming each and why.
 */
export function requirePortable(verdicts: readonly Portability[]): void {
  const refused = verdicts.findIndex(({ portable }) => !portable);
  if (refused >= 0) {
    const reasons = verdicts.flatMap(({ phone_number, portable, reason }) =>
      portable ? [] : [`${phone_number}: ${reason ?? 'not portable'}`],
    );
    throw notPortable(refused, reasons.join(' '));
  }
  const known = verdicts.find(({ losing_carrier }) => losing_carrier !== null);
  const stray = verdicts.findIndex(
    ({ losing_carrier }) => losing_carrier !== null && losing_carrier !== known?.losing_carrier,
  );
  if (stray < 0) return;
  const { phone_number } = verdicts[stray] as Portability;
  const reason = `${phone_number}: with another losing carrier than ${known?.phone_number}.`;
  throw notPortable(stray, `${reason} Make a port-in for the numbers of each carrier.`);
}

/** Refuses to ask the carrier for numbers that another port-in has asked it for. Error: numbers_not_portable. */
export async function requireNotComing(db: Db, ledger: Ledger, asked: Asked): Promise<void> {
  const coming = await listComing(db, ledger, asked);
  const first = asked.phoneNumbers.find((phoneNumber) => coming.has(phoneNumber));
  if (first !== undefined) throw new ApiError('numbers_not_portable', { message: `${first}: ${ALREADY_COMING}` });
}

async function listComing(db: Db, ledger: Ledger, { phoneNumbers, except = '' }: Asked): Promise<Set<string>> {
  const contested = phoneNumbers.filter((phoneNumber) => !isMagicNumber(phoneNumber));
  return listComingAmong(db, ledger, { phoneNumbers: contested, except });
}

function notPortable(index: number, message: string): ApiError {
  return new ApiError('numbers_not_portable', { param: `phone_numbers[${index}]`, message });
}
