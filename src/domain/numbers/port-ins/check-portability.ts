import type { Portability } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { isMagicNumber } from '../../../lib/phone.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { holdNumbers, listComingAmong } from './queries.ts';
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
  const obstacles = await findObstacles(db, ledger, { phoneNumbers, except });
  return verdicts.map((verdict) => {
    const obstacle = obstacles.get(verdict.phone_number);
    return obstacle === undefined ? verdict : { ...verdict, portable: false, reason: obstacle };
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

/**
 * Refuses to ask the carrier for numbers that are here, or that another port-in has asked it for. Of two that ask at
 * the same moment the second waits for the first. Error: numbers_not_portable.
 */
export async function requireStillFree(tx: Tx, ledger: Ledger, asked: Asked): Promise<void> {
  await holdNumbers(tx, ledger, asked.phoneNumbers);
  const obstacles = await findObstacles(tx, ledger, asked);
  const first = asked.phoneNumbers.find((phoneNumber) => obstacles.has(phoneNumber));
  if (first === undefined) return;
  throw new ApiError('numbers_not_portable', { message: `${first}: ${obstacles.get(first)}` });
}

/** Those of the numbers that cannot be asked for because of what is here, each with why. */
async function findObstacles(
  db: Db,
  ledger: Ledger,
  { phoneNumbers, except = '' }: Asked,
): Promise<Map<string, string>> {
  const contested = phoneNumbers.filter((phoneNumber) => !isAnyones(ledger, phoneNumber));
  const taken = await listTakenAmong(db, ledger, contested);
  const coming = await listComingAmong(db, ledger, { phoneNumbers: contested, except });
  return new Map([
    ...[...coming].map((phoneNumber) => [phoneNumber, ALREADY_COMING] as const),
    ...[...taken].map((phoneNumber) => [phoneNumber, ALREADY_HERE] as const),
  ]);
}

/** Magic numbers are no scarce good of test mode: each port-in of one takes it over from the one before. */
export function isAnyones({ mode }: Ledger, phoneNumber: string): boolean {
  return mode === 'test' && isMagicNumber(phoneNumber);
}

function notPortable(index: number, message: string): ApiError {
  return new ApiError('numbers_not_portable', { param: `phone_numbers[${index}]`, message });
}
