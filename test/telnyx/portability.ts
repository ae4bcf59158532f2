/**
 * The carrier of a number, and the outcome of its port, depend on the number. Area codes are free to choose.
 *
 * | Number | What happens |
 * | --- | --- |
 * | +1 xxx 553 0yyy | it cannot be ported |
 * | +1 xxx 553 1yyy | Birch Telephone has it: its order is not that of other numbers |
 * | +1 xxx 553 2yyy | the first confirmation of an order with it ends in an exception, ACCOUNT_NUMBER_MISMATCH |
 * | +1 xxx 553 3yyy | it can be ported by FastPort: its order is not that of other numbers |
 * | toll-free | a RespOrg has it: its order is not that of other numbers |
 * | any other | Canyon Telecom has it, and lets it go |
 */
import { isTollFree } from './available-numbers.ts';
import type { StatusDetail } from './porting-state.ts';
import { Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { findOwned } from './state.ts';
import type { World } from './world.ts';

type Portability = {
  readonly carrier: { readonly name: string; readonly ocn: string };
  readonly isFast: boolean;
  /** Null: the number can be ported. */
  readonly obstacle: string | null;
  /** The exception that ends the first confirmation of an order with the number; null: none. */
  readonly exception: StatusDetail | null;
};

const CANYON = { name: 'Canyon Telecom', ocn: '4036' };
const BIRCH = { name: 'Birch Telephone', ocn: '7125' };
const RESPORG = { name: 'Mesa RespOrg', ocn: '9206' };
const MISMATCH = { code: 'ACCOUNT_NUMBER_MISMATCH', description: 'The account number is not that of the customer.' };
const NUMBERS_MAX = 500;

/** Returns the outcome of the port of a number. */
export function portabilityOf(number: string): Portability {
  const plain = { carrier: isTollFree(number) ? RESPORG : CANYON, isFast: false, obstacle: null, exception: null };
  switch (/^\+1\d{3}553(\d)\d{3}$/.exec(number)?.[1]) {
    case '0':
      return { ...plain, obstacle: 'The rate center of this phone number is not served.' };
    case '1':
      return { ...plain, carrier: BIRCH };
    case '2':
      return { ...plain, exception: MISMATCH };
    case '3':
      return { ...plain, isFast: true };
    default:
      return plain;
  }
}

/** Returns the numbers of a request, or refuses it. */
export function portableNumbers(given: readonly string[] = []): readonly string[] {
  const source = { pointer: '/phone_numbers' };
  if (given.length === 0) throw new Refusal('10015', 'no number is named', source);
  if (given.length > NUMBERS_MAX) throw new Refusal('10015', `at most ${NUMBERS_MAX} numbers are taken`, source);
  for (const [index, number] of given.entries()) {
    if (!/^\+[1-9]\d{7,14}$/.test(number)) {
      throw new Refusal('10016', `${number} is not such a number`, { pointer: `/phone_numbers/${index}` });
    }
  }
  return given;
}

/** Returns why the account cannot port a number in; null if it can. */
export function obstacleOf({ state }: World, number: string): string | null {
  if (!/^\+1\d{10}$/.test(number)) return 'Phone numbers of this country cannot be ported.';
  if (findOwned(state, number) !== undefined) return 'The phone number is on your account already.';
  return portabilityOf(number).obstacle;
}

/** Returns the operation that says which numbers can be ported. */
export function portabilityRoutes(world: World): readonly Route[] {
  return [
    {
      name: 'POST /portability_checks',
      answer: ({ body }): Reply => {
        const numbers = portableNumbers((body as { phone_numbers?: readonly string[] }).phone_numbers);
        return { status: 201, body: { data: numbers.map((number) => verdictOf(world, number)) } };
      },
    },
  ];
}

function verdictOf(world: World, phone_number: string): object {
  const obstacle = obstacleOf(world, phone_number);
  const { carrier, isFast } = portabilityOf(phone_number);
  return {
    record_type: 'portability_check_result',
    phone_number,
    portable: obstacle === null,
    not_portable_reason: obstacle ?? '',
    fast_portable: obstacle === null && isFast,
    // Telnyx's pages show these two, its types do not.
    ...(world.settings.showsLosingCarrier && { carrier_name: carrier.name, messaging_capable: true }),
  };
}
