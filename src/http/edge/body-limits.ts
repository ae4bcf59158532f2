/** The longest body of a request, in bytes, unless its route sets another `bodyLimit`. */
export const BODY_BYTES_MAX = 64 * 1024;

/** For routes with larger valid bodies: texts with 20 metadata values and ten media addresses. */
export const LARGE_BODY_BYTES_MAX = 128 * 1024;

/** For routing configs: 400 holidays, and text agents with 20 parameters each. */
export const ROUTING_BODY_BYTES_MAX = 256 * 1024;
