import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { formatLength } from '../../lib/dates.ts';
import { texts } from '../../texts/recordings.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

/** The recordings of calls and of voicemails, newest first. */
export function RecordingsPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const recordings = useList(['recordings', { tenant_id }], (api, page) => api.recordings.list({ ...page, tenant_id }));
  return (
    <Page title={t.recordings} about={t.audioRecordedCalls}>
      <TenantFilterBar />
      <DataList
        label={t.recordings}
        list={recordings}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `recordings/${id}`)}
        columns={[
          {
            title: t.made,
            cell: (recording) => <Moment at={recording.created_at} tenantId={recording.tenant_id} format="log" />,
            width: '1.2fr',
          },
          { title: t.tenant, cell: (recording) => <TenantName id={recording.tenant_id} />, width: '1.4fr' },
          { title: t.length, cell: ({ duration_seconds }) => formatLength(duration_seconds), width: '0.6fr' },
          {
            title: t.announcedToBoth,
            cell: (recording) => <Announced isAnnounced={recording.consent_announced} />,
          },
          {
            title: t.call,
            cell: ({ call_id }) => (
              <ButtonLink small to={ledgerPath(ledger, `calls/${call_id}`)}>
                {t.theCall}
              </ButtonLink>
            ),
            align: 'end',
            width: '0.8fr',
          },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noRecordingsYet : t.tenantNoRecordings}
            curl={
              <Curl
                method="POST"
                path="/v1/calls"
                body={{ from: 'num_…', connect_to: '+16025550120', to: '+16025550143', record: true }}
              />
            }
          >
            {t.callRecordedIf}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** Shows whether both parties heard the whole announcement. Voicemails have no announcement. */
export function Announced({ isAnnounced }: { isAnnounced: boolean }) {
  return <Badge tone={isAnnounced ? 'ok' : 'plain'}>{isAnnounced ? t.yes : t.no}</Badge>;
}
