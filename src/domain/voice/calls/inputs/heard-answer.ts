import type { AnswerFinding } from '../../../../audio/answer/answer-detector.ts';
import type { VoiceEvent } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { applyVoiceEvents } from './call-inputs.ts';

/** Reports the result of the gateway's detector of answering machines, as a carrier with a detector does. */
export async function reportFinding(
  context: Pick<Context, 'db' | 'carriers'>,
  ledger: Ledger,
  { callRef, legRef }: { readonly callRef: string; readonly legRef: string },
  finding: AnswerFinding,
): Promise<void> {
  const event: VoiceEvent =
    finding.found === 'kind'
      ? { type: 'leg.classified', callRef, legRef, kind: finding.kind }
      : { type: 'leg.greeting_ended', callRef, legRef, beep: finding.beep };
  await context.db.transaction((tx) => applyVoiceEvents(context)(tx, ledger, [event]));
}
