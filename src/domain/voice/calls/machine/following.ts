/** Effects that follow every step of the machine, whatever its input was. */
import type { Call } from '../state/call.ts';
import { requestAgentAudio } from './agent-audio.ts';
import { requestHearing } from './hearing.ts';
import { followRelayEnd } from './relay.ts';
import type { Transition } from './transition.ts';

/** @param before the call before the step */
export function followStep(transition: Transition, before: Call): void {
  followRelayEnd(transition, before);
  requestAgentAudio(transition);
  requestHearing(transition);
}
