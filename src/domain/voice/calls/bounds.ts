/** The bounds of the stored data of one call. A call may last for hours, and clients and parties may repeat actions. */

/**
 * The most utterances of a call's transcript, including utterances that wait for their text. Later ones are dropped.
 */
export const UTTERANCES_MAX = 5_000;

/** The most entries of a call's log. */
export const LOG_ENTRIES_MAX = 500;
/** Entries that are reserved for the end of the call and the entries after it. */
const FOR_END = 50;
const AFTER_END = 10;

/**
 * Returns the new entries that fit into a log. If there are too many, the last ones are kept.
 * @param stored entries that the log has
 * @param isEnded whether the call has ended with these entries, or earlier
 */
export function entriesWithRoom<Entry>(
  entries: readonly Entry[],
  { stored, isEnded }: { stored: number; isEnded: boolean },
): Entry[] {
  const room = LOG_ENTRIES_MAX - (isEnded ? AFTER_END : FOR_END) - stored;
  return room <= 0 ? [] : entries.slice(-room);
}
