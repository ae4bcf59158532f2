/** How the adapter finds a registration whose answer was lost, in long lists of the emulated registry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { createClient } from '../../src/carriers/telnyx/client/client.ts';
import { searchRecords } from '../../src/carriers/telnyx/registry/registrations.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { useTelnyxApi } from './telnyx-api.ts';

const { telnyx, receiver, call } = await useTelnyxApi();
const log = pino({ level: 'silent' });
const client = createClient({ url: telnyx.url, key: telnyx.apiKey, connection: 'conn_1', log });
closeAfterTests(() => client.close());

const BRAND = {
  entityType: 'PRIVATE_PROFIT',
  displayName: 'Birch Dental',
  companyName: 'Birch Dental LLC',
  ein: '841234567',
  country: 'US',
  email: 'office@birch.example',
  vertical: 'HEALTHCARE',
};

/** Registers brands of one name. Returns the id of the first. */
async function addBrands(count: number): Promise<string> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const webhookURL = `${receiver.url}/brands/brd_${made}`;
    const { body } = await call('POST', '/10dlc/brand', { ...BRAND, webhookURL });
    ids.push((body as { brandId: string }).brandId);
  }
  return ids[0] ?? '';
}

const search = (ref: string) =>
  searchRecords(
    { client },
    {
      path: '/10dlc/brand',
      filter: ['displayName', BRAND.displayName],
      idField: 'brandId',
      ask: (brandId) => client.ask({ method: 'GET', path: '/10dlc/brand/{brandId}', params: { brandId } }),
      isOurs: (brand) => JSON.stringify(brand).includes(`/brands/${ref}"`),
    },
  );

test('a registration is found among more than Telnyx lists unasked, and is absent if it is not there', async () => {
  const first = await addBrands(15);
  assert.deepEqual(await search('brd_0'), { found: 'accepted', carrierRef: first });
  assert.deepEqual(await search('brd_99'), { found: 'absent' });
});

test('a registration that a list is too long to show is undecided, so that it is not paid for twice', async () => {
  await addBrands(51);
  assert.deepEqual(await search('brd_0'), { found: 'undecided' });
});
