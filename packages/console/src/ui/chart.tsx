import { useId, useState } from 'react';
import { texts } from '../texts/parts.ts';
import { Bars } from './bars.tsx';
import css from './chart.module.css';
import type { ChartProps } from './chart-types.ts';

const t = texts.chart;

/** A chart over time. The table below it has the same values, and screen readers can read it. */
export function Chart({ formatValue = String, ...chart }: ChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const captionId = useId();
  const { label, times, series, formatTime } = chart;
  const at = pointed === null ? undefined : times[pointed];
  return (
    <figure className={css.chart} aria-labelledby={captionId}>
      <figcaption id={captionId} className={css.caption}>
        {label}
        <span aria-hidden className={css.at}>
          {at !== undefined && formatTime(at)}
        </span>
      </figcaption>
      <ul className={css.legend} aria-hidden>
        {series.map(({ title, values }, index) => (
          <li key={title}>
            <span className={css.mark} data-colour={index + 1} />
            {title}
            {pointed !== null && <strong>{valueText(values[pointed], formatValue)}</strong>}
          </li>
        ))}
      </ul>
      <div aria-hidden className={css.drawing}>
        <Bars {...chart} formatValue={formatValue} onPoint={setPointed} />
      </div>
      <details className={css.table}>
        <summary>{t.figuresTable}</summary>
        <Figures {...chart} formatValue={formatValue} />
      </details>
    </figure>
  );
}

type FiguresProps = ChartProps & { formatValue: (value: number) => string };

function Figures({ label, times, series, formatTime, formatValue }: FiguresProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls content that is longer than the box
    <div className={css.scroll} role="region" aria-label={t.asATable(label)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.time}</th>
            {series.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">{formatTime(time)}</th>
              {series.map(({ title, values }) => (
                <td key={title}>{valueText(values[index], formatValue)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
