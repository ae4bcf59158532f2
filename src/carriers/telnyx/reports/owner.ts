/** Finds the ledger of a report, using only the report and the database. */
import type { Db } from '../../../db/database.ts';
import { textAt, valueAt } from '../../../lib/json-object.ts';
import { readNumber } from '../../../lib/phone/party.ts';
import type { Notice } from '../../adapter.ts';
import { openBook } from '../../book/book.ts';
import { findNumberOwner, listNumberOwners } from '../../connections/owner-queries.ts';
import { recipientsOf, refOfText } from '../messaging/message-notices.ts';
import { SEND } from '../messaging/messaging.ts';
import { PORT_OUT } from '../numbers/port-out-notices.ts';
import { refOfPortIn } from '../porting/port-in-notices.ts';
import { findPortInOwner } from '../porting/port-in-queries.ts';
import { findRegistrationOwner } from '../registry/registration-queries.ts';
import { ARRIVAL, isAboutCalls, labelledLedger, namesIn } from '../voice/call-notices.ts';
import { findLegByCarrier } from '../voice/leg-queries.ts';

type Owner = { readonly ledgerId: number } | undefined;

/**
 * Returns the ledger that has the object of a report: a number, text, call, registration or port-in. Changes nothing.
 */
export async function findOwner(db: Db, connectionId: string, { type, body }: Notice): Promise<Owner> {
  const payload = valueAt(body, 'payload');
  const ofNumber = async (text: string | undefined) => {
    const phoneNumber = readNumber(text ?? '');
    return phoneNumber === undefined ? undefined : await findNumberOwner(db, connectionId, phoneNumber);
  };
  if (type === ARRIVAL && textAt(payload, 'direction') === 'incoming') return await ofNumber(textAt(payload, 'to'));
  if (isAboutCalls(type)) {
    const ledgerId = labelledLedger(payload);
    return ledgerId === undefined ? await findLegByCarrier(db, connectionId, namesIn(payload)) : { ledgerId };
  }
  if (type === PORT_OUT) return await ofNumber(textAt(body, 'phoneNumber'));
  if (type === 'message.received') {
    const [owner] = await listNumberOwners(db, connectionId, recipientsOf(payload));
    return owner?.ledger;
  }
  if (type.startsWith('message.')) {
    const ref = refOfText(payload);
    return ref === undefined ? undefined : await openBook(db, connectionId).findLedger({ operation: SEND, ref });
  }
  const portIn = refOfPortIn(payload);
  if (portIn !== undefined) return (await findPortInOwner(db, { connectionId, ref: portIn }))?.ledger;
  const number = await ofNumber(textAt(payload, 'phoneNumber') ?? textAt(payload, 'phone_number'));
  const carrierRef = textAt(payload, 'campaignId') ?? textAt(payload, 'brandId');
  if (number !== undefined || carrierRef === undefined) return number;
  return (await findRegistrationOwner(db, { connectionId, carrierRef }))?.ledger;
}
