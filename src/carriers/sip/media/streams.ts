/**
 * The audio of legs for our gateway. The engine connects to the gateway with one WebSocket for each track. Such a
 * WebSocket is a media channel. It is joined with a snoop of the leg, in a separate bridge. The snoop of `inbound` also
 * whispers the gateway's audio to the leg.
 */

import { randomBytes } from 'node:crypto';
import { ACCEPTED, type Instruction, LEG_GONE, NOT_SUPPORTED, type VoiceOutcome } from '../../call-control/verbs.ts';
import type { Track } from '../../ports/call-audio.ts';
import { outcomeOfAll } from '../../ports/outcome.ts';
import { APPLICATION, type EngineClient, isMissing } from '../ari-client.ts';
import { inTurn, report } from '../reports.ts';
import { engineOf, type LiveLeg, type SipLine, voiceOutcome, type Work } from '../sip-line.ts';
import {
  helperName,
  joinHelper,
  MEDIA_ARGS,
  makeBridge,
  makeSnoop,
  removeChannel,
  takesHelpers,
  UNHEARD,
} from './helpers.ts';
import { mixIntoRecordings } from './mixing.ts';
import { tuneLegs } from './silence.ts';
import { endStream, listTracks, openTrack, renameTrack, type SipStream, startTrack } from './stream-queries.ts';

/** The name of the client in websocket_client.conf. */
const CLIENT = 'dialplane';
/** The engine tries to connect for 1.5 s. */
const CONNECT_S = 10;

/** Makes the engine connect to our gateway. */
export async function startStream(
  work: Work,
  leg: LiveLeg,
  instruction: Instruction<'start_stream'>,
): Promise<VoiceOutcome> {
  const { url, track: wanted } = instruction;
  if (url === undefined) return NOT_SUPPORTED;
  if (!(await takesHelpers(work.line, engineOf(work.line, leg)))) return UNHEARD;
  const tracks: Track[] = wanted === 'both' ? ['inbound', 'outbound'] : [wanted];
  // A stream is complete when all its tracks are connected. So all tracks are stored before any channel is made.
  const opened = await Promise.all(tracks.map((track) => open(work, leg, { ...instruction, url, track })));
  const rows = opened.filter((row) => row !== undefined);
  if (rows.length < tracks.length) return NOT_SUPPORTED;
  return outcomeOfAll(await Promise.all(rows.map((row) => openMedia(work, leg, row))));
}

type OneTrack = Instruction<'start_stream'> & { readonly url: string; readonly track: Track };

/** A stored track, and a name for its media channel if it needs one. */
type Opened = {
  readonly row: SipStream & { readonly isOld: boolean };
  readonly channelId: string;
  readonly url: string;
};

async function open(
  { line, ledger, callRef }: Work,
  leg: LiveLeg,
  { streamRef, direction, track, url }: OneTrack,
): Promise<Opened | undefined> {
  const { legRef, engine, channelId: legChannelId } = leg;
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, streamRef, track };
  const plays = direction === 'bidirectional' && track === 'inbound';
  const channelId = mediaName(legRef);
  const row = await openTrack(line.db, { ...name, callRef, legRef, legChannelId, engine, channelId, plays });
  return row && { row, channelId, url };
}

async function openMedia({ line }: Work, leg: LiveLeg, { row, channelId, url }: Opened): Promise<VoiceOutcome> {
  const { track } = row;
  if (row.channelId === channelId) return await makeMedia(engineOf(line, leg), { channelId, url, track });
  if (row.startedAt !== null || row.endedAt !== null) return ACCEPTED;
  const found = await engineOf(line, leg).ask({ method: 'GET', path: `/channels/${row.channelId}` });
  if (!isMissing(found)) return voiceOutcome(found);
  // Asterisk 22.10 crashes if it makes a WebSocket channel with a name that exists. So each attempt has a different
  // name, and only one process makes it.
  if (!row.isOld || !(await renameTrack(line.db, row, channelId))) return { outcome: 'unknown' };
  return await makeMedia(engineOf(line, leg), { channelId, url, track });
}

/** Returns a new name for a media channel. */
function mediaName(legRef: string): string {
  return helperName(legRef, `m-${randomBytes(8).toString('hex')}`);
}

/** Makes a media channel. `joinMedia` runs when the channel is connected. */
async function makeMedia(
  engine: EngineClient,
  { channelId, url, track }: { readonly channelId: string; readonly url: string; readonly track: Track },
): Promise<VoiceOutcome> {
  const endpoint = `WebSocket/${CLIENT}/c(ulaw)f(json)v(${variablesOf(url, track)})`;
  const query = { endpoint, app: APPLICATION, appArgs: MEDIA_ARGS, channelId, timeout: String(CONNECT_S) };
  const made = await engine.ask({ method: 'POST', path: '/channels', query });
  return voiceOutcome(made);
}

/** Returns the query of the gateway's address in the engine's form, with the track of the socket. */
export function variablesOf(url: string, track: Track): string {
  const query = new URL(url).searchParams;
  query.set('track', track);
  // The engine splits the variables at commas, and passes all other characters unchanged.
  return String(query).replaceAll('&', ',');
}

/** Joins a connected media channel with a snoop of its leg. A repeat changes nothing. */
export async function joinMedia(line: SipLine, engine: EngineClient, stream: SipStream): Promise<void> {
  const { channelId, legChannelId, track, plays } = stream;
  if (stream.endedAt !== null) return await removeChannel(engine, channelId);
  const bridgeId = `${channelId}-b`;
  const spy = track === 'inbound' ? 'in' : 'out';
  const task = { do: 'join', bridgeId } as const;
  await makeBridge(engine, bridgeId, bridgeId);
  const whisper = plays && ({ whisper: 'out' } as const);
  const snooped = await makeSnoop(engine, { of: legChannelId, id: `${channelId}-s`, spy, ...whisper, task });
  // The leg has ended. The end of the media channel makes the domain end the stream.
  if (isMissing(snooped)) return await removeChannel(engine, channelId);
  await joinHelper(engine, channelId, bridgeId);
  if (plays) {
    await mixIntoRecordings(line, engine, stream);
    await tuneLegs(line, engine, [legChannelId]);
  }
  await reportStart(line, stream);
}

const turnOf = ({ ledgerId, streamRef }: SipStream) => `stream ${ledgerId} ${streamRef}`;

/** Reports a stream once all its tracks are connected. */
async function reportStart(line: SipLine, stream: SipStream): Promise<void> {
  const { ledgerId, callRef, streamRef, channelId } = stream;
  await inTurn(turnOf(stream), async () => {
    const tracks = await listTracks(line.db, stream);
    const connected = tracks.find((track) => track.channelId === channelId);
    // A comparison may have joined the track at the same moment, and the stream may have ended in the meantime.
    if (connected?.startedAt !== null) return;
    const isWhole = tracks.every((track) => track === connected || track.startedAt !== null);
    if (isWhole) await report(line, ledgerId, [{ type: 'stream.started', callRef, streamRef }]);
    await startTrack(line.db, stream);
  });
}

/** Handles the end of a media channel. The other track also ends. */
export async function takeMediaEnd(line: SipLine, engine: EngineClient, stream: SipStream): Promise<void> {
  const { ledgerId, callRef, streamRef } = stream;
  await inTurn(turnOf(stream), async () => {
    const tracks = await listTracks(line.db, stream);
    if (tracks.length === 0) return;
    const hadAudio = tracks.every(({ startedAt }) => startedAt !== null);
    const type = hadAudio ? 'stream.ended' : 'stream.failed';
    await report(line, ledgerId, [{ type, callRef, streamRef }]);
    await endStream(line.db, stream);
    const others = tracks.filter(({ channelId }) => channelId !== stream.channelId);
    for (const { channelId } of others) await removeChannel(engine, channelId);
  });
}

/** Ends a stream. If it is already over, the outcome is `accepted`. */
export async function stopStream({ line, ledger }: Work, streamRef: string): Promise<VoiceOutcome> {
  const name = { ledgerId: ledger.ledgerId, connectionId: line.connectionId, streamRef };
  const outcomes = (await listTracks(line.db, name)).map(async (track) => {
    const path = `/channels/${track.channelId}`;
    const stopped = voiceOutcome(await engineOf(line, track).ask({ method: 'DELETE', path }));
    return stopped === LEG_GONE ? ACCEPTED : stopped;
  });
  return outcomeOfAll(await Promise.all(outcomes));
}
