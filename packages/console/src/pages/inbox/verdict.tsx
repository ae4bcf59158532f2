import type { CheckMessageReply, SendMessage } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { useDebounced } from '../../lib/debounced.ts';
import { PREFIX } from '../../lib/location.ts';
import { texts } from '../../texts/inbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { rich } from '../../ui/rich.tsx';
import css from './composer.module.css';

const t = texts.verdict;

const TYPING_PAUSE_MS = 300;
/**
 * While nothing is written, the verdict is requested for this text, so that a block is known before the person writes.
 */
const PLACEHOLDER = t.hello;
const ENCODINGS = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const;

/** The API's answer to sending the text now. `error` is a refusal, `reply` is the reply to an accepted send. */
type Judgement = {
  readonly reply: CheckMessageReply | undefined;
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** While the person writes, asks the API whether it would send the text. Asks again when `change` changes. */
export function useJudgement(send: SendMessage | undefined, change: unknown): Judgement {
  const isAnything = send?.body !== undefined || send?.media_urls !== undefined || send?.template_id !== undefined;
  const checked = send === undefined || isAnything ? send : { ...send, body: PLACEHOLDER };
  const asked = useDebounced(checked === undefined ? '' : JSON.stringify(checked), TYPING_PAUSE_MS);
  const { data, error } = useRead(
    ['message_checks', asked, change],
    (api) => api.messages.check(JSON.parse(asked) as SendMessage),
    { enabled: asked !== '', keepsPrevious: true, isVolatile: true },
  );
  if (send === undefined) return { reply: undefined, error: null };
  if (error !== null)
    return { reply: undefined, error: { code: error.code, message: error.body?.message ?? error.message } };
  return { reply: data, error: data?.error ?? null };
}

type VerdictProps = Judgement & { isEmpty: boolean; length: number; tenantId: string | undefined };

/** Shows how the text would be sent, or why it would be refused. */
export function Verdict({ reply, error, isEmpty, length, tenantId }: VerdictProps) {
  if (error !== null) {
    return (
      <p role="status" className={css.refused}>
        <Badge tone="bad">{t.notSendable}</Badge> {error.message}{' '}
        <a href={`${PREFIX}/docs/errors/${error.code}`} target="_blank" rel="noreferrer">
          <code>{error.code}</code>
        </a>
      </p>
    );
  }
  return (
    <p role="status" className={css.verdict}>
      {!isEmpty && reply !== undefined && (
        <>
          <span>
            {t.characters(length, reply.segments)} {reply.segments === 1 ? t.segment : t.segments} ·{' '}
            {ENCODINGS[reply.encoding]}
          </span>
          {reply.send_at !== null && (
            <Badge tone="warn">{rich(t.waitsUntil, <Moment at={reply.send_at} tenantId={tenantId} />)}</Badge>
          )}
        </>
      )}
    </p>
  );
}
