import { Link } from '@tanstack/react-router';
import type { Notice } from '../../api/generated/operator-types.ts';
import { listNotices, reopenNotice, settleNotice } from '../../api/notices.ts';
import { useOperatorRead, useOperatorWrite } from '../../api/operator-queries.ts';
import { ledgerPath } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/accounts.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';

const t = texts.notices;

const EVERY_MS = 15_000;
const CHANGES = { changes: ['notices', 'accounts'] };

/** The page of an account that shows the cause of a notice, by its kind. */
const PAGES = { emergency_call: 'calls', port_out: 'numbers', failing_endpoint: 'webhooks' } as const;

const COLUMNS: readonly TableColumn<Notice>[] = [
  { title: t.notice, cell: (notice) => <What notice={notice} /> },
  {
    title: t.account,
    cell: ({ account_name }) => (account_name === null ? t.allAccounts : <bdi>{account_name}</bdi>),
  },
];

/**
 * The notices where an operator is needed. A button settles a notice for all operators. Settled notices are listed
 * separately while their cause exists. Shows nothing without notices.
 */
export function Notices() {
  const { data = [], error } = useOperatorRead(['notices'], listNotices, { everyMs: EVERY_MS });
  const settle = useOperatorWrite(settleNotice, CHANGES);
  const reopen = useOperatorWrite(reopenNotice, CHANGES);
  if (error !== null) return <ErrorNote error={error} />;
  if (data.length === 0) return null;
  const open = data.filter(({ settled }) => settled === null);
  const settled = data.filter((notice) => notice.settled !== null);
  const failed = settle.error ?? reopen.error;
  return (
    <Section title={t.notices(open.length)}>
      {failed !== null && <ErrorNote error={failed} />}
      {open.length === 0 ? (
        <p>{t.allAreSettled}</p>
      ) : (
        <Table
          label={t.unsettledNotices}
          rows={open}
          rowId={keyOf}
          columns={[
            ...COLUMNS,
            { title: t.since, cell: ({ since }) => <Moment at={since} format="log" /> },
            buttonColumn(t.settle, (notice) => settle.mutate(notice)),
          ]}
        />
      )}
      {settled.length > 0 && (
        <details>
          <summary>{t.settled(settled.length)}</summary>
          <Table
            label={t.settledNotices}
            rows={settled}
            rowId={keyOf}
            columns={[
              ...COLUMNS,
              { title: t.settledBy, cell: (notice) => <SettledBy settled={notice.settled} /> },
              buttonColumn(t.openAgain, (notice) => reopen.mutate(notice)),
            ]}
          />
        </details>
      )}
    </Section>
  );
}

const keyOf = ({ kind, subject_id, state }: Notice) => `${kind} ${subject_id} ${state}`;

function buttonColumn(title: string, onPress: (notice: Notice) => void): TableColumn<Notice> {
  return {
    title: t.do,
    align: 'end',
    cell: (notice) => (
      <Button small aria-label={`${title}: ${wordsOf(notice)}`} onPress={() => onPress(notice)}>
        {title}
      </Button>
    ),
  };
}

function What({ notice }: { notice: Notice }) {
  return (
    <Link to={pathOf(notice)} dir="auto">
      {wordsOf(notice)}
    </Link>
  );
}

function SettledBy({ settled }: Pick<Notice, 'settled'>) {
  if (settled === null) return null;
  return (
    <>
      <bdi>{settled.by === 'operator' ? t.operator : settled.by}</bdi>, <Moment at={settled.at} format="log" />
    </>
  );
}

function wordsOf({ kind, name, detail }: Notice): string {
  if (kind === 'emergency_call') return t.emergencyCall(formatNumber(name));
  if (kind === 'port_out') return t.portOut(formatNumber(name), detail ?? t.aCarrier);
  if (kind === 'connection') return t.connection(name, detail ?? '');
  return detail === null ? t.endpointFails(name) : t.endpointDisabled(name);
}

function pathOf({ kind, subject_id: id, account_id: accountId }: Notice): string {
  if (kind === 'connection' || accountId === null) return `/operator/connections/${id}`;
  return ledgerPath({ accountId, mode: 'live' }, `${PAGES[kind]}/${id}`);
}
