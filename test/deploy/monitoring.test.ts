import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { addRuntimeMetrics, createMetrics } from '../../src/lib/metrics.ts';

/** What prom-client keeps of a metric. */
type Defined = { name: string; type: unknown; labelNames?: string[] };

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('monitoring', () => {
  test('alert rules and the dashboard name metrics and labels that exist', async () => {
    const metrics = createMetrics();
    addRuntimeMetrics(metrics);
    const labels = new Map<string, string[]>();
    for (const { name, type, labelNames = [] } of metrics.registry.getMetricsAsArray() as unknown as Defined[]) {
      const series = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
      for (const each of series) labels.set(each, [...labelNames, 'le', 'job', 'instance']);
    }
    const rules = parse(await read('deploy/monitoring/alerts.yml'));
    const dashboard = JSON.parse(await read('deploy/monitoring/dashboard.json'));
    const expressions = [
      ...rules.groups.flatMap(({ rules: some }: { rules: { expr: string }[] }) => some.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr)),
    ] as string[];
    assert.ok(expressions.length > 30);
    for (const expression of expressions) {
      for (const [, name = '', filter = ''] of expression.matchAll(
        /\b((?:dialplane|nodejs|process)_\w+)(?:\{([^}]*)\})?/g,
      )) {
        const known = labels.get(name);
        assert.ok(known !== undefined, `${name} is no metric, in ${expression}`);
        for (const [, label = ''] of filter.matchAll(/(\w+)\s*(?:=|!)/g)) {
          assert.ok(known.includes(label), `${name} has no label ${label}`);
        }
      }
    }
  });

  test('each alert says what is wrong and what to do', async () => {
    const { groups } = parse(await read('deploy/monitoring/alerts.yml'));
    for (const { alert, annotations } of groups[0].rules) {
      assert.ok(annotations.summary && annotations.action, alert);
    }
    const { rule_files: files } = parse(await read('deploy/monitoring/prometheus.yml'));
    assert.deepEqual(files, ['alerts.yml']);
  });
});
