import type { Queue, UpdateQueue } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { BehaviorEditor } from '../routing/behavior-editor.tsx';
import { type Behavior, behaviorFields } from '../routing/draft.ts';
import { AgentsField, agentsOf } from './agents-field.tsx';

export const STRATEGIES: Readonly<Record<Queue['strategy'], string>> = {
  longest_idle: 'The agent without a call for the longest time',
  round_robin: 'One agent after the other',
  ring_all: 'All free agents at once',
};

const NUMBERS = {
  ring_seconds: 'Seconds that an agent rings',
  wrap_up_seconds: 'Seconds without a caller after a call',
  max_waiting: 'Callers who may wait',
  max_wait_seconds: 'Seconds that a caller waits at most',
} as const;
const FIELDS = ['name', 'agents', 'strategy', ...Object.keys(NUMBERS), 'announce_position_seconds', 'callback_digit'];

/** A button that changes the settings of a queue. */
export function ChangeQueue({ queue }: { queue: Queue }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Change</Button>
      {isOpen && <ChangeDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const [overflow, setOverflow] = useState(queue.overflow as Behavior);
  const change = useWrite((api, body: UpdateQueue) => api.callQueues.update(queue.id, body), {
    changes: ['queues'],
    done: 'The queue is changed.',
    onDone: onClose,
  });
  return (
    <Dialog title="Change the queue" isOpen onClose={onClose}>
      <Form
        submit="Save"
        fields={[...FIELDS, ...behaviorFields(overflow, 'overflow')]}
        error={change.error}
        isPending={change.isPending}
        onCancel={onClose}
        onSubmit={(values) => change.mutate({ ...bodyOf(values), overflow: overflow as UpdateQueue['overflow'] })}
      >
        <TextField name="name" label="Name" defaultValue={queue.name} />
        <AgentsField tenantId={queue.tenant_id} agents={queue.agents.map(({ agent }) => agent)} />
        <Select
          name="strategy"
          label="Who rings for the next caller"
          options={Object.entries(STRATEGIES).map(([id, text]) => ({ id, text }))}
          defaultValue={queue.strategy}
        />
        {Object.entries(NUMBERS).map(([name, label]) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type="number"
            defaultValue={String(queue[name as keyof typeof NUMBERS])}
          />
        ))}
        <TextField
          name="announce_position_seconds"
          label="Seconds between announcements of the position"
          type="number"
          defaultValue={String(queue.announce_position_seconds ?? '')}
          placeholder="never"
        />
        <TextField
          name="callback_digit"
          label="Key that a caller presses to be called back"
          defaultValue={queue.callback_digit ?? ''}
          placeholder="none"
        />
        <BehaviorEditor
          label="After the wait, or when it is full, the caller"
          path="overflow"
          value={overflow}
          onChange={setOverflow}
          tenantId={queue.tenant_id}
          depth={0}
        />
      </Form>
    </Dialog>
  );
}

function bodyOf({
  name,
  agents,
  strategy,
  announce_position_seconds,
  callback_digit,
  ...rest
}: FormValues): UpdateQueue {
  const numbers = Object.keys(NUMBERS).map((field) => [field, Number(rest[field] ?? Number.NaN)]);
  return {
    ...Object.fromEntries(numbers),
    ...(name !== undefined && { name }),
    agents: agentsOf(agents),
    strategy: strategy as Queue['strategy'],
    announce_position_seconds: announce_position_seconds === undefined ? null : Number(announce_position_seconds),
    callback_digit: callback_digit ?? null,
  };
}
