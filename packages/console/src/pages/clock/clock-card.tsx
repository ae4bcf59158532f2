import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/clock.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import css from './clock.module.css';

const t = texts.clockCard;

const READ_EVERY_MS = 1_000;
const STEPS = [
  ['1 minute', 60],
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['30 days', 30 * 86_400],
] as const;
const UNITS = [
  { id: '1', text: t.seconds },
  { id: '60', text: t.minutes },
  { id: '3600', text: t.hours },
  { id: '86400', text: t.days },
];

/** Anything may change while the clock moves. */
const CHANGES = ['clock', 'messages', 'conversations', 'calls', 'events', 'phone_numbers', 'balance'];

/** Shows the clock, and moves it. */
export function ClockCard() {
  const { data, error } = useRead(['clock'], (api) => api.test.getClock(), { everyMs: READ_EVERY_MS });
  const [count, setCount] = useState('1');
  const [unit, setUnit] = useState('3600');
  const advance = useWrite((api, seconds: number) => api.test.advanceClock({ advance_seconds: seconds }), {
    changes: CHANGES,
    done: t.clockMovedEverything,
  });
  return (
    <Section title={t.clock}>
      <div className={css.card}>
        <p className={css.now}>
          <Moment at={data?.now} format="long" />
        </p>
        <p className={css.dim}>{t.clockGoesForward}</p>
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
            <TextField label={t.forwardBy} type="number" value={count} onChange={setCount} />
          </div>
          <Select label={t.unit} options={UNITS} value={unit} onChange={setUnit} />
          <Button type="submit" kind="primary" isPending={advance.isPending}>
            {t.moveTheClock}
          </Button>
        </form>
        <ErrorNote error={advance.error ?? error} />
      </div>
    </Section>
  );
}
