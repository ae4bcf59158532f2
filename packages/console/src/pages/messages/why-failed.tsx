import type { Message } from '@dialplane/sdk/resources';
import { failureOf } from '../../lib/failures.ts';
import { PREFIX } from '../../lib/location.ts';
import { texts } from '../../texts/messages.ts';
import { Notice } from '../../ui/notice.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.whyFailed;

/** The reason for a failed text in words, the next step, and the carrier's answer. */
export function WhyFailed({ message: { error_code, error_detail } }: { message: Message }) {
  const { why, next } = failureOf(error_code ?? '');
  return (
    <Notice tone="bad" title={t.whyItFailed}>
      <p>{why}.</p>
      <p>{next}.</p>
      {error_detail !== null && (
        <p>{rich(t.theCarrierSays, error_detail.title, <code>{error_detail.carrier_code}</code>)}</p>
      )}
      <p>
        <a href={`${PREFIX}/docs/messaging#states`} target="_blank" rel="noreferrer">
          {rich(t.about, <code>{error_code}</code>)}
        </a>
      </p>
    </Notice>
  );
}
