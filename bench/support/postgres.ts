import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/db/migrate.ts';
import { findBinaries } from '../../src/server/embedded-postgres/binaries.ts';
import { startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';

export type BenchPostgres = { url: string; pid: number; stop(): Promise<void> };

/**
 * Starts a migrated PostgreSQL on disk. It is as durable as in production. `settings` override those of the product.
 * @param binaries the programs of another version
 */
export async function startBenchPostgres(
  settings: Record<string, string> = {},
  binaries = findBinaries(),
): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'dialplane-bench-'));
  const server = await startEmbeddedPostgres({ folder, log: pino({ level: 'silent' }), settings, binaries });
  await migrate(server.connectionString);
  return {
    url: server.connectionString,
    pid: server.pid,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(server.folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the sum of the counts is 0. The column `bench_own` marks its statements as the benchmark's own. */
export async function untilNone(client: pg.Client, ...counts: readonly string[]): Promise<void> {
  const text = `select ${counts.map((count) => `(select count(*) from ${count})`).join(' + ')} as bench_own`;
  for (;;) {
    const { rows } = await client.query<{ bench_own: string }>(text);
    if (Number(rows[0]?.bench_own) === 0) return;
    await sleep(200);
  }
}

/** Returns the median of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

/** Returns the value below which the given share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
