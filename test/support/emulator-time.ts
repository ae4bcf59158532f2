import { after, every, monotonicMs, now, sleep, timeoutSignal } from '../../src/lib/time/time.ts';

/**
 * The time of the emulated carriers: of `test/telnyx/`, `test/wire/`, their conformance suites and the scenarios over
 * the wire. In a test process this time skips together with the time of the product.
 */
export const time = { now, monotonicMs, sleep, every, after };

export { timeoutSignal };
