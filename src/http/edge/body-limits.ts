/** The longest body of a request, in bytes, unless its route sets another `bodyLimit`. */
export const BODY_BYTES_MAX = 64 * 1024;

/**
 * For routes whose longest valid body is larger: texts with 20 metadata values and ten media addresses, routing configs
 * with 400 holidays.
 */
export const LARGE_BODY_BYTES_MAX = 128 * 1024;
