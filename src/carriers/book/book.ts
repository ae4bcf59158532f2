/**
 * The book of requests to carriers. The intent of a request is stored before the request is sent, and its outcome
 * after. A crash in between leaves an entry without an outcome. The carrier may have carried out this request, so it is
 * not sent again without a check. If the carrier has a query for it, the query decides. Otherwise a rule or a person
 * decides.
 */
import type { Db } from '../../db/database.ts';
import { findLedger } from '../../db/ledgers.ts';
import { newId } from '../../lib/ids.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { Found, Outcome } from '../ports/outcome.ts';
import { type BookEntry, countResend, findRequest, openRequest, type RequestName, settleRequest } from './queries.ts';

/** A request of one connection. `ref` is our id of the object. `ref` and `operation` together name the request. */
type BookedRequest = { readonly ledger: Ledger; readonly operation: string; readonly ref: string };

type BookRule = {
  /** For how long the carrier treats a repeated name as the same request. If absent, a request is sent once. */
  readonly resendMs?: number;
};

export type Book = {
  /**
   * Sends a request once. If the carrier takes names, `send` must put the request's name (`requestId`) into it. `send`
   * must not throw: it returns `unknown` if the result is unclear. A request in the book is not sent again, unless the
   * rule allows a repeat. In that case this returns its stored outcome, or `unknown` if it has none.
   */
  ask<Accepted extends object, Reason extends string, Refusal = object>(
    request: BookedRequest,
    send: (requestId: string) => Promise<Outcome<Accepted, Reason, Refusal>>,
    rule?: BookRule,
  ): Promise<Outcome<Accepted, Reason, Refusal>>;
  /**
   * Returns the state of a request in the book. It is `undecided` while the request has no outcome, and `absent` if the
   * rule still allows a repeat. The repeat then finds the outcome.
   */
  find<Accepted extends object>(
    request: Pick<BookedRequest, 'operation' | 'ref'>,
    rule?: BookRule,
  ): Promise<Found<Accepted>>;
  /** Returns the ledger of the request; undefined if the request is not in the book. */
  findLedger(request: Pick<BookedRequest, 'operation' | 'ref'>): Promise<Ledger | undefined>;
  /** Records the carrier's answer about a request whose first answer was lost. */
  settle<Accepted extends object>(
    request: Pick<BookedRequest, 'operation' | 'ref'>,
    found: Found<Accepted>,
  ): Promise<void>;
};

/**
 * Returns the book of a connection.
 * @public for adapters of live carriers
 */
export function openBook(db: Db, connectionId: string): Book {
  const nameOf = ({ operation, ref }: Pick<BookedRequest, 'operation' | 'ref'>): RequestName => ({
    connectionId,
    operation,
    ref,
  });
  return {
    ask: async (request, send, rule = {}) => {
      const name = nameOf(request);
      const { ledgerId } = request.ledger;
      const entry = await openRequest(db, { ...name, id: newId('carrier_request'), ledgerId });
      if (!entry.opened) {
        if (entry.outcome !== null) return answerOf(entry);
        if (rule.resendMs === undefined || !(await countResend(db, entry.id, rule.resendMs)))
          return { outcome: 'unknown' };
      }
      const outcome = await send(entry.id);
      await record(db, entry.id, outcome);
      return outcome;
    },
    find: async <Accepted extends object>(
      request: Pick<BookedRequest, 'operation' | 'ref'>,
      { resendMs = 0 }: BookRule = {},
    ): Promise<Found<Accepted>> => {
      const entry = await findRequest(db, nameOf(request));
      if (entry === undefined || entry.outcome === 'absent' || entry.outcome === 'rejected') return { found: 'absent' };
      if (entry.outcome === null) return { found: entry.ageMs < resendMs ? 'absent' : 'undecided' };
      return { found: 'accepted', ...(entry.answer as Accepted) };
    },
    findLedger: async (request) => {
      const entry = await findRequest(db, nameOf(request));
      return entry && (await findLedger(db, entry.ledgerId));
    },
    settle: async (request, found) => {
      if (found.found === 'undecided') return;
      const entry = await findRequest(db, nameOf(request));
      if (entry === undefined) return;
      const { found: outcome, ...answer } = found;
      await settleRequest(db, entry.id, { outcome, answer });
    },
  };
}

/** Returns the answer in the book, as the carrier gave it. */
function answerOf<Accepted, Reason extends string, Refusal>({
  outcome,
  answer,
}: BookEntry): Outcome<Accepted, Reason, Refusal> {
  return { outcome, ...(answer as object) } as Outcome<Accepted, Reason, Refusal>;
}

async function record(db: Db, id: string, outcome: Outcome<object>): Promise<void> {
  if (outcome.outcome === 'unknown') return;
  const { outcome: said, ...answer } = outcome;
  await settleRequest(db, id, { outcome: said === 'unavailable' ? 'absent' : said, answer });
}
