import type { SetTestFault, TestFault } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/clock.ts';
import { words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import css from './clock.module.css';

const t = texts.faults;

type Kind = SetTestFault['kind'];

/** The effect of the carrier's fault, by its kind. */
const KINDS: Readonly<Record<Kind, string>> = {
  delay: t.receiptComesLater,
  drop: t.noReceiptComes,
  duplicate: t.receiptComesTwice,
  reorder: t.everySecondReceipt,
  send_unavailable: t.carrierDoesNot,
  send_unknown: t.carrierTakesText,
  assign_failed: t.numberRefusedCampaign,
};
const OPTIONS = Object.keys(KINDS).map((id) => ({ id, text: words(id) }));

/** The faults in force, and a form that sets one. */
export function Faults() {
  const { data, error } = useRead(['faults'], (api) => api.test.listFaults());
  const set = useWrite((api, fault: SetTestFault) => api.test.setFault(fault), {
    changes: ['faults'],
    done: ({ kind, times }) => (times === 0 ? t.isOver(words(kind)) : t.isInForce(words(kind))),
  });
  const faults = data?.data ?? [];
  const clear = ({ kind }: TestFault) => set.mutate({ kind, times: 0 });
  return (
    <Section title={t.faults}>
      <div className={css.card}>
        <ErrorNote error={error} />
        {faults.length === 0 ? (
          <p className={css.dim}>{t.simulatedCarrierWorks}</p>
        ) : (
          <Table
            label={t.faultsInForce}
            rows={faults}
            rowId={({ kind }) => kind}
            columns={[
              { title: t.fault, cell: ({ kind }) => words(kind) },
              { title: t.whatCarrierDoes, cell: ({ kind }) => KINDS[kind] },
              { title: t.timesLeft, cell: ({ times }) => times ?? t.untilCleared, align: 'end' },
              { title: t.delay, cell: ({ delay_seconds }) => (delay_seconds === null ? '–' : `${delay_seconds} s`) },
              {
                title: t.clear,
                cell: (fault) => (
                  <Button small aria-label={t.clearOf(words(fault.kind))} onPress={() => clear(fault)}>
                    {t.clear}
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
      submit={t.setTheFault}
      fields={['kind', 'times', 'delay_seconds']}
      error={error}
      isPending={isPending}
      onSubmit={submit}
    >
      <div className={css.fields}>
        <Select
          label={t.fault}
          name="kind"
          options={OPTIONS}
          value={kind}
          onChange={(id) => setKind(id as Kind)}
          hint={KINDS[kind]}
        />
        <TextField name="times" label={t.times} type="number" hint={t.withoutUntilCleared} />
        {kind === 'delay' && (
          <TextField name="delay_seconds" label={t.delayInSeconds} type="number" defaultValue="60" />
        )}
      </div>
    </Form>
  );
}
