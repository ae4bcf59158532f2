/** Handles Telnyx's reports about texts. */
import type { Db } from '../../../db/database.ts';
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import { ANONYMOUS, readParty } from '../../../lib/phone/party.ts';
import type { Translation } from '../../adapter.ts';
import { openBook } from '../../book/book.ts';
import { listNumberOwners, type NumberOwner } from '../../connections/owner-queries.ts';
import type { CarrierMedia } from '../../ports/messaging.ts';
import { MEDIA_MAX } from '../../ports/messaging.ts';
import type { TelnyxLine } from '../client/line.ts';
import { listProfileTenants } from '../numbers/profile-queries.ts';
import { SEND, type SentText, TEXT_PATH } from './messaging.ts';
import { errorsOf, readReceipt } from './receipts.ts';

const IGNORED: Translation = { is: 'ignored' };
const FOREIGN: Translation = { is: 'foreign' };
/** The most recipients that are read from each list. */
const RECIPIENTS_MAX = 50;

/** Translates a report about a text that we sent. If the answer to the send was lost, the report replaces it. */
export async function translateReceipt(
  { log, connectionId }: Pick<TelnyxLine, 'log' | 'connectionId'>,
  db: Db,
  payload: unknown,
): Promise<Translation> {
  const ref = refOfText(payload);
  const carrierRef = textAt(payload, 'id');
  if (carrierRef === undefined) return IGNORED;
  if (ref === undefined) return FOREIGN;
  const book = openBook(db, connectionId);
  const name = { operation: SEND, ref };
  const ledger = await book.findLedger(name);
  if (ledger === undefined) return FOREIGN;
  await book.settle<SentText>(name, { found: 'accepted', carrierRef });
  const receipt = readReceipt(payload);
  if (receipt?.status === 'failed') {
    const codes = errorsOf(payload).map(({ code }) => code);
    log.warn(
      { connection: connectionId, message: ref, reason: receipt.failureReason, codes },
      'Telnyx reports that a text failed',
    );
  }
  return { is: 'events', ledger, events: receipt === undefined ? [] : [{ type: 'message.receipt', ref, ...receipt }] };
}

/**
 * Returns our id of a text. A send has no field for our id. So each text has a separate report address that contains
 * the id, and each report repeats that address. The address is in the signed body, so it is authentic.
 */
export function refOfText(payload: unknown): string | undefined {
  const address = textAt(payload, 'webhook_url') ?? '';
  const at = address.lastIndexOf(TEXT_PATH);
  return at === -1 ? undefined : address.slice(at + TEXT_PATH.length);
}

/** Translates a text to one of our numbers. */
export async function translateText(db: Db, connectionId: string, event: unknown): Promise<Translation> {
  const payload = valueAt(event, 'payload');
  const carrierMessageId = textAt(payload, 'id');
  const from = readParty(textAt(payload, 'from', 'phone_number') ?? '');
  if (carrierMessageId === undefined) return IGNORED;
  const recipients = recipientsOf(payload);
  const owner = await findRecipient(db, { connectionId, payload, recipients });
  if (owner === undefined) return FOREIGN;
  const { ledger, phoneNumber: to } = owner;
  const otherRecipients = recipients.filter((recipient) => ![to, from, ANONYMOUS].includes(recipient));
  const body = textAt(payload, 'text') ?? '';
  const media = listAt(payload, 'media').slice(0, MEDIA_MAX).flatMap(readMedia);
  const isConfirmed = confirms(payload, body);
  const occurredAt = new Date(textAt(event, 'occurred_at') ?? '');
  return {
    is: 'events',
    ledger,
    events: [
      {
        type: 'message.received',
        ...{ carrierMessageId, from, to, body, mediaUrls: [] },
        ...(otherRecipients.length > 0 && { otherRecipients }),
        ...(media.length > 0 && { media }),
        ...(isConfirmed && { isConfirmed }),
        ...(!Number.isNaN(occurredAt.getTime()) && { occurredAt }),
      },
    ],
  };
}

/** Returns the recipients of a text: one of our numbers, and in a group text others too. */
export function recipientsOf(payload: unknown): readonly string[] {
  const named = ['to', 'cc'].flatMap((field) => listAt(payload, field).slice(0, RECIPIENTS_MAX));
  return [...new Set(named.map((party) => readParty(textAt(party, 'phone_number') ?? '')))];
}

type Group = { readonly connectionId: string; readonly payload: unknown; readonly recipients: readonly string[] };

/** Returns our number that the report is for. If several recipients are ours, the profile of the report decides. */
async function findRecipient(db: Db, { connectionId, payload, recipients }: Group): Promise<NumberOwner | undefined> {
  const owners = await listNumberOwners(db, connectionId, recipients);
  const [first, ...others] = owners;
  if (others.length === 0) return first;
  const profileId = textAt(payload, 'messaging_profile_id') ?? '';
  const tenantId = (await listProfileTenants(db, connectionId, [profileId])).get(profileId);
  return owners.find((owner) => owner.tenantId === tenantId) ?? first;
}

function readMedia(entry: unknown): CarrierMedia[] {
  const ref = textAt(entry, 'url');
  return ref === undefined ? [] : [{ ref, contentType: textAt(entry, 'content_type') ?? null }];
}

/** Telnyx's words for opting out and in. Telnyx replies automatically to a text that is only such a word. */
const ANSWERED_WORDS = new Set([
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  ...['START', 'UNSTOP'],
]);

/**
 * True if Telnyx has automatically replied to a STOP, START or HELP, so that no second confirmation is sent. Telnyx
 * marks a text that it has replied to (`autoresponse_type`). A text that is one of ANSWERED_WORDS needs no mark. A HELP
 * needs the mark, because Telnyx replies to it only if the profile has a reply.
 */
function confirms(payload: unknown, body: string): boolean {
  const said = valueAt(payload, 'autoresponse_type');
  return (typeof said === 'string' && said !== '') || ANSWERED_WORDS.has(body.trim().toUpperCase());
}
