/** The messages between the benchmark of SIP and the process of its people. */

/** Calls to a number of an engine: how many start in a second, and how long after the answer the caller hangs up. */
type Place = {
  readonly do: 'place';
  readonly enginePort: number;
  readonly to: string;
  readonly calls: number;
  readonly perSecond: number;
  readonly talkMs: number;
};

/** A call to an agent, who hangs up this long after first hearing the target. */
type Take = { readonly do: 'take'; readonly agent: string; readonly talkMs: number };

/** Listens to a stream until its end, which must have had this many messages. */
type Listen = { readonly do: 'listen'; readonly url: string; readonly messagesMin: number };

/** The streams of a dialplan: how many must have ended since the last such order, and the messages of each. */
type Check = { readonly do: 'check'; readonly streams: number; readonly messagesMin: number };

export type PeopleOrder = Place | Take | Listen | Check;
/** An order, with the number that its report carries too. */
export type Numbered<Of> = { readonly id: number; readonly of: Of };

/** Milliseconds from the caller's INVITE to the INVITE at the target, and to the caller's 200. */
export type SetUp = { readonly calledMs: number; readonly answeredMs: number };
/** The results of placed calls. */
export type PeopleReport = readonly SetUp[];
/** Where the people are called, and where streams of dialplans are sent to. */
export type PeopleReady = { readonly port: number; readonly streamsPort: number };

/** The person who is called by every call. */
export const TARGET_NUMBER = '+16025550190';
