import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

export async function newContact({ must, tenantId }: World): Promise<string> {
  const body = { tenant_id: tenantId, name: `Sam ${randomUUID()}`, phone_numbers: [externalNumber()] };
  return (await must('POST', '/v1/contacts', body)).id;
}

const ofContact: Fixture = {
  make: async (world) => ({ path: { contact_id: await newContact(world) } }),
  refs: { 'path.contact_id': 'contact_not_found' },
};

/** Requests of contacts and of the search. */
export const CONTACT_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/search': {
    make: async ({ tenantId }) => ({ query: { q: 'sam', tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/contacts': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newContact,
  },
  'POST /v1/contacts': {
    make: async ({ tenantId }) => ({ body: { tenant_id: tenantId, name: `Sam ${randomUUID()}` } }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'POST /v1/contacts/upsert': {
    make: async ({ tenantId }) => ({
      body: { tenant_id: tenantId, contacts: [{ name: `Sam ${randomUUID()}`, phone_numbers: [externalNumber()] }] },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/contacts/{contact_id}': ofContact,
  'PATCH /v1/contacts/{contact_id}': {
    ...ofContact,
    make: async (world) => ({
      path: { contact_id: await newContact(world) },
      body: { company: `Desert Dental ${randomUUID()}` },
    }),
  },
  'DELETE /v1/contacts/{contact_id}': ofContact,
};
