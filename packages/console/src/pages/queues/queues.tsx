import type { Queues } from '../../api/generated/operator-types.ts';
import { readQueues } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { Loading } from '../../app/failure.tsx';
import { formatAge } from '../../lib/durations.ts';
import { texts } from '../../texts/queues.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Figure, Figures, Page, Section } from '../../ui/page.tsx';
import { Attempts } from './attempts.tsx';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { ageTone, BUSY_S, depthOf, Mark, QUEUE_NAMES, QUEUES, sumOf } from './figures.tsx';
import { Jobs } from './jobs.tsx';
import { Kinds } from './kinds.tsx';
import { Lanes } from './lanes.tsx';

const t = texts.queues;

const EVERY_MS = 5_000;

/** The background work: the delay of each queue, its contents, and its failures. It updates automatically. */
export function QueuesPage() {
  const { data: queues, error } = useOperatorRead(['queues'], readQueues, { everyMs: EVERY_MS });
  if (queues === undefined) {
    return error === null ? (
      <Loading />
    ) : (
      <Page title={t.queues}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  return (
    <Page title={t.queues} about={t.workBackgroundWhere(BUSY_S)}>
      <ErrorNote error={error} />
      <Ages queues={queues} />
      <FailingEndpoints />
      <Attempts queues={queues} />
      <Section title={t.jobsByKind}>
        <Kinds jobs={queues.jobs} />
      </Section>
      <Section title={t.lanes}>
        <Lanes lanes={queues.lanes} />
      </Section>
      <Jobs kinds={[...new Set(queues.jobs.map(({ kind }) => kind))]} />
    </Page>
  );
}

function Ages({ queues: { jobs } }: { queues: Queues }) {
  return (
    <Figures>
      {QUEUES.map((queue) => {
        const rows = jobs.filter((row) => row.queue === queue);
        const sums = sumOf(rows);
        const { oldest } = sums;
        return (
          <Figure
            key={queue}
            name={QUEUE_NAMES[queue]}
            value={<Mark tone={ageTone(oldest)}>{oldest <= BUSY_S ? t.onTime : t.late(formatAge(oldest))}</Mark>}
            note={depthOf(sums)}
          />
        );
      })}
    </Figures>
  );
}
