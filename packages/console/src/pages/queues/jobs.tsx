import type { Job } from '../../api/generated/operator-types.ts';
import { type JobState, listJobs } from '../../api/installation.ts';
import { useWholeList } from '../../api/operator-queries.ts';
import { useFilters } from '../../app/filters.ts';
import { formatAge } from '../../lib/durations.ts';
import { texts } from '../../texts/queues.ts';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { ageTone, Mark, QUEUE_NAMES, QUEUES } from './figures.tsx';

const t = texts.jobs;

const EVERY_MS = 5_000;
const SHOWN = 50;
const ANY = 'any';
const STATE_NAMES: Readonly<Record<JobState, string>> = {
  due: t.due,
  running: t.running,
  failed: t.failed,
  waiting: t.dueLater,
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
    <Section title={t.jobsLongestDue}>
      <FilterBar>
        <Select
          label={t.state}
          options={[{ id: ANY, text: t.any }, ...STATES]}
          value={state ?? ANY}
          onChange={choose('state')}
        />
        <Select
          label={t.queue}
          options={[{ id: ANY, text: t.any }, ...QUEUES.map((id) => ({ id, text: QUEUE_NAMES[id] }))]}
          value={queue ?? ANY}
          onChange={choose('queue')}
        />
        <Select
          label={t.kind}
          options={[{ id: ANY, text: t.any }, ...known.map((id) => ({ id, text: id }))]}
          value={kind ?? ANY}
          onChange={choose('kind')}
        />
      </FilterBar>
      <DataList
        label={t.jobs}
        list={jobs}
        rowId={({ id }) => id}
        columns={[
          { title: t.kind, cell: (job) => <code>{job.kind}</code>, width: '1.4fr' },
          { title: t.state, cell: (job) => <Status status={job.state} />, width: '0.7fr' },
          { title: t.due, cell: (job) => <Due job={job} />, wraps: true },
          { title: t.attempts, cell: ({ attempts }) => attempts, width: '0.6fr' },
          { title: t.account, cell: (job) => <Owner job={job} />, width: '2fr' },
        ]}
        empty={<EmptyState title={t.noSuchJob}>{t.nothingKindWaits}</EmptyState>}
      />
    </Section>
  );
}

function Due({ job: { state, due_for_seconds, run_at } }: { job: Job }) {
  if (state === 'due') return <Mark tone={ageTone(due_for_seconds)}>{t.for(formatAge(due_for_seconds))}</Mark>;
  return <Moment at={run_at} format="log" />;
}

function Owner({ job: { account_id, mode } }: { job: Job }) {
  if (account_id === null) return <span>{t.theInstallation}</span>;
  return (
    <span>
      {mode} <code>{account_id}</code>
    </span>
  );
}
