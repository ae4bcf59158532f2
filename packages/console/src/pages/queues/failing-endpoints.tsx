import { Link } from '@tanstack/react-router';
import type { FailingEndpoint } from '../../api/generated/operator-types.ts';
import { listFailingEndpoints } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { texts } from '../../texts/queues.ts';
import { Status } from '../../ui/badge.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

const t = texts.failingEndpoints;

const EVERY_MS = 15_000;

/** The failing webhook endpoints of all accounts, each with a link to its page. Shows nothing if none fails. */
export function FailingEndpoints() {
  const { data: rows = [], error } = useOperatorRead(['failing_endpoints'], listFailingEndpoints, {
    everyMs: EVERY_MS,
  });
  if (error !== null) return <ErrorNote error={error} />;
  if (rows.length === 0) return null;
  return (
    <Section title={t.failingEndpoints}>
      <Table
        label={t.failingEndpoints}
        rows={rows}
        rowId={({ id }) => id}
        columns={[
          { title: t.address, cell: (row) => <Link to={pathOf(row)}>{row.url}</Link> },
          { title: t.account, cell: ({ account_name }) => <bdi>{account_name}</bdi> },
          { title: t.mode, cell: ({ mode }) => (mode === 'test' ? t.test : t.live) },
          { title: t.status, cell: ({ status }) => <Status status={status === 'active' ? 'failing' : status} /> },
          {
            title: t.since,
            cell: ({ failing_since }) => (failing_since === null ? '–' : <Moment at={failing_since} format="log" />),
            align: 'end',
          },
        ]}
      />
    </Section>
  );
}

function pathOf({ account_id: accountId, mode, id }: FailingEndpoint): string {
  return ledgerPath({ accountId, mode }, `webhooks/${id}`);
}
