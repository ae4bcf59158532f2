/**
 * Compares sounds, recordings and streams with an engine after a time without its events. Ends a stored object that the
 * engine no longer has. Begins one that was not begun.
 */
import { valueAt } from '../../../lib/json-object.ts';
import { type EngineClient, isMissing } from '../ari-client.ts';
import { listLegs } from '../leg-queries.ts';
import { isLive, type SipLine } from '../sip-line.ts';
import { removeChannel } from './helpers.ts';
import { endSound, takeRecordingEnd } from './media-events.ts';
import { listOpenPlaybacks } from './playback-queries.ts';
import { listOpenRecordings, type SipRecording } from './recording-queries.ts';
import { makeRecordedSnoop, recordSnoop } from './recordings.ts';
import { tuneLegs } from './silence.ts';
import { listOpenTracks, type OpenTrack } from './stream-queries.ts';
import { joinMedia, takeMediaEnd } from './streams.ts';

/** The most objects of each kind that one round compares, the oldest first. The engine gets a request about each. */
const ROWS = 500;

/** Runs the work about one object. If it fails, the comparison of the others continues. */
export type RunAlone = (thing: string, work: () => Promise<void>) => Promise<void>;

/** Compares all three kinds. Called whenever the engine's channels are compared. */
export async function reconcileMedia(line: SipLine, engine: EngineClient, alone: RunAlone): Promise<void> {
  const open = { connectionId: line.connectionId, engine: engine.name, rows: ROWS };
  for (const { id, isOver } of await listOpenPlaybacks(line.db, open)) {
    await alone(id, async () => {
      if (isMissing(await engine.ask({ method: 'GET', path: `/playbacks/${id}` })))
        await endSound(line, engine, { id, isCompleted: isOver });
    });
  }
  for (const recording of await listOpenRecordings(line.db, open))
    await alone(recording.recordingRef, () => checkRecording(line, engine, recording));
  for (const track of await listOpenTracks(line.db, open))
    await alone(track.channelId, () => checkTrack(line, engine, track));
}

/**
 * A recording that is not running has ended if it has a file. If it was never begun, it begins now, unless its leg has
 * ended.
 */
async function checkRecording(
  line: SipLine,
  engine: EngineClient,
  recording: SipRecording & { readonly isOld: boolean },
): Promise<void> {
  const { recordingRef, helperId, isOld } = recording;
  const live = await engine.ask({ method: 'GET', path: `/recordings/live/${recordingRef}` });
  if (!isMissing(live)) return;
  const snoop = await engine.ask({ method: 'GET', path: `/channels/${helperId}` });
  if (snoop.is === 'answered') await recordSnoop(line, engine, recording);
  if (!isMissing(snoop)) return;
  const stored = await engine.ask({ method: 'GET', path: `/recordings/stored/${recordingRef}` });
  if (stored.is === 'answered') return await takeRecordingEnd(line, engine, recording);
  if (!isMissing(stored)) return;
  const [leg] = await listLegs(line.db, recording, [recording.legRef]);
  // The engine hangs up a snoop that is made while no process is connected. So the recording begins only now.
  if (isLive(leg)) await makeRecordedSnoop(engine, leg, recording);
  else if (isOld) await takeRecordingEnd(line, engine, recording);
}

/**
 * A missing channel ends its stream, unless the request that makes it may be in progress. Starts or stops the silence
 * of a leg that the gateway speaks to.
 */
async function checkTrack(line: SipLine, engine: EngineClient, track: OpenTrack): Promise<void> {
  const { ledgerId, connectionId, legRef, channelId } = track;
  const found = await engine.ask({ method: 'GET', path: `/channels/${channelId}` });
  if (isMissing(found)) return track.isNew ? undefined : await takeMediaEnd(line, engine, track);
  if (found.is !== 'answered') return;
  const [leg] = await listLegs(line.db, { ledgerId, connectionId }, [legRef]);
  const isUnstarted = track.startedAt === null && valueAt(found.body, 'state') === 'Up';
  if (leg === undefined || leg.endedAt !== null) await removeChannel(engine, channelId);
  else if (isUnstarted) await joinMedia(line, engine, track);
  // The event of a change of the leg's bridge may have been lost, and so may the answer about its silence.
  else if (track.plays) await tuneLegs(line, engine, [track.legChannelId]);
}
