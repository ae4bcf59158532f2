import type { Queues } from '../../api/generated/operator-types.ts';
import { formatCount, formatShare } from '../../lib/amounts.ts';
import { texts } from '../../texts/queues.ts';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { Table } from '../../ui/table.tsx';
import { Mark } from './figures.tsx';
import css from './queues.module.css';

const t = texts.attempts;

type Row = Queues['attempts'][number];

/** The error rate of each kind with failed attempts, the highest first. Shows nothing if no attempt failed. */
export function Attempts({ queues: { attempts, attempts_since } }: { queues: Queues }) {
  const failing = attempts.filter(({ failed_attempts }) => failed_attempts > 0);
  if (failing.length === 0) return null;
  return (
    <Section title={t.errorRate}>
      <p>{rich(t.countedSince, <Moment at={attempts_since} format="long" />)}</p>
      <Table
        label={t.errorRate}
        rows={[...failing].sort((a, b) => rateOf(b) - rateOf(a))}
        rowId={({ kind }) => kind}
        columns={[
          { title: t.kind, cell: ({ kind }) => <code className={css.kind}>{kind}</code> },
          { title: t.rate, cell: (row) => <Mark tone="bad">{formatShare(rateOf(row))}</Mark>, align: 'end' },
          { title: t.failed, cell: ({ failed_attempts }) => formatCount(failed_attempts), align: 'end' },
          { title: t.attempts, cell: (row) => formatCount(row.attempts), align: 'end', isWideOnly: true },
        ]}
      />
    </Section>
  );
}

function rateOf({ attempts, failed_attempts }: Row): number {
  return failed_attempts / attempts;
}
