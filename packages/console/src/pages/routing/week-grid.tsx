import { Copy, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { classes } from '../../lib/classes.ts';
import { texts } from '../../texts/routing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import {
  closeAfter,
  DAY_MIN,
  DAY_NAMES,
  fit,
  inOrder,
  minutesOf,
  newSpan,
  type Span,
  STEP_MIN,
  sayOf,
  timeOf,
} from './spans.ts';
import css from './week-grid.module.css';

const t = texts.weekGrid;

type WeekGridProps = { spans: readonly Span[]; onChange: (spans: readonly Span[]) => void };

/** The effect of a drag: it moves a span or one of its ends. Positions are relative to the start of the drag. */
type Drag = { readonly part: 'whole' | 'open' | 'close'; readonly from: number; readonly span: Span };

const HOURS = [0, 6, 12, 18, 24];
const NEW_OPEN = 9 * 60;
const NEW_LENGTH = 8 * 60;

/**
 * The week as seven days of 24 hours. A drag over free time adds hours; a drag of hours or their ends moves them. With
 * the keyboard, arrows move the chosen hours, arrows with Shift move their end, and Delete removes them. The fields
 * below can do all of this too.
 */
export function WeekGrid({ spans, onChange }: WeekGridProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const set = (changed: Span) => onChange(spans.map((span) => (span.id === changed.id ? fit(changed) : span)));
  const add = (span: Span) => {
    onChange([...spans, fit(span)].sort(inOrder));
    setChosen(span.id);
  };
  const week = useRef<HTMLDivElement>(null);
  const remove = (gone: Span) => {
    onChange(spans.filter(({ id }) => id !== gone.id));
    setChosen(null);
    // The focus moves to the day, because the focused element was removed.
    week.current?.querySelector<HTMLElement>(`[data-add="${gone.day}"]>button`)?.focus();
  };
  const current = spans.find(({ id }) => id === chosen);
  return (
    <div className={css.week} ref={week}>
      <div className={css.scale} aria-hidden>
        <span />
        <div className={css.hours}>
          {HOURS.map((hour) => (
            <span key={hour} style={{ left: `${(100 * hour) / 24}%` }}>
              {String(hour).padStart(2, '0')}
            </span>
          ))}
        </div>
        <span />
      </div>
      {DAY_NAMES.map((name, day) => (
        <div key={name} className={css.day} role="group" aria-label={name}>
          <span className={css.name}>{name.slice(0, 3)}</span>
          <Track
            day={day}
            spans={spans}
            chosen={chosen}
            onChoose={setChosen}
            onSet={set}
            onAdd={add}
            onRemove={remove}
          />
          <span data-add={day}>
            <IconButton label={t.addHoursOn(name)} small onPress={() => add(nextSpan(spans, day))}>
              <Plus />
            </IconButton>
          </span>
        </div>
      ))}
      {current === undefined ? (
        <p className={css.hint}>{t.dragOverDay}</p>
      ) : (
        <SpanFields
          key={current.id}
          span={current}
          onSet={set}
          onRemove={() => remove(current)}
          onCopy={() => onChange(copyToWeekdays(spans, current))}
        />
      )}
    </div>
  );
}

/** Returns usual hours for a day. If the day already has hours, the new ones begin after the last. */
function nextSpan(spans: readonly Span[], day: number): Span {
  const last = Math.max(-1, ...spans.filter((span) => span.day === day).map(({ close }) => close));
  if (last < 0) return newSpan(day, NEW_OPEN, NEW_OPEN + NEW_LENGTH);
  const open = Math.min(last + 60, DAY_MIN - 60);
  return newSpan(day, open, Math.min(DAY_MIN, open + NEW_LENGTH / 2));
}

function copyToWeekdays(spans: readonly Span[], { open, close }: Span): Span[] {
  const has = (day: number) => spans.some((span) => span.day === day && span.open === open && span.close === close);
  const missing = [0, 1, 2, 3, 4].filter((day) => !has(day)).map((day) => newSpan(day, open, close));
  return [...spans, ...missing].sort(inOrder);
}

type TrackProps = {
  day: number;
  spans: readonly Span[];
  chosen: number | null;
  onChoose: (id: number | null) => void;
  onSet: (span: Span) => void;
  onAdd: (span: Span) => void;
  onRemove: (span: Span) => void;
};

function Track({ day, spans, chosen, onChoose, onSet, onAdd, onRemove }: TrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const minuteAt = (clientX: number) => {
    const { left = 0, width = 1 } = track.current?.getBoundingClientRect() ?? {};
    return Math.round((((clientX - left) / width) * DAY_MIN) / STEP_MIN) * STEP_MIN;
  };
  const begin = (event: PointerEvent, span: Span, part: Drag['part']) => {
    event.stopPropagation();
    track.current?.setPointerCapture(event.pointerId);
    onChoose(span.id);
    setDrag({ part, from: minuteAt(event.clientX), span });
  };
  const beginNew = (event: PointerEvent) => {
    const at = Math.min(Math.max(0, minuteAt(event.clientX)), DAY_MIN - STEP_MIN);
    const span = newSpan(day, at, at + STEP_MIN);
    onAdd(span);
    track.current?.setPointerCapture(event.pointerId);
    setDrag({ part: 'close', from: at + STEP_MIN, span });
  };
  const move = (event: PointerEvent) => {
    if (drag !== null) onSet(moved(drag.span, drag.part, minuteAt(event.clientX) - drag.from));
  };
  return (
    <div
      ref={track}
      className={css.track}
      onPointerDown={beginNew}
      onPointerMove={move}
      onPointerUp={() => setDrag(null)}
      onPointerCancel={() => setDrag(null)}
    >
      {spans
        .filter((span) => span.day === (day + 6) % 7 && span.close > DAY_MIN)
        .map((span) => (
          <span key={span.id} aria-hidden className={css.rest} style={placeOf(0, span.close - DAY_MIN)} />
        ))}
      {spans
        .filter((span) => span.day === day)
        .map((span) => (
          <button
            key={span.id}
            type="button"
            aria-label={sayOf(span)}
            aria-pressed={span.id === chosen}
            className={classes(css.span, span.id === chosen && css.chosen)}
            style={placeOf(span.open, Math.min(span.close, DAY_MIN))}
            onPointerDown={(event) => begin(event, span, 'whole')}
            onFocus={() => onChoose(span.id)}
            onKeyDown={(event) => onKey(event, span, onSet, onRemove)}
          >
            <i className={css.start} onPointerDown={(event) => begin(event, span, 'open')} />
            <span className={css.text}>
              {timeOf(span.open)}–{timeOf(span.close)}
            </span>
            <i className={css.end} onPointerDown={(event) => begin(event, span, 'close')} />
          </button>
        ))}
    </div>
  );
}

const placeOf = (from: number, to: number) => ({
  left: `${(100 * from) / DAY_MIN}%`,
  width: `${(100 * (to - from)) / DAY_MIN}%`,
});

/** Returns the span after a part of it was dragged by some minutes. */
function moved(span: Span, part: Drag['part'], by: number): Span {
  if (part === 'close') return { ...span, close: Math.max(span.open + STEP_MIN, span.close + by) };
  if (part === 'open') return { ...span, open: Math.min(Math.max(0, span.open + by), span.close - STEP_MIN) };
  const open = Math.min(Math.max(0, span.open + by), DAY_MIN - STEP_MIN);
  return { ...span, open, close: span.close + open - span.open };
}

function onKey(event: KeyboardEvent, span: Span, onSet: TrackProps['onSet'], onRemove: TrackProps['onRemove']): void {
  const step = event.key === 'ArrowRight' ? STEP_MIN : event.key === 'ArrowLeft' ? -STEP_MIN : 0;
  if (step !== 0) onSet(moved(span, event.shiftKey ? 'close' : 'whole', step));
  else if (event.key === 'Delete' || event.key === 'Backspace') onRemove(span);
  else return;
  event.preventDefault();
}

const DAY_OPTIONS = DAY_NAMES.map((text, index) => ({ id: String(index), text }));

type SpanFieldsProps = { span: Span; onSet: (span: Span) => void; onRemove: () => void; onCopy: () => void };

/** The chosen hours in fields. */
function SpanFields({ span, onSet, onRemove, onCopy }: SpanFieldsProps) {
  const { day, open, close } = span;
  const changeOpen = (time: string) => {
    if (time === '') return;
    onSet({ ...span, open: minutesOf(time), close: closeAfter(minutesOf(time), timeOf(close)) });
  };
  return (
    <div className={css.fields} role="group" aria-label={t.theChosenHours}>
      <Select
        label={t.day}
        options={DAY_OPTIONS}
        value={String(day)}
        onChange={(chosen) => onSet({ ...span, day: Number(chosen) })}
      />
      <TextField label={t.opens} type="time" value={timeOf(open)} onChange={changeOpen} />
      <TextField
        label={close > DAY_MIN ? t.closesNextDay : t.closes}
        type="time"
        value={timeOf(close)}
        onChange={(time) => time !== '' && onSet({ ...span, close: closeAfter(open, time) })}
      />
      <div className={css.buttons}>
        <Button small onPress={onCopy}>
          <Copy aria-hidden /> {t.mondayFriday}
        </Button>
        <Button small kind="danger" onPress={onRemove}>
          <Trash2 aria-hidden /> {t.remove}
        </Button>
      </div>
    </div>
  );
}
