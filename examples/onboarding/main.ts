/**
 * Onboarding of a customer, from the sign-up form to the first text: tenant, number, emergency address, hours, brand,
 * campaign. Each step first looks for the result of an earlier run, so an interrupted run can be repeated. README.md
 * says how to run it.
 */
import { type CreateRoutingConfig, type Dialplane, DialplaneError, type EventType } from '@dialplane/sdk';
import { isDemo, receiveEvents, run, say } from '../shared/local-server.ts';
import { attachNumber, registerBrand, registerCampaign } from './registration.ts';
import { type Customer, readCustomer, step, stop, type Work } from './steps.ts';

/** The types of events that the steps wait for. */
const TYPES: EventType[] = [
  ...(['number.status_changed', 'brand.status_changed', 'campaign.status_changed'] as const),
  ...(['message.delivered', 'message.failed'] as const),
];

async function onboard(client: Dialplane, customer: Customer): Promise<void> {
  const { id, name, timezone } = customer;
  const known = await client.tenants.list({ external_ref: id });
  const tenant = await step(customer, 'tenant', known.data[0], (once) => {
    const fields = { name, timezone, external_ref: id };
    return client.tenants.create(fields, once(fields));
  });
  const about = { name: `onboarding ${id}`, tenantId: tenant.id, types: TYPES };
  const receiver = await receiveEvents(client, about, () => undefined);
  try {
    const work = { client, customer, tenant_id: tenant.id, receiver };
    const numberId = await buyNumber(work);
    await setAddress(work);
    await setHours(work, numberId);
    const brandId = await registerBrand(work);
    const campaignId = await registerCampaign(work, brandId);
    await attachNumber(work, numberId, campaignId);
    await sendFirstText(work, numberId);
  } finally {
    await receiver.close();
  }
}

async function buyNumber({ client, customer, tenant_id, receiver }: Work): Promise<string> {
  const { data: owned } = await client.phoneNumbers.list({ tenant_id });
  const kept = owned.find(({ status }) => status !== 'released');
  const { id } = await step(customer, 'number', kept, async (once) => {
    const { data } = await client.phoneNumbers.searchAvailable({ area_code: customer.area_code, limit: 1 });
    const fields = { tenant_id, phone_number: data[0]?.phone_number ?? stop('That area code has no number on sale.') };
    return client.phoneNumbers.purchase(fields, once(fields));
  });
  // A live carrier may confirm an order later.
  const number = await receiver.until(
    () => client.phoneNumbers.get(id),
    ({ status }) => status !== 'pending',
  );
  if (number.status !== 'active') stop(`The number is ${number.status}. Run this again.`);
  return id;
}

/** Sets where help is sent for 911 calls. The address is attached to every number of the tenant that has none. */
async function setAddress({ client, customer, tenant_id }: Work): Promise<void> {
  const { data: known } = await client.e911Addresses.list({ tenant_id });
  await step(customer, 'emergency address', known[0], async (once) => {
    const create = (address: Customer['address']) => {
      const fields = { ...address, tenant_id };
      return client.e911Addresses.create(fields, once(fields));
    };
    try {
      return await create(customer.address);
    } catch (error) {
      if (!DialplaneError.is(error, 'e911_address_invalid')) throw error;
      const { suggestions } = error.body as { suggestions?: Customer['address'][] };
      say(`  ${error.message} Suggested: ${JSON.stringify(suggestions?.[0])}`);
      // A person must decide on the address, because help is sent there.
      if (!isDemo || suggestions?.[0] === undefined)
        stop('Ask the customer for the right address, and run this again.');
      say('  The customer accepts the suggestion.');
      return create(suggestions[0]);
    }
  });
}

async function setHours({ client, customer, tenant_id }: Work, numberId: string): Promise<void> {
  const { data: known } = await client.routingConfigs.list({ tenant_id });
  const fields: CreateRoutingConfig = {
    tenant_id,
    name: 'Front desk',
    business_hours: { schedule: customer.hours },
    open_behavior: { type: 'ring', targets: [customer.front_desk], no_answer: { type: 'voicemail' } },
    closed_behavior: { type: 'voicemail', greeting_text: `${customer.name} is closed. Please leave a message.` },
  };
  const { id } = await step(customer, 'hours', known[0], (once) => client.routingConfigs.create(fields, once(fields)));
  await client.phoneNumbers.update(numberId, { routing_config_id: id });
}

async function sendFirstText({ client, customer, tenant_id, receiver }: Work, from: string): Promise<void> {
  const { name, owner_phone: to } = customer;
  const { data: sent } = await client.messages.list({ tenant_id, to, direction: 'outbound' });
  const { id } = await step(customer, 'first text', sent.at(-1), (once) => {
    const fields = { from, to, body: `${name}: your number for texts and calls works. Reply STOP to opt out.` };
    return client.messages.send(fields, once(fields));
  });
  const text = await receiver.until(
    () => client.messages.get(id),
    ({ status }) => status === 'delivered' || status === 'failed',
  );
  if (text.status === 'failed') stop(`The first text failed: ${text.error_code}.`);
  say(`  the first text is ${text.status} to ${to}`);
}

await run(async (client) => {
  const customer = readCustomer();
  say(`${customer.name}:`);
  await onboard(client, customer);
  if (!isDemo) return;
  say('\nThe same again, as after a crash:');
  await onboard(client, customer);
});
