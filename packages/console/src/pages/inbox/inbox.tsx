import type { Conversation } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { classes } from '../../lib/classes.ts';
import { texts } from '../../texts/inbox.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/page.tsx';
import { ConversationFilters } from './conversation-filters.tsx';
import { ConversationList } from './conversation-list.tsx';
import { useDrafts } from './drafts.ts';
import css from './inbox.module.css';
import { NEW, NewConversation } from './new-conversation.tsx';
import { useOutbox } from './outbox.ts';
import { Thread } from './thread.tsx';
import { useUserName } from './user-name.ts';

const t = texts.inbox;

/** All conversations: the list, the open conversation, and its facts. On narrow screens only one of these is shown. */
export function InboxPage() {
  const ledger = useLedger();
  const openId = usePageId() as string | undefined;
  const outbox = useOutbox();
  const drafts = useDrafts();
  const [filters] = useFilters();
  const conversations = useConversations();
  const navigate = useNavigate();
  const [begunId, setBegunId] = useState<string>();
  const openBegun = (id: string) => {
    setBegunId(id);
    void navigate({ to: ledgerPath(ledger, `inbox/${id}`), search: true } as never);
  };
  useTitle(t.inbox);
  return (
    <div className={classes(css.inbox, openId !== undefined && css.hasOpen)}>
      <section className={css.list} aria-label={t.inbox}>
        <header className={css.head}>
          {openId === undefined ? <h1>{t.inbox}</h1> : <h2>{t.inbox}</h2>}
          <span className={css.space} />
          <ButtonLink small kind="primary" to={ledgerPath(ledger, `inbox/${NEW}`)}>
            <SquarePen aria-hidden /> {t.new}
          </ButtonLink>
        </header>
        <ConversationFilters />
        <ConversationList list={conversations} openId={openId} empty={<NoConversations />} />
      </section>
      {openId === undefined && <p className={css.nothing}>{t.chooseConversationBegin}</p>}
      {openId === NEW && (
        <NewConversation outbox={outbox} drafts={drafts} tenantId={filters.tenant_id} onBegun={openBegun} />
      )}
      {openId !== undefined && openId !== NEW && (
        <Thread key={openId} id={openId} outbox={outbox} drafts={drafts} isWriting={openId === begunId} />
      )}
    </div>
  );
}

function useConversations() {
  const [{ tenant_id, phone_number_id, opted_out, external_number, state, assignee, tag, unread }] = useFilters();
  const reader = useUserName() ?? undefined;
  const query = {
    tenant_id,
    phone_number_id,
    external_number,
    opted_out: opted_out === undefined ? undefined : opted_out === 'true',
    state: state as Conversation['state'] | undefined,
    assignee,
    tag,
    reader,
    unread: unread === undefined || reader === undefined ? undefined : unread === 'true',
  };
  return useList(['conversations', query], (api, page) => api.conversations.list({ ...query, ...page }));
}

function NoConversations() {
  const [filters] = useFilters();
  if (Object.values(filters).some((value) => value !== undefined)) {
    return <EmptyState title={t.noConversationsThese}>{t.filterLessBegin}</EmptyState>;
  }
  return (
    <EmptyState
      title={t.noConversationsYet}
      curl={<Curl method="POST" path="/v1/messages" body={{ from: 'num_…', to: '+16025550143', body: t.seeYou10 }} />}
    >
      {t.firstTextCall}
    </EmptyState>
  );
}
