/** Repeated work for sounds, recordings and streams. It deletes files at engines, and expired rows. */
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts } from '../../adapter.ts';
import { defineCallRetention } from '../../book/retention-queries.ts';
import { isMissing } from '../ari-client.ts';
import type { SipLine } from '../sip-line.ts';
import { listRemovableRecordings, noteRemoved } from './recording-queries.ts';

const ROUND_MS = 60_000;
/** The most files that one round deletes. */
const FILES_MAX = 200;

/** @param lines the open connections, by their ids */
export function mediaSweeps({ db }: Pick<AdapterParts, 'db'>, lines: ReadonlyMap<string, SipLine>): Sweep[] {
  return [
    defineSweep({
      ...{ db, name: 'sip_recording_files', everyMs: ROUND_MS, queue: 'voice' },
      run: async () => {
        await removeFiles(db, lines);
        return false;
      },
    }),
    ...(['sip_legs', 'sip_playbacks', 'sip_recordings', 'sip_streams'] as const).map((table) =>
      defineCallRetention(db, table),
    ),
  ];
}

/** Deletes files of recordings at the engines: the audio was fetched, or is no longer needed. */
async function removeFiles(db: AdapterParts['db'], lines: ReadonlyMap<string, SipLine>): Promise<void> {
  for (const recording of await listRemovableRecordings(db, FILES_MAX)) {
    const engine = lines.get(recording.connectionId)?.engines.get(recording.engine);
    const path = `/recordings/stored/${recording.recordingRef}`;
    const removed = await engine?.ask({ method: 'DELETE', path });
    // If an engine is no longer in the settings, its files stay.
    const isDone = removed === undefined || removed.is === 'answered' || isMissing(removed);
    if (isDone) await noteRemoved(db, recording);
  }
}
