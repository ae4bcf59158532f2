/** `dialplane contacts import`: makes contacts of a tenant from a CSV file. */
import { PROGRAM } from '../../lib/program.ts';
import { now } from '../../lib/time/time.ts';
import { Refusal, sendRequest } from '../api/send-request.ts';
import { printable } from '../api/show-reply.ts';
import { type Arguments, type Command, CommandError, type Terminal, UsageError } from '../command.ts';
import {
  ACCESS_MEANINGS,
  ACCESS_OPTIONS,
  ACCESS_USAGE,
  findServer,
  readApi,
  type ServerAccess,
} from '../developer/server-access.ts';
import { type Columns, type Person, readColumns } from './columns.ts';
import { type CsvFile, openCsv } from './csv-file.ts';
import { type Line, openReport, type Report } from './report.ts';

/** The number of contacts in one request. */
const BATCH = 100;
/** Interval of the progress reports of a long import. */
const PROGRESS_MS = 2_000;

export const importContactsCommand: Command = {
  name: 'contacts import',
  usage: `FILE [--tenant TENANT_ID] [--column FIELD=COLUMN] ${ACCESS_USAGE}`,
  summary: 'Make and change contacts from a CSV file, with a report of each line',
  description:
    'The first line of the file names the columns. A line changes the contact with its reference, otherwise the one with ' +
    'one of its numbers. Otherwise it makes a new one. So the same file can be imported again. An empty cell changes nothing. ' +
    'The exit code is 1 if a line was refused.',
  positionals: 1,
  options: ['tenant', ...ACCESS_OPTIONS],
  repeatable: ['column'],
  meanings: {
    tenant: 'The tenant that gets the contacts; may be left out if the key sees only one',
    column:
      'The column of name, first_name, last_name, company, phone_numbers, email or external_ref (can be repeated)',
    ...ACCESS_MEANINGS,
  },
  examples: [
    `${PROGRAM} contacts import people.csv --tenant tnt_01m7ymdn4re00bm8cnk4qyv03k`,
    `${PROGRAM} contacts import crm.csv --column external_ref=Id --column "phone_numbers=Direct line"`,
  ],
  run: async (args, terminal) => {
    const [path = ''] = args.positionals;
    const server = findServer(args, terminal);
    const file = await openCsv(path);
    const tenantId = args.options['tenant'] ?? (await onlyTenant(server));
    const report = openReport(terminal, tenantId);
    try {
      await importFile(file, { server, tenantId, report, terminal, named: namedColumns(args) });
      return report.end() === 0 ? 0 : 1;
    } catch (error) {
      report.end(error);
      throw error;
    }
  },
};

const namedColumns = ({ lists }: Arguments) => lists['column'] ?? [];

async function onlyTenant(server: ServerAccess): Promise<string> {
  const { data } = await readApi<{ data: { id: string }[] }>(server, '/tenants?limit=2');
  const [tenant, other] = data;
  if (tenant === undefined) throw new CommandError(`There is no tenant: make one with "${PROGRAM} tenants create".`);
  if (other !== undefined) throw new UsageError('--tenant is missing: the key sees several tenants');
  return tenant.id;
}

type Import = {
  readonly server: ServerAccess;
  readonly tenantId: string;
  readonly report: Report;
  readonly terminal: Terminal;
  readonly named: readonly string[];
};

/** A record: the contact to make, or the reason why the record has none. */
type Row = { readonly line: number; readonly person: Person | string };

async function importFile(file: CsvFile, run: Import): Promise<void> {
  let columns: Columns | undefined;
  let rows: Row[] = [];
  let said = now();
  for await (const { line, cells } of file.records()) {
    if (cells.every((cell) => cell === '')) continue;
    if (columns === undefined) {
      columns = readColumns(cells, run.named);
      run.report.unused(columns.unused);
      continue;
    }
    rows.push({ line, person: columns.read(cells) });
    if (rows.length < BATCH) continue;
    await importRows(rows, run);
    rows = [];
    if (now() - said < PROGRESS_MS) continue;
    said = now();
    run.terminal.err(`${line} lines read, ${Math.floor(file.done() * 100)} % of the file`);
  }
  if (columns === undefined) throw new CommandError('The file is empty: its first line names the columns.');
  if (rows.length > 0) await importRows(rows, run);
}

/** Imports the rows, and reports on them in their order. */
async function importRows(rows: readonly Row[], run: Import): Promise<void> {
  const lines = new Map<number, Line>();
  let open: { line: number; person: Person }[] = [];
  for (const { line, person } of rows) {
    if (typeof person === 'string') lines.set(line, refusedLine(line, null, person));
    else open.push({ line, person });
  }
  while (open.length > 0) {
    const answer = await upsert(
      run,
      open.map(({ person }) => person),
    );
    for (const [index, outcome] of answer) {
      const { line, person } = open[index] as { line: number; person: Person };
      lines.set(line, { line, name: person.name, ...outcome });
    }
    open = open.filter(({ line }) => !lines.has(line));
  }
  for (const { line } of rows) run.report.add(lines.get(line) as Line);
}

type Outcome = Omit<Line, 'line' | 'name'>;
type Result = Omit<Outcome, 'error'> & {
  readonly index: number;
  readonly error: { message: string; code: string } | null;
};

/**
 * Sends contacts. If some are malformed, the API refuses the whole request. In that case it returns an outcome for the
 * malformed contacts only.
 */
async function upsert(run: Import, contacts: readonly Person[]): Promise<[number, Outcome][]> {
  const body = { tenant_id: run.tenantId, contacts };
  const onWait = (seconds: number) => run.terminal.err(`The server is busy; trying again in ${seconds} s`);
  try {
    const reply = await sendRequest(
      run.server,
      { method: 'POST', path: '/v1/contacts/upsert', query: {}, body },
      onWait,
    );
    const { data } = (await reply.json()) as { data: Result[] };
    return data.map(({ index, ...outcome }) => [index, outcome]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const malformed = malformedOf(error);
    if (malformed.size === 0) throw new CommandError(`${error.body.code}: ${error.body.message}`);
    return [...malformed].map(([index, why]) => [index, refused('invalid_body', why)]);
  }
}

/** Returns the mistake of each contact that a refusal names, by the contact's position in the request. */
function malformedOf({ body }: Refusal): Map<number, string> {
  const malformed = new Map<number, string>();
  for (const { param, message } of body.fields ?? [{ param: body.param ?? '', message: body.message }]) {
    const [, index] = /^contacts\[(\d+)\]/.exec(param) ?? [];
    if (index === undefined) continue;
    const why = message.replaceAll(`contacts[${index}].`, '');
    const before = malformed.get(Number(index));
    malformed.set(Number(index), before === undefined ? why : `${before} ${why}`);
  }
  return malformed;
}

function refused(code: string, message: string): Outcome {
  return { result: 'refused', contact_id: null, changed: [], error: { code, message } };
}

function refusedLine(line: number, name: string | null, why: string): Line {
  return { line, name, ...refused('unreadable_line', printable(why)) };
}
