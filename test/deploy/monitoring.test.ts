/** The dashboard and the alert rules ask for metrics and labels that the program has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addRuntimeMetrics, createMetrics } from '../../src/lib/metrics.ts';
import { parseYaml, readProjectFile } from './files.ts';

type Registered = { name: string; labelNames?: readonly string[] };

const metrics = createMetrics();
addRuntimeMetrics(metrics);
const known = new Map(
  (metrics.registry.getMetricsAsArray() as unknown as Registered[]).map(({ name, labelNames = [] }) => [name, labelNames]),
);
known.set('up', []);
/** Prometheus adds these. */
const ADDED = ['job', 'instance', 'le'];

const dashboard = JSON.parse(readProjectFile('deploy/monitoring/dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
  annotations: { list: { expr: string }[] };
};
const { groups } = parseYaml(readProjectFile('deploy/monitoring/alerts.yml')) as {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

function assertKnown(expression: string): void {
  const parts = [...expression.matchAll(/\b(up|(?:dialplane|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  assert.ok(parts.length > 0, `no metric in: ${expression}`);
  const labels = new Set(ADDED);
  for (const [, name = '', matchers = ''] of parts) {
    const base = known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
    assert.ok(known.has(base), `${name} is no metric, in: ${expression}`);
    for (const label of known.get(base) ?? []) labels.add(label);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*[=!]/g)) assert.ok(labels.has(label), `${label} of ${name}`);
  }
  for (const [, list = ''] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list.split(',')) assert.ok(labels.has(label.trim()), `${label.trim()} in: ${expression}`);
  }
}

test('every panel and annotation of the dashboard', () => {
  assert.ok(dashboard.panels.length > 10);
  for (const { targets } of dashboard.panels) for (const { expr } of targets) assertKnown(expr);
  for (const { expr } of dashboard.annotations.list) assertKnown(expr);
});

test('every alert rule, each with a summary and a description', () => {
  assert.ok(rules.length > 5);
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { expr, annotations } of rules) {
    assertKnown(expr);
    assert.deepEqual(Object.keys(annotations), ['summary', 'description']);
  }
});

test('the scrape job has the name and the port that the rules and the program have', () => {
  const { scrape_configs: jobs } = parseYaml(readProjectFile('deploy/monitoring/prometheus.yml')) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };
  assert.deepEqual(jobs.map(({ job_name }) => job_name), ['dialplane']);
  assert.match(jobs[0]?.static_configs[0]?.targets[0] ?? '', /:9464$/);
  for (const { expr } of rules) assert.match(expr, /job="dialplane"/);
});
