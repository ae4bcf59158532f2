import type { Stage } from './stage.ts';

/** Makes an event happen. Resolves with an id or a telephone number that the event contains. */
export type Recipe = (stage: Stage) => Promise<string>;

/** People of test mode. The second one opts out and in again. No recipe opts the first one out. */
export const PERSON = '+16025550143';
export const OPTED_OUT_PERSON = '+16025550144';
export const AGENT = '+16025550120';
export const OTHER_AGENT = '+16025550121';
/** Numbers of the simulated carrier with a fixed behaviour. */
export const NEVER_DELIVERED = '+15005550001';
export const NEVER_ANSWERS = '+15005550003';
export const MACHINE = '+15005550020';
export const STREAM_FAILS = '+15005550008';

/** The name of resources that recipes make for their own use in a tenant. */
export const OWN_NAME = 'Trigger';
