import type { Conversation } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Info } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { usePersonText } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/inbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useTitle } from '../../ui/page.tsx';
import { MessageDetails } from '../messages/message-details.tsx';
import { Composer } from './composer.tsx';
import { ConversationFacts } from './conversation-facts.tsx';
import { useMarkRead } from './conversation-work.tsx';
import { EMPTY_DRAFT } from './draft.ts';
import type { Drafts } from './drafts.ts';
import css from './inbox.module.css';
import { KindChoice, NoteComposer } from './note-composer.tsx';
import type { Outbox } from './outbox.ts';
import { Timeline } from './timeline.tsx';
import { useUserName } from './user-name.ts';

const t = texts.thread;

type ThreadProps = {
  id: string;
  outbox: Outbox;
  drafts: Drafts;
  /** True if the person has just started the conversation, and may still be writing. */
  isWriting: boolean;
};

/** A conversation: its texts and calls, the composer, and its facts at the side. */
export function Thread({ id, ...rest }: ThreadProps) {
  const reader = useUserName() ?? undefined;
  const { data, error } = useRead(['conversations', id], (api) => api.conversations.get(id, { reader }));
  if (error !== null) {
    return (
      <section className={css.thread} aria-label={t.conversation}>
        <BackHeader title={t.conversation} />
        <ErrorNote error={error} />
      </section>
    );
  }
  if (data === undefined) return <Loading />;
  return <Open conversation={data} {...rest} />;
}

function Open({ conversation, outbox, drafts, isWriting }: Omit<ThreadProps, 'id'> & { conversation: Conversation }) {
  const { id, tenant_id, phone_number_id, external_number, opted_out } = conversation;
  const ends = { from: phone_number_id, to: external_number };
  const person = usePersonText(tenant_id, external_number);
  const [detailsId, setDetailsId] = useState<string | null>(null);
  const [kind, setKind] = useState<'text' | 'note'>('text');
  const noteDraft = t.note(id);
  const [areFactsOpen, setFactsOpen] = useState(false);
  useTitle(person);
  useMarkRead(conversation);
  return (
    <>
      <section className={css.thread} aria-label={t.conversationWith(person)}>
        <BackHeader title={person}>
          <span className={css.hint}>
            <TenantName id={tenant_id} />
          </span>
          {opted_out && <Badge tone="bad">{t.optedOut}</Badge>}
          {conversation.state === 'done' && <Badge tone="ok">{t.done}</Badge>}
          <span className={css.space} />
          <span className={css.factsButton}>
            <IconButton label={t.aboutThisConversation} onPress={() => setFactsOpen(true)}>
              <Info />
            </IconButton>
          </span>
        </BackHeader>
        <Timeline
          conversationId={id}
          tenantId={tenant_id}
          outgoing={outbox.of(ends)}
          onOpen={setDetailsId}
          onRetry={outbox.retry}
          onDiscard={outbox.discard}
          onEdit={({ key, send, shown }) => {
            drafts.set(id, { ...EMPTY_DRAFT, body: shown, mediaUrls: send.media_urls ?? [] });
            outbox.discard(key);
          }}
        />
        <KindChoice kind={kind} onChoose={setKind} />
        {kind === 'note' ? (
          <NoteComposer
            conversationId={id}
            body={drafts.of(noteDraft).body}
            onBody={(body) => drafts.set(noteDraft, { ...EMPTY_DRAFT, body })}
          />
        ) : (
          <Composer
            ends={ends}
            tenantId={tenant_id}
            optedOut={opted_out}
            isFocused={isWriting}
            draft={drafts.of(id)}
            onDraft={(draft) => drafts.set(id, draft)}
            onSend={(send, shown) => outbox.send(send, shown)}
          />
        )}
      </section>
      <aside className={css.facts} aria-label={t.aboutThisConversation}>
        <ConversationFacts conversation={conversation} />
      </aside>
      <Dialog title={t.aboutThisConversation} isOpen={areFactsOpen} onClose={() => setFactsOpen(false)}>
        <ConversationFacts conversation={conversation} />
      </Dialog>
      <Dialog title={t.text} isOpen={detailsId !== null} onClose={() => setDetailsId(null)} isWide>
        {detailsId !== null && <MessageDetails id={detailsId} />}
      </Dialog>
    </>
  );
}

/** The header above a thread. On narrow screens it has a link back to the list. */
export function BackHeader({ title, children }: { title: string; children?: React.ReactNode }) {
  const ledger = useLedger();
  return (
    <header className={css.head}>
      <Link to={ledgerPath(ledger, 'inbox')} search={true as never} aria-label={t.backList} className={css.back}>
        <ArrowLeft aria-hidden />
      </Link>
      <h1 dir="auto">{title}</h1>
      {children}
    </header>
  );
}
