/** Telnyx's phone numbers: search, orders by customer reference, and release. */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import {
  type AvailableNumber,
  CAPABILITIES,
  type Capability,
  NO_TOLL_FREE_TEXTS,
  type NumbersPort,
  type OrderedNumber,
  usableCapabilities,
} from '../../ports/numbers.ts';
import type { Found, Outcome } from '../../ports/outcome.ts';
import { type Answer, concludeRemoval, outcomeOf, requireBody } from '../client/client.ts';
import { refusedByAccount } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import { ensureProfile } from './profiles.ts';

/** Telnyx's codes for a number that it does not sell, or no longer sells. */
const NOT_FOR_SALE = new Set(['85000', '85001', '85006']);
const ORDER = 'order';
/** When to repeat an order if the tenant's profile could not be made. */
const AGAIN_MS = 5_000;

/** Statuses of an order that ended without a number. Telnyx or the operator may cancel an order in the portal. */
const ORDER_ENDS: ReadonlySet<string | undefined> = new Set(['failure', 'cancelled', 'deleted']);

type OrderAnswer = Outcome<OrderedNumber, 'number_unavailable'>;

export function createNumbers(line: TelnyxLine): NumbersPort {
  const { client, book } = line;
  return {
    search: async (_ledger, { areaCode, locality, contains, limit }) => {
      const query: [string, string][] = [
        ['filter[country_code]', 'US'],
        ['filter[limit]', String(limit)],
      ];
      if (areaCode !== undefined) query.push(['filter[national_destination_code]', areaCode]);
      if (locality !== undefined) query.push(['filter[locality]', locality]);
      if (contains !== undefined) query.push(['filter[phone_number][contains]', contains]);
      const body = requireBody(await client.ask({ method: 'GET', path: '/available_phone_numbers', query }));
      return listAt(body, 'data').slice(0, limit).flatMap(readAvailable);
    },
    order: async (ledger, { ref, phoneNumber, tenant }) => {
      const profile = await ensureProfile(line, ledger, tenant.id);
      if ('problem' in profile) return { outcome: 'unavailable', retryAfterMs: AGAIN_MS };
      // Without an application the number is for texts only. "carriers setup" makes the application, and calls arrive
      // from then on.
      const application = await line.findApplication();
      const body = {
        phone_numbers: [{ phone_number: phoneNumber }],
        ...(application !== undefined && { connection_id: application }),
        messaging_profile_id: profile.profileId,
        customer_reference: ref,
      };
      return await book.ask<OrderedNumber, 'number_unavailable'>({ ledger, operation: ORDER, ref }, async () =>
        readOrder(line, phoneNumber, await client.ask({ method: 'POST', path: '/number_orders', body })),
      );
    },
    findOrder: async (_ledger, { ref, phoneNumber }) => {
      const booked = await book.find<OrderedNumber>({ operation: ORDER, ref });
      if (booked.found !== 'undecided') return booked;
      const found = await findOrdered(line, ref, phoneNumber);
      await book.settle({ operation: ORDER, ref }, found);
      return found;
    },
    release: async (_ledger, { carrierRef }) => {
      const answer = await client.ask({ method: 'DELETE', path: '/phone_numbers/{id}', params: { id: carrierRef } });
      return concludeRemoval(answer);
    },
  };
}

function readAvailable(entry: unknown): AvailableNumber[] {
  const phone_number = textAt(entry, 'phone_number');
  if (phone_number === undefined) return [];
  const offered = listAt(entry, 'features').map((feature) => textAt(feature, 'name'));
  const regions = listAt(entry, 'region_information');
  const regionOf = (type: string) =>
    textAt(
      regions.find((region) => textAt(region, 'region_type') === type),
      'region_name',
    ) ?? '';
  const carried = CAPABILITIES.filter((capability) => offered.includes(capability));
  const capabilities = usableCapabilities(phone_number, carried);
  const price = Number(valueAt(entry, 'cost_information', 'monthly_cost'));
  return [
    {
      phone_number,
      locality: regionOf('location') || regionOf('rate_center'),
      region: regionOf('state'),
      capabilities,
      monthly_price_usd: (Number.isFinite(price) ? price : 0).toFixed(2),
      ...(capabilities.length < carried.length && { texts_unavailable: NO_TOLL_FREE_TEXTS }),
    },
  ];
}

/**
 * Returns the outcome of an order. While Telnyx carries out the order, the outcome is unknown and the order is polled.
 */
async function readOrder(line: TelnyxLine, phoneNumber: string, answer: Answer): Promise<OrderAnswer> {
  if (answer.is === 'refused') {
    const isSold = answer.errors.some(({ code }) => NOT_FOR_SALE.has(code));
    if (isSold) return { outcome: 'rejected', reason: 'number_unavailable' };
    // Any other refusal also concerns the account, for example its documents. The number is not at fault.
    return refusedByAccount(answer) ?? { outcome: 'unavailable' };
  }
  if (answer.is !== 'answered') return outcomeOf(answer);
  const found = await concludeOrder(line, phoneNumber, valueAt(answer.body, 'data'));
  if (found.found === 'accepted') {
    const { carrierRef, capabilities } = found;
    return { outcome: 'accepted', carrierRef, capabilities };
  }
  return found.found === 'absent' ? { outcome: 'rejected', reason: 'number_unavailable' } : { outcome: 'unknown' };
}

async function findOrdered(line: TelnyxLine, ref: string, phoneNumber: string): Promise<Found<OrderedNumber>> {
  const answer = await line.client.ask({
    method: 'GET',
    path: '/number_orders',
    query: [['filter[customer_reference]', ref]],
  });
  if (answer.is !== 'answered') return { found: 'undecided' };
  const placed = listAt(answer.body, 'data').filter((order) => textAt(order, 'customer_reference') === ref);
  // After an order that ended without a number, the same number may have been ordered again.
  const current = placed.find((order) => !ORDER_ENDS.has(textAt(order, 'status')));
  return current === undefined ? { found: 'absent' } : await concludeOrder(line, phoneNumber, current);
}

/** Returns the state of an order: absent if it ended without a number, undecided while Telnyx carries it out. */
async function concludeOrder(line: TelnyxLine, phoneNumber: string, order: unknown): Promise<Found<OrderedNumber>> {
  const status = textAt(order, 'status');
  if (ORDER_ENDS.has(status)) return { found: 'absent' };
  return status === 'success' ? await readNumber(line, phoneNumber) : { found: 'undecided' };
}

/** A number of the account in Telnyx's words; `data` is undefined if the account does not have it. */
type NumberFound = { readonly data: unknown } | { readonly problem: Exclude<Answer, { is: 'answered' }> };

/** Looks up a number of the account (E.164). */
export async function findNumber({ client }: TelnyxLine, phoneNumber: string): Promise<NumberFound> {
  const query = [['filter[phone_number]', phoneNumber]] as const;
  const answer = await client.ask({ method: 'GET', path: '/phone_numbers', query });
  if (answer.is !== 'answered') return { problem: answer };
  return { data: listAt(answer.body, 'data').find((number) => textAt(number, 'phone_number') === phoneNumber) };
}

/** Reads a number that was ordered or ported in. It may appear a moment after its order. */
export async function readNumber(line: TelnyxLine, phoneNumber: string): Promise<Found<OrderedNumber>> {
  const { client } = line;
  const number = await findNumber(line, phoneNumber);
  const id = 'problem' in number ? undefined : textAt(number.data, 'id');
  if (id === undefined) return { found: 'undecided' };
  const settings = await client.ask({ method: 'GET', path: '/phone_numbers/{id}/messaging', params: { id } });
  if (settings.is !== 'answered') return { found: 'undecided' };
  return {
    found: 'accepted',
    carrierRef: id,
    capabilities: usableCapabilities(phoneNumber, capabilitiesOf(settings.body)),
  };
}

/** Reads a number's features from its messaging settings. Every Telnyx number can call. */
function capabilitiesOf(body: unknown): Capability[] {
  const features = valueAt(body, 'data', 'features');
  const canText = (kind: 'sms' | 'mms') => valueAt(features, kind, 'domestic_two_way') === true;
  return CAPABILITIES.filter((capability) => capability === 'voice' || canText(capability));
}
