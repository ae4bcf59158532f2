/** The steps that erase traces of requests and reports, which are kept for some days. */
import { redactAnswers } from '../../../http/writes/redact-answers.ts';
import { forgetKeysWith } from '../../audit/index.ts';
import { scrub, writingsOf } from './scrub.ts';
import type { Step } from './step.ts';
import { findConversations } from './text-queries.ts';
import { emptyReports, scrubRequests } from './trace-queries.ts';

const ANSWERS = 200;
const REQUESTS = 1_000;
const REPORTS = 500;

/**
 * Replies are stored for repeats of requests, for a day. They are encrypted, so each is read. A key that contains the
 * number is deleted with its reply: a repeat of that request is a new request. A note has no number. Its conversation
 * identifies the person, so this step comes before conversations are erased.
 */
export const eraseReplies: Step = async (context, tx, { person, position }) => {
  const { ledgerId, number, tenantId } = person;
  const writings = new RegExp(writingsOf(number));
  const conversations = await findConversations(tx, person);
  const change = (body: string, key: string) => {
    const concernsOthers = body.includes('"tenant_id"') && !body.includes(tenantId);
    if (concernsOthers) return body;
    if (writings.test(key)) return undefined;
    const hasPerson = writings.test(body) || conversations.some((id) => body.includes(id));
    return hasPerson ? JSON.stringify(scrub(JSON.parse(body) as unknown, number)) : body;
  };
  const last = await redactAnswers(context, tx, { ledgerId, after: position, rows: ANSWERS }, change);
  return last === undefined ? { next: 'step' } : { next: 'again', position: last };
};

const eraseRequests: Step = async (_context, tx, { person, position }) => {
  const { ledgerId, number, tenantId } = person;
  const page = { ledgerId, after: position?.key ?? '', rows: REQUESTS };
  const last = await forgetKeysWith(tx, page, { tenantId, pattern: writingsOf(number) });
  return last === undefined ? { next: 'step' } : { next: 'again', position: { scope: '', key: last } };
};

const eraseReports: Step = async (_context, tx, { person: { number }, position }) => {
  const after = { connectionId: position?.scope ?? '', noticeId: position?.key ?? '' };
  const last = await emptyReports(tx, after, { number, rows: REPORTS });
  if (last === undefined) return { next: 'step' };
  if (last.waits) return { next: 'wait', position };
  return { next: 'again', position: { scope: last.connectionId, key: last.noticeId } };
};

const eraseCarrierAnswers: Step = async (_context, tx, { person: { ledgerId, number }, position }) => {
  const last = await scrubRequests(tx, { ledgerId, after: position?.key ?? '', rows: REPORTS }, number);
  return last === undefined ? { next: 'step' } : { next: 'again', position: { scope: '', key: last } };
};

export const TRACE_STEPS: readonly Step[] = [eraseRequests, eraseReports, eraseCarrierAnswers];
