/** Finds the connections, and the kinds of carriers, that commands name. */
import type { AdapterKind } from '../../carriers/adapter.ts';
import { kindOf as findKind } from '../../carriers/connections/check-connection.ts';
import { type ConnectionRow, findConnection } from '../../carriers/connections/queries.ts';
import { CARRIER_CAPABILITIES, type DeclaredCapability } from '../../carriers/ports/carrier.ts';
import type { Db } from '../../db/database.ts';
import { PROGRAM } from '../../lib/program.ts';
import { CommandError } from '../command.ts';

/** Returns the connection with the name. Throws CommandError if there is none. */
export async function requireConnection(db: Db, name: string): Promise<ConnectionRow> {
  const found = await findConnection(db, name);
  if (found === undefined)
    throw new CommandError(`There is no connection ${name}; "${PROGRAM} carriers list" lists them.`);
  return found;
}

/** Returns the kind of carrier by its name. Throws CommandError if this program has no adapter for it. */
export function kindOf(kinds: readonly AdapterKind[], name: string): AdapterKind {
  try {
    return findKind(kinds, name);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Lists, for people, the capabilities that the connection can be used for. */
export function usableOf(declared: readonly DeclaredCapability[]): string {
  return CARRIER_CAPABILITIES.filter((capability) => declared.includes(capability)).join(', ');
}
