import type { Queue, UpdateQueue } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/call-queues.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { BehaviorEditor } from '../routing/behavior-editor.tsx';
import { type Behavior, behaviorFields } from '../routing/draft.ts';
import { AgentsField, agentsOf } from './agents-field.tsx';

const t = texts.changeQueue;

export const STRATEGIES: Readonly<Record<Queue['strategy'], string>> = {
  longest_idle: t.agentWithoutCall,
  round_robin: t.oneAgentAfter,
  ring_all: t.allFreeAgents,
};

const NUMBERS = {
  ring_seconds: t.secondsAgentRings,
  wrap_up_seconds: t.secondsWithoutCaller,
  max_waiting: t.callersWhoMay,
  max_wait_seconds: t.secondsCallerWaits,
} as const;
const FIELDS = ['name', 'agents', 'strategy', ...Object.keys(NUMBERS), 'announce_position_seconds', 'callback_digit'];

/** A button that changes the settings of a queue. */
export function ChangeQueue({ queue }: { queue: Queue }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t.change}</Button>
      {isOpen && <ChangeDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const [overflow, setOverflow] = useState(queue.overflow as Behavior);
  const change = useWrite((api, body: UpdateQueue) => api.callQueues.update(queue.id, body), {
    changes: ['queues'],
    done: t.queueChanged,
    onDone: onClose,
  });
  return (
    <Dialog title={t.changeTheQueue} isOpen onClose={onClose}>
      <Form
        submit={t.save}
        fields={[...FIELDS, ...behaviorFields(overflow, 'overflow')]}
        error={change.error}
        isPending={change.isPending}
        onCancel={onClose}
        onSubmit={(values) => change.mutate({ ...bodyOf(values), overflow: overflow as UpdateQueue['overflow'] })}
      >
        <TextField name="name" label={t.name} defaultValue={queue.name} />
        <AgentsField tenantId={queue.tenant_id} agents={queue.agents.map(({ agent }) => agent)} />
        <Select
          name="strategy"
          label={t.whoRingsNext}
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
          label={t.secondsBetweenAnnouncements}
          type="number"
          defaultValue={String(queue.announce_position_seconds ?? '')}
          placeholder={t.never}
        />
        <TextField
          name="callback_digit"
          label={t.keyCallerPresses}
          defaultValue={queue.callback_digit ?? ''}
          placeholder={t.none}
        />
        <BehaviorEditor
          label={t.afterWaitWhen}
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
