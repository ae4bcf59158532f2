/** The emulated API through the SDK that Telnyx publishes. */
import assert from 'node:assert/strict';
import Telnyx from 'telnyx';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { useReceiver } from '../support/receiver.ts';
import { startTelnyx } from './start-telnyx.ts';

/** A webhook that the SDK has verified. */
export type Verified = {
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** A brand that the registry verifies. */
export const COMPANY = {
  entityType: 'PRIVATE_PROFIT' as const,
  displayName: 'Birch Dental',
  companyName: 'Birch Dental LLC',
  ein: '841234567',
  country: 'US',
  email: 'office@birch.example',
  vertical: 'HEALTHCARE' as const,
};

/** Returns all items of a list, page by page as the SDK asks for them. */
export async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of list) all.push(item);
  return all;
}

/** Starts the emulator, with one account for all tests of the file. */
export async function useSdk() {
  const telnyx = await startTelnyx({ roundTripMs: 0, stepMs: 10, retryMs: 10 });
  closeAfterTests(() => telnyx.close());
  const receiver = await useReceiver();
  const { control, apiKey, publicKey, url } = telnyx;
  const client = new Telnyx({ apiKey, publicKey, baseURL: url, maxRetries: 0 });

  const events: Verified[] = [];
  /** Returns the webhooks that have arrived, each verified by the SDK. */
  const verified = async (): Promise<readonly Verified[]> => {
    for (const { headers, body } of receiver.received.slice(events.length)) {
      const event: unknown = await client.webhooks.unwrap(body, { headers: headers as Record<string, string> });
      events.push((event as { data: Verified }).data);
    }
    return events;
  };
  const comes = async (type: string, isWanted: (event: Verified) => boolean = () => true): Promise<Verified> => {
    let found: Verified | undefined;
    await until(`${type} comes`, async () => {
      found = (await verified()).find((event) => event.event_type === type && isWanted(event));
      return found !== undefined;
    });
    return found as Verified;
  };

  /** Buys numbers in Denver, in a messaging profile. Returns them in the order of the request. */
  const buy = async (count: number, more: { connection_id?: string } = {}) => {
    const named = { name: 'sdk', whitelisted_destinations: ['US'], webhook_url: receiver.url };
    const { data: profile } = await client.messagingProfiles.create({ ...named, webhook_api_version: '2' });
    const profileId = profile?.id ?? assert.fail('the profile has no id');
    const filter = { national_destination_code: '303', features: ['sms' as const, 'voice' as const], limit: count };
    const { data: offered = [] } = await client.availablePhoneNumbers.list({ filter });
    const phone_numbers = offered.map(({ phone_number = '' }) => ({ phone_number }));
    const bought = { phone_numbers, messaging_profile_id: profileId, customer_reference: 'sdk_order', ...more };
    const { data: order } = await client.numberOrders.create(bought);
    return { profileId, numbers: phone_numbers.map(({ phone_number }) => phone_number), orderId: order?.id ?? '' };
  };
  return { telnyx, client, control, receiver, verified, comes, buy };
}
