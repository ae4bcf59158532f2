/** A live tenant over the wire carrier, with a number that may text and call. */
import assert from 'node:assert/strict';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson, read } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { findOnSale } from '../support/numbers.ts';
import { useWire } from './wire-harness.ts';

/**
 * Starts a product and its carrier for the tests of the file, and gets a funded account a number that may text.
 * @param settings settings of the connection, in addition to its addresses
 * @param options of the product
 */
export async function useWireLine(
  settings: Readonly<Record<string, string>> = {},
  options: Parameters<typeof useWire>[1] = {},
) {
  const { harness, wire } = await useWire(settings, options);
  const key = harness.account.live_key;
  const ledger = await fund(harness);
  const post = (path: string, body: object = {}) => harness.call('POST', `/v1${path}`, { key, body });
  const get = (path: string): Promise<Json> => read(harness, path, key);
  /** Posts, and fails unless the reply has this status. */
  const make = async (path: string, body: object = {}, status = 201): Promise<Json> => {
    const reply = await post(path, body);
    assert.equal(reply.status, status, JSON.stringify(reply.body));
    return reply.body;
  };
  /** Waits until a resource has these fields. Resolves with it. */
  const untilHas = async (path: string, fields: object): Promise<Json> => {
    let found: Json;
    await until(
      `${path} has ${JSON.stringify(fields)}`,
      async () => {
        found = await get(path);
        return Object.entries(fields).every(([name, value]) => found[name] === value);
      },
      20_000,
    );
    return found;
  };
  const tenant = await make('/tenants', { name: 'Desert Paws Clinic' });
  const brand = await make('/brands', BRAND);
  await untilHas(`/brands/${brand.id}`, { status: 'vetted' });
  const campaign = await make('/campaigns', { ...CAMPAIGN, tenant_id: tenant.id, brand_id: brand.id });
  await untilHas(`/campaigns/${campaign.id}`, { status: 'approved' });
  const number = await make('/phone_numbers', {
    tenant_id: tenant.id,
    phone_number: await findOnSale(harness, key),
    campaign_id: campaign.id,
  });
  await untilHas(`/phone_numbers/${number.id}`, { messaging_ready: true });
  /** Routes calls to the number to a voicemail. */
  const closeOffice = async (): Promise<void> => {
    const closed = { type: 'voicemail', greeting_text: 'We are closed. Please leave a message.', transcribe: true };
    const routing = await make('/routing_configs', {
      tenant_id: tenant.id,
      name: 'Front desk',
      business_hours: { schedule: [] },
      open_behavior: { type: 'ring', targets: [newPerson()] },
      closed_behavior: closed,
    });
    const patch = { key, body: { routing_config_id: routing.id } };
    assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  };
  return { harness, wire, key, ledger, post, get, make, untilHas, tenant, brand, campaign, number, closeOffice };
}
