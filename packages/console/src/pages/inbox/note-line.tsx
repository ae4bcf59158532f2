import type { Note } from '@dialplane/sdk/resources';
import { StickyNote } from 'lucide-react';
import { DeleteContent } from '../../app/delete-content.tsx';
import { texts } from '../../texts/inbox.ts';
import { Moment } from '../../ui/moment.tsx';
import css from './thread.module.css';

const t = texts.noteLine;

/** A note in the thread. Its colours, and a label that says it was not sent, distinguish it from a text. */
export function NoteLine({ note }: { note: Note }) {
  const { id, conversation_id, body, author, created_at, tenant_id } = note;
  return (
    <article className={css.note} aria-label={t.note}>
      <header className={css.noteHead}>
        <StickyNote aria-hidden />
        <strong>
          {t.note}
          {author !== null && t.of(author)}
        </strong>
        <span>{t.yourTeamNot}</span>
      </header>
      <p dir="auto" className={css.body}>
        {body}
      </p>
      <footer className={css.foot}>
        <Moment at={created_at} tenantId={tenant_id} />
        <span className={css.noteDelete}>
          <DeleteContent
            label={t.deleteNote}
            run={(api) => api.conversations.deleteNote(conversation_id, id)}
            changes={['timeline']}
            done={t.noteDeleted}
          >
            {t.noteDeletedEverybody}
          </DeleteContent>
        </span>
      </footer>
    </article>
  );
}
