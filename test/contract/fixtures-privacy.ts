import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

const person = ({ tenantId }: World) => ({ tenant_id: tenantId, external_number: externalNumber() });

async function newErasure(world: World): Promise<string> {
  return (await world.must('POST', '/v1/person_erasures', person(world))).id;
}

/** Requests about people. */
export const PRIVACY_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/person_erasures': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newErasure,
  },
  'POST /v1/person_erasures': {
    make: async (world) => ({ body: person(world) }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/person_erasures/{person_erasure_id}': {
    make: async (world) => ({ path: { person_erasure_id: await newErasure(world) } }),
    refs: { 'path.person_erasure_id': 'person_erasure_not_found' },
  },
};
