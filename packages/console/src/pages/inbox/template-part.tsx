import type { MessageTemplate } from '@dialplane/sdk/resources';
import { FileText, X } from 'lucide-react';
import { useState } from 'react';
import { useList, useRead } from '../../api/queries.ts';
import { filled, valueNamed } from '../../lib/templates.ts';
import { texts } from '../../texts/inbox.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import css from './composer.module.css';
import type { Draft } from './draft.ts';

const t = texts.templatePart;

export function useTemplate(id: string | null): MessageTemplate | undefined {
  const { data } = useRead(['message_templates', id], (api) => api.messageTemplates.get(id as string), {
    enabled: id !== null,
  });
  return id === null ? undefined : data;
}

type TemplatePartProps = {
  template: MessageTemplate | undefined;
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
};

/** The chosen template: its variables, and the resulting text. */
export function TemplatePart({ template, draft, onChange }: TemplatePartProps) {
  if (template === undefined) return <p role="status">{t.loadingTheTemplate}</p>;
  const text = filled(template.body, draft.variables);
  return (
    <div className={css.part}>
      <div className={css.templateHead}>
        <strong>{template.name}</strong>
        <Button small kind="quiet" onPress={() => onChange({ templateId: null, body: text })}>
          {t.editText}
        </Button>
        <IconButton label={t.withoutTheTemplate} small onPress={() => onChange({ templateId: null })}>
          <X />
        </IconButton>
      </div>
      <div className={css.variables}>
        {template.variables.map((name) => (
          <TextField
            key={name}
            label={name}
            value={valueNamed(draft.variables, name)}
            onChange={(value) => onChange({ variables: { ...draft.variables, [name]: value } })}
          />
        ))}
      </div>
      <p dir="auto" className={css.preview}>
        {text}
      </p>
    </div>
  );
}

/** Opens the templates that the tenant can use. */
export function TemplateButton({
  tenantId,
  onChoose,
}: {
  tenantId: string | undefined;
  onChoose: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small kind="quiet" aria-label={t.template} onPress={() => setOpen(true)}>
        <FileText aria-hidden /> <span className={css.word}>{t.template}</span>
      </Button>
      <Dialog title={t.templates} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Templates
          tenantId={tenantId}
          onChoose={(id) => {
            onChoose(id);
            setOpen(false);
          }}
        />
      </Dialog>
    </>
  );
}

function Templates({ tenantId, onChoose }: { tenantId: string | undefined; onChoose: (id: string) => void }) {
  const templates = useList(['message_templates'], (api, page) => api.messageTemplates.list(page));
  const usable = templates.rows.filter(({ tenant_id }) => tenant_id === null || tenant_id === tenantId);
  if (templates.isLoading) return <p role="status">{t.loadingTheTemplates}</p>;
  return (
    <>
      {usable.length === 0 && !templates.hasMore && <p>{t.thereNoTemplates}</p>}
      <ul className={css.templates}>
        {usable.map(({ id, name, body }) => (
          <li key={id}>
            <Button kind="quiet" onPress={() => onChoose(id)}>
              <span>
                <strong>{name}</strong>
                <span dir="auto" className={css.hint}>
                  {body}
                </span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {templates.hasMore && <Button onPress={templates.loadMore}>{t.moreTemplates}</Button>}
    </>
  );
}
