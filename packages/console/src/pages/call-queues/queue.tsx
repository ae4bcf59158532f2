import type { Queue } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { AskedButton } from '../../app/asked-button.tsx';
import { Loading } from '../../app/failure.tsx';
import { ledgerPath, useLedger, usePageId } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Facts, Figure, Figures, Page, Row, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { describe } from '../routing/describe.ts';
import type { Behavior } from '../routing/draft.ts';
import { ChangeQueue, STRATEGIES } from './change-queue.tsx';

/** Waiting callers and agents change without an event of the queue. */
const READ_EVERY_MS = 2_000;

/** One queue: who waits, what its agents do, and how it is set. */
export function QueuePage() {
  const id = usePageId();
  const { data: queue, error } = useRead(['queues', id], (api) => api.callQueues.get(id), { everyMs: READ_EVERY_MS });
  if (queue === undefined) {
    if (error === null) return <Loading />;
    return (
      <Page title="Queue">
        <ErrorNote error={error} />
      </Page>
    );
  }
  return (
    <Page title={queue.name} about={<TenantName id={queue.tenant_id} />} actions={<Actions queue={queue} />}>
      <Figures>
        <Figure name="Waiting" value={queue.waiting} note={`of at most ${queue.max_waiting}`} />
        <Figure name="Longest wait" value={`${queue.longest_wait_seconds} s`} note={`of ${queue.max_wait_seconds} s`} />
        <Figure name="Free agents" value={queue.agents.filter(({ state }) => state === 'available').length} />
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
        label="Delete"
        kind="danger"
        title={`Delete ${queue.name}?`}
        run={(api) => api.callQueues.delete(queue.id)}
        changes={['queues']}
        done="The queue is deleted."
        onDone={() => navigate({ to: ledgerPath(ledger, 'queues') })}
      >
        A queue to which routing or another queue sends callers, or in which one waits, is not deleted.
      </AskedButton>
    </>
  );
}

function Agents({ queue: { id, agents } }: { queue: Queue }) {
  const set = useWrite(
    (api, { agent, availability }: { agent: string; availability: 'available' | 'away' }) =>
      api.callQueues.setAgentAvailability(id, agent, { availability }),
    { changes: ['queues'] },
  );
  if (agents.length === 0) {
    return <EmptyState title="No agents yet">Callers wait until there is one. Add agents by “Change”.</EmptyState>;
  }
  return (
    <Section title="Agents">
      <ErrorNote error={set.error} />
      <Table
        label="Agents"
        rows={agents}
        rowId={({ agent }) => agent}
        columns={[
          { title: 'Agent', cell: ({ agent }) => formatNumber(agent) },
          { title: 'State', cell: ({ state }) => <Status status={state} /> },
          {
            title: 'Availability',
            align: 'end',
            cell: ({ agent, state }) => {
              const availability = state === 'away' ? 'available' : 'away';
              return (
                <Button small onPress={() => set.mutate({ agent, availability })}>
                  {availability === 'away' ? 'Set away' : 'Set available'}
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
    <Card label="Settings">
      <Facts
        facts={[
          ['Who rings for the next caller', STRATEGIES[queue.strategy]],
          ['An agent rings for', `${queue.ring_seconds} s`],
          ['Wrap-up after a call', `${queue.wrap_up_seconds} s`],
          ['Position is announced', every(queue.announce_position_seconds)],
          ['Key to be called back', queue.callback_digit ?? 'none'],
          ['After the wait, or when it is full', describe(queue.overflow as Behavior)],
          [
            'Id',
            <Row key="id">
              <code>{queue.id}</code>
              <CopyButton text={queue.id} label="Copy the id" />
            </Row>,
          ],
        ]}
      />
    </Card>
  );
}

function every(seconds: number | null): string {
  return seconds === null ? 'never' : `every ${seconds} s`;
}
