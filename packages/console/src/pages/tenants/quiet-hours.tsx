import type { Tenant, UpdateTenant } from '@dialplane/sdk/resources';
import { Plus, X } from 'lucide-react';
import { useContext } from 'react';
import { texts } from '../../texts/tenants.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Select, TextField } from '../../ui/field.tsx';
import { FieldErrorsContext } from '../../ui/field-errors.ts';
import { Columns } from '../../ui/page.tsx';

const t = texts.quietHours;

type Wanted = NonNullable<UpdateTenant['quiet_hours']>;
type Window = NonNullable<Wanted['schedule']>[number];

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY_NAMES = [t.mon, t.tue, t.wed, t.thu, t.fri, t.sat, t.sun] as const;
const WINDOWS_MAX = 21;

const FORMS = [
  { id: 'none', text: t.none },
  { id: 'daily', text: t.sameEachDay },
  { id: 'weekly', text: t.byWeekday },
];
const ZONES = [
  { id: 'recipient', text: t.ofTheRecipient },
  { id: 'tenant', text: t.ofTheTenant },
];
const APPLIES_TO = [
  { id: 'requested', text: t.textsRespectQuiet },
  { id: 'marketing', text: t.alsoAllTexts },
  { id: 'all', text: t.allTexts },
];

/** Quiet hours while they are edited. The fields of the other form keep their values. */
export type QuietDraft = {
  readonly form: 'none' | 'daily' | 'weekly';
  readonly start: string;
  readonly end: string;
  readonly zone: Wanted['zone'];
  readonly schedule: readonly Window[];
  readonly appliesTo: NonNullable<Wanted['applies_to']>;
};

const NEW_WINDOW: Window = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '21:00', end: '08:00' };

export function quietDraftOf({ quiet_hours: hours }: Pick<Tenant, 'quiet_hours'>): QuietDraft {
  return {
    form: hours === null ? 'none' : hours.schedule === undefined ? 'daily' : 'weekly',
    start: hours?.start ?? '21:00',
    end: hours?.end ?? '08:00',
    zone: hours?.zone ?? 'recipient',
    schedule: hours?.schedule ?? [NEW_WINDOW],
    appliesTo: hours?.applies_to ?? 'requested',
  };
}

/** Returns the quiet hours as the API takes them. */
export function quietHoursOf({ form, start, end, zone, schedule, appliesTo }: QuietDraft): Wanted | null {
  if (form === 'none') return null;
  if (form === 'daily') return { start, end, zone };
  return { schedule: [...schedule], zone, applies_to: appliesTo };
}

/** Returns the names of the fields, in the form of the API's errors. */
export function quietFieldsOf({ schedule }: QuietDraft): string[] {
  const windows = schedule.flatMap((_, index) =>
    ['days', 'start', 'end'].map((name) => `quiet_hours.schedule[${index}].${name}`),
  );
  return ['quiet_hours.start', 'quiet_hours.end', ...windows];
}

type EditorProps = { draft: QuietDraft; onChange: (draft: QuietDraft) => void };

/** The hours when texts wait. */
export function QuietHours({ draft, onChange }: EditorProps) {
  const change = (changed: Partial<QuietDraft>) => onChange({ ...draft, ...changed });
  return (
    <fieldset>
      <legend>{t.quietHours}</legend>
      <Columns>
        <Select
          label={t.textsWait}
          options={FORMS}
          value={draft.form}
          onChange={(form) => change({ form: form as QuietDraft['form'] })}
        />
        {draft.form !== 'none' && (
          <Select
            label={t.byTheClock}
            options={ZONES}
            value={draft.zone}
            onChange={(zone) => change({ zone: zone as QuietDraft['zone'] })}
          />
        )}
        {draft.form === 'daily' && (
          <Times name="quiet_hours" times={draft} onChange={({ start, end }) => change({ start, end })} />
        )}
        {draft.form === 'weekly' && (
          <Select
            label={t.theyApplyTo}
            options={APPLIES_TO}
            value={draft.appliesTo}
            onChange={(appliesTo) => change({ appliesTo: appliesTo as QuietDraft['appliesTo'] })}
          />
        )}
      </Columns>
      {draft.form === 'weekly' && <Schedule schedule={draft.schedule} onChange={(schedule) => change({ schedule })} />}
    </fieldset>
  );
}

type ScheduleProps = { schedule: readonly Window[]; onChange: (schedule: readonly Window[]) => void };

function Schedule({ schedule, onChange }: ScheduleProps) {
  const { touch } = useContext(FieldErrorsContext);
  const set = (next: readonly Window[]) => {
    touch();
    onChange(next);
  };
  return (
    <>
      {schedule.map((window, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: windows may be equal while they are edited
        <div key={index} role="group" aria-label={t.hours(index + 1)}>
          <Columns>
            <Days days={window.days} onChange={(days) => set(schedule.with(index, { ...window, days }))} />
            <Times
              name={`quiet_hours.schedule[${index}]`}
              times={window}
              onChange={(times) => set(schedule.with(index, { ...window, ...times }))}
            />
            {schedule.length > 1 && (
              <IconButton label={t.removeHours(index + 1)} onPress={() => set(schedule.toSpliced(index, 1))}>
                <X />
              </IconButton>
            )}
          </Columns>
        </div>
      ))}
      {schedule.length < WINDOWS_MAX && (
        <Button small onPress={() => set([...schedule, NEW_WINDOW])}>
          <Plus aria-hidden /> {t.addHours}
        </Button>
      )}
    </>
  );
}

type DaysProps = { days: Window['days']; onChange: (days: Window['days']) => void };

/** The days when hours begin. */
function Days({ days, onChange }: DaysProps) {
  return (
    <div>
      {DAYS.map((day, index) => (
        <Checkbox
          key={day}
          isSelected={days.includes(day)}
          onChange={(isOn) => onChange(DAYS.filter((each) => (each === day ? isOn : days.includes(each))))}
        >
          {DAY_NAMES[index]}
        </Checkbox>
      ))}
    </div>
  );
}

type Span = Pick<Window, 'start' | 'end'>;
type TimesProps = { name: string; times: Span; onChange: (times: Span) => void };

/** A time field has no 24:00, so the end of a day is 00:00 there. */
function Times({ name, times: { start, end }, onChange }: TimesProps) {
  const isDaily = name === 'quiet_hours';
  return (
    <>
      <TextField
        name={`${name}.start`}
        label={t.from}
        type="time"
        value={start}
        onChange={(changed) => onChange({ start: changed, end })}
      />
      <TextField
        name={`${name}.end`}
        label={t.until}
        type="time"
        value={end === '24:00' ? '00:00' : end}
        onChange={(changed) => onChange({ start, end: !isDaily && changed === '00:00' ? '24:00' : changed })}
      />
    </>
  );
}
