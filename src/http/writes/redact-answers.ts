/** Changes stored replies, which repeats of requests would get. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { answerContext } from './answer-context.ts';
import { deleteAnswers, readAnswers, replaceAnswers } from './idempotency-queries.ts';

type AnswerPosition = { readonly scope: string; readonly key: string };

/** Returns the new reply; undefined if the reply must be deleted with its key. */
export type ChangeAnswer = (body: string, key: string) => string | undefined;

/**
 * Passes stored replies of a ledger through `change`, in the order of their keys.
 * @returns the position of the last reply that was read; undefined if there was none
 */
export async function redactAnswers(
  { cipher }: Pick<Context, 'cipher'>,
  tx: Tx,
  { ledgerId, after, rows }: { ledgerId: number; after: AnswerPosition | undefined; rows: number },
  change: ChangeAnswer,
): Promise<AnswerPosition | undefined> {
  const answers = await readAnswers(tx, ledgerId, after ?? { scope: '', key: '' }, rows);
  const changes = answers.flatMap(({ scope, key, response, has_lost_message }) => {
    if (response === null) return has_lost_message && change('', key) === undefined ? [{ scope, key, response }] : [];
    const name = answerContext({ ledgerId, tenantId: scope }, key);
    const before = cipher.decrypt(response, name).toString('utf8');
    const body = change(before, key);
    return body === before ? [] : [{ scope, key, response: body === undefined ? null : cipher.encrypt(body, name) }];
  });
  const changed = changes.flatMap(({ response, ...rest }) => (response === null ? [] : [{ ...rest, response }]));
  if (changed.length > 0) await replaceAnswers(tx, ledgerId, changed);
  const deleted = changes.filter(({ response }) => response === null);
  if (deleted.length > 0) await deleteAnswers(tx, ledgerId, deleted);
  return answers.at(-1);
}
