import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { previewOf } from '../messages/draft.ts';
import { countSegments } from '../messages/segments.ts';
import { SUBMIT_KIND } from '../messages/submit-queries.ts';
import { insertEmergencyTexts } from './queries.ts';

type Alarm = {
  readonly tenantId: string;
  /** The number that the emergency call is made from. */
  readonly numberId: string;
  readonly contacts: readonly string[];
  readonly body: string;
};

/**
 * Texts the emergency contacts of a tenant, even if they have opted out, and without regard to campaigns, pacing and
 * quiet hours. The texts commit with the call. Each has a separate job, so none waits for another.
 */
export async function sendEmergencyTexts(tx: Tx, ledger: Ledger, alarm: Alarm): Promise<void> {
  const { tenantId, numberId, contacts, body } = alarm;
  if (contacts.length === 0) return;
  const recipients = contacts.map((to) => ({ messageId: newId('message'), conversationId: newId('conversation'), to }));
  const { segments } = countSegments(body, false);
  const text = { tenantId, numberId, body, preview: previewOf(body, 0), segments, recipients };
  const ids = await insertEmergencyTexts(tx, ledger, text);
  await enqueue(
    tx,
    ids.map((id) => ({
      ...{ ledgerId: ledger.ledgerId, id: `${SUBMIT_KIND}:${id}`, queue: 'messaging', kind: SUBMIT_KIND },
      payload: { message_id: id },
    })),
  );
}
