import { after, every, monotonicMs, now, sleep, timeoutSignal } from '../../src/lib/time/time.ts';

/**
 * The time of the emulated carriers: of `test/telnyx/`, `test/wire/`, their conformance suites and the scenarios over
 * the wire. In the process of a test it skips, as the time of the product does.
 */
export const time = { now, monotonicMs, sleep, every, after };

export { timeoutSignal };
