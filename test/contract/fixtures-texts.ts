import { randomUUID } from 'node:crypto';
import type { Json } from '../support/events.ts';
import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

const IN_AN_HOUR_MS = 3_600_000;

async function newScheduledText(world: World): Promise<Json> {
  // The clock of the ledger may be ahead of the real one.
  const { now } = await world.must('GET', '/v1/test/clock');
  const send_at = new Date(Date.parse(now) + IN_AN_HOUR_MS).toISOString();
  return world.must('POST', '/v1/messages', { from: world.numberId, to: externalNumber(), body: 'Later', send_at });
}

export async function newTemplate(world: World, tenantId: string | null = world.tenantId): Promise<string> {
  const body = { tenant_id: tenantId, name: 'Front desk', body: 'Hello {{name}}' };
  return (await world.must('POST', '/v1/message_templates', body)).id;
}

const ofTemplate: Fixture = {
  make: async (world) => ({ path: { template_id: await newTemplate(world) } }),
  refs: { 'path.template_id': 'template_not_found' },
};

/** Requests of templates and of scheduled texts. */
export const TEXT_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/messages/{message_id}/attempts': {
    make: async (world) => ({ path: { message_id: (await newScheduledText(world)).id } }),
    refs: { 'path.message_id': 'message_not_found' },
  },
  'POST /v1/messages/{message_id}/cancel': {
    make: async (world) => ({ path: { message_id: (await newScheduledText(world)).id } }),
    refs: { 'path.message_id': 'message_not_found' },
  },
  'POST /v1/messages/{message_id}/redact': {
    make: async (world) => ({ path: { message_id: (await newScheduledText(world)).id } }),
    refs: { 'path.message_id': 'message_not_found' },
  },
  'GET /v1/message_templates': {
    make: async (world) => ({ query: { tenant_id: world.tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: (world) => newTemplate(world),
  },
  'POST /v1/message_templates': {
    make: async (world) => ({
      body: { tenant_id: world.tenantId, name: `Template ${randomUUID()}`, body: 'Hello {{first_name}}' },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/message_templates/{template_id}': ofTemplate,
  'PATCH /v1/message_templates/{template_id}': {
    ...ofTemplate,
    make: async (world) => ({
      path: { template_id: await newTemplate(world) },
      body: { name: `Template ${randomUUID()}`, body: 'Hello {{first_name}}' },
    }),
  },
  'DELETE /v1/message_templates/{template_id}': ofTemplate,
};
