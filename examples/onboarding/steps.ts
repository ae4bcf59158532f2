/** The common parts of the onboarding's steps: the customer, the tenant, and the rule that nothing is made twice. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type CreateBrand,
  type CreateCampaign,
  type CreateE911Address,
  type CreateRoutingConfig,
  type Dialplane,
  DialplaneError,
  type RequestOptions,
} from '@dialplane/sdk';
import { isDemo, type Receiver, say } from '../shared/local-server.ts';

/** The answers to your sign-up form. `id` is the id of the customer in your database. */
export type Customer = {
  id: string;
  name: string;
  timezone: string;
  area_code: string;
  owner_phone: string;
  front_desk: string;
  company: Omit<CreateBrand, 'tenant_id'>;
  texts: Omit<CreateCampaign, 'tenant_id' | 'brand_id'>;
  address: Omit<CreateE911Address, 'tenant_id'>;
  hours: NonNullable<CreateRoutingConfig['business_hours']>['schedule'];
};

export type Work = { client: Dialplane; customer: Customer; tenant_id: string; receiver: Receiver };

/** Reads the file CUSTOMER, or the one in the folder of this file. A demonstration gets a new customer each time. */
export function readCustomer(): Customer {
  const file = process.env['CUSTOMER'] ?? new URL('customer.json', import.meta.url);
  const customer = JSON.parse(readFileSync(file, 'utf8')) as Customer;
  return isDemo ? { ...customer, id: `${customer.id}-${randomUUID()}` } : customer;
}

/**
 * Takes the result of an earlier run, or creates it.
 * @param create gets a function that returns an idempotency key for a request: if the reply is lost, the next run gets
 * the same reply. A corrected request has another key.
 */
export async function step<T extends { id: string }>(
  customer: Customer,
  what: string,
  known: T | undefined,
  create: (once: (fields: object) => RequestOptions) => Promise<T>,
): Promise<T> {
  const once = (fields: object) => {
    const digest = createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16);
    return { idempotencyKey: `onboarding-${customer.id}-${what}-${digest}` };
  };
  const one = known ?? (await create(once));
  say(`  ${what}: ${one.id}${known === undefined ? '' : ', from before'}`);
  return one;
}

/** Ends the run with a sentence. The next run continues from here. */
export function stop(message: string): never {
  throw new DialplaneError('invalid_argument', message);
}
