/** The dashboard and the alert rules ask for metrics and labels that the program has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { addRuntimeMetrics, createMetrics } from '../../src/lib/metrics.ts';

type Registered = { name: string; labelNames?: readonly string[] };

const read = (name: string) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8');
const metrics = createMetrics();
addRuntimeMetrics(metrics);
const registered = metrics.registry.getMetricsAsArray() as unknown as Registered[];
const known = new Map(registered.map(({ name, labelNames = [] }) => [name, labelNames]));
known.set('up', []);
/** Prometheus adds these. */
const ADDED = ['job', 'instance', 'le'];

/** Fails if an expression names a metric or a label that the program does not have. */
function assertKnown(expression: string): void {
  const parts = [...expression.matchAll(/\b(up|(?:dialplane|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  assert.ok(parts.length > 0, `no metric in: ${expression}`);
  const labels = new Set(ADDED);
  for (const [, name = '', matchers = ''] of parts) {
    const base = known.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '');
    assert.ok(known.has(base), `${name} is no metric, in: ${expression}`);
    for (const label of known.get(base) ?? []) labels.add(label);
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=|!=|=~|!~)"/g)) {
      assert.ok(labels.has(label), `${name} has no label ${label}`);
    }
  }
  for (const [, list = ''] of expression.matchAll(/\b(?:by|on|without) ?\(([^)]*)\)/g)) {
    for (const label of list.split(',')) assert.ok(labels.has(label.trim()), `${label.trim()} in: ${expression}`);
  }
}

/** Returns every PromQL expression of the dashboard, in whatever panel, row or annotation it is. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'expr' in value && typeof value.expr === 'string' ? [value.expr] : [];
  return [...own, ...Object.values(value).flatMap(expressionsIn)];
}

test('every expression of the dashboard', () => {
  const expressions = expressionsIn(JSON.parse(read('dashboard.json')));
  assert.ok(expressions.length > 10);
  for (const expression of expressions) assertKnown(expression);
});

test('every alert rule, whose texts use labels that its expression leaves', () => {
  type Rule = { alert: string; expr: string; annotations: Record<string, string> };
  const { groups } = parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 5);
  for (const { alert, expr, annotations } of rules) {
    assertKnown(expr);
    const grouped = /^\s*(?:sum|max) by \(([^)]*)\)/
      .exec(expr)?.[1]
      ?.split(',')
      .map((label) => label.trim());
    for (const [, label = ''] of Object.values(annotations)
      .join(' ')
      .matchAll(/\$labels\.(\w+)/g)) {
      assert.ok(grouped === undefined || grouped.includes(label), `${alert} names ${label}, which its sum drops`);
    }
  }
});
