import type { AuditLogEntry } from '@dialplane/sdk/resources';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/requests.ts';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.audit;

/** Who changed keys, tenants, numbers, endpoints and sessions, and how. */
export function AuditPage() {
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const entries = useList(['audit_log', filter], (api, page) => api.auditLog.list({ ...filter, ...page }));
  return (
    <Page title={t.auditLog} about={t.whoChangedKeys}>
      <TenantFilterBar />
      <DataList
        label={t.auditLog}
        list={entries}
        rowId={({ id }) => id}
        columns={[
          { title: t.what, cell: ({ action }) => <code>{action}</code>, width: '1.4fr' },
          { title: t.resource, cell: ({ resource_id }) => <code>{resource_id ?? '–'}</code>, width: '1.6fr' },
          { title: t.tenant, cell: (entry) => <TenantName id={entry.tenant_id} /> },
          { title: t.by, cell: ({ actor }) => <Actor {...actor} />, width: '1.8fr' },
          {
            title: t.at,
            cell: ({ at }) => <Moment at={at} format="zoned" />,
            wraps: true,
            align: 'end',
            width: '12.5rem',
          },
        ]}
        empty={
          <EmptyState title={t.nothingWasChanged} curl={<Curl path="/v1/audit_log" />}>
            {t.newKeyBought}
          </EmptyState>
        }
      />
    </Page>
  );
}

const ACTORS = { key: t.key, operator: t.operator, console: t.consoleSession, user: '' } as const;

/** The address of a user, the id of a key or of a session, or the command of the operator. */
function Actor({ type, id, email }: AuditLogEntry['actor']) {
  if (email !== undefined) return <span title={id}>{email}</span>;
  return (
    <span>
      {ACTORS[type]} <code>{id}</code>
    </span>
  );
}
