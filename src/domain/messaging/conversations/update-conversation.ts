import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { parseMoment } from '../../../lib/time/moments.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { holdContact } from '../../contacts/index.ts';
import { announceUpdated } from './announce.ts';
import { lockConversation, updateConversationRow } from './change-queries.ts';
import { findConversation } from './queries.ts';
import { NOBODY, SNOOZE_MS_MAX } from './rules.ts';
import { CONVERSATION_FIELDS, type Conversation, type UpdateConversation } from './schema.ts';
import { END_SNOOZE, type EndSnooze } from './snooze-job.ts';

type Change = { readonly id: string; readonly change: UpdateConversation };

/**
 * Changes the given fields. Emits conversation.updated if one of them differs. Errors: conversation_not_found,
 * contact_not_found, tenant_restricted_key, invalid_body.
 */
export async function updateConversation(tx: Tx, scope: Scope, { id, change }: Change): Promise<Conversation> {
  if (change.assignee === NOBODY) {
    const message = `"${NOBODY}" means that nobody has it: "assignee" must be null or another id.`;
    throw new ApiError('invalid_body', { param: 'assignee', message });
  }
  const locked = await lockConversation(tx, scope, id);
  const before = visible(scope, locked?.conversation, 'conversation_not_found');
  const { chosen, now } = locked as NonNullable<typeof locked>;
  const { contact_id = chosen, snoozed_until: until, ...others } = change;
  if (contact_id !== null && contact_id !== chosen) await requireContact(tx, scope, before.tenant_id, contact_id);
  const snoozed_until = until === undefined ? before.snoozed_until : readSnooze(until, now);
  await updateConversationRow(tx, scope, { ...before, ...others, contact_id, snoozed_until });
  if (until !== undefined) await setTimer(tx, scope, { id, snoozed_until });
  const after = (await findConversation(tx, scope, id)) as Conversation;
  const changed = CONVERSATION_FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length > 0) await announceUpdated(tx, scope, after, changed);
  return after;
}

async function requireContact(tx: Tx, scope: Scope, tenantId: string, id: string): Promise<void> {
  const contact = visible(scope, await holdContact(tx, scope, id), 'contact_not_found', 'contact_id');
  if (contact.tenant_id !== tenantId) throw new ApiError('contact_not_found', { param: 'contact_id' });
}

/** Returns the end of a snooze. Error: invalid_body. */
function readSnooze(until: string | null, now: Date): Date | null {
  if (until === null) return null;
  const end = parseMoment(until);
  const aheadMs = end === undefined ? 0 : end.getTime() - now.getTime();
  if (end !== undefined && aheadMs > 0 && aheadMs <= SNOOZE_MS_MAX) return end;
  const message = '"snoozed_until" must be a moment in the future, at most 366 days ahead.';
  throw new ApiError('invalid_body', { param: 'snoozed_until', message });
}

type Snoozed = Pick<Conversation, 'id' | 'snoozed_until'>;

/** Plans the end of the snooze and replaces an earlier plan. */
async function setTimer(tx: Tx, { ledgerId }: Scope, { id, snoozed_until: dueAt }: Snoozed): Promise<void> {
  const name = `${END_SNOOZE}:${id}`;
  await cancelJobs(tx, ledgerId, [name]);
  if (dueAt === null) return;
  const payload: EndSnooze = { conversationId: id };
  await enqueue(tx, [{ ledgerId, id: name, queue: 'default', kind: END_SNOOZE, payload, dueAt }]);
}
