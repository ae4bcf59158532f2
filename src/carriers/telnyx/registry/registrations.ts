/**
 * The code that brands and campaigns share. Each is sent once, and found by our id if its answer is lost. Telnyx's id
 * is stored until the product deletes the object, because the product asks for reviews by that id.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Found, Outcome, Registered } from '../../ports/outcome.ts';
import { type Answer, outcomeOf } from '../client/client.ts';
import { refusedByAccount } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findRegistration, keepRegistration, openRegistration } from './registration-queries.ts';

type Registering = {
  /** The operation of registering such an object, in the book of requests. */
  readonly operation: string;
  readonly ref: string;
  /** The key of a search for the object. */
  readonly foundUnder: string;
  send(): Promise<Answer>;
  /** Returns Telnyx's id in an answer. */
  idOf(body: unknown): string | undefined;
  /** Returns the reason why Telnyx will not register the object. */
  reasonOf(answer: Extract<Answer, { is: 'refused' }>): string;
};

export async function register(line: TelnyxLine, ledger: Ledger, asked: Registering): Promise<Outcome<Registered>> {
  const { db, book, connectionId } = line;
  const { operation, ref, foundUnder } = asked;
  const name = { ledgerId: ledger.ledgerId, connectionId, ref };
  const known = await findRegistration(db, name);
  if (known?.carrierRef != null) return { outcome: 'accepted', carrierRef: known.carrierRef };
  await openRegistration(db, name, foundUnder);
  const outcome = await book.ask<Registered, string>({ ledger, operation, ref }, async () => {
    const answer = await asked.send();
    if (answer.is === 'refused') {
      return refusedByAccount(answer) ?? { outcome: 'rejected', reason: asked.reasonOf(answer) };
    }
    if (answer.is !== 'answered') return outcomeOf(answer);
    const carrierRef = asked.idOf(answer.body);
    return carrierRef === undefined ? { outcome: 'unknown' } : { outcome: 'accepted', carrierRef };
  });
  if (outcome.outcome === 'accepted') await keepRegistration(db, name, outcome.carrierRef);
  return outcome;
}

type Searching = {
  readonly operation: string;
  readonly ref: string;
  /** Looks for the object at Telnyx by the key of the search. */
  search(foundUnder: string): Promise<Found<Registered>>;
};

/** Returns Telnyx's id of a brand or campaign. */
export async function findRegistered(
  { db, book, connectionId }: TelnyxLine,
  { ledgerId }: Ledger,
  { operation, ref, search }: Searching,
): Promise<Found<Registered>> {
  const name = { ledgerId, connectionId, ref };
  const known = await findRegistration(db, name);
  if (known === undefined) return { found: 'absent' };
  if (known.carrierRef !== null) return { found: 'accepted', carrierRef: known.carrierRef };
  const booked = await book.find<Partial<Registered>>({ operation, ref });
  if (booked.found === 'absent') return booked;
  const { carrierRef } = 'carrierRef' in booked ? booked : {};
  const found: Found<Registered> =
    carrierRef === undefined ? await search(known.foundUnder) : { found: 'accepted', carrierRef };
  await book.settle({ operation, ref }, found);
  if (found.found === 'accepted') await keepRegistration(db, name, found.carrierRef);
  return found;
}

/** The most records of a list that are read. A page of Telnyx has this many. */
const LOOKED_AT_MAX = 50;

type RecordSearch = {
  readonly path: '/10dlc/brand' | '/10dlc/campaign';
  /** The parameter that filters the list. */
  readonly filter: readonly [name: string, value: string];
  readonly idField: 'brandId' | 'campaignId';
  /** Requests a whole record, because records in a list lack our id. */
  ask(carrierRef: string): Promise<Answer>;
  isOurs(record: unknown): boolean;
};

/**
 * Searches a list of the registry, the newest first. If the list has more records than are read, an object that was not
 * found is undecided.
 */
export async function searchRecords(
  { client }: Pick<TelnyxLine, 'client'>,
  { path, filter, idField, ask, isOurs }: RecordSearch,
): Promise<Found<Registered>> {
  const query = [filter, ['recordsPerPage', String(LOOKED_AT_MAX)]] as const;
  const listed = await client.ask({ method: 'GET', path, query });
  if (listed.is !== 'answered') return { found: 'undecided' };
  const records = listAt(listed.body, 'records').slice(0, LOOKED_AT_MAX);
  for (const record of records) {
    const carrierRef = textAt(record, idField);
    if (carrierRef === undefined) continue;
    const answer = await ask(carrierRef);
    if (answer.is !== 'answered') return { found: 'undecided' };
    if (isOurs(answer.body)) return { found: 'accepted', carrierRef };
  }
  return Number(valueAt(listed.body, 'totalRecords')) > records.length ? { found: 'undecided' } : { found: 'absent' };
}
