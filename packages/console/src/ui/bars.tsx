import { classes } from '../lib/classes.ts';
import css from './chart.module.css';
import type { ChartProps } from './chart-types.ts';
import { ticksTo } from './ticks.ts';

type BarsProps = ChartProps & {
  formatValue: (value: number) => string;
  /** Called with the position of the time under the pointer. */
  onPoint: (position: number | null) => void;
};

const LABELS_MAX = 8;

/** Draws the bars of a chart, as wide as its parent. The bars of several series are stacked. */
export function Bars({ times, series, formatTime, formatValue, onPoint }: BarsProps) {
  const sums = times.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const ticks = ticksTo(Math.max(0, ...sums));
  const top = ticks.at(-1) as number;
  const share = (value: number) => `${(100 * value) / top}%`;
  const labelEvery = Math.ceil(times.length / LABELS_MAX);
  return (
    <div className={css.bars} onPointerLeave={() => onPoint(null)}>
      <div className={css.scale}>
        {ticks.map((tick) => (
          // All labels are in one cell, which is as wide as the longest.
          <span key={tick} className={css.value} style={{ bottom: share(tick) }}>
            {formatValue(tick)}
          </span>
        ))}
      </div>
      <div className={css.plot}>
        {ticks.map((tick) => (
          <span key={tick} className={css.line} style={{ bottom: share(tick) }} />
        ))}
        {times.map((time, index) => (
          <div key={time} className={css.slot} onPointerEnter={() => onPoint(index)}>
            {series.map(({ title, values }, position) => {
              const value = values[index] ?? 0;
              return (
                value > 0 && <span key={title} data-bar data-colour={position + 1} style={{ height: share(value) }} />
              );
            })}
            {index % labelEvery === 0 && (
              <span className={classes(css.time, (index / labelEvery) % 2 === 1 && css.minor)}>{formatTime(time)}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
