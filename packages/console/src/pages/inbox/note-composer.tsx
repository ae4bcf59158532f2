import { StickyNote } from 'lucide-react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import css from './composer.module.css';

const t = texts.noteComposer;

type NoteComposerProps = { conversationId: string; body: string; onBody: (body: string) => void };

/** The field for a note to the people of the tenant. A note is never sent. */
export function NoteComposer({ conversationId, body, onBody }: NoteComposerProps) {
  const save = useWrite((api, text: string) => api.conversations.createNote(conversationId, { body: text }), {
    changes: ['timeline'],
    onDone: () => onBody(''),
  });
  const submit = () => {
    if (body.trim() !== '') save.mutate(body);
  };
  return (
    <section
      className={`${css.composer} ${css.noteComposer}`}
      aria-label={t.writeANote}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={t.note}
        isLabelHidden
        autoFocus
        rows={2}
        placeholder={t.writeNoteYour}
        isReadOnly={save.isPending}
        value={body}
        onChange={onBody}
      />
      <ErrorNote error={save.error} />
      <div className={css.buttons}>
        <span className={css.hint}>{t.yourTeamSees}</span>
        <span className={css.space} />
        <kbd>Ctrl Enter</kbd>
        <Button kind="primary" isDisabled={body.trim() === ''} isPending={save.isPending} onPress={submit}>
          <StickyNote aria-hidden /> {t.saveNote}
        </Button>
      </div>
    </section>
  );
}

type Kind = 'text' | 'note';
const KINDS = [
  ['text', t.text],
  ['note', t.note],
] as const;

/** Chooses between a text and a note in a conversation. */
export function KindChoice({ kind, onChoose }: { kind: Kind; onChoose: (kind: Kind) => void }) {
  return (
    <div className={css.kinds} role="group" aria-label={t.whatToWrite}>
      {KINDS.map(([each, name]) => (
        <Button
          key={each}
          small
          kind={each === kind ? 'plain' : 'quiet'}
          aria-pressed={each === kind}
          onPress={() => onChoose(each)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
