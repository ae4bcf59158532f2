import type { EnvironmentReader } from './environment-reader.ts';

/** Where the metrics are served. */
export type MetricsSettings = {
  /** The loopback port of the separate listener of metrics. Null means no listener, 0 any free port. */
  readonly port: number | null;
  /** The bearer token of /metrics on the public port. Null if /metrics is not served there. */
  readonly token: string | null;
};

/** The port that Prometheus uses for exporters of this kind. */
const METRICS_PORT = 9_464;
const TOKEN_CHARS_MIN = 16;

export function readMetricsSettings(read: EnvironmentReader, problems: string[]): MetricsSettings {
  const isOff = read.text('DIALPLANE_METRICS_PORT')?.toLowerCase() === 'off';
  const port = isOff
    ? null
    : read.integer('DIALPLANE_METRICS_PORT', { fallback: METRICS_PORT, min: 0, max: 65_535, or: 'off' });
  const token = read.text('DIALPLANE_METRICS_TOKEN') ?? null;
  if (token !== null && !(token.length >= TOKEN_CHARS_MIN && /^[\x21-\x7e]+$/.test(token))) {
    problems.push(
      `DIALPLANE_METRICS_TOKEN cannot be used: give at least ${TOKEN_CHARS_MIN} letters, digits or signs without spaces`,
    );
  }
  return Object.freeze({ port, token });
}
