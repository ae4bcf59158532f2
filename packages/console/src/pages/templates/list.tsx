import type { MessageTemplate } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/templates.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { DeleteTemplate } from './delete-template.tsx';
import { TemplateEditor } from './template-editor.tsx';

const t = texts.list;

type Shown = { readonly as: 'new' } | { readonly as: 'edit' | 'delete'; readonly template: MessageTemplate };

/** Saved texts with variables. */
export function TemplatesPage() {
  const [{ tenant_id }] = useFilters();
  const [shown, setShown] = useState<Shown>();
  const close = () => setShown(undefined);
  const templates = useList(['message_templates', 'list', tenant_id], (api, page) =>
    api.messageTemplates.list({ ...page, tenant_id }),
  );
  const create = (
    <Button kind="primary" onPress={() => setShown({ as: 'new' })}>
      <Plus aria-hidden /> {t.newTemplate}
    </Button>
  );
  return (
    <Page title={t.templates} about={t.textsVariablesOne} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.templates}
        list={templates}
        rowId={({ id }) => id}
        columns={[
          { title: t.name, cell: ({ name }) => <strong>{name}</strong> },
          { title: t.text, cell: ({ body }) => body, width: '3fr' },
          { title: t.tenant, cell: ({ tenant_id: own }) => (own === null ? t.allTenants : <TenantName id={own} />) },
          {
            title: t.actions,
            align: 'end',
            cell: (template) => <Buttons template={template} onChoose={(as) => setShown({ as, template })} />,
          },
        ]}
        empty={
          <EmptyState
            title={t.noTemplatesYet}
            curl={<Curl method="POST" path="/v1/message_templates" body={{ name: t.reminder, body: t.hiFirstName }} />}
          >
            {t.templateTextUsed}
          </EmptyState>
        }
      />
      {shown?.as === 'new' && <TemplateEditor onClose={close} />}
      {shown?.as === 'edit' && <TemplateEditor template={shown.template} onClose={close} />}
      {shown?.as === 'delete' && <DeleteTemplate template={shown.template} onClose={close} />}
    </Page>
  );
}

type ButtonsProps = { template: MessageTemplate; onChoose: (as: 'edit' | 'delete') => void };

function Buttons({ template: { name }, onChoose }: ButtonsProps) {
  return (
    <Row>
      <Button small aria-label={t.edit(name)} onPress={() => onChoose('edit')}>
        {t.editText}
      </Button>
      <Button small kind="danger" aria-label={t.delete(name)} onPress={() => onChoose('delete')}>
        {t.deleteText}
      </Button>
    </Row>
  );
}
