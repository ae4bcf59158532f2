/**
 * Submits a port-in. Each step reads Telnyx's state before it sends a request, so an interrupted submission continues
 * where it stopped. The steps: orders for the numbers without one, then the documents, then the details and the
 * confirmation of each order that waits for them.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { DOCUMENT_KINDS, type DocumentKind, type PortInOrder } from '../../ports/porting.ts';
import { type Answer, LONGEST_PAGE, outcomeOf, reasonOf } from '../client/client.ts';
import { refusedByAccount } from '../client/errors.ts';
import type { TelnyxLine } from '../client/line.ts';
import { ensureProfile } from '../numbers/profiles.ts';
import { findStoredPortIn, markSubmitted, openPortIn, type PortInName } from './port-in-queries.ts';
import { addOtherDocuments, mainDocuments, type UploadedDocument, uploadDocuments } from './porting-documents.ts';
import {
  giveUpOrder,
  isAlive,
  isOurTurn,
  listOrders,
  ORDER_NUMBERS_MAX,
  type PortingOrder,
  type Problem,
  readOrder,
  uncovered,
} from './porting-orders.ts';

/** The part of a port-in's report address that comes before our id and the number of the submission. */
export const PORT_IN_PATH = '/port-ins/';
/** The operation of making orders, in the book of requests. */
const ORDER = 'port-in order';
/** HTTP statuses of a refusal that concerns the account and not the port-in. */
const ABOUT_ACCOUNT = new Set([402, 403]);

type Shortfall = { readonly missingDocuments?: readonly DocumentKind[] };
type Submitted = Outcome<object, string, Shortfall>;
type Halted = { readonly halted: Submitted };

/** Sends a submission, or only its missing parts. */
export async function submitPortIn(line: TelnyxLine, ledger: Ledger, order: PortInOrder): Promise<Submitted> {
  const { ref, attempt, phoneNumbers, documents } = order;
  const { db, connectionId } = line;
  const name: PortInName = { ledgerId: ledger.ledgerId, connectionId, ref };
  await openPortIn(db, name, { attempt, phoneNumbers });
  const stored = await findStoredPortIn(db, name);
  if (stored === undefined || stored.isSubmitted || stored.attempt > attempt) return { outcome: 'accepted' };
  const profile = await ensureProfile(line, ledger, order.tenant.id);
  if ('problem' in profile) return unread(profile.problem).halted;
  const covering = await coverNumbers(line, ledger, order);
  if ('halted' in covering) return covering.halted;
  const waiting = covering.orders.filter(isOurTurn);
  const uploaded = await uploadDocuments(line, name, documents);
  if ('problem' in uploaded) return haltedBy(uploaded.problem).halted;
  const application = await line.findApplication();
  const details = { order, application, profileId: profile.profileId, documents: uploaded.documents };
  const halted = (await completeOrders(line, details, waiting)) ?? (await confirmOrders(line, details, waiting));
  if (halted !== undefined) return halted.halted;
  await markSubmitted(db, name, attempt);
  return { outcome: 'accepted' };
}

function haltedBy(problem: Problem): Halted {
  if (problem.is !== 'refused') return { halted: outcomeOf(problem) };
  const byAccount = refusedByAccount(problem);
  if (byAccount !== undefined) return { halted: byAccount };
  if (ABOUT_ACCOUNT.has(problem.status)) return { halted: { outcome: 'unavailable' } };
  return { halted: { outcome: 'rejected', reason: reasonOf(problem) } };
}

/** Returns the result of a failed read. A refused read says nothing about the port-in itself. */
function unread(problem: Problem): Halted {
  return { halted: problem.is === 'refused' ? { outcome: 'unavailable' } : outcomeOf(problem) };
}

/** Returns orders that cover all of the numbers and no others. Makes the missing orders. */
async function coverNumbers(
  line: TelnyxLine,
  ledger: Ledger,
  order: PortInOrder,
): Promise<{ readonly orders: readonly PortingOrder[] } | Halted> {
  const listed = await listOrders(line, order);
  if ('problem' in listed) return unread(listed.problem);
  const wanted = new Set(order.phoneNumbers);
  const isWanted = ({ phoneNumbers }: PortingOrder) => phoneNumbers.every((phoneNumber) => wanted.has(phoneNumber));
  const alive = listed.orders.filter(isAlive);
  for (const stray of alive.filter((other) => !isWanted(other))) {
    const answer = await giveUpOrder(line, stray);
    if (answer.is !== 'answered') return haltedBy(answer);
  }
  const kept = alive.filter(isWanted);
  const missing = uncovered(order.phoneNumbers, kept);
  if (missing.length === 0) return { orders: kept };
  for (let from = 0; from < missing.length; from += ORDER_NUMBERS_MAX) {
    const made = await makeOrders(line, ledger, { order, phoneNumbers: missing.slice(from, from + ORDER_NUMBERS_MAX) });
    if (made.outcome !== 'accepted') return { halted: made };
  }
  const again = await listOrders(line, order);
  if ('problem' in again) return unread(again.problem);
  // An order that was just made may not be listed yet. The next search finds it.
  const orders = again.orders.filter(isAlive);
  return uncovered(order.phoneNumbers, orders).length === 0 ? { orders } : { halted: { outcome: 'unknown' } };
}

type Asked = { readonly order: PortInOrder; readonly phoneNumbers: readonly string[] };

/** Makes Telnyx create orders for some of the numbers, at most once. */
async function makeOrders({ client, book }: TelnyxLine, ledger: Ledger, asked: Asked): Promise<Submitted> {
  const { ref, attempt, phoneNumbers } = asked.order;
  const at = phoneNumbers.indexOf(asked.phoneNumbers[0] ?? '');
  const body = { phone_numbers: asked.phoneNumbers, customer_reference: ref };
  return await book.ask<object, string>(
    { ledger, operation: ORDER, ref: orderName({ ref, attempt, at }) },
    async (): Promise<Submitted> => {
      const answer = await client.ask({ method: 'POST', path: '/porting_orders', body });
      return answer.is === 'answered' ? { outcome: 'accepted' } : haltedBy(answer).halted;
    },
  );
}

/**
 * Names a request for orders in the book of requests. `at` is the position of the request's first number in the
 * submission.
 */
function orderName({ ref, attempt, at }: { ref: string; attempt: number; at: number }): string {
  return `${ref}/${attempt}/${at}`;
}

/** Records that Telnyx has no orders for these numbers of a submission, so that a new request may be sent. */
export async function settleMissingOrders(
  { book }: TelnyxLine,
  { ref, attempt, phoneNumbers }: Pick<PortInOrder, 'ref' | 'attempt' | 'phoneNumbers'>,
  missing: readonly string[],
): Promise<void> {
  for (let from = 0; from < missing.length; from += ORDER_NUMBERS_MAX) {
    const at = phoneNumbers.indexOf(missing[from] ?? '');
    await book.settle({ operation: ORDER, ref: orderName({ ref, attempt, at }) }, { found: 'absent' });
  }
}

type Details = {
  readonly order: PortInOrder;
  readonly profileId: string;
  /** The application for the calls of the numbers; undefined before it exists. */
  readonly application: string | undefined;
  readonly documents: readonly UploadedDocument[];
};

/** Sends the details to the orders. Stops at an order if Telnyx needs more for it. */
async function completeOrders(
  line: TelnyxLine,
  details: Details,
  orders: readonly PortingOrder[],
): Promise<Halted | undefined> {
  for (const order of orders) {
    const answer = await line.client.ask({
      method: 'PATCH',
      path: '/porting_orders/{id}',
      params: { id: order.id },
      body: bodyOf(line, details, order),
    });
    if (await isTaken(line, order, answer)) continue;
    if (answer.is !== 'answered') return haltedBy(answer);
    const [now] = readOrder(valueAt(answer.body, 'data'));
    if (now?.hasRequirements === false) return await explainShortfall(line, details, order);
    const added = await addOtherDocuments(line, order.id, details.documents);
    if (added !== undefined && added.is !== 'answered') return haltedBy(added);
  }
  return undefined;
}

async function confirmOrders(
  line: TelnyxLine,
  details: Details,
  orders: readonly PortingOrder[],
): Promise<Halted | undefined> {
  for (const order of orders) {
    const path = '/porting_orders/{id}/actions/confirm';
    const answer = await line.client.ask({ method: 'POST', path, params: { id: order.id } });
    if (answer.is === 'answered' || (await isTaken(line, order, answer))) continue;
    if (answer.is !== 'refused' || ABOUT_ACCOUNT.has(answer.status)) return haltedBy(answer);
    return await explainShortfall(line, details, order, reasonOf(answer));
  }
  return undefined;
}

/**
 * True if Telnyx refuses a step because it has accepted the order in the meantime: another process has confirmed it.
 */
async function isTaken({ client }: TelnyxLine, { id }: PortingOrder, answer: Answer): Promise<boolean> {
  if (answer.is !== 'refused') return false;
  const found = await client.ask({ method: 'GET', path: '/porting_orders/{id}', params: { id } });
  const [now] = found.is === 'answered' ? readOrder(valueAt(found.body, 'data')) : [];
  return now !== undefined && isAlive(now) && !isOurTurn(now);
}

function bodyOf({ reportUrl }: TelnyxLine, details: Details, theirs: PortingOrder): object {
  const { order, profileId, application, documents } = details;
  const { serviceAddress: address } = order;
  return {
    end_user: {
      admin: {
        entity_name: order.entityName,
        auth_person_name: order.authorizedPerson,
        billing_phone_number: order.billingPhoneNumber,
        account_number: order.accountNumber,
        pin_passcode: order.pin,
      },
      location: {
        street_address: address.street,
        locality: address.city,
        administrative_area: address.state,
        postal_code: address.postal_code,
        country_code: 'US',
      },
    },
    phone_number_configuration: {
      messaging_profile_id: profileId,
      ...(application !== undefined && { connection_id: application }),
    },
    ...(theirs.canText && { messaging: { enable_messaging: true } }),
    ...(documents.length > 0 && { documents: mainDocuments(documents) }),
    // A full port: the port-in has no status for numbers that stay at the losing carrier.
    misc: { type: 'full' },
    webhook_url: `${reportUrl}${PORT_IN_PATH}${order.ref}/${order.attempt}`,
  };
}

/** Patterns for Telnyx's names of required documents. Telnyx writes these names for people. */
const DOCUMENT_NAMES: Readonly<Record<DocumentKind, RegExp>> = {
  letter_of_authorization: /letter of auth|\bloa\b/i,
  invoice: /invoice|\bbill\b/i,
};
const INCOMPLETE = 'Telnyx asks for more before it takes the port-in.';

/** Reads what Telnyx still requires. `words` is the text of its refusal, if any. */
async function explainShortfall(
  { client }: TelnyxLine,
  { documents }: Details,
  { id }: PortingOrder,
  words?: string,
): Promise<Halted> {
  const path = '/porting_orders/{id}/requirements';
  const answer = await client.ask({ method: 'GET', path, params: { id }, query: [LONGEST_PAGE] });
  if (answer.is !== 'answered') return unread(answer);
  const asked = listAt(answer.body, 'data')
    .filter((requirement) => (textAt(requirement, 'field_value') ?? '') === '')
    .map((requirement) => textAt(requirement, 'requirement_type', 'name') ?? 'a document');
  const absent = DOCUMENT_KINDS.filter((kind) => !documents.some((document) => document.kind === kind));
  // If Telnyx names no requirement, the documents that a port-in usually needs count as missing.
  const missingDocuments =
    asked.length === 0 && words === undefined
      ? absent
      : absent.filter((kind) => asked.some((name) => DOCUMENT_NAMES[kind].test(name)));
  const others = asked.filter((name) => !missingDocuments.some((kind) => DOCUMENT_NAMES[kind].test(name)));
  const named = others.length > 0 ? ` Missing: ${others.join(', ')}.` : '';
  return { halted: { outcome: 'rejected', reason: `${words ?? INCOMPLETE}${named}`, missingDocuments } };
}
