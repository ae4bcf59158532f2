import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import css from './clock.module.css';

const READ_EVERY_MS = 1_000;
const STEPS = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['30 days', 30 * 86_400],
] as const;
const UNITS = [
  { id: '1', text: 'seconds' },
  { id: '60', text: 'minutes' },
  { id: '3600', text: 'hours' },
  { id: '86400', text: 'days' },
];

/** Everything may have happened on the way. */
const CHANGES = ['clock', 'messages', 'conversations', 'calls', 'events', 'phone_numbers', 'balance'];

/** Shows the clock, and moves it. */
export function ClockCard() {
  const { data, error } = useRead(['clock'], (api) => api.test.getClock(), { everyMs: READ_EVERY_MS });
  const [count, setCount] = useState('1');
  const [unit, setUnit] = useState('3600');
  const advance = useWrite((api, seconds: number) => api.test.advanceClock({ advance_seconds: seconds }), {
    changes: CHANGES,
    done: 'The clock has moved. Everything that was due has run.',
  });
  return (
    <Section title="Clock">
      <div className={css.card}>
        <p className={css.now}>
          <Moment at={data?.now} format="long" />
        </p>
        <p className={css.dim}>The clock goes forward only. Everything that falls due on the way runs in order.</p>
        <div className={css.row}>
          {STEPS.map(([name, seconds]) => (
            <Button key={name} isDisabled={advance.isPending} onPress={() => advance.mutate(seconds)}>
              + {name}
            </Button>
          ))}
        </div>
        <form
          className={css.row}
          onSubmit={(event) => {
            event.preventDefault();
            advance.mutate(Number(count) * Number(unit));
          }}
        >
          <div className={css.count}>
            <TextField label="Forward by" type="number" value={count} onChange={setCount} />
          </div>
          <Select label="Unit" options={UNITS} value={unit} onChange={setUnit} />
          <Button type="submit" kind="primary" isPending={advance.isPending}>
            Move the clock
          </Button>
        </form>
        <ErrorNote error={advance.error ?? error} />
      </div>
    </Section>
  );
}
