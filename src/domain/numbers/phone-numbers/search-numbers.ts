import type { Context } from '../../../context.ts';
import type { Scope } from '../../../lib/scope.ts';
import { listTakenAmong } from './queries.ts';
import type { AvailableNumber, SearchNumbers } from './schema.ts';

/**
 * Searches the numbers that the ledger's carrier has on sale. Leaves out numbers that are owned or on order here, even
 * if the carrier still shows them. Error: carrier_unavailable.
 */
export async function searchNumbers(
  { carriers, db }: Pick<Context, 'carriers' | 'db'>,
  scope: Scope,
  { area_code, locality, contains, limit = 25 }: SearchNumbers,
): Promise<AvailableNumber[]> {
  const found = await carriers.numbers(scope, carriers.choose('numbers', scope)).search(scope, {
    ...(area_code === undefined ? {} : { areaCode: area_code }),
    ...(locality === undefined ? {} : { locality }),
    ...(contains === undefined ? {} : { contains }),
    limit,
  });
  const taken = await listTakenAmong(
    db,
    scope,
    found.map((number) => number.phone_number),
  );
  return found
    .filter((number) => !taken.has(number.phone_number))
    .map((number) => ({ object: 'available_number', ...number, capabilities: [...number.capabilities] }));
}
