/** Ledger time for which events and their deliveries can be read. */
export const EVENTS_KEPT = '30 days';

/**
 * Resources whose story is over when their last event is swept: their numbering goes too. That of the others stays,
 * for an event of next year must not be number 1 again.
 */
export const SEQUENCES_ENDED = '^(msg|call|vm|rec|stm)_';
