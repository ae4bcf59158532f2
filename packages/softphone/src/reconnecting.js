/** After these close codes another login would be refused too, or would replace another session. */
const FINAL_CODES = new Set([4401, 4403, 4408, 4409]);
const PAUSES_MS = [500, 1_000, 2_000, 5_000];
const LONGEST_PAUSE_MS = 10_000;

/** @param {number} code a close code */
export const isFinal = (code) => FINAL_CODES.has(code);

/**
 * Returns the pause before the next attempt to connect.
 * @param {number} attempts how many have failed
 */
export const pauseMs = (attempts) => PAUSES_MS[attempts] ?? LONGEST_PAUSE_MS;
