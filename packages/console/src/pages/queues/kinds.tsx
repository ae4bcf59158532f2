import { useState } from 'react';
import type { Queues } from '../../api/generated/operator-types.ts';
import type { WorkFigures } from '../../api/installation.ts';
import { formatCount } from '../../lib/amounts.ts';
import { formatAge } from '../../lib/durations.ts';
import { texts } from '../../texts/queues.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { ageTone, BUSY_S, Mark, QUEUE_NAMES } from './figures.tsx';
import css from './queues.module.css';

const t = texts.kinds;

type Row = Queues['jobs'][number];

/** The columns with the counts of jobs or lanes, the same in both tables. */
export const COUNT_COLUMNS: readonly TableColumn<WorkFigures>[] = [
  { title: t.due, cell: ({ due }) => <Count count={due} />, align: 'end' },
  { title: t.running, cell: ({ running }) => <Count count={running} />, align: 'end', isWideOnly: true },
  {
    title: t.failed,
    cell: ({ failed }) => <Mark tone={failed > 0 ? 'bad' : 'ok'}>{<Count count={failed} />}</Mark>,
    align: 'end',
  },
  {
    title: t.later,
    cell: ({ waiting, is_partial }) => <Count count={waiting} isPartial={is_partial} />,
    align: 'end',
    isWideOnly: true,
  },
  {
    title: t.longestDue,
    cell: ({ oldest_due_seconds: age }) =>
      age === 0 ? <span className={css.zero}>–</span> : <Mark tone={ageTone(age)}>{formatAge(age)}</Mark>,
    align: 'end',
  },
];

/** The jobs of each kind by state. */
export function Kinds({ jobs }: { jobs: readonly Row[] }) {
  const [isWhole, setWhole] = useState(false);
  if (jobs.length === 0) {
    return <EmptyState title={t.noJobs}>{t.nothingWaitsJob}</EmptyState>;
  }
  const idle = jobs.filter(isIdleSweep);
  const shown = isWhole ? jobs : jobs.filter((row) => !isIdleSweep(row));
  return (
    <>
      {shown.length > 0 && (
        <Table
          label={t.jobsByKind}
          rows={[...shown].sort(byTrouble)}
          rowId={({ queue, kind }) => `${queue} ${kind}`}
          columns={[
            { title: t.kind, cell: ({ kind }) => <code className={css.kind}>{kind}</code> },
            { title: t.queue, cell: ({ queue }) => QUEUE_NAMES[queue], isWideOnly: true },
            ...COUNT_COLUMNS,
          ]}
        />
      )}
      {idle.length > 0 && (
        <Checkbox isSelected={isWhole} onChange={setWhole}>
          {t.showHousekeepingTime(idle.length)}
        </Checkbox>
      )}
    </>
  );
}

/** Housekeeping is due at intervals on every installation, so it is shown only when it is late or fails. */
function isIdleSweep({ kind, failed, oldest_due_seconds }: Row): boolean {
  return kind.startsWith('sweep.') && failed === 0 && oldest_due_seconds <= BUSY_S;
}

/** Late kinds come first, then failing kinds, then the kinds with the most jobs. */
function byTrouble(a: Row, b: Row): number {
  const weights = (row: Row) => [row.oldest_due_seconds, row.failed, row.due + row.running, row.waiting];
  const [left, right] = [weights(a), weights(b)];
  const at = left.findIndex((weight, index) => weight !== right[index]);
  return at < 0 ? a.kind.localeCompare(b.kind) : (right[at] ?? 0) - (left[at] ?? 0);
}

function Count({ count, isPartial = false }: { count: number; isPartial?: boolean }) {
  if (count === 0) return <span className={css.zero}>0</span>;
  return (
    <span>
      {formatCount(count)}
      {isPartial && '+'}
    </span>
  );
}
