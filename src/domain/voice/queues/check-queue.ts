import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { isSipPhone } from '../../../lib/phone/agent-address.ts';
import { isDialable } from '../../../lib/phone/phone.ts';
import type { Scope } from '../../../lib/scope.ts';
import {
  type CallBehavior,
  checkBehavior,
  checkDestination,
  checkTargets,
  queuesOf,
  readDestinationRules,
  requireTelephone,
  WEB_CLIENT_ID,
  walkBehavior,
} from '../../numbers/index.ts';
import { listActiveWebClients } from '../web-clients/queries.ts';
import { findQueueTenants, leadsTo } from './queries.ts';
import type { UpdateQueue } from './schema.ts';

/**
 * Checks the rules that the schema does not: numbers that can be dialled, and addresses of agents of text. Errors:
 * invalid_body, invalid_url.
 */
export function checkQueue(
  { agents = [], overflow }: Pick<UpdateQueue, 'agents' | 'overflow'>,
  where: { readonly allowLocalHttp: boolean },
): void {
  refuseFields(
    agents.flatMap((agent, at) => {
      if (!agent.startsWith('+') || isDialable(agent)) return [];
      const param = `agents[${at}]`;
      return [fieldError(param, 'invalid_body', `"${param}" must be an E.164 number that can be dialled.`)];
    }),
  );
  if (overflow !== undefined) checkBehavior(overflow, 'overflow', where);
}

type Parties = { readonly tenantId: string; readonly agents: readonly string[]; readonly known?: readonly string[] };

/**
 * Checks that agents can be rung. Errors, with the agent in `param`: web_client_not_found (not an active one of the
 * tenant), invalid_body (not a telephone of the tenant), destination_not_supported.
 * @param parties `known` are agents that need no check
 */
export async function checkAgents(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  parties: Parties,
): Promise<void> {
  const { tenantId, agents, known = [] } = parties;
  const webClients = agents.filter((agent) => WEB_CLIENT_ID.test(agent));
  const found = await listActiveWebClients(tx, scope, webClients);
  const destinations = await readDestinationRules(tx, scope);
  for (const [at, agent] of agents.entries()) {
    if (known.includes(agent)) continue;
    const param = `agents[${at}]`;
    if (isSipPhone(agent)) requireTelephone(carriers, scope, { tenantId, address: agent, param });
    else if (agent.startsWith('+')) checkDestination(agent, destinations, param);
    else if (webClients.includes(agent) && found.get(agent)?.tenant_id !== tenantId)
      throw new ApiError('web_client_not_found', { param });
  }
}

type Overflow = { readonly id: string; readonly tenantId: string; readonly overflow: CallBehavior };

/**
 * Checks the overflow for callers who are not answered. The tenant is locked, so no concurrent change can make a loop.
 * Errors: web_client_not_found, destination_not_supported, queue_not_found, invalid_body (it leads back to this queue).
 * @returns the queues that the overflow leads to
 */
export async function checkOverflow(
  { carriers: { hasTelephone } }: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  { id, tenantId, overflow }: Overflow,
): Promise<string[]> {
  const behaviors = [...walkBehavior(overflow, ['overflow'])];
  const finders = { findWebClients: listActiveWebClients, findQueues: findQueueTenants, hasTelephone };
  await checkTargets(tx, scope, behaviors, { tenantId, ...finders });
  const queueIds = queuesOf(behaviors);
  if (await leadsTo(tx, scope, { from: queueIds, to: id })) {
    const message = '"overflow" leads back to this queue, by the overflow of the queues that it names.';
    throw new ApiError('invalid_body', { param: 'overflow', message });
  }
  return queueIds;
}
