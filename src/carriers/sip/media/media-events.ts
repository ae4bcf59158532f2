/** Handles an engine's events about sounds, recordings and streams. */
import { listAt, textAt } from '../../../lib/json-object.ts';
import { ownValue } from '../../../lib/own-value.ts';
import type { EngineClient } from '../ari-client.ts';
import type { AriEvent, EventType } from '../event-socket.ts';
import { listLegs } from '../leg-queries.ts';
import { inTurn, report } from '../reports.ts';
import type { SipLine } from '../sip-line.ts';
import { endHelperBridge, isHelper, joinHelper, removeChannel, type Task, taskOf } from './helpers.ts';
import { playNextRound } from './hold.ts';
import { endPlayback, findPlayback, type SoundEnd } from './playback-queries.ts';
import { readSpeechEnd } from './playbacks.ts';
import { endRecording, findRecordingByName, type SipRecording } from './recording-queries.ts';
import { measureRecording, recordSnoop } from './recordings.ts';
import { tuneLegs } from './silence.ts';
import { mediaUri } from './sounds.ts';
import { findTrack } from './stream-queries.ts';
import { joinMedia, takeMediaEnd } from './streams.ts';

/** The engine that sent the event. */
type Heard = { readonly line: SipLine; readonly engine: EngineClient; readonly event: AriEvent };

type Reader = (heard: Heard) => Promise<void>;

const READERS: Readonly<Record<string, Reader>> = {
  PlaybackFinished: readPlaybackEnd,
  RecordingFinished: readRecordingEnd,
  RecordingFailed: readRecordingEnd,
  StasisStart: readStart,
  ChannelDestroyed: readEnd,
  ChannelEnteredBridge: readMove,
  ChannelLeftBridge: readMove,
  ChannelHold: readHold,
  ChannelUnhold: readHold,
} satisfies Partial<Record<EventType, Reader>>;

/** Handles an event about a sound, a recording or a stream, and reports it. May be repeated. */
export async function readMediaEvent(heard: Heard): Promise<void> {
  await ownValue(READERS, heard.event.type)?.(heard);
}

/**
 * A party that holds its call wants no audio (RFC 3264, 8.4: sendonly or inactive). Otherwise the engine would send it
 * the other leg's voice.
 */
async function readHold({ engine, event }: Heard): Promise<void> {
  const method = event.type === 'ChannelHold' ? 'POST' : 'DELETE';
  const path = `/channels/${textAt(event, 'channel', 'id') ?? ''}/mute`;
  await engine.ask({ method, path, query: { direction: 'out' } });
}

async function readPlaybackEnd({ line, engine, event }: Heard): Promise<void> {
  const id = textAt(event, 'playback', 'id') ?? '';
  // The state is also `done` for a sound that was stopped. It is `failed` for a sound that the engine could not fetch.
  const isCompleted = textAt(event, 'playback', 'state') === 'done';
  await endSound(line, engine, { id, isCompleted });
}

/** Handles the end of a sound. After a round of hold audio it begins the next one. */
export async function endSound(line: SipLine, engine: EngineClient, end: SoundEnd): Promise<void> {
  const { db, connectionId } = line;
  const playback = await findPlayback(db, connectionId, end.id);
  if (playback === undefined || playback.endedAt !== null) return;
  const { ledgerId, callRef, speechRef, kind, helperId } = playback;
  if (kind === 'hold') await playNextRound(line, playback, !end.isCompleted);
  await inTurn(`speech ${ledgerId} ${callRef} ${speechRef ?? end.id}`, async () => {
    await report(line, ledgerId, await readSpeechEnd(line, playback, end.isCompleted));
    await endPlayback(db, connectionId, { ...end, isCompleted: end.isCompleted && !playback.isStopped });
  });
  if (helperId !== null) await removeChannel(engine, helperId);
  else await tuneLegByRef(line, engine, playback);
}

async function readRecordingEnd({ line, engine, event }: Heard): Promise<void> {
  const recording = await findRecordingByName(line.db, line.connectionId, textAt(event, 'recording', 'name') ?? '');
  if (recording !== undefined) await takeRecordingEnd(line, engine, recording);
}

/** Handles the end of a recording. */
export async function takeRecordingEnd(line: SipLine, engine: EngineClient, recording: SipRecording): Promise<void> {
  const { ledgerId, callRef, recordingRef } = recording;
  const durationMs = recording.durationMs ?? (await measureRecording(engine, recording));
  await report(line, ledgerId, [{ type: 'recording.ended', callRef, recordingRef, durationMs }]);
  await endRecording(line.db, recording, durationMs);
  await removeChannel(engine, recording.helperId);
}

/** Handles a helper channel that starts to take commands. */
async function readStart({ line, engine, event }: Heard): Promise<void> {
  const channelId = textAt(event, 'channel', 'id') ?? '';
  if (!isHelper(channelId)) return;
  const task = taskOf(event);
  if (task !== undefined) return await beginTask(line, engine, { channelId, task });
  const track = await findTrack(line.db, line.connectionId, channelId);
  if (track !== undefined) await joinMedia(line, engine, track);
}

async function beginTask(
  line: SipLine,
  engine: EngineClient,
  { channelId, task }: { readonly channelId: string; readonly task: Task },
): Promise<void> {
  if (task.do === 'join') return await joinHelper(engine, channelId, task.bridgeId);
  if (task.do === 'record') {
    const recording = await findRecordingByName(line.db, line.connectionId, task.recordingRef);
    if (recording !== undefined && recording.durationMs === null) await recordSnoop(line, engine, recording);
    return;
  }
  const { playbackId: id } = task;
  const playback = await findPlayback(line.db, line.connectionId, id);
  if (playback === undefined || playback.endedAt !== null) return;
  // If a recording was stopped before it began, the engine reports no end of it.
  if (playback.isStopped) return await endSound(line, engine, { id, isCompleted: false });
  const query = { media: mediaUri(line, playback) };
  const begun = await engine.ask({ method: 'POST', path: `/channels/${channelId}/play/${id}`, query });
  // The leg has ended in the meantime, and its snoop with it.
  if (begun.is === 'refused') await endSound(line, engine, { id, isCompleted: false });
}

/** Handles the end of a media channel. */
async function readEnd({ line, engine, event }: Heard): Promise<void> {
  const channelId = textAt(event, 'channel', 'id') ?? '';
  const track = isHelper(channelId) ? await findTrack(line.db, line.connectionId, channelId) : undefined;
  if (track !== undefined) await takeMediaEnd(line, engine, track);
}

/**
 * Handles a channel that entered or left a bridge. A helper ends with its bridge. A leg may now hear another leg, or no
 * leg.
 */
async function readMove({ line, engine, event }: Heard): Promise<void> {
  const bridgeId = textAt(event, 'bridge', 'id') ?? '';
  const channelId = textAt(event, 'channel', 'id');
  if (!isHelper(bridgeId)) {
    const members = listAt(event, 'bridge', 'channels').map(String);
    await tuneLegs(line, engine, channelId === undefined ? members : [...new Set([...members, channelId])]);
  } else if (event.type === 'ChannelLeftBridge') await endHelperBridge(engine, event);
}

type OfLeg = { readonly ledgerId: number; readonly legRef: string };

async function tuneLegByRef(line: SipLine, engine: EngineClient, { ledgerId, legRef }: OfLeg): Promise<void> {
  const { db, connectionId } = line;
  const [leg] = await listLegs(db, { ledgerId, connectionId }, [legRef]);
  if (leg?.channelId) await tuneLegs(line, engine, [leg.channelId]);
}
