import type { Fixture } from './fixture.ts';
import { newWebClient } from './fixtures-web-clients.ts';
import type { World } from './world.ts';

async function newSession({ must, tenantId }: World): Promise<string> {
  return (await must('POST', '/v1/browser_sessions', { tenant_id: tenantId, abilities: ['calls:read'] })).id;
}

let origins = 0;

export const BROWSER_SESSION_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/browser_sessions': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newSession,
  },
  'POST /v1/browser_sessions': {
    make: async (world) => ({
      body: {
        tenant_id: world.tenantId,
        abilities: ['conversations:read', 'messages:send', 'events:read', 'phone'],
        allowed_origins: [`https://app-${origins++}.example`],
        web_client_id: await newWebClient(world),
      },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found', 'body.web_client_id': 'web_client_not_found' },
  },
  'DELETE /v1/browser_sessions/{browser_session_id}': {
    make: async (world) => ({ path: { browser_session_id: await newSession(world) } }),
    refs: { 'path.browser_session_id': 'browser_session_not_found' },
  },
};
