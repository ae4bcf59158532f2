import type { FastifyRequest } from 'fastify';
import { LARGE_BODY_BYTES_MAX } from '../../../http/edge/body-limits.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import type { Scope } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createQueue, deleteQueue, getQueue, setAvailability, updateQueue } from './change-queues.ts';
import { checkQueue } from './check-queue.ts';
import { listQueues } from './queries.ts';
import { CreateQueue, Queue, QueueList, SetAvailability, UpdateQueue } from './schema.ts';

const params = Type.Object({ queue_id: Id });
const agentParams = Type.Object({ queue_id: Id, agent: Id });
const tags = ['Call queues'];

const listSchema = { tags, summary: 'List queues', querystring: QueueList, response: { 200: PageOf(Queue) } };
const createSchema = { tags, summary: 'Create a queue', body: CreateQueue, response: { 201: Queue } };
const getSchema = { tags, summary: 'Get a queue', params, response: { 200: Queue } };
const updateSchema = { tags, summary: 'Change a queue', params, body: UpdateQueue, response: { 200: Queue } };
const deleteSchema = { tags, summary: 'Delete a queue', params, response: { 204: Type.Null() } };
const availabilitySchema = {
  tags,
  summary: 'Set whether an agent takes callers',
  params: agentParams,
  body: SetAvailability,
  response: { 200: Queue },
};

/** Queues of callers who wait for an agent. */
export const callQueueRoutes: RoutePlugin = (api, context) => {
  /** Checks a body before anything is looked up. */
  const check = {
    preHandler: async ({ body, scope }: { body: Pick<UpdateQueue, 'agents' | 'overflow'>; scope: Scope }) =>
      checkQueue(body, { allowLocalHttp: scope.mode === 'test' && context.settings.allowLocalWebhooks }),
  };

  api.get('/queues', { schema: listSchema }, async ({ scope, query: { limit = 25, after, tenant_id } }) => {
    const before = idPosition('queues', after);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    return idPage('queues', await listQueues(context.db, scope, { tenantId, before, rows: limit + 1 }), limit);
  });

  api.post('/queues', { ...check, bodyLimit: LARGE_BODY_BYTES_MAX, schema: createSchema }, (request, reply) =>
    write(context, { request, reply, status: 201 }, (tx) => createQueue(context, tx, request.scope, request.body)),
  );

  api.get('/queues/:queue_id', { schema: getSchema }, ({ scope, params: { queue_id } }) =>
    getQueue(context.db, scope, queue_id),
  );

  const findFirst = async ({ scope, params }: FastifyRequest) =>
    getQueue(context.db, scope, (params as { queue_id: string }).queue_id);
  api.patch(
    '/queues/:queue_id',
    { ...check, bodyLimit: LARGE_BODY_BYTES_MAX, schema: updateSchema, config: { findFirst } },
    (request, reply) => {
      const change = { id: request.params.queue_id, change: request.body };
      return write(context, { request, reply, status: 200 }, (tx) => updateQueue(context, tx, request.scope, change));
    },
  );

  api.delete('/queues/:queue_id', { schema: deleteSchema }, (request, reply) =>
    write(context, { request, reply, status: 204 }, (tx) => deleteQueue(tx, request.scope, request.params.queue_id)),
  );

  api.put('/queues/:queue_id/agents/:agent/availability', { schema: availabilitySchema }, (request, reply) => {
    const { queue_id: id, agent } = request.params;
    const wanted = { id, agent, ...request.body };
    return write(context, { request, reply, status: 200 }, (tx) => setAvailability(tx, request.scope, wanted));
  });
};
