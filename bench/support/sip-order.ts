/** The messages between the SIP benchmark and the process with its people. */

/** Calls to a number of an engine: how many start in a second, and how long after the answer the caller hangs up. */
type Place = {
  readonly do: 'place';
  readonly enginePort: number;
  readonly to: string;
  readonly calls: number;
  readonly perSecond: number;
  readonly talkMs: number;
};

/** A call to an agent. The agent hangs up this long after first hearing the target. */
type Take = { readonly do: 'take'; readonly agent: string; readonly talkMs: number };

/** Listens to a stream until it ends. The stream must have had this many messages. */
type Listen = { readonly do: 'listen'; readonly url: string; readonly messagesMin: number };

/**
 * Checks the streams of a dialplan. Since the last check, this many must have ended, each with at least `messagesMin`
 * messages.
 */
type Check = { readonly do: 'check'; readonly streams: number; readonly messagesMin: number };

export type PeopleOrder = Place | Take | Listen | Check;
/** An order, or a report, with the same number for both. */
export type Numbered<Of> = { readonly id: number; readonly of: Of };

/** Milliseconds from the caller's INVITE to the INVITE at the target, and to the 200 at the caller. */
export type SetUp = { readonly calledMs: number; readonly answeredMs: number };
/** The results of placed calls. */
export type PeopleReport = readonly SetUp[];
/** The port where the people receive calls, and the port that dialplans send streams to. */
export type PeopleReady = { readonly port: number; readonly streamsPort: number };

/** Every call is to this person. */
export const TARGET_NUMBER = '+16025550190';
