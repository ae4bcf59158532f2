/** Removes the content of resources from their stored events. */
import type { Tx } from '../../../db/database.ts';
import { type EventData, findEventsToRedact, updateEventData } from './redact-queries.ts';

/** Returns the data of an event without the content of its resource; undefined for data without content. */
export type Redaction = (type: string, data: EventData) => EventData | undefined;

/**
 * Replaces the data of stored events by their redacted form. Ids, types, sequences and times stay. Lists, deliveries
 * that are still to be made, resends and replays carry the redacted data from the commit on. The bodies of receivers'
 * replies are deleted, because they may repeat the data.
 *
 * The transaction must have changed the rows of the resources before, so that no event with the content is added later.
 * @returns the number of redacted events
 */
export async function redactEvents(
  tx: Tx,
  ledgerId: number,
  resourceIds: readonly string[],
  redact: Redaction,
): Promise<number> {
  if (resourceIds.length === 0) return 0;
  const events = await findEventsToRedact(tx, ledgerId, resourceIds);
  const redacted = events.flatMap(({ id, type, data }) => {
    const after = redact(type, data);
    return after === undefined ? [] : [{ id, data: after }];
  });
  if (redacted.length > 0) await updateEventData(tx, ledgerId, redacted);
  return redacted.length;
}
