import type { Job } from '../../api/generated/operator-types.ts';
import { type JobState, listJobs } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { useFilters } from '../../app/filters.ts';
import { formatAge } from '../../lib/durations.ts';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { ageTone, Mark, QUEUE_NAMES, QUEUES } from './figures.tsx';

const EVERY_MS = 5_000;
const SHOWN = 50;
const ANY = 'any';
const STATE_NAMES: Readonly<Record<JobState, string>> = {
  due: 'Due',
  running: 'Running',
  failed: 'Failed',
  waiting: 'Due later',
};
const STATES = Object.entries(STATE_NAMES).map(([id, text]) => ({ id, text }));

/** The jobs that have been due the longest, then the next jobs to fall due. */
export function Jobs({ kinds }: { kinds: readonly string[] }) {
  const [{ queue, kind, state }, change] = useFilters();
  const filters = {
    ...(queue !== undefined && { queue }),
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
  };
  const jobs = useWholeList(['jobs', filters], () => listJobs({ ...filters, limit: SHOWN }), { everyMs: EVERY_MS });
  const choose = (name: string) => (id: string) => change({ [name]: id === ANY ? undefined : id });
  const known = kind === undefined || kinds.includes(kind) ? kinds : [...kinds, kind];
  return (
    <Section title="Jobs, the longest due first">
      <FilterBar>
        <Select
          label="State"
          options={[{ id: ANY, text: 'Any' }, ...STATES]}
          value={state ?? ANY}
          onChange={choose('state')}
        />
        <Select
          label="Queue"
          options={[{ id: ANY, text: 'Any' }, ...QUEUES.map((id) => ({ id, text: QUEUE_NAMES[id] }))]}
          value={queue ?? ANY}
          onChange={choose('queue')}
        />
        <Select
          label="Kind"
          options={[{ id: ANY, text: 'Any' }, ...known.map((id) => ({ id, text: id }))]}
          value={kind ?? ANY}
          onChange={choose('kind')}
        />
      </FilterBar>
      <DataList
        label="Jobs"
        list={jobs}
        rowId={({ id }) => id}
        columns={[
          { title: 'Kind', cell: (job) => <code>{job.kind}</code>, width: '1.4fr' },
          { title: 'State', cell: (job) => <Status status={job.state} />, width: '0.7fr' },
          { title: 'Due', cell: (job) => <Due job={job} /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts, width: '0.6fr' },
          { title: 'Account', cell: (job) => <Owner job={job} />, width: '2fr' },
        ]}
        empty={<EmptyState title="No such job">Nothing of this kind waits, runs or has failed.</EmptyState>}
      />
    </Section>
  );
}

function Due({ job: { state, due_for_seconds, run_at } }: { job: Job }) {
  if (state === 'due') return <Mark tone={ageTone(due_for_seconds)}>for {formatAge(due_for_seconds)}</Mark>;
  return <Moment at={run_at} format="log" />;
}

function Owner({ job: { account_id, mode } }: { job: Job }) {
  if (account_id === null) return <span>the installation</span>;
  return (
    <span>
      {mode} <code>{account_id}</code>
    </span>
  );
}
