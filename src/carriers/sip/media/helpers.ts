/**
 * Helper channels and bridges. A snoop receives a channel's audio (spy) and sends audio into it (whisper). A spy does
 * not receive audio that is whispered into the same channel. A helper bridge joins two helper channels. When one of
 * them ends, the other ends too.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { VoiceOutcome } from '../../call-control/verbs.ts';
import { APPLICATION, type AriAnswer, type EngineClient, isMissing } from '../ari-client.ts';
import { isEngineReady } from '../engine-queries.ts';
import { inTurn } from '../reports.ts';
import { DONE_BEFORE, type SipLine } from '../sip-line.ts';

/** The first part of a helper's name. The name of its leg is the next part. */
const PREFIX = 'x-';

export function isHelper(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Returns the name of a helper of a leg. */
export function helperName(legRef: string, part: string): string {
  return `${PREFIX}${legRef}-${part}`;
}

/** The task of a helper channel when it starts to take commands. The event of that moment contains the task. */
export type Task =
  | { readonly do: 'play'; readonly playbackId: string }
  | { readonly do: 'record'; readonly recordingRef: string }
  | { readonly do: 'join'; readonly bridgeId: string };

const HELPER = 'helper';

/** Writes a task as the arguments of the application. */
export function argsOf(task: Task): string {
  const about = task.do === 'play' ? task.playbackId : task.do === 'record' ? task.recordingRef : task.bridgeId;
  return `${HELPER},${task.do},${about}`;
}

/** Reads a task from the event StasisStart; undefined if the channel is not a helper with a task. */
export function taskOf(event: object): Task | undefined {
  const [kind, what, about] = [0, 1, 2].map((at) => valueAt(event, 'args', at));
  if (kind !== HELPER || typeof about !== 'string') return undefined;
  if (what === 'play') return { do: what, playbackId: about };
  if (what === 'record') return { do: what, recordingRef: about };
  return what === 'join' ? { do: what, bridgeId: about } : undefined;
}

/** The arguments of a media channel. The purpose of the channel is in its row. */
export const MEDIA_ARGS = `${HELPER},media`;

export type Snoop = {
  /** The channel that the snoop copies. */
  readonly of: string;
  readonly id: string;
  readonly spy?: 'in' | 'out' | 'both';
  readonly whisper?: 'in' | 'out';
  readonly task: Task;
};

/**
 * Makes a snoop. If the engine answers 500, the name exists, so an earlier request made the snoop. If it answers 404,
 * the channel does not exist.
 */
export async function makeSnoop(engine: EngineClient, { of, id, spy, whisper, task }: Snoop): Promise<AriAnswer> {
  const query = { app: APPLICATION, appArgs: argsOf(task), ...(spy && { spy }), ...(whisper && { whisper }) };
  const made = await engine.ask({ method: 'POST', path: `/channels/${of}/snoop/${id}`, query });
  return made.is === 'refused' && made.status === 500
    ? await engine.ask({ method: 'GET', path: `/channels/${id}` })
    : made;
}

/** Without `dtmf_events` the engine joins two telephones below its core, and sends no events about digits. */
const BRIDGE_TYPE = 'mixing,dtmf_events';

/** Makes a bridge. Returns undefined if the bridge exists now, new or not; otherwise the engine's refusal. */
export async function makeBridge(
  engine: EngineClient,
  bridgeId: string,
  name: string,
): Promise<Exclude<AriAnswer, { is: 'answered' }> | undefined> {
  const made = await engine.ask({ method: 'POST', path: `/bridges/${bridgeId}`, query: { type: BRIDGE_TYPE, name } });
  const isThere = made.is === 'answered' || (made.is === 'refused' && made.status === DONE_BEFORE);
  return isThere ? undefined : made;
}

/**
 * Puts a channel into a helper bridge, unless it is already there: a channel that is added again leaves the bridge for
 * a moment, which ends both helpers. If the bridge is gone, ends the channel.
 */
export async function joinHelper(engine: EngineClient, channelId: string, bridgeId: string): Promise<void> {
  await inTurn(`helper ${engine.name} ${channelId}`, async () => {
    const bridge = await engine.ask({ method: 'GET', path: `/bridges/${bridgeId}` });
    if (bridge.is === 'answered' && listAt(bridge.body, 'channels').includes(channelId)) return;
    const query = { channel: channelId };
    const joined = await engine.ask({ method: 'POST', path: `/bridges/${bridgeId}/addChannel`, query });
    if (isMissing(joined)) await removeChannel(engine, channelId);
  });
}

/** Hangs up a channel. If the channel does not exist, this is no failure. */
export async function removeChannel(engine: EngineClient, channelId: string): Promise<void> {
  await engine.ask({ method: 'DELETE', path: `/channels/${channelId}` });
}

/** Ends the rest of a helper bridge after a channel has left it: the other channel, or the empty bridge. */
export async function endHelperBridge(engine: EngineClient, event: object): Promise<void> {
  const members = listAt(event, 'bridge', 'channels');
  for (const id of members) await removeChannel(engine, String(id));
  const path = `/bridges/${textAt(event, 'bridge', 'id') ?? ''}`;
  if (members.length === 0) await engine.ask({ method: 'DELETE', path });
}

/** The outcome of a command that needs a helper channel while no process is connected to its engine. */
export const UNHEARD: VoiceOutcome = { outcome: 'unavailable', cause: 'unreachable' };

/** True if an engine lets a helper channel into the application. */
export async function takesHelpers({ db, connectionId }: SipLine, { name }: EngineClient): Promise<boolean> {
  return await isEngineReady(db, { connectionId, name });
}
