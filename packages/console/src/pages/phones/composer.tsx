import { ImagePlus, SendHorizontal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/phones.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import css from './phones.module.css';

const t = texts.composer;

type NewText = { readonly body: string; readonly picture: string };

const NOTHING: NewText = { body: '', picture: '' };

type ComposerProps = { number: string; contact: string; onUse: () => void };

/** Words that have an effect at carriers and in the product. */
const KEYWORDS = ['STOP', 'START', 'HELP'] as const;

/** Writes a text as the person at the phone. */
export function Composer({ number, contact, onUse }: ComposerProps) {
  const [text, setText] = useState(NOTHING);
  const [hasPicture, setHasPicture] = useState(false);
  const send = useWrite(
    (api, { body, picture }: NewText) =>
      api.test.simulateInboundMessage({
        from: number,
        to: contact,
        ...(body !== '' && { body }),
        ...(picture !== '' && { media_urls: [picture] }),
      }),
    {
      changes: ['messages', 'conversations'],
      onDone: (_, sent) => setText((now) => (now === sent ? NOTHING : now)),
      line: lineOf(number),
    },
  );
  const isEmpty = text.body.trim() === '' && text.picture.trim() === '';
  const submitForm = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    onUse();
    send.mutate(text);
  };
  return (
    <form className={css.composer} onSubmit={submitForm}>
      <div className={css.say}>
        <TextField
          label={t.text}
          isLabelHidden
          placeholder={t.writeAText}
          value={text.body}
          onChange={(body) => setText({ ...text, body })}
        />
        <Button type="submit" small kind="primary" isDisabled={isEmpty || send.isPending}>
          <SendHorizontal aria-hidden /> {t.send}
        </Button>
      </div>
      {hasPicture && (
        <TextField
          label={t.addressPicture}
          type="url"
          placeholder={t.https}
          value={text.picture}
          onChange={(picture) => setText({ ...text, picture })}
        />
      )}
      <div className={css.buttons}>
        {KEYWORDS.map((word) => (
          <Keyword key={word} word={word} number={number} contact={contact} onUse={onUse} />
        ))}
        <span className={css.space} />
        <IconButton label={t.addAPicture} small onPress={() => setHasPicture(!hasPicture)}>
          <ImagePlus />
        </IconButton>
      </div>
      <ErrorNote error={send.error} />
    </form>
  );
}

/** The texts of a phone arrive in the order the person sends them. */
const lineOf = (number: string) => `phone:${number}`;

/** Sends a keyword. Each keyword has a separate write, so that a person can press it while another text is being sent. */
function Keyword({ word, number, contact, onUse }: ComposerProps & { word: string }) {
  const send = useWrite((api) => api.test.simulateInboundMessage({ from: number, to: contact, body: word }), {
    changes: ['messages', 'conversations'],
    line: lineOf(number),
  });
  const press = () => {
    onUse();
    send.mutate();
  };
  return (
    <>
      <Button small kind="quiet" onPress={press}>
        {word}
      </Button>
      <ErrorNote error={send.error} />
    </>
  );
}
