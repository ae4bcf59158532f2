/** 10DLC: US carriers accept texts from a number when they know the company (brand) and the purpose (campaign). */
import { say } from '../shared/local-server.ts';
import { step, stop, type Work } from './steps.ts';

export async function registerBrand({ client, customer, tenant_id, receiver }: Work): Promise<string> {
  const known = await find(client.brands.list(), (one) => one.tenant_id === tenant_id && isOpen(one));
  const { id } = await step(customer, 'brand', known, (once) => {
    const fields = { ...customer.company, tenant_id };
    return client.brands.create(fields, once(fields));
  });
  const isDecided = ({ status }: { status: string }) => status !== 'pending_vetting';
  return idUnlessRefused(await receiver.until(() => client.brands.get(id), isDecided));
}

export async function registerCampaign(work: Work, brand_id: string): Promise<string> {
  const { client, customer, tenant_id, receiver } = work;
  const known = await find(client.campaigns.list({ tenant_id }), isOpen);
  const { id } = await step(customer, 'campaign', known, async (once) => {
    // Reviewers take days. This check finds their likely objections now.
    const { findings } = await client.campaigns.check({ ...customer.texts, brand_id });
    for (const { field, message, remedy } of findings) say(`  ${field}: ${message} ${remedy}`);
    if (findings.length > 0) stop('Correct the texts of the campaign, and run this again.');
    const fields = { ...customer.texts, tenant_id, brand_id };
    return client.campaigns.create(fields, once(fields));
  });
  const isDecided = ({ status }: { status: string }) => status !== 'pending_review';
  return idUnlessRefused(await receiver.until(() => client.campaigns.get(id), isDecided));
}

/** Attaches the number to the campaign. A live carrier may confirm it later. */
export async function attachNumber({ client, receiver }: Work, numberId: string, campaign_id: string): Promise<void> {
  await client.phoneNumbers.update(numberId, { campaign_id });
  const number = await receiver.until(
    () => client.phoneNumbers.get(numberId),
    (one) => one.messaging_ready || one.campaign_id === null,
  );
  if (number.campaign_id === null) stop('The carrier refused the number for the campaign. Run this again.');
}

const isOpen = ({ status }: { status: string }) => status !== 'rejected';

function idUnlessRefused(one: { object: string; id: string; status: string; rejection_reason: string | null }): string {
  if (one.rejection_reason !== null) stop(`The ${one.object} is ${one.status}: ${one.rejection_reason}`);
  return one.id;
}

async function find<T>(all: AsyncIterable<T>, isIt: (one: T) => boolean): Promise<T | undefined> {
  for await (const one of all) if (isIt(one)) return one;
  return undefined;
}
