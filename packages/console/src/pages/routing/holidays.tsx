import { Plus, Trash2 } from 'lucide-react';
import { texts } from '../../texts/routing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import type { Holiday } from './draft.ts';
import css from './routing.module.css';

const t = texts.holidays;

type HolidaysProps = { holidays: readonly Holiday[]; onChange: (holidays: readonly Holiday[]) => void };

/** Edits the dates when the hours of the week do not apply. */
export function Holidays({ holidays, onChange }: HolidaysProps) {
  const set = (index: number, change: Partial<Holiday>) =>
    onChange(holidays.map((day, at) => (at === index ? { ...day, ...change } : day)));
  return (
    <fieldset className={css.targets}>
      <legend>{t.holidays}</legend>
      {holidays.map((day, index) => {
        const path = `business_hours.holidays[${index}]`;
        const called = day.date === '' ? t.holiday(index + 1) : day.date;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a holiday is its place while its date is typed
          <div key={index} className={css.holiday} role="group" aria-label={called}>
            <TextField
              name={`${path}.date`}
              label={t.date}
              type="date"
              isRequired
              value={day.date}
              onChange={(date) => set(index, { date })}
            />
            <Checkbox isSelected={day.isClosed} onChange={(isClosed) => set(index, { isClosed })}>
              {t.closed}
            </Checkbox>
            {!day.isClosed && (
              <>
                <TextField
                  name={`${path}.open`}
                  label={t.opens}
                  type="time"
                  isRequired
                  value={day.open}
                  onChange={(open) => set(index, { open })}
                />
                <TextField
                  name={`${path}.close`}
                  label={t.closes}
                  type="time"
                  isRequired
                  value={day.close}
                  onChange={(close) => set(index, { close })}
                />
              </>
            )}
            <IconButton
              small
              label={t.remove(called)}
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
          <Plus aria-hidden /> {t.addAHoliday}
        </Button>
      </div>
    </fieldset>
  );
}
