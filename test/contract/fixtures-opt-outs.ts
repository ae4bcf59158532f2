/** Fixtures of opt-outs, and of texts that may be opt-outs. */
import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

const tenantFilter = { 'query.tenant_id': 'tenant_not_found' } as const;

export async function newOptOut(world: World): Promise<string> {
  const body = { tenant_id: world.tenantId, external_number: externalNumber() };
  return (await world.must('POST', '/v1/opt_outs', body)).external_number;
}

/** Returns the id of a text that may be meant as an opt-out. */
async function newCandidate(world: World): Promise<string> {
  const body = { from: externalNumber(), to: world.e164, body: 'Please STOP at the weekends' };
  return (await world.must('POST', '/v1/test/inbound_messages', body)).id;
}

export const OPT_OUT_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/opt_outs': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: tenantFilter,
    row: newOptOut,
  },
  'GET /v1/opt_outs/candidates': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: tenantFilter,
    row: newCandidate,
  },
  'DELETE /v1/opt_outs/candidates/{message_id}': {
    make: async (world) => ({ path: { message_id: await newCandidate(world) } }),
    refs: { 'path.message_id': 'not_found' },
  },
  'POST /v1/opt_outs': {
    make: async (world) => ({
      body: { tenant_id: world.tenantId, external_number: externalNumber(), source: 'api', channels: ['call'] },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'DELETE /v1/opt_outs/{external_number}': {
    make: async (world) => ({
      path: { external_number: await newOptOut(world) },
      query: { tenant_id: world.tenantId },
    }),
    refs: { 'path.external_number': 'not_found', ...tenantFilter },
  },
};
