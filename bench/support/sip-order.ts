/** What the benchmark of SIP and its people tell each other. */

/** Calls to a number of an engine, so many a second, each hung up by its caller so long after the answer. */
export type PeopleOrder = {
  readonly enginePort: number;
  readonly to: string;
  readonly calls: number;
  readonly perSecond: number;
  readonly talkMs: number;
};

/** Milliseconds from the caller's INVITE to the INVITE at the target, and to the caller's 200. */
export type SetUp = { readonly calledMs: number; readonly answeredMs: number };
export type PeopleReport = { readonly setUps: readonly SetUp[]; readonly cpuUs: number };
export type PeopleReady = { readonly port: number };

/** The person whom every call reaches. */
export const TARGET_NUMBER = '+16025550190';
