/** The sounds and digits of the person of each leg, for the control `calls`. */
import type { World } from '../world.ts';
import type { Heard } from './calls-state.ts';
import type { CallHooks } from './hooks.ts';

/** Returns the hooks that keep the logs. */
export function logHooks({ state }: World): Partial<CallHooks> {
  const { logs } = state.calls;
  const playing = new Map<string, Heard>();
  return {
    onSpeechStart: ({ playRef, heardBy, content }) => {
      const [text, bytes] = 'text' in content ? [content.text, null] : [null, content.audio.length];
      const heard: Heard = { text, bytes, status: 'playing' };
      playing.set(playRef, heard);
      for (const { call_control_id } of heardBy) logs.get(call_control_id)?.heard.push(heard);
    },
    onSpeechEnd: (playRef, isComplete) => {
      const heard = playing.get(playRef);
      if (heard !== undefined) heard.status = isComplete ? 'completed' : 'stopped';
      playing.delete(playRef);
    },
    onDigitsSent: ({ call_control_id }, digits) => {
      const log = logs.get(call_control_id);
      if (log !== undefined) log.digitsSent += digits;
    },
    onPersonPresses: ({ call_control_id }, digit) => {
      const log = logs.get(call_control_id);
      if (log !== undefined) log.pressed += digit;
    },
  };
}
