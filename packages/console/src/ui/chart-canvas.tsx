import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import css from './chart.module.css';
import type { ChartProps } from './chart-types.ts';

type CanvasProps = ChartProps & {
  formatValue: (value: number) => string;
  height: number;
  /** Called with the position of the time under the pointer. */
  onPoint: (position: number | null) => void;
};

const LABEL_PX = 74;
const BAR_SHARE = 0.7;
const BAR_MAX_PX = 48;
const DRAWN_WIDTH_PX = 600;

/** Draws a chart with uPlot, in the colours of the theme and as wide as its parent. */
export function ChartCanvas(props: CanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  // The drawing uses the newest functions. It is made again only if its parts change.
  const latest = useRef(props);
  latest.current = props;
  const { kind, height, times, series } = props;
  const titles = series.map(({ title }) => title).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: the data is set by the next effect
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const drawing = new uPlot(optionsOf(latest, element), dataOf(latest.current), element);
    plot.current = drawing;
    const size = new ResizeObserver(() => drawing.setSize({ width: element.clientWidth || DRAWN_WIDTH_PX, height }));
    size.observe(element);
    const repaint = () => drawing.redraw(false);
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', repaint);
    return () => {
      size.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', repaint);
      drawing.destroy();
      plot.current = null;
    };
  }, [kind, height, titles]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `latest` has the same values
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series]);

  return (
    <div ref={place} className={css.canvas}>
      {['line', 'dim', ...series.map((_, index) => index + 1)].map((colour) => (
        <span key={colour} data-colour={colour} hidden />
      ))}
    </div>
  );
}

/** A canvas does not resolve custom properties, so each colour is read from a hidden element that has it. */
function colourIn(element: HTMLElement, colour: string): string {
  const sample = element.querySelector(`:scope > [data-colour="${colour}"]`);
  return sample === null ? 'gray' : getComputedStyle(sample).color;
}

/** Bars are stacked. The highest is drawn first, because the lower ones cover its foot. */
function dataOf({ kind, times, series }: CanvasProps): uPlot.AlignedData {
  if (kind === 'lines') return [[...times], ...series.map(({ values }) => [...values])];
  const sums = times.map(() => 0);
  const stacked = series.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index] as number;
    }),
  );
  return [[...times], ...stacked.reverse()];
}

function optionsOf(latest: { readonly current: CanvasProps }, element: HTMLElement): uPlot.Options {
  const { kind, height, series } = latest.current;
  const count = series.length;
  const colour = (name: string) => () => colourIn(element, name);
  const grid = { stroke: colour('line'), width: 1 };
  return {
    width: element.clientWidth || DRAWN_WIDTH_PX,
    height,
    legend: { show: false },
    cursor: { y: false, points: { show: kind === 'lines' }, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, min, max) => widened(latest.current, min, max) },
      y: { range: (_, _min, max) => [0, top(max)] },
    },
    axes: [
      {
        stroke: colour('dim'),
        grid: { show: false },
        ticks: grid,
        size: 34,
        splits: (drawing) => labelled(latest.current.times, drawing.width),
        values: (_, splits) => splits.map((time) => latest.current.formatTime(time)),
      },
      {
        stroke: colour('dim'),
        grid,
        ticks: { show: false },
        size: (_, values) => 16 + 7.5 * Math.max(0, ...(values ?? []).map((text) => text.length)),
        values: (_, splits) => splits.map((value) => latest.current.formatValue(value)),
      },
    ],
    series: [
      {},
      ...series.map((_, index) => {
        const stroke = colour(String(kind === 'bars' ? count - index : index + 1));
        return kind === 'lines'
          ? { stroke, width: 2, points: { show: false } }
          : { stroke, fill: stroke, width: 0, points: { show: false }, paths: BARS };
      }),
    ],
    hooks: { setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? null)] },
  };
}

const BARS = uPlot.paths.bars?.({ size: [BAR_SHARE, BAR_MAX_PX] }) as uPlot.Series.PathBuilder;

/** Returns the range with half a step more at both ends, because bars are drawn around their time. */
function widened({ kind, times }: CanvasProps, min: number, max: number): [number, number] {
  if (kind === 'lines' && times.length > 1) return [min, max];
  const half = times.length > 1 ? ((times[1] as number) - (times[0] as number)) / 2 : 1;
  return [min - half, max + half];
}

/**
 * Returns the top of the axis, with some room above the highest value. The axis has a height even if all values are
 * zero.
 */
const top = (highest: number | null) => (highest === null || highest <= 0 ? 1 : highest * 1.08);

/** Returns the times that get a label: as many as fit. */
function labelled(times: readonly number[], width: number): number[] {
  const every = Math.max(1, Math.ceil(times.length / Math.max(1, Math.floor(width / LABEL_PX))));
  return times.filter((_, index) => index % every === 0);
}
