import type { WorkFigures } from '../../api/installation.ts';
import { formatCount } from '../../lib/amounts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import { STUCK_S, sumOf } from './figures.tsx';
import { COUNT_COLUMNS } from './kinds.tsx';
import css from './queues.module.css';

/** The serial queues of resources by kind. A stalled queue delays only its own items. */
export function Lanes({ lanes }: { lanes: readonly WorkFigures[] }) {
  if (lanes.length === 0) {
    return (
      <EmptyState title="No lanes">
        A lane is a serial queue of one resource, such as the events of a call to one endpoint. It exists while
        something is in it.
      </EmptyState>
    );
  }
  const { failed, oldest } = sumOf(lanes);
  const isStalled = failed > 0 || oldest > STUCK_S;
  return (
    <>
      {isStalled && (
        <Notice tone="warn" title={titleOf(failed)}>
          <p>
            A stalled lane tries its first entry again and again, and what is behind it waits. Other lanes go on. The
            usual cause is a webhook endpoint or a carrier that refuses.
          </p>
        </Notice>
      )}
      <Table
        label="Lanes"
        rows={lanes}
        rowId={({ kind }) => kind}
        columns={[
          { title: 'Kind', cell: ({ kind }) => <code className={css.kind}>{kind}</code> },
          ...COUNT_COLUMNS.map((column) => (column.title === 'Failed' ? { ...column, title: 'Stalled' } : column)),
        ]}
      />
    </>
  );
}

function titleOf(failed: number): string {
  if (failed === 0) return 'Lanes wait for workers';
  return failed === 1 ? '1 lane is stalled' : `${formatCount(failed)} lanes are stalled`;
}
