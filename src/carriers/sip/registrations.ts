/**
 * The registrations of telephones. The states are read from the engines, stored, and listed with the telephones'
 * settings.
 */
import type { Db } from '../../db/database.ts';
import type { ListedTelephone } from '../ports/carrier.ts';
import type { EngineClient } from './ari-client.ts';
import type { SipSettings } from './config/settings.ts';
import { endpointOf } from './config/telephones.ts';
import { listRegistrations, writeRegistrations } from './registration-queries.ts';
import type { SipLine } from './sip-line.ts';

export type RegistrationKeeper = {
  /** Stores the states of the telephones if a state has changed since the last call. */
  keep(states: ReadonlyMap<string, string>): Promise<void>;
  /**
   * Makes the next call store the states even if they are unchanged, because another process may have stored different
   * ones.
   */
  forget(): void;
};

/** Stores which telephones are registered at an engine. Only the process that holds the engine may use it. */
export function createRegistrationKeeper(
  { db, connectionId, settings }: SipLine,
  { name }: EngineClient,
): RegistrationKeeper {
  let stored: string | undefined;
  return {
    keep: async (states) => {
      const seen = settings.phones.map((phone) => [endpointOf(phone), isOnline(states, phone)] as const);
      const text = JSON.stringify(seen);
      if (text === stored) return;
      await writeRegistrations(db, { connectionId, name }, new Map(seen));
      stored = text;
    },
    forget: () => {
      stored = undefined;
    },
  };
}

/** In the engine's words, a telephone is online while it has a valid registration. */
function isOnline(states: ReadonlyMap<string, string>, phone: SipSettings['phones'][number]): boolean {
  return states.get(endpointOf(phone)) === 'online';
}

/** Returns the telephones of a connection, each with its state at every engine. */
export async function listTelephones(
  db: Db,
  { connectionId, engines, phones }: Pick<SipSettings, 'engines' | 'phones'> & { readonly connectionId: string },
): Promise<ListedTelephone[]> {
  if (phones.length === 0) return [];
  const rows = await listRegistrations(db, connectionId);
  return phones.map((phone) => ({
    ...{ name: phone.name ?? null, tenantId: phone.tenant ?? null, number: phone.number },
    extensions: phone.extensions,
    engines: engines.map(({ name: engine }) => {
      const row = rows.find((registered) => registered.engine === engine && registered.endpoint === endpointOf(phone));
      if (row === undefined) return { engine, registration: 'unknown', since: null };
      return { engine, registration: row.isRegistered ? 'registered' : 'not_registered', since: row.changedAt };
    }),
  }));
}
