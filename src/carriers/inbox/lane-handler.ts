/**
 * Passes notices of carriers on to the domain. Notices with the same key are a lane. So one worker at a time passes
 * them on, in the order of their arrival. A notice about an unknown object waits, and later notices are passed on
 * before it. One of them may create the object: the report of a call's end may overtake the report of its arrival.
 */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Lane, LaneHandler } from '../../queue/lanes/lane.ts';
import { delayLane, isLaneEnded } from '../../queue/lanes/lanes.ts';
import type { Ingress, Translation } from '../adapter.ts';
import type { ConnectionDirectory } from '../connections/directory.ts';
import type { TakeEvents, TakeReport } from '../ports/carrier.ts';
import { passOn } from './pass-on.ts';
import { NOTICE_LANES, noteSettled, readWaiting, settleNotice, settlingWrite, type WaitingNotice } from './queries.ts';
import type { Sharers } from './sharers.ts';

export type InboxParts = {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly connections: Pick<ConnectionDirectory, 'find'>;
  /** The other databases that have a connection. */
  readonly sharers: Sharers;
  readonly takeEvents: TakeEvents;
  readonly takeReport: TakeReport;
};

const LANES_MAX = 32;
const CONNECTION_LANES_MAX = 16;
/** After this many rounds, lanes of other calls get their turn. */
const ROUNDS_PER_CLAIM = 8;
/** How long a notice waits until its object is known. */
const WAIT_MS_MAX = 60_000;
const LOOK_AGAIN_MS = 250;
/** If a notice waits longer than this, its object may be in another database. */
const PASSED_ON_MS = 1_000;
/** How long to wait before the next check of whether a connection is enabled. */
const DISABLED_MS = 5_000;

/** Returns the handler of the lanes of notices. */
export function createNoticeLanes(parts: InboxParts): LaneHandler {
  return {
    kind: NOTICE_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => CONNECTION_LANES_MAX,
    urgent: true,
    claimsNew: true,
    drain: (lane, items) => drain(parts, lane, items as WaitingNotice[] | undefined),
  };
}

/** @param stored the notices of a new lane */
async function drain(parts: InboxParts, lane: Lane, stored?: readonly WaitingNotice[]): Promise<void> {
  const { db, connections } = parts;
  const connection = connections.find(lane.groupId);
  const ingress = connection?.status === 'disabled' ? undefined : connection?.connected.ingress;
  if (connection === undefined || ingress === undefined) {
    return db.transaction((tx) => delayLane(tx, lane, { delayMs: DISABLED_MS }));
  }
  for (let round = 0; round < ROUNDS_PER_CLAIM && !isLaneEnded(lane); round++) {
    const waiting = round === 0 && stored !== undefined ? stored : await readWaiting(db, lane);
    const progressed = await handOver(
      parts,
      lane,
      { ingress, kind: connection.kind, isShared: connection.accountId === null },
      waiting,
    );
    if (progressed === 0 && !isLaneEnded(lane)) {
      await db.transaction((tx) => delayLane(tx, lane, { delayMs: LOOK_AGAIN_MS }));
    }
  }
}

type Source = { readonly ingress: Ingress; readonly kind: string; readonly isShared: boolean };

/** Passes on the waiting notices of a lane. Returns how many are completed. */
async function handOver(
  parts: InboxParts,
  lane: Lane,
  source: Source,
  waiting: readonly WaitingNotice[],
): Promise<number> {
  let settled = 0;
  for (const notice of waiting) {
    const translation = await source.ingress.translate(parts.db, notice);
    if (await conclude(parts, lane, { source, notice, translation })) settled++;
  }
  return settled;
}

type Translated = {
  readonly source: Source;
  readonly notice: WaitingNotice;
  readonly translation: Translation;
};

/** Carries out the translation. Returns false if the notice must wait longer. */
async function conclude(parts: InboxParts, lane: Lane, translated: Translated): Promise<boolean> {
  const { db, log, metrics } = parts;
  const { source, notice, translation } = translated;
  const { kind, isShared } = source;
  const { id, type, key } = notice;
  if (translation.is === 'events' && (await take(parts, lane, { notice, translation }))) {
    metrics.carrierNotices.inc({ kind, result: 'done' });
    return true;
  }
  const result = translation.is === 'ignored' || translation.is === 'foreign' ? translation.is : 'dropped';
  if (result === 'dropped' && notice.age_ms < PASSED_ON_MS) return false;
  const isLast = result !== 'dropped' || notice.age_ms >= WAIT_MS_MAX;
  const isElsewhere =
    isShared && result !== 'ignored' && (await passOn(parts, lane.groupId, { notice, result, isLast }));
  const end = isElsewhere ? 'elsewhere' : result;
  if (end === 'dropped' && !isLast) return false;
  await settleNotice(db, lane, { id, state: end === 'dropped' ? 'dropped' : 'ignored' });
  metrics.carrierNotices.inc({ kind, result: end });
  if (end === 'dropped' || end === 'foreign') log.warn({ connection: lane.groupId, type, about: key }, SAID[end]);
  return true;
}

const SAID = {
  dropped: 'a notice is about something that never became known; dropped',
  foreign: 'a notice is about a number, text or call that is not of its connection; ignored',
} as const;

type Taken = { readonly notice: WaitingNotice; readonly translation: Extract<Translation, { is: 'events' }> };

/**
 * Passes events on and removes their notice from the inbox. Uses one statement if the domain can, otherwise one
 * transaction. Returns false if the events wait because their call is unknown.
 */
async function take(parts: InboxParts, lane: Lane, { notice, translation }: Taken): Promise<boolean> {
  const { db, takeEvents, takeReport } = parts;
  const { ledger, events, waitsForCall = false } = translation;
  const [event, ...others] = events;
  const { id, at } = notice;
  const isSingle = event !== undefined && others.length === 0;
  const report = isSingle && { event, joined: settlingWrite(lane, id), ...(at && { at }) };
  const taken = report ? await takeReport(db, ledger, report) : 'declined';
  if (typeof taken === 'object') {
    noteSettled(db, lane, taken.joined);
    return true;
  }
  if (taken === 'unknown' && waitsForCall) return false;
  if (taken === 'unknown' || taken === 'needless') {
    await settleNotice(db, lane, { id, state: 'done' });
    return true;
  }
  await db.transaction(async (tx) => {
    await takeEvents(tx, ledger, events);
    await settleNotice(tx, lane, { id, state: 'done' });
  });
  return true;
}
