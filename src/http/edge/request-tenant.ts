import type { FastifyRequest } from 'fastify';
import { isId } from '../../lib/ids.ts';

/**
 * Remembers two facts for the request log: the tenant of a result, and the resource that a write returns. A result may
 * name a tenant or be one.
 */
export function noteResult(request: FastifyRequest, result: unknown): void {
  const { object, id } = (result ?? {}) as { object?: unknown; id?: unknown };
  const tenantId = object === 'tenant' ? asTenantId(id) : tenantIn(result);
  if (tenantId !== undefined) request.tenantId = tenantId;
  if (request.method !== 'GET' && typeof id === 'string' && ID.test(id)) request.resourceId = id;
}

/**
 * Returns the tenant of a request. That is the tenant of its result, or else the tenant in its path, query or body,
 * unless that tenant was not found.
 */
export function tenantOf({ tenantId, params, query, body, errorCode }: FastifyRequest): string | undefined {
  if (errorCode === 'tenant_not_found') return undefined;
  return tenantId ?? tenantIn(params) ?? tenantIn(query) ?? tenantIn(body);
}

/** An id of any kind: a prefix of `ID_PREFIXES` and 26 characters. */
const ID = /^[a-z0-9]+_[a-z0-9]{26}$/;
const ID_CHARACTERS = /^[a-z0-9_]+$/;

function tenantIn(fields: unknown): string | undefined {
  return asTenantId((fields as { tenant_id?: unknown } | null | undefined)?.tenant_id);
}

function asTenantId(id: unknown): string | undefined {
  return typeof id === 'string' && isId('tenant', id) && ID_CHARACTERS.test(id) ? id : undefined;
}
