import type { FastifyRequest } from 'fastify';
import { ROUTING_BODY_BYTES_MAX } from '../../../http/edge/body-limits.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import type { Scope } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { checkRouting } from './check-routing.ts';
import type { BehaviorFinders } from './check-targets.ts';
import { createRoutingConfig } from './create-routing-config.ts';
import { deleteRoutingConfig } from './delete-routing-config.ts';
import { evaluateRoutingConfig } from './evaluate-routing-config.ts';
import { EvaluateRoutingConfig, RoutingEvaluation } from './evaluation-schema.ts';
import { getRoutingConfig, getRoutingConfigAt, listRoutingConfigs } from './queries.ts';
import { replaceRoutingConfig } from './replace-routing-config.ts';
import { CreateRoutingConfig, RoutingConfig, RoutingConfigList, RoutingConfigMoment } from './schema.ts';

const params = Type.Object({ routing_config_id: Id });
const tags = ['Routing configs'];

const listSchema = {
  tags,
  summary: 'List routing configs',
  querystring: RoutingConfigList,
  response: { 200: PageOf(RoutingConfig) },
};
const createSchema = {
  tags,
  summary: 'Create a routing config',
  body: CreateRoutingConfig,
  response: { 201: RoutingConfig },
};
const getSchema = {
  tags,
  summary: 'Get a routing config',
  params,
  querystring: RoutingConfigMoment,
  response: { 200: RoutingConfig },
};
const replaceSchema = {
  tags,
  summary: 'Replace a routing config',
  params,
  body: CreateRoutingConfig,
  response: { 200: RoutingConfig },
};
const deleteSchema = { tags, summary: 'Delete a routing config', params, response: { 204: Type.Null() } };
const evaluateSchema = {
  tags,
  summary: 'Evaluate a routing config at a moment',
  params,
  body: EvaluateRoutingConfig,
  response: { 200: RoutingEvaluation },
};

/** @param found finds the resources that behaviors refer to: web clients and queues */
export const routingConfigRoutes =
  (found: Pick<BehaviorFinders, 'findWebClients' | 'findQueues'>): RoutePlugin =>
  (api, context) => {
    const finders = { ...found, hasTelephone: context.carriers.hasTelephone };
    api.get('/routing_configs', { schema: listSchema }, async ({ scope, query }) => {
      const { limit = 25, after, tenant_id } = query;
      const before = idPosition('routing_configs', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const rows = await listRoutingConfigs(context.db, scope, { tenantId, before, rows: limit + 1 });
      return idPage('routing_configs', rows, limit);
    });

    const limits = {
      bodyLimit: ROUTING_BODY_BYTES_MAX,
      preHandler: async ({ body, scope }: { body: CreateRoutingConfig; scope: Scope }) =>
        checkRouting(body, { allowLocalHttp: scope.mode === 'test' && context.settings.allowLocalWebhooks }),
    };
    api.post('/routing_configs', { ...limits, schema: createSchema }, async (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) =>
        createRoutingConfig(tx, request.scope, request.body, finders),
      ),
    );

    api.get('/routing_configs/:routing_config_id', { schema: getSchema }, ({ scope, params, query }) => {
      const { routing_config_id: id } = params;
      if (query.at !== undefined) return getRoutingConfigAt(context.db, scope, id, query.at);
      return getRoutingConfig(context.db, scope, id);
    });

    const findFirst = async ({ scope, params }: FastifyRequest) =>
      getRoutingConfig(context.db, scope, (params as { routing_config_id: string }).routing_config_id);
    api.put(
      '/routing_configs/:routing_config_id',
      { ...limits, schema: replaceSchema, config: { findFirst } },
      (request, reply) => {
        const wanted = { id: request.params.routing_config_id, wanted: request.body, finders };
        return write(context, { request, reply, status: 200 }, (tx) => replaceRoutingConfig(tx, request.scope, wanted));
      },
    );

    api.delete('/routing_configs/:routing_config_id', { schema: deleteSchema }, async (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        deleteRoutingConfig(tx, request.scope, request.params.routing_config_id),
      ),
    );

    api.post(
      '/routing_configs/:routing_config_id/evaluate',
      { config: { unlogged: 'console', hasNoEffect: true }, schema: evaluateSchema },
      async (request, reply) =>
        write(context, { request, reply, status: 200 }, (tx) =>
          evaluateRoutingConfig(tx, request.scope, request.params.routing_config_id, request.body),
        ),
    );
  };
