import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import type { Holiday } from './draft.ts';
import css from './routing.module.css';

type HolidaysProps = { holidays: readonly Holiday[]; onChange: (holidays: readonly Holiday[]) => void };

/** Edits the dates when the week's hours do not hold. */
export function Holidays({ holidays, onChange }: HolidaysProps) {
  const set = (index: number, change: Partial<Holiday>) =>
    onChange(holidays.map((day, at) => (at === index ? { ...day, ...change } : day)));
  return (
    <fieldset className={css.targets}>
      <legend>Holidays</legend>
      {holidays.map((day, index) => {
        const path = `business_hours.holidays[${index}]`;
        const called = day.date === '' ? `holiday ${index + 1}` : day.date;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a holiday is its place while its date is typed
          <div key={index} className={css.holiday} role="group" aria-label={called}>
            <TextField
              name={`${path}.date`}
              label="Date"
              type="date"
              isRequired
              value={day.date}
              onChange={(date) => set(index, { date })}
            />
            <Checkbox isSelected={day.isClosed} onChange={(isClosed) => set(index, { isClosed })}>
              Closed
            </Checkbox>
            {!day.isClosed && (
              <>
                <TextField
                  name={`${path}.open`}
                  label="Opens"
                  type="time"
                  isRequired
                  value={day.open}
                  onChange={(open) => set(index, { open })}
                />
                <TextField
                  name={`${path}.close`}
                  label="Closes"
                  type="time"
                  isRequired
                  value={day.close}
                  onChange={(close) => set(index, { close })}
                />
              </>
            )}
            <IconButton
              small
              label={`Remove ${called}`}
              onPress={() => onChange(holidays.filter((_, at) => at !== index))}
            >
              <Trash2 />
            </IconButton>
          </div>
        );
      })}
      <div>
        <Button
          small
          onPress={() => onChange([...holidays, { date: '', isClosed: true, open: '09:00', close: '12:00' }])}
        >
          <Plus aria-hidden /> Add a holiday
        </Button>
      </div>
    </fieldset>
  );
}
