import type { MessageTemplate } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { TenantField } from '../../app/tenant-field.tsx';
import { useDebounced } from '../../lib/debounced.ts';
import { filled, valueNamed, variablesOf } from '../../lib/templates.ts';
import { texts } from '../../texts/templates.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import css from './templates.module.css';

const t = texts.templateEditor;

const FIELDS = ['name', 'body', 'tenant_id'];
const TYPING_PAUSE_MS = 300;
const ENCODINGS = { gsm7: 'GSM-7', ucs2: 'UCS-2' } as const;
/** The number of segments does not depend on the two numbers, so the check gets these examples. */
const ANY_ENDS = { from: 'num_0', to: '+16025550100' };

type TemplateEditorProps = { template?: MessageTemplate; onClose: () => void };

/** Makes or changes a template. The text is shown as it would be sent. */
export function TemplateEditor({ template, onClose }: TemplateEditorProps) {
  const [body, setBody] = useState(template?.body ?? '');
  const save = useWrite(
    (api, { name = '', tenant_id }: { name?: string | undefined; tenant_id?: string | undefined }) =>
      template === undefined
        ? api.messageTemplates.create({ name, body, ...(tenant_id !== undefined && { tenant_id }) })
        : api.messageTemplates.update(template.id, { name, body }),
    { changes: ['message_templates'], done: ({ name }) => t.templateSaved(name), onDone: onClose },
  );
  return (
    <Dialog title={template === undefined ? t.newTemplate : t.editTheTemplate} isOpen onClose={onClose} isWide>
      <Form
        submit={t.save}
        fields={FIELDS}
        error={save.error}
        isPending={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => save.mutate(values)}
      >
        <TextField name="name" label={t.name} isRequired autoFocus defaultValue={template?.name ?? ''} />
        {template === undefined && <TenantField placeholder={t.allTenants} hint={t.emptyEveryTenant} />}
        <TextField
          name="body"
          label={t.text}
          isRequired
          rows={4}
          value={body}
          onChange={setBody}
          hint={t.variablesStandDouble}
        />
        <Preview body={body} />
      </Form>
    </Dialog>
  );
}

function Preview({ body }: { body: string }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const text = filled(body, values);
  const asked = useDebounced(text, TYPING_PAUSE_MS);
  const { data } = useRead(['message_checks', asked], (api) => api.messages.check({ ...ANY_ENDS, body: asked }), {
    enabled: asked.trim() !== '',
    keepsPrevious: true,
  });
  if (body.trim() === '') return null;
  return (
    <section className={css.preview} aria-label={t.preview}>
      <h3>{t.preview}</h3>
      <div className={css.variables}>
        {variablesOf(body).map((name) => (
          <TextField
            key={name}
            label={name}
            value={valueNamed(values, name)}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      <p dir="auto" className={css.text}>
        {text}
      </p>
      <p role="status" className={css.segments}>
        {data !== undefined && t.segments(data.segments, ENCODINGS[data.encoding])}
      </p>
    </section>
  );
}
