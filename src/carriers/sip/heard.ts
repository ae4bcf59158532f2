/** An event of an engine, and the arguments that the dial plan added to it. */
import { textAt } from '../../lib/json-object.ts';
import type { EngineClient } from './ari-client.ts';
import type { AriEvent } from './event-socket.ts';
import type { SipLine } from './sip-line.ts';

/** The engine that sent the event. */
export type Heard = { readonly line: SipLine; readonly engine: EngineClient; readonly event: AriEvent };

/** Returns an argument that the dial plan encoded; undefined if the encoding is wrong. */
export function argument(event: AriEvent, at: number): string | undefined {
  try {
    return decodeURIComponent(textAt(event, 'args', at) ?? '');
  } catch {
    return undefined;
  }
}
