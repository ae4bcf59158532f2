/** The commands that add databases (cells) to an installation, and show them. */
import pg from 'pg';
import { type DatabaseAddressError, readDatabaseAddress } from '../../db/address.ts';
import {
  cellContext,
  findUnfitness,
  listCells,
  lockCells,
  markCell,
  openCellRow,
  openCellUrl,
  storeCell,
} from '../../db/cells.ts';
import type { Database } from '../../db/database.ts';
import { createSchema } from '../../db/schema.ts';
import { CELL_NAME, CELLS_MAX } from '../../lib/cells.ts';
import type { Cipher } from '../../lib/crypto/cipher.ts';
import { PROGRAM } from '../../lib/program.ts';
import { checkSealed, checkSecret } from '../../server/install/check-secret.ts';
import { readSecrets } from '../carriers/connection-fields.ts';
import { type Command, CommandError, required, show, tell, UsageError } from '../command.ts';
import { reportFindings } from '../doctor/doctor.ts';
import { cipherOfInstall } from '../install/cipher-of-install.ts';
import { useDatabase, withDatabase } from '../install/install-database.ts';
import { checkCells } from './cell-checks.ts';
import { moveCommands } from './move.ts';

const SCHEMA_SHAPE = /^[a-z_][a-z0-9_]{0,62}$/;

const add: Command = {
  name: 'cells add',
  usage: 'NAME --url-from FILE|- [--schema SCHEMA]',
  summary: 'Add an empty database as a cell; its address is read from a file or from standard input (-)',
  description:
    'The command applies the migrations to the database, and begins the ids of its ledgers in a range that no other cell has. ' +
    'Running processes serve the cell within seconds. If the command is interrupted, run it again.',
  positionals: 1,
  options: ['url-from', 'schema'],
  meanings: {
    'url-from': 'A file with the address, postgres://USER:PASSWORD@HOST/DATABASE; - reads standard input',
    schema: 'The schema of the database, made if it is missing; default: the schema in the address',
  },
  examples: [`echo "$CELL_URL" | ${PROGRAM} cells add west --url-from -`],
  run: async (args, terminal) => {
    const [name = ''] = args.positionals;
    if (!CELL_NAME.test(name)) {
      throw new UsageError('NAME has 1 to 32 lower-case letters, digits and dashes, and begins with a letter');
    }
    const { schema } = args.options;
    if (schema !== undefined && !SCHEMA_SHAPE.test(schema)) {
      throw new UsageError('SCHEMA has lower-case letters, digits and underscores, and begins with no digit');
    }
    const given = readAddress((await readSecrets(required(args, 'url-from'))).trim());
    const url = schema === undefined ? given : inSchema(given, schema);
    const number = await withDatabase(terminal, async (db) => {
      const cipher = cipherOfInstall();
      await checkSecret({ db, cipher });
      const cell = { name, number: await reserve(db, cipher, { name, url }) };
      if (schema !== undefined) await createSchema(given, schema);
      const check = async (cellDb: Database) => {
        const unfit = await findUnfitness(cellDb, cell);
        if (unfit !== undefined) throw cannotBe(name, unfit);
        await checkSealed({ db: cellDb, cipher });
      };
      await useDatabase({ url, check }, terminal, async (cellDb) => {
        await checkSecret({ db: cellDb, cipher });
        const refused = await markCell(cellDb, cell);
        if (refused !== undefined) throw cannotBe(name, refused);
      });
      await openCellRow(db, cell.number);
      return cell.number;
    });
    tell(terminal, { name, number, state: 'open', database: describe(url) }, [
      `Cell ${name} is open at ${describe(url)}; processes serve it within seconds.`,
      `"${PROGRAM} accounts create NAME --cell ${name}" makes an account in it.`,
    ]);
    return 0;
  },
};

function cannotBe(name: string, reason: string): CommandError {
  return new CommandError(`This database cannot be cell ${name}: ${reason}.`);
}

/** Stores the cell with an unused number. If an addition of this cell was interrupted, keeps that number. */
async function reserve(db: Database, cipher: Cipher, { name, url }: { name: string; url: string }): Promise<number> {
  return await db.transaction(async (tx) => {
    await lockCells(tx);
    const cells = await listCells(tx);
    const found = cells.find((each) => each.name === name);
    if (found?.state === 'open') throw new CommandError(`There is a cell ${name} already.`);
    const number = found?.number ?? (cells.at(-1)?.number ?? 0) + 1;
    if (number > CELLS_MAX)
      throw new CommandError(`There are ${CELLS_MAX} cells already. An installation can have no more.`);
    await storeCell(tx, { number, name, url: cipher.encrypt(url, cellContext(number)) });
    return number;
  });
}

/** Returns the address. Throws CommandError if the text is not the address of a PostgreSQL database. */
function readAddress(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new CommandError('The address begins with postgres://.');
  try {
    readDatabaseAddress(text);
    return text;
  } catch (error) {
    throw new CommandError(`The address cannot be used: ${(error as DatabaseAddressError).message}`);
  }
}

function inSchema(url: string, schema: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema}`)}`;
}

/** Returns the place of a database, without its password. */
function describe(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: readDatabaseAddress(url).connectionString });
  const schema = /search_path=(\w+)/.exec(decodeURIComponent(url))?.[1];
  return `${host}:${port}/${database ?? ''}${schema === undefined ? '' : `, schema ${schema}`}`;
}

const list: Command = {
  name: 'cells list',
  usage: '',
  summary: 'List the cells, with the places of their databases',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const rows = await withDatabase(terminal, async (db) => {
      const cells = await listCells(db);
      if (cells.length === 0) return [];
      const cipher = cipherOfInstall();
      return cells.map(({ url, ...cell }) => ({
        ...cell,
        database: describe(openCellUrl(cipher, { number: cell.number, url })),
      }));
    });
    show(terminal, rows, ['number', 'name', 'state', 'database', 'created_at']);
    return 0;
  },
};

const check: Command = {
  name: 'cells check',
  usage: '',
  summary: 'Check the database of each cell, and that no two hold the same live number or connection',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const findings = await withDatabase(terminal, (db) => checkCells(db, cipherOfInstall));
    if (findings.length === 0) tell(terminal, [], ['There are no cells.']);
    else reportFindings(terminal, findings);
    return findings.some(({ state }) => state === 'bad') ? 1 : 0;
  },
};

export const cellCommands: readonly Command[] = [add, list, check, ...moveCommands];
