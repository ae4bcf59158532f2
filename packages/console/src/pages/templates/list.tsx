import type { MessageTemplate } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page, Row } from '../../ui/page.tsx';
import { DeleteTemplate } from './delete-template.tsx';
import { TemplateEditor } from './template-editor.tsx';

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
      <Plus aria-hidden /> New template
    </Button>
  );
  return (
    <Page title="Templates" about="Texts with variables, for one tenant or for all." actions={create}>
      <TenantFilterBar />
      <DataList
        label="Templates"
        list={templates}
        rowId={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { title: 'Text', cell: ({ body }) => body, width: '3fr' },
          { title: 'Tenant', cell: ({ tenant_id: own }) => (own === null ? 'all tenants' : <TenantName id={own} />) },
          {
            title: 'Actions',
            align: 'end',
            cell: (template) => <Buttons template={template} onChoose={(as) => setShown({ as, template })} />,
          },
        ]}
        empty={
          <EmptyState
            title="No templates yet"
            curl={
              <Curl
                method="POST"
                path="/v1/message_templates"
                body={{ name: 'Reminder', body: 'Hi {{first_name}}, see you on {{day}}.' }}
              />
            }
          >
            A template is a text that is used again, with gaps such as {'{{first_name}}'} that each send fills.
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
      <Button small aria-label={`Edit ${name}`} onPress={() => onChoose('edit')}>
        Edit
      </Button>
      <Button small kind="danger" aria-label={`Delete ${name}`} onPress={() => onChoose('delete')}>
        Delete
      </Button>
    </Row>
  );
}
