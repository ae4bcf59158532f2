/** The checks of cells that the doctor and `cells check` run. */
import { pino } from 'pino';
import { openCredentials } from '../../carriers/connections/credentials.ts';
import { type ConnectionRow, listConnections } from '../../carriers/connections/queries.ts';
import {
  type CellRow,
  findLastLedgerId,
  listCells,
  listCommonConnections,
  listCommonNumbers,
  listUnfinishedMoves,
  openCellUrl,
  readCellMark,
} from '../../db/cells.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { findSealed } from '../../db/installation.ts';
import { pendingMigrations } from '../../db/readiness.ts';
import { cellNumberOf } from '../../lib/cells.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { PROGRAM } from '../../lib/program.ts';
import { openSealed } from '../../server/install/sealed-text.ts';
import { countByKey } from '../../server/sealed/reencrypt.ts';
import type { Finding } from '../doctor/doctor-checks.ts';
import { describeNeeded } from '../install/reencrypt.ts';

const SHOWN = 3;

/**
 * Checks every cell, and that no two databases hold the same live number or connection. Returns no findings without
 * cells.
 * @param checkMore runs more checks on the database of each sound cell
 */
export async function checkCells(
  db: Database,
  cipher: () => Cipher,
  checkMore: (db: Database) => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const sound: { name: string; db: Database }[] = [{ name: 'the first database', db }];
  const opened: Database[] = [];
  try {
    for (const cell of await listCells(db)) {
      const check = `cell ${cell.name}`;
      if (cell.state !== 'open') {
        const advice = `Run "${PROGRAM} cells add ${cell.name}" again with the address of its database.`;
        findings.push({ check, state: 'note', found: 'added, and not open', advice });
        continue;
      }
      try {
        const url = openCellUrl(cipher(), cell);
        const cellDb = openDatabase({ url, connectionsMax: 2, log: pino({ level: 'silent' }) });
        opened.push(cellDb);
        const problem = await findProblem(cell, cellDb, cipher());
        findings.push(problem ?? (await findOldSecrets(cell, cellDb, cipher())));
        if (problem !== undefined) continue;
        sound.push({ name: check, db: cellDb });
        const more = await checkMore(cellDb);
        findings.push(...more.map((finding) => ({ ...finding, check: `${check}: ${finding.check}` })));
      } catch (error) {
        const found = `cannot be reached: ${reasonOf(error)}`;
        const advice = 'Its accounts get 503 until its database answers. Check the server and the network.';
        findings.push({ check, state: 'bad', found, advice });
      }
    }
    for (const place of sound) findings.push(...(await findMoves(place)));
    return [...findings, ...(await findShared(sound)), ...(await findDiffering(sound, cipher))];
  } finally {
    await Promise.all(opened.map((each) => each.close()));
  }
}

/** Returns the faults of the database of a cell. */
async function findProblem(cell: CellRow, db: Database, cipher: Cipher): Promise<Finding | undefined> {
  const check = `cell ${cell.name}`;
  const bad = (found: string, advice: string): Finding => ({ check, state: 'bad', found, advice });
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    const advice = `A start of this version applies them, and so does "${PROGRAM} migrate".`;
    return { check, state: 'note', found: `${pending.length} migrations are not applied`, advice };
  }
  const mark = await readCellMark(db);
  if (mark?.number !== cell.number || mark.name !== cell.name) {
    const found =
      mark === undefined ? 'its address leads to a database that is no cell' : `its address leads to cell ${mark.name}`;
    return bad(
      found,
      'Let the host name in its address lead to the right server again: processes do not serve the cell.',
    );
  }
  const sealed = await findSealed(db);
  try {
    if (sealed !== undefined) openSealed(cipher, sealed);
  } catch {
    return bad('DIALPLANE_SECRET does not open what is encrypted in it', 'Add the secret that it was first used with.');
  }
  const last = await findLastLedgerId(db);
  if (last === undefined || cellNumberOf(last) === cell.number) return undefined;
  return bad(`ledger ${last} is outside the ids of the cell`, 'Restore the database of the cell from its own backup.');
}

/** Names the values in a sound cell's database that were encrypted with an older secret. */
async function findOldSecrets({ name }: CellRow, db: Database, cipher: Cipher): Promise<Finding> {
  const check = `cell ${name}`;
  const needed = (await countByKey(db, cipher)).filter(({ older, unknown }) => older + unknown > 0);
  if (needed.length === 0) return { check, state: 'good', found: 'open' };
  const found = `open; older secrets are needed for ${describeNeeded(needed)}`;
  const advice = `Keep them. When every process has the new secret, run "${PROGRAM} reencrypt --cell ${name}".`;
  return { check, state: 'note', found, advice };
}

/** Returns the moves of accounts out of a database that are running or were interrupted. */
async function findMoves({ name, db }: { readonly name: string; readonly db: Database }): Promise<Finding[]> {
  const moves = await listUnfinishedMoves(db);
  return moves.map(({ account_id: account, moves_to: to, switched_at: switchedAt }): Finding => {
    const place = to === '' ? 'the first database' : `cell ${to}`;
    const command = `${PROGRAM} cells move ${account} --to ${to === '' ? 'first' : to}`;
    const back = switchedAt === null ? ', or with --abort to go back' : '';
    const found = `the move of ${account} to ${place} is not finished`;
    return { check: name, state: 'bad', found, advice: `If no command is moving it, run "${command}" again${back}.` };
  });
}

/** Compares connections that several databases have. Accounts in each of these databases use them. */
async function findDiffering(
  databases: readonly { name: string; db: Database }[],
  cipher: () => Cipher,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const known = new Map<string, { place: string; row: ConnectionRow }>();
  for (const { name: place, db } of databases) {
    for (const row of await listConnections(db)) {
      if (row.account_id !== null) continue;
      const other = known.get(row.id);
      if (other === undefined) known.set(row.id, { place, row });
      else if (differ(row, other.row, cipher)) {
        const found = `the connection ${row.name} differs in status, settings or credentials`;
        const advice = `Run the command that changed it again ("${PROGRAM} carriers change", drain, disable, enable): it completes the change.`;
        findings.push({ check: `${other.place} and ${place}`, state: 'bad', found, advice });
      }
    }
  }
  return findings;
}

function differ(one: ConnectionRow, other: ConnectionRow, cipher: () => Cipher): boolean {
  const fields = [one, other].map(({ status, settings }) => JSON.stringify([status, sorted(settings)]));
  if (fields[0] !== fields[1]) return true;
  if (one.credentials.equals(other.credentials)) return false;
  const credentials = [one, other].map((row) => JSON.stringify(sorted(openCredentials(cipher(), row))));
  return credentials[0] !== credentials[1];
}

const sorted = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Compares each pair of databases. */
async function findShared(databases: readonly { name: string; db: Database }[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [index, one] of databases.entries()) {
    for (const other of databases.slice(index + 1)) {
      const check = `${one.name} and ${other.name}`;
      const add = (shared: readonly string[], what: string, advice: string) => {
        if (shared.length === 0) return;
        const more = shared.length > SHOWN ? ' and more' : '';
        findings.push({
          check,
          state: 'bad',
          found: `both have ${what}${shared.slice(0, SHOWN).join(', ')}${more}`,
          advice,
        });
      };
      const release = 'Its carrier reports to one of them. Release the number in the other.';
      add(await listCommonNumbers(one.db, other.db, SHOWN + 1), '', release);
      const restore =
        'Reports go to one of them. The account had left one of the databases: restore that database from its own backup.';
      add(await listCommonConnections(one.db, other.db), 'the connection ', restore);
    }
  }
  return findings;
}
