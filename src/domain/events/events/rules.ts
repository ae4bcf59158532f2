/** Ledger time to keep events and their deliveries. */
export const EVENTS_KEPT = '30 days';

/**
 * Resources that emit no more events after their last one is swept: their sequence is deleted too. Other resources keep
 * their sequence, because a later event must not be number 1 again.
 */
export const SEQUENCES_ENDED = '^(msg|call|vm|rec|stm)_';
