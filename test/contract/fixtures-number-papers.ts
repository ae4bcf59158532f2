/** Fixtures of emergency addresses and port-ins. */
import type { Json } from '../support/events.ts';
import { findOnSale } from '../support/numbers.ts';
import { numberElsewhere, PDF, PORT_DETAILS } from '../support/port-ins.ts';
import type { Fixture } from './fixture.ts';
import type { World } from './world.ts';

const tenantFilter = { 'query.tenant_id': 'tenant_not_found' } as const;

const PLACE = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };

let suites = 100;

async function newAddress({ must, tenantId }: World): Promise<string> {
  const { id } = await must('POST', '/v1/e911_addresses', { tenant_id: tenantId, ...PLACE });
  // Creating the address also registers numbers of the tenant at it; most requests need an unused address.
  const { data: numbers } = await must('GET', `/v1/phone_numbers?tenant_id=${tenantId}&limit=100`);
  for (const number of numbers.filter((each: Json) => each.e911_address_id === id)) {
    await must('PATCH', `/v1/phone_numbers/${number.id}`, { e911_address_id: null });
  }
  return id;
}

async function newPortIn(world: World, isSubmitted = false): Promise<string> {
  const body = { tenant_id: world.tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS };
  const { id } = await world.must('POST', '/v1/port_ins', body);
  if (isSubmitted) await world.must('POST', `/v1/port_ins/${id}/submit`);
  return id;
}

const ofAddress: Fixture = {
  make: async (world) => ({ path: { e911_address_id: await newAddress(world) } }),
  refs: { 'path.e911_address_id': 'e911_address_not_found' },
};
const ofPortIn: Fixture = {
  make: async (world) => ({ path: { port_in_id: await newPortIn(world) } }),
  refs: { 'path.port_in_id': 'port_in_not_found' },
};

async function newDocument(world: World): Promise<{ port_in_id: string; document_id: string }> {
  const port_in_id = await newPortIn(world);
  const path = `/v1/port_ins/${port_in_id}/documents`;
  const { id: document_id } = await world.must('POST', `${path}?kind=invoice`, PDF);
  return { port_in_id, document_id };
}

export const NUMBER_PAPER_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/e911_addresses': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: tenantFilter,
    row: newAddress,
  },
  'POST /v1/e911_addresses': {
    make: async ({ tenantId }) => ({ body: { tenant_id: tenantId, ...PLACE, unit: `Suite ${suites++}` } }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/e911_addresses/{e911_address_id}': ofAddress,
  'DELETE /v1/e911_addresses/{e911_address_id}': ofAddress,
  'POST /v1/port_ins/check': { make: async () => ({ body: { phone_numbers: [numberElsewhere()] } }) },
  'GET /v1/port_ins': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId, status: 'draft' } }),
    refs: tenantFilter,
    row: newPortIn,
  },
  'POST /v1/port_ins': {
    make: async ({ tenantId }) => ({
      body: { tenant_id: tenantId, phone_numbers: [numberElsewhere()], ...PORT_DETAILS },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/port_ins/{port_in_id}': ofPortIn,
  'PATCH /v1/port_ins/{port_in_id}': {
    ...ofPortIn,
    make: async (world) => ({ path: { port_in_id: await newPortIn(world) }, body: { account_number: '55' } }),
  },
  'POST /v1/port_ins/{port_in_id}/submit': ofPortIn,
  'POST /v1/port_ins/{port_in_id}/cancel': ofPortIn,
  'POST /v1/port_ins/{port_in_id}/documents': {
    ...ofPortIn,
    make: async (world) => ({
      path: { port_in_id: await newPortIn(world) },
      query: { kind: 'invoice' },
      file: PDF,
    }),
  },
  'GET /v1/port_ins/{port_in_id}/documents': ofPortIn,
  'DELETE /v1/port_ins/{port_in_id}/documents/{document_id}': {
    make: async (world) => ({ path: await newDocument(world) }),
    refs: { 'path.port_in_id': 'port_in_not_found', 'path.document_id': 'document_not_found' },
  },
  'POST /v1/test/port_ins/{port_in_id}/advance': {
    ...ofPortIn,
    make: async (world) => ({
      path: { port_in_id: await newPortIn(world, true) },
      body: { status: 'action_needed', status_detail: 'The PIN is wrong.' },
    }),
  },
  'POST /v1/test/phone_numbers/{number_id}/port_out': {
    make: async (world) => {
      const wanted = { tenant_id: world.tenantId, phone_number: await findOnSale(world.harness, world.key) };
      const { id } = await world.must('POST', '/v1/phone_numbers', wanted);
      return { path: { number_id: id }, body: { status: 'pending', carrier_name: 'Example Mobile' } };
    },
    refs: { 'path.number_id': 'phone_number_not_found' },
  },
};
