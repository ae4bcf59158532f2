/** Plays speeches and files to legs, in real time. A sound on a leg waits for the sounds before it. */

import { randomUUID } from 'node:crypto';
import { timeoutSignal } from '../../support/emulator-time.ts';
import type { World } from '../world.ts';
import type { Player, Playing } from './calls-state.ts';
import { awaitWork, plan } from './clock.ts';
import type { CallHooks, Leg, Speech } from './hooks.ts';
import { tell } from './legs.ts';
import { fileMs, textMs } from './lengths.ts';

/** `stop`: the sounds that end before this one starts. */
export type Play = Pick<Playing, 'source' | 'targets' | 'runs' | 'isOverlay'> & { readonly stop: unknown };

type EndStatus = 'completed' | 'cancelled' | 'call_hangup' | 'file_not_found' | 'failed';

const FETCH_MS = 5_000;

/** Plays a sound on a leg, after the earlier sounds or over them. */
export function play(world: World, leg: Leg, { stop, ...wanted }: Play): void {
  const { players, overlays } = world.state.calls;
  const isOver = wanted.isOverlay && players.get(leg.call_control_id)?.current != null;
  const own = isOver ? overlays : players;
  const player = own.get(leg.call_control_id) ?? { current: null, queue: [] };
  own.set(leg.call_control_id, player);
  if (stop !== undefined) stopPlaying(world, leg, { stop, isOverlay: isOver });
  player.queue.push({ ...wanted, playRef: randomUUID(), hasStarted: false, end: null });
  startNext(world, leg, player);
}

type Stop = { readonly stop: unknown; readonly isOverlay: boolean };

/** Stops the sound of a leg, or the sound over it; also the waiting sounds, unless `stop` is `current`. */
export function stopPlaying(world: World, leg: Leg, { stop, isOverlay }: Stop): void {
  const { players, overlays } = world.state.calls;
  const player = (isOverlay ? overlays : players).get(leg.call_control_id);
  if (player === undefined) return;
  if (stop !== 'current') player.queue.length = 0;
  finish(world, leg, player, 'cancelled');
}

/** Returns the hooks that end the sounds of a leg when it ends. */
export function playerHooks(world: World): Partial<CallHooks> {
  const { players, overlays } = world.state.calls;
  return {
    onLegEnded: (leg) => {
      for (const own of [players, overlays]) {
        const player = own.get(leg.call_control_id);
        if (player === undefined) continue;
        player.queue.length = 0;
        finish(world, leg, player, 'call_hangup');
        own.delete(leg.call_control_id);
      }
    },
  };
}

function startNext(world: World, leg: Leg, player: Player): void {
  if (player.current !== null) return;
  const item = player.queue.shift();
  if (item === undefined) return;
  player.current = item;
  const { source } = item;
  if (!('url' in source)) {
    begin(world, leg, player, source);
    return;
  }
  const loading = load(source.url).then((audio) => {
    if (player.current !== item) return;
    if (audio === undefined) finish(world, leg, player, 'file_not_found');
    else begin(world, leg, player, { audio });
  });
  awaitWork(world.state.calls.plans, leg, loading);
}

/** Returns a file, or undefined if it cannot be fetched. */
async function load(url: string): Promise<Buffer | undefined> {
  try {
    const reply = await fetch(url, { signal: timeoutSignal(FETCH_MS) });
    const content = Buffer.from(await reply.arrayBuffer());
    return reply.ok ? content : undefined;
  } catch {
    // An address without a server is reported as a missing file.
    return undefined;
  }
}

function begin(world: World, leg: Leg, player: Player, content: Speech['content']): void {
  const item = player.current;
  if (item === null) return;
  const runMs = 'text' in content ? textMs(content.text, world.settings.characterMs) : fileMs(content.audio);
  if (runMs === undefined) {
    finish(world, leg, player, 'failed');
    return;
  }
  const { playRef, runs } = item;
  item.hasStarted = true;
  report(world, leg, item, 'started');
  tell(world, (hooks) => hooks.onSpeechStart?.({ playRef, runs, runMs, content, heardBy: heardBy(leg, item) }));
  if (runs === Number.POSITIVE_INFINITY) return;
  item.end = plan(world.state.calls.plans, { leg, ms: runMs * runs }, () => finish(world, leg, player, 'completed'));
}

function heardBy(leg: Leg, { targets }: Playing): Leg[] {
  const { partner } = leg;
  return [...(targets === 'opposite' ? [] : [leg]), ...(targets === 'self' || partner === null ? [] : [partner])];
}

function finish(world: World, leg: Leg, player: Player, status: EndStatus): void {
  const item = player.current;
  player.current = null;
  if (item === null) return;
  item.end?.cancel();
  if (item.hasStarted) tell(world, (hooks) => hooks.onSpeechEnd?.(item.playRef, status === 'completed'));
  report(world, leg, item, 'ended', status);
  startNext(world, leg, player);
}

type Report = readonly ['started'] | readonly ['ended', EndStatus];

function report({ calls }: World, leg: Leg, { source, isOverlay }: Playing, ...[change, status]: Report): void {
  if ('text' in source) {
    // The published types have no status of a speech that was stopped: it has none here.
    const ends = status === undefined || status === 'cancelled' ? {} : { status };
    calls.report(leg, `call.speak.${change}`, ends);
    return;
  }
  const media = { ...('url' in source && { media_url: source.url }), overlay: isOverlay };
  calls.report(leg, `call.playback.${change}`, { ...media, ...(status && { status }) });
}
