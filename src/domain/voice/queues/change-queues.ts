import type { Context, TeardownStep } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { isWebClient } from '../../../lib/phone/agent-address.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { DEFAULT_VOICEMAIL, fillBehavior, writeQueueUses } from '../../numbers/index.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { forgetAgents, setAgentAway, writeAgents } from './agent-queries.ts';
import { checkAgents, checkOverflow } from './check-queue.ts';
import { planDecisions } from './plan-decision.ts';
import {
  deleteQueueRows,
  findQueue,
  hasWaiting,
  insertQueue,
  listTenantAgents,
  lockQueue,
  type QueueRow,
  updateQueueRow,
} from './queries.ts';
import { MAX_WAIT_SECONDS, MAX_WAITING, RING_SECONDS, WRAP_UP_SECONDS } from './rules.ts';
import type { CreateQueue, Queue, SetAvailability, UpdateQueue } from './schema.ts';

type Settings = Omit<QueueRow, 'ledger_id' | 'id' | 'tenant_id' | 'overflow'> & Pick<Queue, 'overflow'>;

/** Returns the settings of a new queue, with defaults. */
function settingsOf({ name, overflow, ...wanted }: CreateQueue): Settings {
  return {
    name,
    strategy: wanted.strategy ?? 'longest_idle',
    ring_seconds: wanted.ring_seconds ?? RING_SECONDS.default,
    wrap_up_seconds: wanted.wrap_up_seconds ?? WRAP_UP_SECONDS.default,
    max_waiting: wanted.max_waiting ?? MAX_WAITING.default,
    max_wait_seconds: wanted.max_wait_seconds ?? MAX_WAIT_SECONDS.default,
    announce_position_seconds: wanted.announce_position_seconds ?? null,
    callback_digit: wanted.callback_digit ?? null,
    overflow: overflow === undefined ? DEFAULT_VOICEMAIL : fillBehavior(overflow),
  };
}

/**
 * Creates a queue. Errors: tenant_not_found, tenant_restricted_key, web_client_not_found, destination_not_supported,
 * queue_not_found.
 */
export async function createQueue(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  wanted: CreateQueue,
): Promise<Queue> {
  const { id: tenantId } = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const { agents = [] } = wanted;
  const id = newId('queue');
  const settings = settingsOf(wanted);
  await checkAgents(context, tx, scope, { tenantId, agents });
  const queueIds = await checkOverflow(context, tx, scope, { id, tenantId, overflow: settings.overflow });
  await insertQueue(tx, rowOf(scope, { id, tenantId, settings }));
  await writeQueueUses(tx, scope, { userId: id, queueIds });
  await writeAgents(tx, scope, { queueId: id, before: [], agents });
  return (await findQueue(tx, scope, id)) as Queue;
}

function rowOf(
  { ledgerId: ledger_id }: Scope,
  { id, tenantId: tenant_id, settings }: { id: string; tenantId: string; settings: Settings },
): QueueRow {
  return { ledger_id, id, tenant_id, ...settings, overflow: JSON.stringify(settings.overflow) };
}

/** Returns a queue. Errors: queue_not_found, tenant_restricted_key. */
export async function getQueue(db: Db, scope: Scope, id: string): Promise<Queue> {
  return visible(scope, await findQueue(db, scope, id), 'queue_not_found');
}

/**
 * Changes the given fields. A waiting caller keeps the times and the overflow from the moment it was counted in.
 * Errors: queue_not_found, the errors of a creation, invalid_body (an overflow that leads back to the queue).
 */
export async function updateQueue(
  context: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdateQueue },
): Promise<Queue> {
  const { tenant_id: tenantId } = await getQueue(tx, scope, id);
  await getTenantForUpdate(tx, scope, tenantId);
  const before = visible(scope, await lockQueue(tx, scope, id), 'queue_not_found');
  const { agents, overflow, ...values } = change;
  const { object: _, agents: known, waiting: __, longest_wait_seconds: ___, created_at: ____, ...kept } = before;
  const settings = { ...kept, ...values, ...(overflow !== undefined && { overflow: fillBehavior(overflow) }) };
  await updateQueueRow(tx, rowOf(scope, { id, tenantId, settings }));
  if (overflow !== undefined) {
    const queueIds = await checkOverflow(context, tx, scope, { id, tenantId, overflow: settings.overflow });
    await writeQueueUses(tx, scope, { userId: id, queueIds });
  }
  if (agents !== undefined) {
    const earlier = known.map(({ agent }) => agent);
    // A web client that has been revoked in the meantime may stay in the list.
    await checkAgents(context, tx, scope, { tenantId, agents, known: earlier });
    await writeAgents(tx, scope, { queueId: id, before: earlier, agents });
  }
  await planDecisions(tx, scope, [id]);
  return (await findQueue(tx, scope, id)) as Queue;
}

/**
 * Deletes a queue without waiting callers and without behaviors that lead to it. Errors: queue_not_found,
 * tenant_restricted_key, queue_in_use.
 */
export async function deleteQueue(tx: Tx, scope: Scope, id: string): Promise<void> {
  const { agents } = visible(scope, await lockQueue(tx, scope, id), 'queue_not_found');
  if (await hasWaiting(tx, scope, id)) throw new ApiError('queue_in_use');
  await deleteQueueRows(tx, scope, { id });
  await forgetAgents(
    tx,
    scope,
    agents.map(({ agent }) => agent),
  );
}

/** Deletes the queues of a tenant that is being deleted. Their callers go to the voicemail. */
export const deleteTenantQueues: TeardownStep = async (tx, scope, tenantId) => {
  const agents = await listTenantAgents(tx, scope, tenantId);
  const queueIds = await deleteQueueRows(tx, scope, { tenantId });
  await forgetAgents(tx, scope, agents);
  await planDecisions(tx, scope, queueIds);
};

type Availability = SetAvailability & { readonly id: string; readonly agent: string };

/**
 * Sets whether an agent takes callers of a queue. Errors: queue_not_found (also for an agent that is not in it),
 * tenant_restricted_key, key_not_permitted.
 */
export async function setAvailability(tx: Tx, scope: Scope, { id, agent, availability }: Availability): Promise<Queue> {
  await getQueue(tx, scope, id);
  requireOwnAgent(scope, agent);
  if (!(await setAgentAway(tx, scope, { queueId: id, agent, isAway: availability === 'away' }))) {
    throw new ApiError('queue_not_found', { param: 'agent', message: `"${agent}" is not an agent of this queue.` });
  }
  await planDecisions(tx, scope, [id]);
  return (await findQueue(tx, scope, id)) as Queue;
}

/** A browser session sets the availability only of web clients that it may log in. */
function requireOwnAgent({ browser }: Scope, agent: string): void {
  if (browser === undefined) return;
  const isOwn = browser.webClientId === null ? isWebClient(agent) : browser.webClientId === agent;
  if (isOwn) return;
  throw new ApiError('key_not_permitted', { message: 'This browser session is for another agent.' });
}
