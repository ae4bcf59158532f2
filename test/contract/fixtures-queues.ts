/** Fixtures of queues. */
import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import { externalNumber, type World } from './world.ts';

async function newQueue({ must, tenantId }: World, agent = externalNumber()): Promise<string> {
  const body = { tenant_id: tenantId, name: `Support ${randomUUID()}`, agents: [agent] };
  return (await must('POST', '/v1/queues', body)).id;
}

const ofQueue: Fixture = {
  make: async (world) => ({ path: { queue_id: await newQueue(world) } }),
  refs: { 'path.queue_id': 'queue_not_found' },
};

export const QUEUE_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/queues': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: (world) => newQueue(world),
  },
  'POST /v1/queues': {
    make: async ({ tenantId }) => ({
      body: {
        tenant_id: tenantId,
        name: `Support ${randomUUID()}`,
        agents: [externalNumber()],
        announce_position_seconds: 30,
        callback_digit: '1',
        overflow: { type: 'voicemail' },
      },
    }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/queues/{queue_id}': ofQueue,
  'PATCH /v1/queues/{queue_id}': {
    ...ofQueue,
    make: async (world) => ({
      path: { queue_id: await newQueue(world) },
      body: { agents: [externalNumber(), externalNumber()], wrap_up_seconds: 20 },
    }),
  },
  'DELETE /v1/queues/{queue_id}': ofQueue,
  'PUT /v1/queues/{queue_id}/agents/{agent}/availability': {
    make: async (world) => {
      const agent = externalNumber();
      return { path: { queue_id: await newQueue(world, agent), agent }, body: { availability: 'away' } };
    },
    refs: { 'path.queue_id': 'queue_not_found', 'path.agent': 'queue_not_found' },
  },
};
