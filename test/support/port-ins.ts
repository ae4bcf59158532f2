import assert from 'node:assert/strict';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';

export const PORT_DETAILS = {
  entity_name: 'Desert Dental LLC',
  authorized_person: 'Dana Reyes',
  billing_phone_number: '+16025550110',
  account_number: '4471-0093',
  pin: '9034',
  service_address: { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' },
};

/** The first bytes of files, which identify their types. */
export const PDF = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1');
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100', 'hex');

let ported = 0;

/** Returns a number at another carrier. No other test of this process ports it. */
export function numberElsewhere(): string {
  return `+1520555${String(2000 + ported++)}`;
}

/** Creates a draft port-in. Fails if it is refused. */
export async function makePortIn(harness: Harness, tenantId: string, change: object = {}, key?: string): Promise<Json> {
  const body = { tenant_id: tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS, ...change };
  const reply = await harness.call('POST', '/v1/port_ins', { ...(key && { key }), body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Adds a document to a port-in. Fails if it is refused. */
export async function addDocument(
  harness: Harness,
  portInId: string,
  kind: string,
  { file = PDF, key }: { file?: Uint8Array; key?: string } = {},
): Promise<Json> {
  const path = `/v1/port_ins/${portInId}/documents?kind=${kind}`;
  const reply = await harness.call('POST', path, { ...(key && { key }), body: file });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}
