import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NumberField, useNumber, useOnlyNumber } from '../../app/number-field.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { TextField } from '../../ui/field.tsx';
import { useTitle } from '../../ui/page.tsx';
import { Composer } from './composer.tsx';
import { EMPTY_DRAFT, type Ends } from './draft.ts';
import type { Drafts } from './drafts.ts';
import css from './inbox.module.css';
import type { Outbox } from './outbox.ts';
import { BackHeader } from './thread.tsx';
import { OutgoingText } from './timeline-item.tsx';

const t = texts.newConversation;

/** The name of a new conversation, in the address and among the drafts. */
export const NEW = 'new';

/**
 * The first text to a person. Once the API accepts it, its conversation opens, with the text that the user has since
 * written to the same number. If the user has left, or writes to another number by then, the page stays.
 */
export function NewConversation({ outbox, drafts, tenantId, onBegun }: NewConversationProps) {
  const [chosen, setFrom] = useState<string | null>(null);
  const only = useOnlyNumber(tenantId);
  const from = chosen ?? only;
  const [typed, setTyped] = useState('');
  const { data: number } = useNumber(from);
  const to = e164Of(typed);
  const ends = from === null || to === '' ? undefined : { from, to };
  const written = useWrittenNow(ends, drafts);
  useTitle(t.newConversation);
  return (
    <section className={css.thread} aria-label={t.newConversation}>
      <BackHeader title={t.newConversation} />
      <div className={css.ends}>
        <NumberField label={t.from} name="from" tenantId={tenantId} value={from} onChange={setFrom} />
        <TextField
          label={t.to}
          value={typed}
          onChange={setTyped}
          placeholder="(602) 555-0143"
          hint={t.thePersonsNumber}
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
            if (conversation_id === null || !written.isTo(send)) return;
            written.leaveTo(conversation_id);
            onBegun(conversation_id);
          })
        }
      />
    </section>
  );
}

type NewConversationProps = {
  outbox: Outbox;
  drafts: Drafts;
  tenantId: string | undefined;
  /** Opens the conversation of the sent text. */
  onBegun: (conversationId: string) => void;
};

/**
 * Follows the recipient of the page. The draft moves when the page is left, so that no keystroke before that is lost.
 */
function useWrittenNow(ends: Ends | undefined, drafts: Drafts) {
  const now = useRef<Ends | undefined>(undefined);
  const next = useRef<string | undefined>(undefined);
  const move = useRef(drafts.move);
  useEffect(() => {
    now.current = ends;
    move.current = drafts.move;
  });
  useLayoutEffect(
    () => () => {
      now.current = undefined;
      if (next.current !== undefined) move.current(NEW, next.current);
    },
    [],
  );
  return {
    isTo: ({ from, to }: Ends) => now.current?.from === from && now.current.to === to,
    leaveTo: (conversationId: string) => {
      next.current = conversationId;
    },
  };
}
