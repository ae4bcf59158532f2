import { concat, mute, type Pcm, samplesOf, silence } from '../../../audio/pcm.ts';

type Pause = { readonly fromMs: number; readonly untilMs: number };

/**
 * Returns the audio of a recording in its full length, with silence in its pauses. If the carrier has left the pauses
 * out, the missing length is inserted as silence. Otherwise silence replaces the audio of the pauses.
 * @param durationMs the time from the beginning of the recording to its end, with its pauses
 */
export function silencePauses(
  audio: Pcm,
  { spans, durationMs }: { readonly spans: readonly Pause[]; readonly durationMs: number },
): Pcm {
  const paused = spans.map(({ fromMs, untilMs }) => ({
    fromMs: Math.min(Math.max(0, fromMs), durationMs),
    untilMs: Math.min(Math.max(0, untilMs), durationMs),
  }));
  const pausedMs = paused.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  const missing = samplesOf(durationMs) - audio.length;
  const isMissing = pausedMs > 0 && missing > samplesOf(pausedMs) / 2;
  return isMissing ? insertPauses(audio, paused, missing / samplesOf(pausedMs)) : overwritePauses(audio, paused);
}

/**
 * @param scale the carrier's length of the pauses divided by ours. They differ because a command to pause may take more
 * or less time than a command to resume.
 */
function insertPauses(audio: Pcm, pauses: readonly Pause[], scale: number): Pcm {
  const parts: Pcm[] = [];
  let [taken, insertedMs] = [0, 0];
  for (const { fromMs, untilMs } of pauses) {
    const until = Math.min(audio.length, samplesOf(fromMs - insertedMs));
    const lengthMs = (untilMs - fromMs) * scale;
    parts.push(audio.subarray(taken, until), silence(lengthMs));
    taken = until;
    insertedMs += lengthMs;
  }
  return concat([...parts, audio.subarray(taken)]);
}

function overwritePauses(audio: Pcm, pauses: readonly Pause[]): Pcm {
  const made = Int16Array.from(audio);
  for (const pause of pauses) mute(made, pause);
  return made;
}
