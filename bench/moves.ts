/**
 * Measures moves of an account between two PostgreSQL servers: the copy before the pause, and the pause. The account
 * has `--texts` texts with their events, and three calls for each ten texts. It moves there and back in turns,
 * `--rounds` times. No process serves the databases. With `--per-second` the account accepts at most that many texts a
 * second, from before the copy until the pause. Without it nothing changes in that time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { type Database, openDatabase } from '../src/db/database.ts';
import { createAccount, listLedgers } from '../src/domain/accounts/index.ts';
import { checkDraft } from '../src/domain/messaging/messages/draft.ts';
import { insertSends } from '../src/domain/messaging/messages/send-queries.ts';
import { ApiError } from '../src/lib/errors/errors.ts';
import { newId } from '../src/lib/ids.ts';
import type { Scope } from '../src/lib/scope.ts';
import { moveAccount, type Place } from '../src/server/cells/move/move-account.ts';
import { growthNumber, loadGrowth } from '../test/support/growth.ts';
import { median, startBenchPostgres } from './support/postgres.ts';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '4' },
    'per-second': { type: 'string', default: '0' },
  },
});
const TEXTS = Number(values.texts);
const PER_SECOND = Number(values['per-second']);
const TEXTS_PER_CONVERSATION = 10;
const TENANTS = 20;

/** An account with the texts in its live ledger. Its test ledger has a few, and sends during the copy. */
type Account = { readonly id: string; readonly testLedgerId: number };

async function makeAccount(db: Database, url: string): Promise<Account> {
  const { id } = await db.transaction((tx) => createAccount(tx, 'Bench'));
  const ledgers = await listLedgers(db, id);
  const [liveId, testLedgerId] = ['live', 'test'].map((mode) => ledgers.find((ledger) => ledger.mode === mode)?.id);
  if (liveId === undefined || testLedgerId === undefined) throw new Error('the account has no ledgers');
  const client = new pg.Client(url);
  await client.connect();
  const conversations = Math.max(TENANTS, Math.round(TEXTS / TEXTS_PER_CONVERSATION));
  await loadGrowth(client, { ledgerId: liveId, tenants: TENANTS, conversations, messages: TEXTS });
  await loadGrowth(client, { ledgerId: testLedgerId, tenants: 1, conversations: 100, messages: 100 });
  await client.end();
  return { id, testLedgerId };
}

/** Accepts texts until one is refused because the account is paused, or until the signal. Returns how many. */
async function sendUntilPause(
  db: Database,
  { id: accountId, testLedgerId }: Account,
  signal: AbortSignal,
): Promise<number> {
  const scope: Scope = { ledgerId: testLedgerId, accountId, mode: 'test', tenantId: null, keyId: 'key_bench' };
  const draft = { ...checkDraft({ from: growthNumber(0), to: '+16025550143', body: 'On the way.' }), sendAt: null };
  const beganMs = performance.now();
  let sent = 0;
  for (; !signal.aborted; sent++) {
    try {
      const ids = { messageId: newId('message'), conversationId: newId('conversation') };
      const [verdict] = await insertSends(db, [{ scope, draft, ...ids, idempotency: undefined, traceparent: null }]);
      if (verdict?.verdict !== 'accepted') throw new Error(JSON.stringify(verdict));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'database_unavailable') throw error;
      return sent;
    }
    await sleep(Math.max(0, beganMs + ((sent + 1) * 1_000) / PER_SECOND - performance.now()));
  }
  return sent;
}

type Times = {
  readonly rows: number;
  readonly sent: number;
  readonly copyMs: number;
  readonly pauseMs: number;
  readonly steps: string;
};

async function moveOnce(account: Account, source: Place, target: Place): Promise<Times> {
  const end = new AbortController();
  const sending = PER_SECOND > 0 ? sendUntilPause(source.db, account, end.signal) : Promise.resolve(0);
  let rows = 0;
  let copyMs = 0;
  const steps: string[] = [];
  let beganMs = performance.now();
  const moving = moveAccount({
    ...{ accountId: account.id, source, target, waitMs: 0 },
    onProgress: (text) => {
      rows += Number(/^Copied ([\d,]+) rows/.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
    },
    onStep: (step) => {
      const tookMs = performance.now() - beganMs;
      beganMs += tookMs;
      if (step === 'copied ahead') copyMs = tookMs;
      else steps.push(`${step} ${tookMs.toFixed(0)}`);
    },
  }).finally(() => end.abort());
  const [{ pauseMs }, sent] = await Promise.all([moving, sending]);
  return { rows, copyMs, pauseMs, sent, steps: steps.join(', ') };
}

const servers = [await startBenchPostgres(), await startBenchPostgres()] as const;
const log = pino({ level: 'silent' });
const places = servers.map(({ url }, index): Place => {
  const db = openDatabase({ url, connectionsMax: 4, log });
  return { name: index === 0 ? '' : 'west', db, announce: () => undefined };
}) as [Place, Place];
try {
  const account = await makeAccount(places[0].db, servers[0].url);
  const all: Times[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const [source, target] = round % 2 === 0 ? places : [places[1], places[0]];
    const times = await moveOnce(account, source, target);
    all.push(times);
    console.log(
      `${times.rows} rows: copied in ${(times.copyMs / 1_000).toFixed(1)} s, ${times.sent} texts came until the pause, ` +
        `paused for ${times.pauseMs.toFixed(0)} ms (${times.steps})`,
    );
  }
  console.log(`the median of the pauses: ${median(all.map(({ pauseMs }) => pauseMs)).toFixed(0)} ms`);
} finally {
  for (const { db } of places) await db.close();
  for (const server of servers) await server.stop();
}
