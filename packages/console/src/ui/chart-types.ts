/** The values of one thing, one for each of the chart's times; null where the value is unknown. */
export type ChartSeries = { readonly title: string; readonly values: readonly (number | null)[] };

export type ChartProps = {
  /** The title of the chart, such as "Texts sent by day". */
  label: string;
  /** Seconds since 1970, rising. */
  times: readonly number[];
  /** At most six, because people cannot distinguish more colours. */
  series: readonly ChartSeries[];
  formatTime: (seconds: number) => string;
  formatValue?: (value: number) => string;
};
