import { pino } from 'pino';
import type { AdapterKind } from '../../carriers/adapter.ts';
import { checkConnection } from '../../carriers/connections/check-connection.ts';
import { listConnections } from '../../carriers/connections/queries.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { hasCluster, runningAddress } from '../../server/embedded-postgres/running-address.ts';
import { explainStartError, StartError } from '../../server/lifecycle/start-error.ts';
import { type Config, ConfigError, readConfig } from '../../server/settings/config.ts';
import { checkCells } from '../cells/cell-checks.ts';
import type { Command, Terminal } from '../command.ts';
import { cipherOfInstall } from '../install/cipher-of-install.ts';
import {
  checkBlobs,
  checkConnections,
  checkDatabase,
  checkDisk,
  checkFlags,
  checkModels,
  checkNode,
  checkPort,
  checkRedis,
  checkSecret,
  checkSpeech,
  type Finding,
  readRoute,
} from './doctor-checks.ts';
import { checkLiveDatabase, checkLiveSettings } from './live-checks.ts';
import { checkPatroni } from './patroni-check.ts';
import { checkSealed } from './sealed-check.ts';

const MARKS = { good: 'ok   ', note: 'note ', bad: 'BAD  ' } as const;

/**
 * Returns the command that checks everything and changes nothing. It exits with 1 if a finding prevents the program
 * from working.
 */
export function doctorCommand(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'doctor',
    usage: '[--live] [--patroni URL[,URL...]]',
    summary: 'Check the machine, the configuration, the database and the carriers, with the next step for each problem',
    positionals: 0,
    options: ['patroni'],
    flags: ['live'],
    meanings: {
      live: 'Also check the requirements of live keys',
      patroni: 'Check the Patroni of a database cluster, at the addresses of its REST API',
    },
    run: async ({ options, flags }, terminal) => {
      const addresses = options['patroni']?.split(',') ?? [];
      const findings = [
        checkNode(),
        ...(await checkInstall({ kinds, isLive: flags.has('live') })),
        ...(await checkPatroni(addresses)),
      ];
      reportFindings(terminal, findings);
      return findings.some(({ state }) => state === 'bad') ? 1 : 0;
    },
  };
}

/** `isLive`: also checks the needs of live keys. */
type Asked = { readonly kinds: readonly AdapterKind[]; readonly isLive: boolean };

async function checkInstall(asked: Asked): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((found) => ({ check: 'configuration', state: 'bad', found }));
  }
  const embeddedUrl = config.databaseUrl === null ? runningAddress(config.dataFolder) : undefined;
  return [
    { check: 'configuration', state: 'good', found: config.databaseUrl === null ? 'embedded' : 'DATABASE_URL' },
    ...(await reachDatabase(asked, config, config.databaseUrl ?? embeddedUrl)),
    ...(await checkRedis(config)),
    await checkDisk(config.dataFolder),
    await checkBlobs(config),
    ...(await checkSpeech(config)),
    ...checkModels(config),
    await checkPort(config, embeddedUrl !== undefined),
    ...checkFlags(config),
    ...(asked.isLive ? await checkLiveSettings(config) : []),
  ];
}

async function reachDatabase({ kinds, isLive }: Asked, config: Config, url: string | undefined): Promise<Finding[]> {
  const check = 'database';
  if (url === undefined) {
    const found = hasCluster(config.dataFolder) ? 'embedded, not running' : 'embedded, will be made by the first start';
    return [{ check, state: 'good', found }, await checkSecret(config, undefined)];
  }
  const db = openDatabase({ url, connectionsMax: 1, log: pino({ level: 'silent' }) });
  try {
    // This check comes first. Through a pooler that does not keep sessions, the other checks are not reliable.
    const route = await readRoute(url);
    const { findings, connectionsMax } = await checkDatabase(db);
    const secret = await checkSecret(config, db);
    // A database with pending migrations may lack the tables that the next checks read.
    const isReady = findings.every(({ check, state }) => check !== 'migrations' || state === 'good');
    const sealed = isReady ? await checkSealed(config, db) : [];
    const carriers = isReady ? await checkCarriers(kinds, db) : [];
    const cells = isReady ? await checkCells(db, cipherOfInstall, (cellDb) => checkCarriers(kinds, cellDb)) : [];
    const live = isReady && isLive ? await checkLiveDatabase(db, config) : [];
    return [
      ...findings,
      checkConnections(route, config, connectionsMax),
      secret,
      ...sealed,
      ...carriers,
      ...cells,
      ...live,
    ];
  } catch (error) {
    const explained = explainStartError(error, config);
    if (explained instanceof StartError) {
      return [{ check, state: 'bad', found: explained.message, advice: explained.nextStep }];
    }
    return [{ check, state: 'bad', found: reasonOf(explained) }];
  } finally {
    await db.close();
  }
}

/** Asks the carrier of each connection that is not disabled. */
async function checkCarriers(kinds: readonly AdapterKind[], db: Database): Promise<Finding[]> {
  const rows = (await listConnections(db)).filter(({ status }) => status !== 'disabled');
  const findings = await Promise.all(rows.map((row) => checkConnection({ kinds, db, cipher: cipherOfInstall }, row)));
  return findings.flat().map(({ connection, check, ...found }) => ({ check: `${connection}: ${check}`, ...found }));
}

/** Prints a line for each finding, with the next step below it. With `--json` prints an array. */
export function reportFindings(terminal: Terminal, findings: readonly Finding[]): void {
  if (terminal.json) {
    terminal.out(JSON.stringify(findings));
    return;
  }
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, state, found, advice } of findings) {
    terminal.out(`${MARKS[state]}${check.padEnd(width)}  ${found}`);
    if (advice !== undefined) terminal.out(`     ${' '.repeat(width)}  -> ${advice}`);
  }
}
