import type { PersonExport } from '@dialplane/sdk/resources';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useReadWhile } from '../../app/read-while.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ExportPerson } from './export-person.tsx';

/** The exports of people: exports in progress, and exports to download. */
export function ExportsPage() {
  const [{ tenant_id }] = useFilters();
  const [isAsking, setAsking] = useState(false);
  const list = useList(['person_exports', { tenant_id }], (api, page) =>
    api.personExports.list({ ...page, tenant_id }),
  );
  const isRunning = list.rows.some(({ status }) => status === 'pending');
  useReadWhile(isRunning, list.reload);
  const ask = (
    <Button kind="primary" onPress={() => setAsking(true)}>
      <FileDown aria-hidden /> Export a person
    </Button>
  );
  return (
    <Page
      title="Exports"
      about="All that a tenant has about a person, as a ZIP file. It is deleted after seven days."
      actions={ask}
    >
      <TenantFilterBar />
      <DataList
        label="Exports"
        list={list}
        rowId={({ id }) => id}
        columns={[
          { title: 'Asked for', cell: (row) => <Moment at={row.created_at} tenantId={row.tenant_id} format="log" /> },
          { title: 'Tenant', cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: 'Id', cell: ({ id }) => <code>{id}</code>, width: '1.6fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'File', cell: (row) => <FileOf row={row} />, align: 'end' },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? 'No person was exported' : 'No person of this tenant was exported'}
            curl={
              <Curl
                method="POST"
                path="/v1/person_exports"
                body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }}
              />
            }
          >
            An export has the texts, calls, audio and opt-outs of a person, for a request to see them.
          </EmptyState>
        }
      />
      {isAsking && <ExportPerson tenantId={tenant_id} onClose={() => setAsking(false)} />}
    </Page>
  );
}

/** The address of a file is good for an hour, so a new one is read when the person wants the file. */
function FileOf({ row: { id, status, download_url } }: { row: PersonExport }) {
  const open = useWrite((api) => api.personExports.get(id), {
    changes: [],
    onDone: ({ download_url: address }) => {
      if (address !== null) location.assign(address);
    },
  });
  if (status === 'pending') return <span>It is being made…</span>;
  if (status === 'failed') return <span>Ask for it again</span>;
  if (download_url === null) return <span>deleted</span>;
  return (
    <Button small isPending={open.isPending} aria-label={`Download ${id}`} onPress={() => open.mutate(undefined)}>
      Download
    </Button>
  );
}
