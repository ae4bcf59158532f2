import { CalendarClock, Paperclip, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { filled } from '../../lib/templates.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import css from './composer.module.css';
import { type Draft, EMPTY_DRAFT, type Ends, isEmpty, sendOf } from './draft.ts';
import { MediaFields } from './media-fields.tsx';
import { TemplateButton, TemplatePart, useTemplate } from './template-part.tsx';
import { TimePart } from './time-part.tsx';
import { useJudgement, Verdict } from './verdict.tsx';

const t = texts.composer;

type ComposerProps = {
  /** Undefined until a new conversation has both ends. */
  ends: Ends | undefined;
  tenantId: string | undefined;
  /** Changes when the person opts out or in. The verdict is then requested again. */
  optedOut?: boolean;
  /** True to put the cursor behind the text at first. */
  isFocused?: boolean;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSend: (send: ReturnType<typeof sendOf>, shown: string) => void;
};

/** The editor of a text: body or template, media, time, and the verdict on the text. */
export function Composer({ ends, tenantId, optedOut, isFocused = false, draft, onDraft, onSend }: ComposerProps) {
  const template = useTemplate(draft.templateId);
  const send = ends === undefined ? undefined : sendOf(draft, ends);
  const judgement = useJudgement(send, optedOut);
  const area = useFocusAtEnd(isFocused);
  const [opened, setOpened] = useState({ media: false, time: false });
  const parts = {
    media: opened.media || draft.mediaUrls.length > 0,
    time: opened.time || draft.sendAt !== null || draft.respectsQuietHours,
  };
  const change = (changed: Partial<Draft>) => onDraft({ ...draft, ...changed });
  const shown = template === undefined ? draft.body : filled(template.body, draft.variables);
  const canSend = send !== undefined && !isEmpty(draft);
  const submit = () => {
    if (!canSend) return;
    onSend(send, shown);
    setOpened({ media: false, time: false });
    onDraft(EMPTY_DRAFT);
  };
  return (
    <section
      ref={area}
      className={css.composer}
      aria-label={t.writeAText}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        submit();
      }}
    >
      {draft.templateId === null ? (
        <TextField
          label={t.text}
          isLabelHidden
          rows={2}
          placeholder={t.writeAText}
          value={draft.body}
          onChange={(body) => change({ body })}
        />
      ) : (
        <TemplatePart template={template} draft={draft} onChange={change} />
      )}
      {parts.media && <MediaFields urls={draft.mediaUrls} onChange={(mediaUrls) => change({ mediaUrls })} />}
      {parts.time && <TimePart draft={draft} tenantId={tenantId} onChange={change} />}
      <Verdict {...judgement} isEmpty={isEmpty(draft)} length={[...shown].length} tenantId={tenantId} />
      <div className={css.buttons}>
        <TemplateButton
          tenantId={tenantId}
          onChoose={(templateId) => change({ templateId, variables: {}, body: '' })}
        />
        <Button
          small
          kind="quiet"
          aria-label={t.media}
          aria-expanded={parts.media}
          onPress={() => {
            if (parts.media) change({ mediaUrls: [] });
            else if (draft.mediaUrls.length === 0) change({ mediaUrls: [''] });
            setOpened({ ...parts, media: !parts.media });
          }}
        >
          <Paperclip aria-hidden /> <span className={css.word}>{t.media}</span>
        </Button>
        <Button
          small
          kind="quiet"
          aria-label={t.sendLater}
          aria-expanded={parts.time}
          onPress={() => {
            if (parts.time) change({ sendAt: null, respectsQuietHours: false });
            setOpened({ ...parts, time: !parts.time });
          }}
        >
          <CalendarClock aria-hidden /> <span className={css.word}>{t.later}</span>
        </Button>
        <span className={css.space} />
        <kbd>Ctrl Enter</kbd>
        <Button kind="primary" isDisabled={!canSend} onPress={submit}>
          <Send aria-hidden /> {draft.sendAt === null ? t.send : t.schedule}
        </Button>
      </div>
    </section>
  );
}

/** Returns a ref for the element around a text field. Puts the cursor at the end of the text once. */
function useFocusAtEnd(isFocused: boolean) {
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    const field = isFocused ? area.current?.querySelector('textarea') : null;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [isFocused]);
  return area;
}
