/**
 * The gateway's audio is whispered to a leg, so the recordings of the leg lack it. This module adds it: it joins a
 * snoop of the media channel with a snoop that whispers into the recording.
 */
import type { EngineClient } from '../ari-client.ts';
import { listLegs } from '../leg-queries.ts';
import type { SipLine } from '../sip-line.ts';
import { makeBridge, makeSnoop } from './helpers.ts';
import { listRunningRecordings, type SipRecording } from './recording-queries.ts';
import { listPlayingTracks, type SipStream } from './stream-queries.ts';

type Mixed = { readonly recording: SipRecording; readonly stream: SipStream };

/** Adds a stream to a recording. If either has ended, does nothing. A repeat changes nothing. */
async function mix(engine: EngineClient, { recording, stream }: Mixed): Promise<void> {
  const name = `${stream.channelId}-${recording.recordingRef}`;
  const task = { do: 'join', bridgeId: `${name}-b` } as const;
  await makeBridge(engine, task.bridgeId, task.bridgeId);
  await makeSnoop(engine, { of: stream.channelId, id: `${name}-v`, spy: 'in', task });
  await makeSnoop(engine, { of: recording.helperId, id: `${name}-w`, whisper: 'in', task });
}

export async function mixStreamsInto(line: SipLine, engine: EngineClient, recording: SipRecording): Promise<void> {
  const [leg] = await listLegs(line.db, recording, [recording.legRef]);
  if (leg === undefined || leg.channelId === null) return;
  const streams = await listPlayingTracks(line.db, line.connectionId, [leg.channelId]);
  for (const stream of streams) if (stream.startedAt !== null) await mix(engine, { recording, stream });
}

export async function mixIntoRecordings(line: SipLine, engine: EngineClient, stream: SipStream): Promise<void> {
  for (const recording of await listRunningRecordings(line.db, stream)) await mix(engine, { recording, stream });
}
