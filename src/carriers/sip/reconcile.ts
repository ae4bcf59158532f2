/**
 * Compares an engine with the stored legs after a time without its events. If the channel of a leg is gone, the leg has
 * ended. If the leg of a channel has ended or does not exist, the channel is hung up. Answers are reported again, and
 * callers without a leg arrive now.
 */

import { isDatabaseAway } from '../../lib/errors/errors.ts';
import { listAt, textAt, valueAt } from '../../lib/json-object.ts';
import { now } from '../../lib/time/time.ts';
import type { AriAnswer, EngineClient } from './ari-client.ts';
import { ARRIVALS, emergencyCallerOf, enteredWith, isLegChannel, isOfEngine, isTaken } from './dial-plan.ts';
import { emergencyDialOf } from './emergency-calls.ts';
import { carryOutEvents, isOfCall } from './engine-events.ts';
import { findLegByChannel, listLegsOfEngine, type SipLeg } from './leg-queries.ts';
import { endHelperBridge, isHelper, removeChannel } from './media/helpers.ts';
import { type RunAlone, reconcileMedia } from './media/reconcile-media.ts';
import { refsOf, report, reportEnd } from './reports.ts';
import type { SipLine } from './sip-line.ts';

/** Legs that one query reads. */
const ROWS = 500;
/** For this time, the work that makes a channel or bridge may still be in progress. */
const YOUNG_MS = 15_000;

export type Comparison = {
  /**
   * The last time when a process was connected to the engine's events. A call that is gone counts as ended then, so
   * that no customer pays for time after its end.
   */
  readonly seenAt: Date;
  /** True if events of a channel are still waiting. */
  readonly isWaiting: (channelId: string) => boolean;
  /** False ends the comparison early. */
  readonly isWanted: () => boolean;
};

/**
 * Compares an engine. Throws if the engine does not list its channels, or if the database is unavailable. After any
 * other failure, the next comparison tries again.
 */
export async function reconcile(
  line: SipLine,
  engine: EngineClient,
  { seenAt, isWaiting, isWanted }: Comparison,
): Promise<void> {
  const alone = createRunner(line, engine, isWanted);
  // The legs are read before the channels. So a leg that is dialled during the comparison does not seem to be missing.
  const legs = await listLive(line, engine.name);
  const channels = bodyOf(await engine.ask({ method: 'GET', path: '/channels' }));
  const bridges = bodyOf(await engine.ask({ method: 'GET', path: '/bridges' }));
  const byId = new Map(channels.map((channel) => [textAt(channel, 'id') ?? '', channel]));
  const present = new Set(byId.keys());
  // The engine tries one trunk after another. Between two trunks the customer's leg has no channel, while the agent's
  // telephone waits.
  const isBetweenTrunks = ({ isOfEngine, party, callRef }: SipLeg) =>
    isOfEngine &&
    party === 'customer' &&
    legs.some(
      (agentLeg) => agentLeg.callRef === callRef && agentLeg.party === 'agent' && present.has(agentLeg.channelId ?? ''),
    );
  for (const leg of legs) {
    const channel = byId.get(leg.channelId ?? '');
    byId.delete(leg.channelId ?? '');
    await alone(leg.legRef, async () => {
      if (channel !== undefined) await judgeLeg({ line, engine, leg, channel });
      else if (!leg.isNew && !isBetweenTrunks(leg) && !(await isBeingEnded(line, leg, isWaiting)))
        await reportGone(line, leg, seenAt);
    });
  }
  for (const [id, channel] of byId) await alone(id, () => judgeStray({ line, engine, channel }, isWaiting));
  for (const bridge of bridges) await alone(textAt(bridge, 'id') ?? '', () => judgeBridge(line, engine, bridge));
  await reconcileMedia(line, engine, alone);
}

/**
 * Returns a function that runs the work about one object. If the work fails, the comparison of the others continues.
 */
function createRunner({ log, connectionId }: SipLine, engine: EngineClient, isWanted: () => boolean): RunAlone {
  return async (thing, work) => {
    if (!isWanted()) return;
    try {
      await work();
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      const about = { err: error, connection: connectionId, engine: engine.name, thing };
      log.error(about, 'this could not be compared with the engine; the next comparison tries again');
    }
  };
}

async function judgeBridge(line: SipLine, engine: EngineClient, bridge: unknown): Promise<void> {
  const id = textAt(bridge, 'id') ?? '';
  const isEmpty = listAt(bridge, 'channels').length === 0;
  if (isHelper(id)) await endStrayHelpers(engine, bridge);
  else if (isOfCall(id) && isEmpty && !isYoung(bridge)) await engine.ask({ method: 'DELETE', path: `/bridges/${id}` });
  else if (!isEmpty) await carryOutEvents({ line, engine }, [{ type: 'ChannelEnteredBridge', bridge }]);
}

type LegAtEngine = {
  readonly line: SipLine;
  readonly engine: EngineClient;
  readonly leg: SipLeg;
  readonly channel: unknown;
};

/** Compares a leg whose channel exists. If no process received its answer, reports the answer again. */
async function judgeLeg({ line, engine, leg, channel }: LegAtEngine): Promise<void> {
  if (leg.isHungUp && !leg.isOfEngine) await removeChannel(engine, textAt(channel, 'id') ?? '');
  else if (textAt(channel, 'state') === 'Up' && (leg.dialled === null || isTaken(channel)))
    await report(line, leg.ledgerId, [{ type: 'leg.answered', ...refsOf(leg) }]);
}

/** True if the event of the leg's end has arrived, with cause and time, or if the leg has another channel now. */
async function isBeingEnded(
  { db, connectionId }: SipLine,
  { channelId }: SipLeg,
  isWaiting: Comparison['isWaiting'],
): Promise<boolean> {
  if (channelId === null || isWaiting(channelId)) return true;
  const leg = await findLegByChannel(db, connectionId, channelId);
  return leg === undefined || leg.endedAt !== null;
}

/** Ends all legs of an engine that is gone, at the time of the last connection. */
export async function endAllLegs(
  line: SipLine,
  engine: EngineClient,
  { seenAt, isWanted }: Pick<Comparison, 'seenAt' | 'isWanted'>,
): Promise<void> {
  const alone = createRunner(line, engine, isWanted);
  for (const leg of await listLive(line, engine.name)) await alone(leg.legRef, () => reportGone(line, leg, seenAt));
}

async function listLive({ db, connectionId }: SipLine, engine: string): Promise<SipLeg[]> {
  const legs: SipLeg[] = [];
  let page: SipLeg[];
  do {
    page = await listLegsOfEngine(db, { connectionId, engine }, { after: legs.at(-1)?.legRef ?? '', rows: ROWS });
    legs.push(...page);
  } while (page.length === ROWS);
  return legs;
}

/** Reports the end of a leg whose channel is gone. The cause is unknown. */
async function reportGone(line: SipLine, leg: SipLeg, endedAt: Date): Promise<void> {
  await reportEnd(line, leg, { cause: leg.isHungUp ? 'canceled' : 'hangup', endedAt });
}

/** Handles a channel without a live leg: a call whose arrival was missed, or a channel whose leg has ended. */
async function judgeStray(
  { line, engine, channel }: Omit<LegAtEngine, 'leg'>,
  isWaiting: Comparison['isWaiting'],
): Promise<void> {
  const id = textAt(channel, 'id') ?? '';
  if (emergencyCallerOf({ caller: channel }) !== undefined && !isWaiting(id)) {
    return await carryOutEvents({ line, engine }, [emergencyDialOf(channel)]);
  }
  if (isOfEngine(channel)) return;
  const isCaller = textAt(channel, 'dialplan', 'context') === ARRIVALS;
  const leg = await findLegByChannel(line.db, line.connectionId, id);
  if (leg === undefined && isCaller && !isTaken(channel)) return;
  if (leg === undefined && isCaller && textAt(channel, 'state') !== 'Up') {
    // If the arrival is still in the queue, the queue handles it.
    if (isWaiting(id)) return;
    return await carryOutEvents({ line, engine }, [{ type: 'StasisStart', args: enteredWith(channel), channel }]);
  }
  const isOfNobody = leg === undefined ? !isYoung(channel) : leg.endedAt !== null;
  if ((isCaller || isLegChannel(channel)) && isOfNobody) await removeChannel(engine, id);
}

/** Ends an incomplete helper bridge. A complete one joins two channels. */
async function endStrayHelpers(engine: EngineClient, bridge: unknown): Promise<void> {
  if (listAt(bridge, 'channels').length < 2 && !isYoung(bridge)) await endHelperBridge(engine, { bridge });
}

function isYoung(thing: unknown): boolean {
  return now() - Date.parse(textAt(thing, 'creationtime') ?? '') < YOUNG_MS;
}

function bodyOf(answer: AriAnswer): readonly unknown[] {
  if (answer.is === 'answered' && Array.isArray(answer.body)) return answer.body;
  throw new Error(`the engine did not say what it has: ${answer.is} ${valueAt(answer, 'reason') ?? ''}`);
}
