/**
 * Measures moves of an account between two PostgreSQL servers: the copy before the pause, and the pause. The account
 * has `--texts` texts with their events, and three calls for each ten texts. It moves there and back in turns,
 * `--rounds` times. No process serves the databases, so nothing changes between the copy and the pause.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { type Database, openDatabase } from '../src/db/database.ts';
import { createAccount, listLedgers } from '../src/domain/accounts/index.ts';
import { moveAccount, type Place } from '../src/server/cells/move/move-account.ts';
import { loadGrowth } from '../test/support/growth.ts';
import { median, startBenchPostgres } from './support/postgres.ts';

const { values } = parseArgs({
  options: { texts: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '4' } },
});
const TEXTS = Number(values.texts);
const TEXTS_PER_CONVERSATION = 10;
const TENANTS = 20;

async function makeAccount(db: Database, url: string): Promise<string> {
  const { id } = await db.transaction((tx) => createAccount(tx, 'Bench'));
  const ledgerId = (await listLedgers(db, id)).find(({ mode }) => mode === 'live')?.id as number;
  const client = new pg.Client(url);
  await client.connect();
  const conversations = Math.max(TENANTS, Math.round(TEXTS / TEXTS_PER_CONVERSATION));
  await loadGrowth(client, { ledgerId, tenants: TENANTS, conversations, messages: TEXTS });
  await client.end();
  return id;
}

type Times = { readonly rows: number; readonly copyMs: number; readonly pauseMs: number; readonly steps: string };

async function moveOnce(accountId: string, source: Place, target: Place): Promise<Times> {
  let rows = 0;
  let copyMs = 0;
  const steps: string[] = [];
  let beganMs = performance.now();
  const { pauseMs } = await moveAccount({
    ...{ accountId, source, target, waitMs: 0 },
    onProgress: (text) => {
      rows += Number(/^Copied ([\d,]+) rows/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
    },
    onStep: (step) => {
      const tookMs = performance.now() - beganMs;
      beganMs += tookMs;
      if (step === 'copied ahead') copyMs = tookMs;
      else steps.push(`${step} ${tookMs.toFixed(0)}`);
    },
  });
  return { rows, copyMs, pauseMs, steps: steps.join(', ') };
}

const servers = [await startBenchPostgres(), await startBenchPostgres()] as const;
const log = pino({ level: 'silent' });
const places = servers.map(({ url }, index): Place => {
  const db = openDatabase({ url, connectionsMax: 4, log });
  return { name: index === 0 ? '' : 'west', db, announce: () => undefined };
}) as [Place, Place];
try {
  const accountId = await makeAccount(places[0].db, servers[0].url);
  const all: Times[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const [source, target] = round % 2 === 0 ? places : [places[1], places[0]];
    const times = await moveOnce(accountId, source, target);
    all.push(times);
    console.log(
      `${times.rows} rows: copied in ${(times.copyMs / 1_000).toFixed(1)} s, paused for ${times.pauseMs.toFixed(0)} ms (${times.steps})`,
    );
  }
  console.log(`the median of the pauses: ${median(all.map(({ pauseMs }) => pauseMs)).toFixed(0)} ms`);
} finally {
  for (const { db } of places) await db.close();
  for (const server of servers) await server.stop();
}
