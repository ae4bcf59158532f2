import type { Note } from '@dialplane/sdk/resources';
import { StickyNote } from 'lucide-react';
import { DeleteContent } from '../../app/delete-content.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './thread.module.css';

/**
 * A note in the thread. It has its own colours and says that it was not sent, so that people do not take it for a text.
 */
export function NoteLine({ note }: { note: Note }) {
  const { id, conversation_id, body, author, created_at, tenant_id } = note;
  return (
    <article className={css.note} aria-label="Note">
      <header className={css.noteHead}>
        <StickyNote aria-hidden />
        <strong>Note{author !== null && ` of ${author}`}</strong>
        <span>for your team, not sent</span>
      </header>
      <p className={css.body}>{body}</p>
      <footer className={css.foot}>
        <Moment at={created_at} tenantId={tenant_id} />
        <span className={css.noteDelete}>
          <DeleteContent
            label="Delete note"
            run={(api) => api.conversations.deleteNote(conversation_id, id)}
            changes={['timeline']}
            done="The note is deleted."
          >
            The note is deleted for everybody who uses this conversation.
          </DeleteContent>
        </span>
      </footer>
    </article>
  );
}
