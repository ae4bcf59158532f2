/** What the Helm chart says about its pods: how many, when they are ready, and how they stop. */
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { readChart } from '../support/helm/chart.ts';

export type Role = 'api' | 'worker' | 'gateway';

export type ChartNumbers = {
  readonly replicas: Readonly<Record<Role, number>>;
  /** A pod that has not ended this long after SIGTERM is killed. */
  readonly graceSeconds: Readonly<Record<Role, number>>;
  readonly lameDuckSeconds: number;
  readonly drainSeconds: number;
  readonly readiness: { readonly path: string; readonly periodSeconds: number; readonly failureThreshold: number };
};

/** Reads the defaults of the chart from its own files. */
export function readChartNumbers(): ChartNumbers {
  const { stop, api, worker, gateway } = parse(readChart('values.yaml'));
  const { lameDuckSeconds, drainSeconds } = stop;
  const short = numberIn('templates/deployments.yaml', /add \(int \.Values\.stop\.lameDuckSeconds\) (\d+) -/);
  const long = numberIn(
    'templates/gateways.yaml',
    /add \(int \.Values\.stop\.lameDuckSeconds\) \(int \.Values\.stop\.drainSeconds\) (\d+) -/,
  );
  const stopSeconds = lameDuckSeconds + short;
  return {
    replicas: { api: api.replicas, worker: worker.replicas, gateway: gateway.replicas },
    graceSeconds: { api: stopSeconds, worker: stopSeconds, gateway: lameDuckSeconds + drainSeconds + long },
    ...{ lameDuckSeconds, drainSeconds },
    readiness: readReadiness(),
  };
}

function readReadiness(): ChartNumbers['readiness'] {
  const file = 'templates/_helpers.tpl';
  const [, lines = ''] = /\n {6}readinessProbe:\n((?: {8}.*\n)+)/.exec(readChart(file)) ?? [];
  const { httpGet, periodSeconds, failureThreshold } = parse(lines) ?? assert.fail(`${file} has no readinessProbe`);
  return { path: httpGet.path, periodSeconds, failureThreshold };
}

function numberIn(file: string, pattern: RegExp): number {
  const [, found] = pattern.exec(readChart(file)) ?? assert.fail(`${file} does not match ${pattern}`);
  return Number(found);
}
