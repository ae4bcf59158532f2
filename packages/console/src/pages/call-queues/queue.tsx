import type { Queue } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { Agent } from '../../app/agent.tsx';
import { AskedButton } from '../../app/asked-button.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/call-queues.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Facts, Figure, Figures, Page, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { describe } from '../routing/describe.ts';
import type { Behavior } from '../routing/draft.ts';
import { ChangeQueue, STRATEGIES } from './change-queue.tsx';

const t = texts.queue;

/** Waiting callers and agents change without an event of the queue. */
const READ_EVERY_MS = 2_000;

/** A queue: its waiting callers, its agents, and its settings. */
export function QueuePage() {
  const id = usePageId();
  const { data: queue, error } = useRead(['queues', id], (api) => api.callQueues.get(id), { everyMs: READ_EVERY_MS });
  if (queue === undefined) {
    if (error === null) return <Loading />;
    return (
      <Page title={t.queue}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  return (
    <Page title={queue.name} about={<TenantName id={queue.tenant_id} />} actions={<Actions queue={queue} />}>
      <Figures>
        <Figure name={t.waiting} value={queue.waiting} note={t.ofAtMost(queue.max_waiting)} />
        <Figure
          name={t.longestWait}
          value={t.seconds(queue.longest_wait_seconds)}
          note={t.ofS(queue.max_wait_seconds)}
        />
        <Figure name={t.freeAgents} value={queue.agents.filter(({ state }) => state === 'available').length} />
      </Figures>
      <Agents queue={queue} />
      <Settings queue={queue} />
    </Page>
  );
}

function Actions({ queue }: { queue: Queue }) {
  const ledger = useLedger();
  const navigate = useNavigate();
  return (
    <>
      <ChangeQueue queue={queue} />
      <AskedButton
        label={t.delete}
        kind="danger"
        title={t.deleteOf(queue.name)}
        run={(api) => api.callQueues.delete(queue.id)}
        changes={['queues']}
        done={t.queueDeleted}
        onDone={() => navigate({ to: ledgerPath(ledger, 'queues') })}
      >
        {t.queueWhichRouting}
      </AskedButton>
    </>
  );
}

function Agents({ queue: { id, tenant_id, agents } }: { queue: Queue }) {
  const set = useWrite(
    (api, { agent, availability }: { agent: string; availability: 'available' | 'away' }) =>
      api.callQueues.setAgentAvailability(id, agent, { availability }),
    { changes: ['queues'] },
  );
  if (agents.length === 0) {
    return <EmptyState title={t.noAgentsYet}>{t.callersWaitUntil}</EmptyState>;
  }
  return (
    <Section title={t.agents}>
      <ErrorNote error={set.error} />
      <Table
        label={t.agents}
        rows={agents}
        rowId={({ agent }) => agent}
        columns={[
          { title: t.agent, cell: ({ agent }) => <Agent tenantId={tenant_id} party={agent} /> },
          { title: t.state, cell: ({ state }) => <Status status={state} /> },
          {
            title: t.availability,
            align: 'end',
            cell: ({ agent, state }) => {
              const availability = state === 'away' ? 'available' : 'away';
              return (
                <Button small onPress={() => set.mutate({ agent, availability })}>
                  {availability === 'away' ? t.setAway : t.setAvailable}
                </Button>
              );
            },
          },
        ]}
      />
    </Section>
  );
}

function Settings({ queue }: { queue: Queue }) {
  return (
    <Card label={t.settings}>
      <Facts
        facts={[
          [t.whoRingsNext, STRATEGIES[queue.strategy]],
          [t.agentRings, t.seconds(queue.ring_seconds)],
          [t.wrapUpAfter, t.seconds(queue.wrap_up_seconds)],
          [t.positionIsAnnounced, every(queue.announce_position_seconds)],
          [t.keyCalledBack, queue.callback_digit ?? t.none],
          [t.afterWaitWhen, describe(queue.overflow as Behavior)],
        ]}
      />
    </Card>
  );
}

function every(seconds: number | null): string {
  return seconds === null ? t.never : t.everyS(seconds);
}
