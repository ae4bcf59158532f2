import type { PersonExport } from '@dialplane/sdk/resources';
import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { useList, useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useReadWhile } from '../../app/read-while.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/exports.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ExportPerson } from './export-person.tsx';

const t = texts.list;

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
      <FileDown aria-hidden /> {t.exportAPerson}
    </Button>
  );
  return (
    <Page title={t.exports} about={t.allTenantAbout} actions={ask}>
      <TenantFilterBar />
      <DataList
        label={t.exports}
        list={list}
        rowId={({ id }) => id}
        columns={[
          { title: t.askedFor, cell: (row) => <Moment at={row.created_at} tenantId={row.tenant_id} format="log" /> },
          { title: t.tenant, cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: t.id, cell: ({ id }) => <code>{id}</code>, width: '1.6fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.file, cell: (row) => <FileOf row={row} />, align: 'end' },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noPersonWas : t.noPersonTenant}
            curl={
              <Curl
                method="POST"
                path="/v1/person_exports"
                body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }}
              />
            }
          >
            {t.exportTextsCalls}
          </EmptyState>
        }
      />
      {isAsking && <ExportPerson tenantId={tenant_id} onClose={() => setAsking(false)} />}
    </Page>
  );
}

/** The address of a file is valid for an hour, so a new one is read when the person requests the file. */
function FileOf({ row: { id, status, download_url } }: { row: PersonExport }) {
  const open = useWrite((api) => api.personExports.get(id), {
    changes: [],
    onDone: ({ download_url: address }) => {
      if (address !== null) location.assign(address);
    },
  });
  if (status === 'pending') return <span>{t.beingMade}</span>;
  if (status === 'failed') return <span>{t.askAgain}</span>;
  if (download_url === null) return <span>{t.deleted}</span>;
  return (
    <Button small isPending={open.isPending} aria-label={t.downloadOf(id)} onPress={() => open.mutate(undefined)}>
      {t.download}
    </Button>
  );
}
