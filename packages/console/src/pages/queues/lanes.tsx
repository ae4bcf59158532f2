import type { WorkFigures } from '../../api/installation.ts';
import { formatCount } from '../../lib/amounts.ts';
import { texts } from '../../texts/queues.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import { STUCK_S, sumOf } from './figures.tsx';
import { COUNT_COLUMNS } from './kinds.tsx';
import css from './queues.module.css';

const t = texts.lanes;

/** The serial queues of resources by kind. A stalled queue delays only its own items. */
export function Lanes({ lanes }: { lanes: readonly WorkFigures[] }) {
  if (lanes.length === 0) {
    return <EmptyState title={t.noLanes}>{t.laneSerialQueue}</EmptyState>;
  }
  const { failed, oldest } = sumOf(lanes);
  const isStalled = failed > 0 || oldest > STUCK_S;
  return (
    <>
      {isStalled && (
        <Notice tone="warn" title={titleOf(failed)}>
          <p>{t.stalledLaneTries}</p>
        </Notice>
      )}
      <Table
        label={t.lanes}
        rows={lanes}
        rowId={({ kind }) => kind}
        columns={[
          { title: t.kind, cell: ({ kind }) => <code className={css.kind}>{kind}</code> },
          ...COUNT_COLUMNS.map((column) =>
            column.title === texts.kinds.failed ? { ...column, title: t.stalled } : column,
          ),
        ]}
      />
    </>
  );
}

function titleOf(failed: number): string {
  if (failed === 0) return t.lanesWaitWorkers;
  return failed === 1 ? t.oneLaneStalled : t.lanesAreStalled(formatCount(failed));
}
