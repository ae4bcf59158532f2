import type { Harness } from '../../../../test/support/harness.ts';
import { Dialplane, type DialplaneOptions } from '../../src/index.ts';

/** Returns a client of the harness, with the account's test key. */
export function clientOf(harness: Harness, options: Partial<DialplaneOptions> = {}): Dialplane {
  return new Dialplane({ apiKey: harness.account.test_key, baseUrl: harness.url, ...options });
}

/** Makes a tenant with a number that may send texts. */
export async function makeSender(client: Dialplane) {
  const tenant = await client.tenants.create({ name: 'Desert Paws Clinic', timezone: 'America/Phoenix' });
  const { data } = await client.phoneNumbers.searchAvailable({ area_code: '602', limit: 1 });
  const number = await client.phoneNumbers.purchase({
    tenant_id: tenant.id,
    phone_number: data[0]?.phone_number as string,
  });
  return { tenant, number };
}
