/** Fixtures of routing configs. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Json } from '../support/events.ts';
import type { Fixture } from './fixture.ts';
import type { World } from './world.ts';

const voicemail = { type: 'voicemail', transcribe: true };

const MONDAY_10_MS = Date.UTC(2026, 0, 5, 17);
const WEEK_MS = 604_800_000;

/** A Monday at ten in Phoenix, when the config below is open. So the example has the same shape at any time of day. */
function openMoment(): Date {
  return new Date(MONDAY_10_MS + randomInt(500) * WEEK_MS);
}

function configBody({ tenantId }: World): Record<string, Json> {
  return {
    tenant_id: tenantId,
    name: `Office ${randomUUID()}`,
    business_hours: {
      schedule: [{ days: ['mon', 'fri'], open: '08:00', close: '17:00' }],
      holidays: [{ date: '2026-12-25', closed: true }],
    },
    open_behavior: { type: 'ring', targets: ['+16025550143'], no_answer: { type: 'voicemail' } },
    closed_behavior: {
      type: 'menu',
      prompt: 'Press 1 for the doctor on call, or 2 for directions.',
      options: {
        1: { type: 'ring', targets: ['application', '+16025550143'], strategy: 'sequential' },
        2: {
          type: 'menu',
          prompt: 'Press star to leave a message.',
          options: { '*': voicemail },
          otherwise: voicemail,
        },
      },
      otherwise: voicemail,
    },
    recording: { enabled: true },
  };
}

export async function newRoutingConfig(world: World): Promise<string> {
  return (await world.must('POST', '/v1/routing_configs', configBody(world))).id;
}

const ofConfig: Fixture = {
  make: async (world) => ({ path: { routing_config_id: await newRoutingConfig(world) } }),
  refs: { 'path.routing_config_id': 'routing_config_not_found' },
};

export const ROUTING_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/routing_configs': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: newRoutingConfig,
  },
  'POST /v1/routing_configs': {
    make: async (world) => ({ body: configBody(world) }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/routing_configs/{routing_config_id}': ofConfig,
  'PUT /v1/routing_configs/{routing_config_id}': {
    make: async (world) => ({
      path: { routing_config_id: await newRoutingConfig(world) },
      body: { ...configBody(world), business_hours: null },
    }),
    refs: { ...ofConfig.refs, 'body.tenant_id': 'tenant_not_found' },
  },
  'DELETE /v1/routing_configs/{routing_config_id}': ofConfig,
  'POST /v1/routing_configs/{routing_config_id}/evaluate': {
    ...ofConfig,
    make: async (world) => ({
      path: { routing_config_id: await newRoutingConfig(world) },
      body: { at: openMoment().toISOString(), digits: '2*' },
    }),
  },
};
