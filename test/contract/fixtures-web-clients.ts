/** Fixtures of web clients. */
import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import type { World } from './world.ts';

export async function newWebClient({ must, tenantId }: World): Promise<string> {
  return (await must('POST', '/v1/web_clients', { tenant_id: tenantId, name: 'Front desk' })).id;
}

const ofClient: Fixture = {
  make: async (world) => ({ path: { web_client_id: await newWebClient(world) } }),
  refs: { 'path.web_client_id': 'web_client_not_found' },
};

export const WEB_CLIENT_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/web_clients': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newWebClient,
  },
  // In test mode every name is a telephone, so the list is empty.
  'GET /v1/sip_phones': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
  },
  'POST /v1/web_clients': {
    make: async ({ tenantId }) => ({ body: { tenant_id: tenantId, name: `Desk ${randomUUID()}` } }),
    refs: { 'body.tenant_id': 'tenant_not_found', 'body.e911_address_id': 'e911_address_not_found' },
  },
  'DELETE /v1/web_clients/{web_client_id}': ofClient,
  'POST /v1/web_clients/{web_client_id}/tokens': ofClient,
};
