/**
 * Joins texts of Prometheus metrics. The format requires all samples of a metric in one group. So a metric that is in
 * several texts is written once, with the samples of all.
 */
export function joinMetricTexts(texts: readonly string[]): string {
  const heads = new Map<string, string>();
  const samples = new Map<string, string[]>();
  for (const text of texts) {
    for (const metric of text.split(/\n\n/)) {
      const lines = metric.split('\n').filter((line) => line !== '');
      const head = lines.filter((line) => line.startsWith('#')).join('\n');
      if (head === '') continue;
      const name = head.split(' ')[2] as string;
      if (!heads.has(name)) heads.set(name, head);
      samples.set(name, [...(samples.get(name) ?? []), ...lines.filter((line) => !line.startsWith('#'))]);
    }
  }
  return [...heads].map(([name, head]) => [head, ...(samples.get(name) ?? []), ''].join('\n')).join('\n');
}
