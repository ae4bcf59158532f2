import type { Metrics } from '../../lib/metrics.ts';

/** The attempts of one kind of job or lane in this process. */
type AttemptFigures = { readonly kind: string; readonly attempts: number; readonly failed_attempts: number };

/** Reads the attempts by kind from the metrics of this process. Reads no table. */
export async function readAttempts({ jobs }: Pick<Metrics, 'jobs'>): Promise<AttemptFigures[]> {
  const { values } = await jobs.get();
  const counts = values.filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.result !== 'lost');
  const byKind = Map.groupBy(counts, ({ labels }) => String(labels.kind));
  const sum = (rows: typeof counts) => rows.reduce((total, { value }) => total + value, 0);
  return [...byKind]
    .map(([kind, rows]) => ({
      kind,
      attempts: sum(rows),
      failed_attempts: sum(rows.filter(({ labels }) => labels.result === 'failed')),
    }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
