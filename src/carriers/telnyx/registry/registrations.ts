/**
 * What brands and campaigns have in common: each is sent once, and found again by our id if its answer is lost.
 * Telnyx's id of it is stored for as long as the product has it, as Telnyx is asked for its reviews.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Found, Outcome, Registered } from '../../ports/outcome.ts';
import { type Answer, outcomeOf } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findRegistration, keepRegistration, openRegistration } from './registration-queries.ts';

type Registering = {
  /** What it is, in the book. */
  readonly operation: string;
  readonly ref: string;
  /** Where a search for it begins. */
  readonly foundUnder: string;
  send(): Promise<Answer>;
  /** Returns Telnyx's id in an answer. */
  idOf(body: unknown): string | undefined;
  /** Returns why Telnyx will not register it. */
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
    if (answer.is === 'refused') return { outcome: 'rejected', reason: asked.reasonOf(answer) };
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
  /** Looks for it at Telnyx, from where a search begins. */
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

/** Records of a list that are looked through: also how many Telnyx puts on the page that is asked for. */
const LOOKED_AT_MAX = 50;

type RecordSearch = {
  readonly path: '/10dlc/brand' | '/10dlc/campaign';
  /** The parameter that the list is filtered by. */
  readonly filter: readonly [name: string, value: string];
  readonly idField: 'brandId' | 'campaignId';
  /** Asks for a whole record: those of a list lack our id. */
  ask(carrierRef: string): Promise<Answer>;
  isOurs(record: unknown): boolean;
};

/** Looks through a list of the registry, the newest first. A list that is too long leaves undecided what is absent. */
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
