import { readFile } from 'node:fs/promises';
import type { AdapterKind } from '../../carriers/adapter.ts';
import { type Capability, NO_TOLL_FREE_TEXTS } from '../../carriers/ports/numbers.ts';
import { type ImportedNumbers, importNumbers } from '../../domain/numbers/index.ts';
import { findLiveLedger } from '../../domain/tenants/index.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { isDialable, isTollFree } from '../../lib/phone/phone.ts';
import { type Command, CommandError, required, type Terminal, tell } from '../command.ts';
import { withDatabase } from '../install/install-database.ts';
import { kindOf, requireConnection } from './find-connection.ts';

/** How many numbers one transaction imports. */
const BATCH = 100;
const NUMBERS_MAX = 100_000;
const BYTES_MAX = 4_000_000;

/** Returns the command that assigns numbers to a tenant. The operator already has these numbers at a carrier. */
export function importCommand(kinds: readonly AdapterKind[]): Command {
  return {
    name: 'numbers import',
    usage: 'FILE --connection NAME --tenant TENANT_ID',
    summary:
      'Give a live tenant numbers that you already have (E.164, one a line); they are neither ordered nor released',
    positionals: 1,
    options: ['connection', 'tenant'],
    meanings: { connection: 'The carrier connection that has the numbers', tenant: 'The live tenant that gets them' },
    run: async (args, terminal) => {
      const [file = ''] = args.positionals;
      const name = required(args, 'connection');
      const tenantId = required(args, 'tenant');
      const phoneNumbers = await readNumbers(file);
      const result = await withDatabase(terminal, async (db) => {
        const connection = await requireConnection(db, name);
        const { capabilities: carried } = kindOf(kinds, connection.kind).description;
        const capabilities: Capability[] = [
          ...(carried.includes('messaging') ? (['sms', 'mms'] as const) : []),
          ...(carried.includes('voice') ? (['voice'] as const) : []),
        ];
        const ledger = await findLiveLedger(db, tenantId);
        if (ledger === undefined) throw new CommandError(`There is no live tenant ${tenantId}.`);
        const total: Totals = { added: 0, present: 0, taken: [] };
        for (let start = 0; start < phoneNumbers.length; start += BATCH) {
          const batch = phoneNumbers.slice(start, start + BATCH);
          const wanted = { tenantId, phoneNumbers: batch, connectionId: connection.id, capabilities };
          add(total, await db.transaction((tx) => importNumbers(tx, ledger, wanted)));
          reportProgress(terminal, start + batch.length, phoneNumbers.length);
        }
        return total;
      });
      const tollFree = phoneNumbers.filter(isTollFree).length;
      tell(terminal, result, [
        `${result.added} numbers added to ${tenantId}, ${result.present} were there before.`,
        ...(tollFree === 0 ? [] : [`${tollFree} of the numbers are toll-free. ${NO_TOLL_FREE_TEXTS}`]),
        ...result.taken.map((phoneNumber) => `${phoneNumber} belongs to another tenant and stays there.`),
      ]);
      return result.taken.length === 0 ? 0 : 1;
    },
  };
}

type Totals = { added: number; present: number; taken: string[] };

function add(total: Totals, { added, present, taken }: ImportedNumbers): void {
  total.added += added;
  total.present += present;
  total.taken.push(...taken);
}

function reportProgress(terminal: Terminal, done: number, all: number): void {
  if (all > BATCH) terminal.err(`${done} of ${all} numbers`);
}

/**
 * Returns the numbers of the file without repeats. Throws CommandError with the line number of the first wrong line.
 */
async function readNumbers(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${reasonOf(error)}`);
  });
  if (text.length > BYTES_MAX) throw new CommandError(`${file} has more than ${BYTES_MAX} characters.`);
  const numbers = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const number = line.trim();
    if (number === '' || number.startsWith('#')) continue;
    if (!isDialable(number)) throw new CommandError(`${file}, line ${index + 1}: not an E.164 number.`);
    numbers.add(number);
  }
  if (numbers.size > NUMBERS_MAX) throw new CommandError(`${file} has more than ${NUMBERS_MAX} numbers.`);
  return [...numbers];
}
