/** Speaks announcements and greetings in the console, so that a person can listen to them before callers do. */

import { encodeWav } from '../../audio/wav.ts';
import { announcementText } from '../../domain/voice/index.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import type { MakeLimiter, Rate } from '../../http/limits/rate-limit.ts';
import { SPEAKABLE } from '../../http/schemas/forms.ts';
import { Closed, Nullable } from '../../http/schemas/schemas.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { Type } from '../../lib/type.ts';
import { ModelError, type Synthesizer } from '../../speech/port.ts';

/**
 * The limit of texts for one session: on average one each 3 seconds, and at most 10 at a time. A voice server may cost
 * money for each text.
 */
const RATE_OF_SPEECH: Rate = { periodMs: 3_000, burst: 10 };
const TEXT_CHARS_MAX = 1_000;
const RETRY_AFTER_S = 10;

const SpeakText = Closed({
  text: Nullable(
    Type.String({
      ...SPEAKABLE,
      minLength: 1,
      maxLength: TEXT_CHARS_MAX,
      description: 'A greeting, a prompt or an announcement; null: the announcement of a recording alone',
    }),
  ),
  announces_recording: Type.Optional(
    Type.Boolean({ default: false, description: 'true: the announcement of a recording is spoken before the text' }),
  ),
});

const audio = { content: { 'audio/wav': { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } } };
const schema = { tags: ['Speech'], summary: 'Hear a text', body: SpeakText, response: { 200: audio } };

type SpeechParts = {
  readonly makeLimiter: MakeLimiter;
  /** The voice of live calls. */
  readonly voice: Synthesizer;
};

/** Returns the route that speaks a text with the voice of live calls. */
export const speechRoutes =
  ({ makeLimiter, voice }: SpeechParts): RoutePlugin =>
  (api, { settings }) => {
    const texts = makeLimiter('console-speech', RATE_OF_SPEECH);

    api.post('/speech', { schema }, async ({ session, body }, reply) => {
      const { text, announces_recording: isOfRecording = false } = body;
      if (text === null && !isOfRecording) {
        throw new ApiError('invalid_body', { param: 'text', message: 'There is nothing to speak.' });
      }
      if (settings.rateLimit) {
        const { allowed, retryAfterS } = await texts.take(session.id);
        if (!allowed) throw new ApiError('rate_limited', { retryAfterS, message: 'Too many texts to speak.' });
      }
      const wav = encodeWav(await speak(voice, announcementText({ isOfRecording, listening: text })));
      return reply.type('audio/wav').header('cache-control', 'no-store').send(Buffer.from(wav));
    });
  };

async function speak(voice: Synthesizer, text: string) {
  try {
    return await voice.synthesize(text);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const message = 'The text cannot be spoken at the moment.';
    throw new ApiError('speech_unavailable', { message, retryAfterS: RETRY_AFTER_S, cause: error });
  }
}
