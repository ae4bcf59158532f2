import { sql } from '../support/jobs.ts';
import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

const person = ({ tenantId }: World) => ({ tenant_id: tenantId, external_number: externalNumber() });

async function newErasure(world: World): Promise<string> {
  return (await world.must('POST', '/v1/person_erasures', person(world))).id;
}

async function newExport(world: World): Promise<string> {
  return (await world.must('POST', '/v1/person_exports', person(world))).id;
}

/** Makes an export that has its file. */
async function newFile(world: World): Promise<string> {
  const id = await newExport(world);
  const { db, blobs } = world.harness.context;
  const key = `${world.ledgerId}/exports/${id}.zip`;
  await blobs.put(key, Buffer.from('PK'), { contentType: 'application/zip' });
  await sql(db, `update person_exports set status = 'completed', blob_key = $2 where id = $1`, [id, key]);
  return id;
}

/** Requests about people. */
export const PRIVACY_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/person_exports': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newExport,
  },
  'POST /v1/person_exports': {
    make: async (world) => ({ body: person(world) }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/person_exports/{person_export_id}': {
    make: async (world) => ({ path: { person_export_id: await newExport(world) } }),
    refs: { 'path.person_export_id': 'person_export_not_found' },
  },
  'GET /v1/person_exports/{person_export_id}/file': {
    make: async (world) => ({ path: { person_export_id: await newFile(world) } }),
    refs: { 'path.person_export_id': 'person_export_not_found' },
  },
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
