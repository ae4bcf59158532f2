/**
 * Hands the notices of carriers over to the domain. Notices with one key are a lane, so one worker at a time hands them
 * over, in the order of their arrival. A notice about something that is not known yet waits while later ones go ahead:
 * one of them may make it known, as when the end of a call overtakes its arrival.
 */
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Lane, LaneHandler } from '../../queue/lanes/lane.ts';
import { delayLane, isLaneEnded } from '../../queue/lanes/lanes.ts';
import type { Ingress, Translation } from '../adapter.ts';
import type { ConnectionDirectory } from '../connections/directory.ts';
import type { TakeEvents } from '../ports/carrier.ts';
import { NOTICE_LANES, readWaiting, settleNotice, type WaitingNotice } from './queries.ts';

export type InboxParts = {
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly connections: Pick<ConnectionDirectory, 'find'>;
  readonly takeEvents: TakeEvents;
};

const LANES_MAX = 32;
const CONNECTION_LANES_MAX = 16;
/** After this many rounds, lanes of other calls take their turn. */
const ROUNDS_PER_CLAIM = 8;
/** How long a notice waits for what makes it known. */
const WAIT_MS_MAX = 60_000;
const LOOK_AGAIN_MS = 250;
/** When to look again whether a connection is enabled. */
const DISABLED_MS = 5_000;

/** Returns the handler of the lanes of notices. */
export function createNoticeLanes(parts: InboxParts): LaneHandler {
  return {
    kind: NOTICE_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => CONNECTION_LANES_MAX,
    urgent: true,
    drain: (lane) => drain(parts, lane),
  };
}

async function drain(parts: InboxParts, lane: Lane): Promise<void> {
  const { db, connections } = parts;
  const connection = connections.find(lane.groupId);
  const ingress = connection?.status === 'disabled' ? undefined : connection?.connected.ingress;
  if (connection === undefined || ingress === undefined) {
    return db.transaction((tx) => delayLane(tx, lane, { delayMs: DISABLED_MS }));
  }
  for (let round = 0; round < ROUNDS_PER_CLAIM && !isLaneEnded(lane); round++) {
    const progressed = await handOver(parts, lane, { ingress, kind: connection.kind });
    if (progressed === 0 && !isLaneEnded(lane)) {
      await db.transaction((tx) => delayLane(tx, lane, { delayMs: LOOK_AGAIN_MS }));
    }
  }
}

type Source = { readonly ingress: Ingress; readonly kind: string };

/** Hands over what waits in a lane. Returns how many notices are done with. */
async function handOver(parts: InboxParts, lane: Lane, source: Source): Promise<number> {
  let settled = 0;
  for (const notice of await readWaiting(parts.db, lane)) {
    const translation = await source.ingress.translate(parts.db, notice);
    if (translation.is === 'wait' && notice.age_ms < WAIT_MS_MAX) continue;
    await settle(parts, lane, { notice, translation, kind: source.kind });
    settled++;
  }
  return settled;
}

type Translated = { readonly notice: WaitingNotice; readonly translation: Translation; readonly kind: string };

async function settle(parts: InboxParts, lane: Lane, { notice, translation, kind }: Translated): Promise<void> {
  const { db, log, metrics, takeEvents } = parts;
  const { id, type, key } = notice;
  if (translation.is === 'events') {
    await db.transaction(async (tx) => {
      await takeEvents(tx, translation.ledger, translation.events);
      await settleNotice(tx, lane, { id, state: 'done' });
    });
    metrics.carrierNotices.inc({ kind, result: 'done' });
    return;
  }
  const state = translation.is === 'wait' ? 'dropped' : 'ignored';
  await db.transaction((tx) => settleNotice(tx, lane, { id, state }));
  metrics.carrierNotices.inc({ kind, result: state });
  if (state === 'dropped') {
    log.warn({ connection: lane.groupId, type, about: key }, 'a notice is about something that never became known');
  }
}
