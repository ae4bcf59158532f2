import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { NumberField, useNumber } from '../../app/number-field.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { TextField } from '../../ui/field.tsx';
import { useTitle } from '../../ui/page.tsx';
import { Composer } from './composer.tsx';
import { EMPTY_DRAFT } from './draft.ts';
import type { Drafts } from './drafts.ts';
import css from './inbox.module.css';
import type { Outbox } from './outbox.ts';
import { BackHeader } from './thread.tsx';
import { OutgoingText } from './timeline-item.tsx';

/** The place of a new conversation, in the address and among the drafts. */
export const NEW = 'new';

/** The first text to somebody. Once it is accepted, its conversation opens. */
export function NewConversation({ outbox, drafts, tenantId }: NewConversationProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [from, setFrom] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const { data: number } = useNumber(from);
  const to = e164Of(typed);
  const ends = from === null || to === '' ? undefined : { from, to };
  useTitle('New conversation');
  return (
    <section className={css.thread} aria-label="New conversation">
      <BackHeader title="New conversation" />
      <div className={css.ends}>
        <NumberField label="From" name="from" tenantId={tenantId} value={from} onChange={setFrom} />
        <TextField
          label="To"
          value={typed}
          onChange={setTyped}
          placeholder="(602) 555-0143"
          hint="The person’s number"
        />
        {ends !== undefined &&
          outbox.of(ends).map((outgoing) => (
            <OutgoingText
              key={outgoing.key}
              outgoing={outgoing}
              onRetry={() => outbox.retry(outgoing)}
              onDiscard={() => outbox.discard(outgoing.key)}
              onEdit={() => {
                const { shown, send } = outgoing;
                drafts.set(NEW, { ...EMPTY_DRAFT, body: shown, mediaUrls: send.media_urls ?? [] });
                outbox.discard(outgoing.key);
              }}
            />
          ))}
      </div>
      <Composer
        ends={ends}
        tenantId={number?.tenant_id}
        draft={drafts.of(NEW)}
        onDraft={(draft) => drafts.set(NEW, draft)}
        onSend={(send, shown) =>
          outbox.send(send, shown, ({ conversation_id }) => {
            void navigate({ to: ledgerPath(ledger, `inbox/${conversation_id}`), search: true } as never);
          })
        }
      />
    </section>
  );
}

type NewConversationProps = { outbox: Outbox; drafts: Drafts; tenantId: string | undefined };
