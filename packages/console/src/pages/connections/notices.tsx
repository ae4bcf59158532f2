import { useState } from 'react';
import type { CarrierNotice } from '../../api/generated/operator-types.ts';
import { listNotices } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';

const EVERY_MS = 10_000;
const ANY = 'any';
const STATES: readonly { id: typeof ANY | CarrierNotice['state']; text: string }[] = [
  { id: ANY, text: 'Any' },
  { id: 'waiting', text: 'Waiting' },
  { id: 'done', text: 'Done' },
  { id: 'ignored', text: 'Ignored: says nothing that matters' },
  { id: 'dropped', text: 'Dropped: its subject never became known' },
];

/** The latest notices of the carrier, and what became of each. */
export function Notices({ id }: { id: string }) {
  const [state, setState] = useState<string>(ANY);
  const all = useWholeList(['notices', id], () => listNotices(id), { everyMs: EVERY_MS });
  const shown = { ...all, rows: all.rows.filter((notice) => state === ANY || notice.state === state) };
  return (
    <Section title="Latest notices">
      <FilterBar>
        <Select label="State" options={STATES} value={state} onChange={setState} />
      </FilterBar>
      <DataList
        label="Notices"
        list={shown}
        rowId={(notice) => notice.id}
        columns={[
          { title: 'Notice', cell: ({ type }) => <code>{type}</code>, width: '1.4fr' },
          { title: 'State', cell: (notice) => <Status status={notice.state} />, width: '0.7fr' },
          { title: 'About', cell: ({ about }) => <code>{about}</code>, width: '1.6fr' },
          {
            title: 'Received',
            cell: ({ received_at }) => <Moment at={received_at} format="log" />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState title={state === ANY ? 'No notices yet' : 'None of the latest 50 notices is in this state'}>
            A carrier reports texts, receipts, calls and registrations. Notices with a wrong signature are refused and
            not kept; the metric <code>dialplane_carrier_notices_total</code> counts them.
          </EmptyState>
        }
      />
    </Section>
  );
}
