/** Sounds that the account plays to legs. They are fetched when they are asked for, and heard one after the other. */
import { decodeWav } from '../../../src/audio/wav.ts';
import { type Calls, type Leg, type Playing, report, tell } from './legs.ts';
import { hearSpeech } from './people.ts';

export type PlaybackRequest = {
  readonly audio_url?: string;
  readonly playback_content?: string;
  readonly loop?: number | 'infinity';
  readonly overlay?: boolean;
  readonly target_legs?: string;
};

const SAMPLES_PER_MS = 8;

/** Plays a sound to a leg, and with `both` to the one that it is bridged with. */
export function play(calls: Calls, leg: Leg, asked: PlaybackRequest): void {
  const { audio_url: media_url = '', overlay = false, loop } = asked;
  const ref = crypto.randomUUID();
  const about = { media_url, media_name: '', overlay };
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  let over: () => void = () => undefined;
  const hearers = asked.target_legs === 'both' && leg.peer !== undefined ? [leg, leg.peer] : [leg];
  const sound: Playing = {
    ref,
    isOverlay: overlay && leg.playing.length > 0,
    begin: () => {
      hasBegun = true;
      if (loop !== 'infinity') over = calls.desk.begin();
      void fetchSound(asked).then((pcm) => {
        if (!leg.playing.includes(sound)) return;
        if (pcm === undefined) return finish('failed');
        report(calls, leg, 'call.playback.started', about);
        tell(calls, (hooks) => hooks.onPlay?.({ ref, legs: hearers, pcm, loops: loop === 'infinity' }));
        if (loop === 'infinity') return;
        const lengthMs = (pcm.length / SAMPLES_PER_MS) * (loop ?? 1);
        timer = setTimeout(() => finish('completed'), lengthMs);
      });
    },
    end: (status) => {
      clearTimeout(timer);
      over();
      if (hasBegun) tell(calls, (hooks) => hooks.onPlayEnd?.(ref));
      report(calls, leg, 'call.playback.ended', { ...about, status });
    },
  };
  const finish = (status: 'completed' | 'failed') => {
    // Before the end, so that the calls are not quiet in between.
    if (status === 'completed' && hearers.length === 1) hearSpeech(calls, leg);
    stop(leg, sound, status);
  };
  leg.playing.push(sound);
  if (leg.playing.length === 1 || sound.isOverlay) sound.begin();
}

/** Ends a sound. The next one in the queue begins. */
function stop(leg: Leg, sound: Playing, status: 'completed' | 'failed' | 'cancelled'): void {
  const at = leg.playing.indexOf(sound);
  if (at === -1) return;
  leg.playing.splice(at, 1);
  sound.end(status);
  const next = leg.playing[0];
  if (at === 0 && next !== undefined && !next.isOverlay) next.begin();
}

/** Stops what plays: the first in the queue, all of it, or what plays over it. */
export function stopPlayback(leg: Leg, { stop: which, overlay = false }: { stop?: string; overlay?: boolean }): void {
  const of = leg.playing.filter(({ isOverlay }) => isOverlay === overlay);
  for (const sound of which === 'all' ? [...of].reverse() : of.slice(0, 1)) stop(leg, sound, 'cancelled');
}

/** Returns 16-bit samples at 8 kHz; undefined for a file that cannot be played. */
async function fetchSound({
  audio_url,
  playback_content,
}: PlaybackRequest): Promise<Int16Array<ArrayBuffer> | undefined> {
  try {
    const bytes =
      audio_url === undefined
        ? Buffer.from(playback_content ?? '', 'base64')
        : Buffer.from(await (await fetch(audio_url, { redirect: 'manual' })).arrayBuffer());
    const { sampleRateHz, pcm } = decodeWav(bytes);
    return sampleRateHz === 8_000 ? Int16Array.from(pcm) : undefined;
  } catch {
    // Telnyx reports a file that it cannot fetch or read as failed, and the call goes on.
    return undefined;
  }
}
