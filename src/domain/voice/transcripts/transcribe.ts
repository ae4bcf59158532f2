import type { Tx } from '../../../db/database.ts';
import { emitEvents } from '../../events/index.ts';
import { isSpokenStop, optOutByRequest } from '../../messaging/index.ts';
import { customerOf } from '../calls/customer.ts';
import { type CallFacts, type InLedger, lockCall } from '../calls/queries.ts';
import type { CallEffect } from '../calls/state/call-step.ts';
import { storableText } from '../post-call/model-attempt.ts';
import { keepUtterance, moveUtterances } from './queries.ts';
import type { Segment } from './schema.ts';

/** Moves utterances that have their text into the transcript of their call, in order, each once and with its event. */
export async function transcribeUtterances(tx: Tx, ledger: InLedger, callId: string): Promise<void> {
  // The lock comes first, so the second of two concurrent writers sees the rows of the first.
  const call = await lockCall(tx, ledger, callId);
  if (call === undefined) return;
  const segments = await moveUtterances(tx, ledger, callId);
  await emitEvents(
    tx,
    ledger.ledgerId,
    segments.map(({ speaker, text, occurred_at }) => ({
      type: 'call.transcript' as const,
      tenantId: call.tenant_id,
      resourceId: callId,
      data: { object: 'call_transcript_segment', call_id: callId, speaker, text, occurred_at },
    })),
  );
  await applyRequests(tx, ledger, call, segments);
}

/** Opts the customer out if the customer asks for no more calls or texts. Words of agents are not requests. */
async function applyRequests(tx: Tx, ledger: InLedger, call: CallFacts, segments: readonly Segment[]): Promise<void> {
  const externalNumber = customerOf(call);
  const isAsked = segments.some(({ speaker, text }) => speaker === 'customer' && isSpokenStop(text));
  if (externalNumber === null || !isAsked) return;
  await optOutByRequest(tx, ledger, { tenantId: call.tenant_id, externalNumber }, 'voice_phrase');
}

/** Adds the application's words to the transcript. */
export async function keepSaid(
  tx: Tx,
  ledger: InLedger,
  { callId, at }: { callId: string; at: Date },
  effects: readonly CallEffect[],
): Promise<void> {
  const said = effects.filter((effect) => effect.do === 'keep_said');
  for (const { speechId: ref, text } of said) {
    await keepUtterance(tx, ledger, callId, { ref, speaker: 'agent', text: storableText(text), endedAt: at });
  }
  if (said.length > 0) await transcribeUtterances(tx, ledger, callId);
}
