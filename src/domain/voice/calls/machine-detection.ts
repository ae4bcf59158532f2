/** The API's settings for a machine that answers a call: their schema, their checks, and the message as audio. */
import type { VoicePort } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Closed } from '../../../http/schemas/schemas.ts';
import { ApiError, type FieldError } from '../../../lib/errors/errors.ts';
import { fieldError } from '../../../lib/errors/field-errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { checkTargetUrl } from '../../../outbound/address-guard.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { AUDIO_URL_CHARS_MAX, fetchAudio } from '../../numbers/index.ts';
import { type Detection, MACHINE_ACTIONS, UNHEARD } from './state/detection.ts';

const MESSAGE_CHARS_MAX = 2_000;

const MessageText = Type.String({ maxLength: MESSAGE_CHARS_MAX, ...SPEAKABLE, description: 'Spoken as it is' });

export const MachineDetection = Closed({
  on_machine: Type.Enum([...MACHINE_ACTIONS], {
    description:
      'What follows if a machine answers. continue: nothing; hangup: the call ends; leave_message: the agent is free, and the message is left after the beep',
  }),
  message: Type.Optional(
    Type.Union(
      [
        MessageText,
        Closed({
          text: Type.Optional(MessageText),
          audio_url: Type.Optional(
            Type.String({
              format: 'uri',
              maxLength: AUDIO_URL_CHARS_MAX,
              description:
                'WAV or MP3 over https, at most 10 MB, fetched when the call is placed; five minutes are played',
            }),
          ),
        }),
      ],
      { description: 'With leave_message: a text, or an object with either text or audio_url' },
    ),
  ),
});
export type MachineDetection = Static<typeof MachineDetection>;

/** Returns the message for a machine as an object; undefined if there is none. */
export function messageOf({ message }: MachineDetection): { text?: string; audio_url?: string } | undefined {
  return typeof message === 'string' ? { text: message } : message;
}

const PARAM = 'machine_detection';
const AUDIO_PARAM = `${PARAM}.message.audio_url`;

/**
 * Returns the errors of a message. With `leave_message` it is required, as text or as audio; otherwise it is not
 * allowed.
 */
export function wrongMessage(detection: MachineDetection): FieldError[] {
  const { on_machine } = detection;
  const message = messageOf(detection);
  const wrong = (why: string) => [fieldError(`${PARAM}.message`, 'invalid_body', why)];
  if (on_machine !== 'leave_message') return message === undefined ? [] : wrong('Only leave_message has a message.');
  if (message === undefined) return [fieldError(`${PARAM}.message`, 'missing_fields')];
  const given = [message.text, message.audio_url].filter((source) => source !== undefined);
  return given.length === 1 ? [] : wrong('leave_message needs a message with either text or audio_url.');
}

/** Throws invalid_body if the carrier of the call cannot detect machines. */
export function requireDetection(
  { carriers }: Pick<Context, 'carriers'>,
  scope: Scope,
  connectionId: string | null,
): void {
  if (carriers.declares(PARAM, scope, connectionId)) return;
  throw new ApiError('invalid_body', { param: PARAM, message: 'The carrier of this number cannot detect machines.' });
}

/**
 * Returns the detection of a call. `audioRef` is the message's audio; undefined for a text.
 * @param port the carrier of the call
 */
export function toDetection(
  { detector, audio }: Pick<VoicePort, 'detector' | 'audio'>,
  detection: MachineDetection,
  audioRef: string | undefined,
): Pick<Detection, 'onMachine' | 'message' | 'hearing'> {
  const { on_machine: onMachine } = detection;
  const text = messageOf(detection)?.text;
  const spoken = text === undefined ? null : { text };
  const message = audioRef === undefined ? spoken : { audioRef };
  if (detector !== 'gateway') return { onMachine, message };
  return { onMachine, message, hearing: { ...UNHEARD, ...(audio?.hasOneStream && { isShared: true }) } };
}

/** Checks the form and the host of a message's address. Does not fetch it. Error: invalid_url. */
export function checkMessageUrl(
  { allowLocalWebhooks }: Pick<Context['settings'], 'allowLocalWebhooks'>,
  { mode }: Pick<Scope, 'mode'>,
  detection: MachineDetection,
): void {
  const url = messageOf(detection)?.audio_url;
  if (url === undefined) return;
  const check = checkTargetUrl(url, { allowLocalHttp: mode === 'test' && allowLocalWebhooks });
  if (!check.ok) throw new ApiError('invalid_url', { param: AUDIO_PARAM, message: check.message });
}

/** The audio of a message is removed after this time: the longest call, plus the time for placing and ringing. */
const KEPT_MS = 6 * 3_600_000;

type FetchContext = Pick<Context, 'db' | 'blobs' | 'outbound' | 'settings'>;

/** The fetched audio, or the reason why it could not be fetched. */
export type FetchedMessage = { readonly audioRef: string } | { readonly error: ApiError };

/** Fetches the audio of a message and stores it until the call is over. */
export async function fetchMessage(context: FetchContext, scope: Scope, url: string): Promise<FetchedMessage> {
  const fetched = await fetchAudio(context, scope, url);
  if ('delayMs' in fetched) {
    const retryAfterS = Math.ceil(fetched.delayMs / 1_000);
    return { error: new ApiError('rate_limited', { param: AUDIO_PARAM, retryAfterS }) };
  }
  if ('problem' in fetched) {
    return { error: new ApiError('invalid_url', { param: AUDIO_PARAM, message: fetched.problem }) };
  }
  const audioRef = `${scope.ledgerId}/message/${newId('job')}`;
  await dropBlobs(context.db, [audioRef], { delayMs: KEPT_MS });
  await context.blobs.put(audioRef, fetched.audio, { contentType: 'audio/basic' });
  return { audioRef };
}
