/** The steps of an erasure, in their order. A step takes a few rows at a time, so that no lock lasts long. */
import type { Tx } from '../../../db/database.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { deleteContactOf } from '../../contacts/index.ts';
import { redactEvents } from '../../events/index.ts';
import { deleteMessages, deleteNotesOf, forgetCandidates, forgetReplies } from '../../messaging/index.ts';
import { deleteAudio, deleteTranscripts } from '../../voice/index.ts';
import { deleteExports } from '../person-exports/queries.ts';
import {
  changeLogs,
  eraseCallCopies,
  eraseCallRows,
  eraseStreams,
  findCalls,
  listRecordingsOf,
} from './call-queries.ts';
import { isSettled, thisTransaction } from './queries.ts';
import { ERASED_NUMBER, scrub, withoutNumber } from './scrub.ts';
import type { Person, Step } from './step.ts';
import {
  deleteConversations,
  deleteSubmissions,
  findSubmissions,
  forgetTags,
  leaveGroups,
  lockMessages,
  unschedule,
} from './text-queries.ts';
import { eraseReplies, TRACE_STEPS } from './trace-steps.ts';

const MESSAGES = 25;
const GROUPS = 200;
const CALLS = 5;
const NOTES = 200;

/**
 * Days to keep the evidence of a consent although its person is erased: five years. Claims for calls and texts without
 * consent can be made for four years in the United States (28 U.S.C. 1658).
 */
const EVIDENCE_DAYS = 1_826;

/** Waits for transactions that began before the request: the erasure would miss their uncommitted rows. */
const settleWrites: Step = async (_context, tx, { position }) => {
  if (position === undefined) return { next: 'again', position: { scope: '', key: await thisTransaction(tx) } };
  return (await isSettled(tx, position.key)) ? { next: 'step' } : { next: 'wait', position };
};

const eraseMessages: Step = async (_context, tx, { erasureId, person }) => {
  const { found, ids } = await lockMessages(tx, person, MESSAGES);
  if (found === 0) return { next: 'step' };
  // A text that is being handed to its carrier leaves within moments.
  if (ids.length === 0) return { next: 'wait' };
  await unschedule(tx, person, ids);
  const messages = await deleteMessages(tx, person.ledgerId, ids, erasureId);
  return { next: 'again', counts: { messages, events: await scrubEvents(tx, person, ids) } };
};

const eraseGroups: Step = async (_context, tx, { person, position }) => {
  const { ids, last } = await leaveGroups(tx, person, { after: position?.key ?? '', rows: GROUPS });
  if (last === undefined) return { next: 'step' };
  const events = await redactEvents(tx, person.ledgerId, ids, (_type, data) => withoutNumber(data, person.number));
  return { next: 'again', counts: { events }, position: { scope: '', key: last } };
};

const eraseCalls: Step = async (_context, tx, { erasureId, person }) => {
  const found = await findCalls(tx, person, CALLS);
  if (found.length === 0) return { next: 'step' };
  const ended = found.filter(({ has_ended }) => has_ended);
  if (ended.length === 0) return { next: 'wait' };
  const { ledgerId, number } = person;
  const ids = ended.map(({ id }) => id);
  await deleteTranscripts(tx, person, ids, erasureId);
  const audio = await deleteAudio(tx, person, await listRecordingsOf(tx, ledgerId, ids), erasureId);
  const calls = ended.map(({ id, state }) => ({ id, state: scrub(state, number) }));
  await eraseCallCopies(tx, ledgerId, ids);
  await eraseCallRows(tx, person, calls, ERASED_NUMBER);
  await changeLogs(tx, ledgerId, ids, (detail) => scrub(detail, number));
  const streamIds = await eraseStreams(tx, person, ids);
  const events = await scrubEvents(tx, person, [...ids, ...streamIds, ...audio.recordingIds, ...audio.voicemailIds]);
  const counts = { recordings: audio.recordingIds.length, voicemails: audio.voicemailIds.length };
  return { next: 'again', counts: { ...counts, calls: ids.length, events } };
};

const eraseNotes: Step = async (_context, tx, { person }) => {
  const notes = await deleteNotesOf(tx, person, NOTES);
  return notes === 0 ? { next: 'step' } : { next: 'again', counts: { notes } };
};

const eraseConversations: Step = async (_context, tx, { person }) => {
  const events = await scrubEvents(tx, person, await forgetTags(tx, person));
  return { next: 'step', counts: { events, conversations: await deleteConversations(tx, person) } };
};

const eraseContact: Step = async (_context, tx, { person }) => {
  return { next: 'step', counts: { contacts: await deleteContactOf(tx, person) } };
};

/** The opt-out stays. Its events keep the id of their resource, which contains the number. */
const eraseConsents: Step = async (_context, tx, { person }) => {
  await forgetCandidates(tx, person);
  await forgetReplies(tx, person);
  const submissions = await findSubmissions(tx, person, EVIDENCE_DAYS);
  const old = submissions.filter(({ is_old }) => is_old).map(({ id }) => id);
  await deleteSubmissions(tx, person.ledgerId, old);
  const optOut = `${person.tenantId}:${person.number}`;
  const events = await scrubEvents(tx, person, [...submissions.map(({ id }) => id), optOut]);
  return { next: 'step', counts: { opt_in_submissions: old.length, events } };
};

const eraseExports: Step = async (_context, tx, { erasureId, person }) => {
  await dropBlobs(tx, await deleteExports(tx, person), { owner: erasureId });
  return { next: 'step' };
};

/** A resource that names people gets its step here. */
export const STEPS: readonly Step[] = [
  settleWrites,
  eraseExports,
  eraseMessages,
  eraseGroups,
  eraseCalls,
  eraseNotes,
  eraseReplies,
  eraseConversations,
  eraseContact,
  eraseConsents,
  ...TRACE_STEPS,
  // Runs a second time: an export requested during the erasure may have content that a later step erased.
  eraseExports,
];

function scrubEvents(tx: Tx, { ledgerId, number }: Person, resourceIds: readonly string[]): Promise<number> {
  return redactEvents(tx, ledgerId, resourceIds, (_type, data) => scrub(data, number));
}
