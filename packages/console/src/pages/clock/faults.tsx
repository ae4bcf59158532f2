import type { SetTestFault, TestFault } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import css from './clock.module.css';

type Kind = SetTestFault['kind'];

/** The effect of the carrier's fault, by its kind. */
const KINDS: Readonly<Record<Kind, string>> = {
  delay: 'The receipt comes later',
  drop: 'No receipt comes; the message stays queued',
  duplicate: 'The receipt comes twice',
  reorder: 'Every second receipt comes after the next text’s',
  send_unavailable: 'The carrier does not take the text: it is tried again',
  send_unknown: 'The carrier takes the text, but its answer is lost',
  assign_failed: 'A number is refused for a campaign',
};
const OPTIONS = Object.keys(KINDS).map((id) => ({ id, text: words(id) }));

/** The faults in force, and a form that sets one. */
export function Faults() {
  const { data, error } = useRead(['faults'], (api) => api.test.listFaults());
  const set = useWrite((api, fault: SetTestFault) => api.test.setFault(fault), {
    changes: ['faults'],
    done: ({ kind, times }) => (times === 0 ? `${words(kind)} is over.` : `${words(kind)} is in force.`),
  });
  const faults = data?.data ?? [];
  const clear = ({ kind }: TestFault) => set.mutate({ kind, times: 0 });
  return (
    <Section title="Faults">
      <div className={css.card}>
        <ErrorNote error={error} />
        {faults.length === 0 ? (
          <p className={css.dim}>The simulated carrier works as it should.</p>
        ) : (
          <Table
            label="Faults in force"
            rows={faults}
            rowId={({ kind }) => kind}
            columns={[
              { title: 'Fault', cell: ({ kind }) => words(kind) },
              { title: 'What the carrier does', cell: ({ kind }) => KINDS[kind] },
              { title: 'Times left', cell: ({ times }) => times ?? 'until cleared', align: 'end' },
              { title: 'Delay', cell: ({ delay_seconds }) => (delay_seconds === null ? '–' : `${delay_seconds} s`) },
              {
                title: 'Clear',
                cell: (fault) => (
                  <Button small aria-label={`Clear ${words(fault.kind)}`} onPress={() => clear(fault)}>
                    Clear
                  </Button>
                ),
              },
            ]}
          />
        )}
        <FaultForm error={set.error} isPending={set.isPending} onSubmit={(fault) => set.mutate(fault)} />
      </div>
    </Section>
  );
}

type FaultFormProps = { error: unknown; isPending: boolean; onSubmit: (fault: SetTestFault) => void };

function FaultForm({ error, isPending, onSubmit }: FaultFormProps) {
  const [kind, setKind] = useState<Kind>('delay');
  const submit = ({ times, delay_seconds: delay }: FormValues) =>
    onSubmit({
      kind,
      ...(times !== undefined && { times: Number(times) }),
      ...(kind === 'delay' && delay !== undefined && { delay_seconds: Number(delay) }),
    });
  return (
    <Form
      stays
      isChanged={false}
      submit="Set the fault"
      fields={['kind', 'times', 'delay_seconds']}
      error={error}
      isPending={isPending}
      onSubmit={submit}
    >
      <div className={css.fields}>
        <Select
          label="Fault"
          name="kind"
          options={OPTIONS}
          value={kind}
          onChange={(id) => setKind(id as Kind)}
          hint={KINDS[kind]}
        />
        <TextField name="times" label="Times" type="number" hint="Without it, until it is cleared" />
        {kind === 'delay' && (
          <TextField name="delay_seconds" label="Delay in seconds" type="number" defaultValue="60" />
        )}
      </div>
    </Form>
  );
}
