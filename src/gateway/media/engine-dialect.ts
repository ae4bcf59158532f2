/**
 * A SIP engine's media socket as Asterisk's WebSocket channel has it (`encapsulation=none`, `format=ulaw`,
 * `control_message_format=json`): audio is binary, control is JSON. It is one channel, so all it sends is one track.
 * What is sent it queues and paces itself; as we send in real time there is next to nothing in that queue, and a mark
 * counts as played when it is reached here.
 */
import { type PushDialect, type PushEvent, readDigit } from './push-dialect.ts';
import type { Track } from './types.ts';
import { parseObject } from './wire.ts';

const FORMAT = 'ulaw';
/** Longest piece of live audio that is taken, in bytes: one second. A frame has 160. */
const AUDIO_BYTES_MAX = 8_000;

/** @param track what the engine's audio is: the customer's voice, or what the customer hears */
export function engineDialect(track: Track): PushDialect {
  const readControl = (text: string): PushEvent[] | undefined => {
    const control = parseObject(text);
    if (control === undefined || typeof control['event'] !== 'string') return undefined;
    if (control['event'] === 'MEDIA_START') return control['format'] === FORMAT ? [] : undefined;
    if (control['event'] !== 'DTMF_END') return [];
    return readDigit(control['digit'], track);
  };

  return {
    read: (message, isBinary) => {
      if (!isBinary) return readControl(message.toString());
      return message.length <= AUDIO_BYTES_MAX ? [{ type: 'media', track, audio: message }] : undefined;
    },
    media: (frame) => frame,
    clear: () => '{"command":"FLUSH_MEDIA"}',
    mark: () => undefined,
  };
}
