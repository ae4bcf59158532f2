import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { Portability, PortingPort } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { isUs } from '../../../lib/phone/number-countries.ts';
import { isHighCost, isMagicNumber } from '../../../lib/phone/phone.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listTakenAmong } from '../phone-numbers/queries.ts';
import { listComingAmong, serializePortIns } from './queries.ts';
import { ALREADY_COMING, ALREADY_HERE, ONLY_US, PREMIUM } from './rules.ts';

/** `except`: the port-in of the request. Its own order for the numbers is no obstacle. */
type Asked = { readonly phoneNumbers: readonly string[]; readonly except?: string | undefined };

/**
 * Returns whether each number can be ported in, in the order given. Combines the carrier's verdict with the kind of the
 * number, and with the numbers that are already here or being ported in. Changes nothing. Error: carrier_unavailable.
 */
export async function checkPortability(
  { db, carriers }: Pick<Context, 'db' | 'carriers'>,
  ledger: Ledger,
  { phoneNumbers, except }: Asked,
): Promise<Portability[]> {
  const candidates = phoneNumbers.filter((phoneNumber) => obstacleIn(phoneNumber) === null);
  const verdicts =
    candidates.length === 0 ? [] : await portingOf(carriers, ledger).checkPortability(ledger, candidates);
  const byNumber = new Map(verdicts.map((verdict) => [verdict.phone_number, verdict]));
  const obstacles = await findObstacles(db, ledger, { phoneNumbers: candidates, except });
  return phoneNumbers.map((phone_number) => {
    const verdict = byNumber.get(phone_number) ?? { phone_number, portable: false, reason: null, losing_carrier: null };
    const obstacle = obstacleIn(phone_number) ?? obstacles.get(phone_number);
    return obstacle === undefined ? verdict : { ...verdict, portable: false, reason: obstacle };
  });
}

/** Returns why no carrier can port the number, whichever carrier has it; null if the carrier must be asked. */
function obstacleIn(phoneNumber: string): string | null {
  if (!isUs(phoneNumber)) return ONLY_US;
  return isHighCost(phoneNumber, []) ? PREMIUM : null;
}

function portingOf(carriers: Carriers, ledger: Ledger): PortingPort {
  return carriers.porting(ledger, carriers.choose('porting', ledger));
}

/**
 * Refuses the numbers if one is not portable, or if they are with more than one losing carrier. Error:
 * numbers_not_portable, with each number and its reason.
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
 * Refuses numbers that are already here, or that another port-in has requested from the carrier. Of two concurrent
 * checks of one number, the second waits for the first. Error: numbers_not_portable.
 */
export async function requireStillFree(tx: Tx, ledger: Ledger, asked: Asked): Promise<void> {
  await serializePortIns(tx, ledger, asked.phoneNumbers);
  const obstacles = await findObstacles(tx, ledger, asked);
  const first = asked.phoneNumbers.find((phoneNumber) => obstacles.has(phoneNumber));
  if (first === undefined) return;
  throw new ApiError('numbers_not_portable', { message: `${first}: ${obstacles.get(first)}` });
}

/** Returns the numbers that are here or being ported in, each with the reason why it cannot be requested. */
async function findObstacles(
  db: Db,
  ledger: Ledger,
  { phoneNumbers, except = '' }: Asked,
): Promise<Map<string, string>> {
  const contested = phoneNumbers.filter((phoneNumber) => !isShareable(ledger, phoneNumber));
  const taken = await listTakenAmong(db, ledger, contested);
  const coming = await listComingAmong(db, ledger, { phoneNumbers: contested, except });
  return new Map([
    ...[...coming].map((phoneNumber) => [phoneNumber, ALREADY_COMING] as const),
    ...[...taken].map((phoneNumber) => [phoneNumber, ALREADY_HERE] as const),
  ]);
}

/** Returns true for a magic number in test mode. It may be in many port-ins: each gets it from the previous owner. */
export function isShareable({ mode }: Ledger, phoneNumber: string): boolean {
  return mode === 'test' && isMagicNumber(phoneNumber);
}

function notPortable(index: number, message: string): ApiError {
  return new ApiError('numbers_not_portable', { param: `phone_numbers[${index}]`, message });
}
