import { useState } from 'react';
import type { CarrierNotice } from '../../api/generated/operator-types.ts';
import { listNotices } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { texts } from '../../texts/connections.ts';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';

const t = texts.notices;

const EVERY_MS = 10_000;
const ANY = 'any';
const STATES: readonly { id: typeof ANY | CarrierNotice['state']; text: string }[] = [
  { id: ANY, text: t.any },
  { id: 'waiting', text: t.waiting },
  { id: 'done', text: t.done },
  { id: 'ignored', text: t.ignoredSaysNothing },
  { id: 'dropped', text: t.droppedSubjectNever },
];

/** The latest notices of the carrier, and the result of each. */
export function Notices({ id }: { id: string }) {
  const [state, setState] = useState<string>(ANY);
  const all = useWholeList(['notices', id], () => listNotices(id), { everyMs: EVERY_MS });
  const shown = {
    ...all,
    whole: undefined,
    rows: all.rows.filter((notice) => state === ANY || notice.state === state),
  };
  return (
    <Section title={t.latestNotices}>
      <FilterBar>
        <Select label={t.state} options={STATES} value={state} onChange={setState} />
      </FilterBar>
      <DataList
        label={t.notices}
        list={shown}
        rowId={(notice) => notice.id}
        columns={[
          { title: t.notice, cell: ({ type }) => <code>{type}</code>, width: '1.4fr' },
          { title: t.state, cell: (notice) => <Status status={notice.state} />, width: '0.7fr' },
          { title: t.about, cell: ({ about }) => <code>{about}</code>, width: '1.6fr' },
          {
            title: t.received,
            cell: ({ received_at }) => <Moment at={received_at} format="log" />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState title={state === ANY ? t.noNoticesYet : t.noneLatest50}>
            {rich(t.carrierReportsTexts, <code>dialplane_carrier_notices_total</code>)}
          </EmptyState>
        }
      />
    </Section>
  );
}
