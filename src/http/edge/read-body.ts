import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Api } from './types.ts';

/** RFC 8259, 8.1 allows a parser to ignore it. */
const BYTE_ORDER_MARK = /^\ufeff/;

const JSON_TYPE = /^application\/json *(;|$)/i;

/**
 * Reads bodies of media type application/json, with or without parameters, and bodies without a stated type. Any other
 * type gets unsupported_media_type. An empty body counts as no body, whatever its type.
 */
export function acceptJson(app: Api): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const type = request.headers['content-type'];
    if (type !== undefined && !JSON_TYPE.test(type)) {
      return done(new ApiError('unsupported_media_type', { param: 'Content-Type' }));
    }
    // If these bytes were decoded, texts would contain replacement characters (RFC 8259, 8.1).
    if (!isUtf8(body as Buffer)) return done(new ApiError('invalid_json', { message: 'The body is not UTF-8.' }));
    const { value, error } = parseJson(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
    done(error, value);
  });
}

/** Keeps a field named __proto__, so that the schema can refuse it by its name. */
function parseJson(text: string): { value: unknown; error: ApiError | null } {
  try {
    const value: unknown = JSON.parse(text);
    // Fastify would read null as an absent body.
    if (value === null)
      return { value, error: new ApiError('invalid_body', { message: 'The body must be an object.' }) };
    return { value, error: null };
  } catch (error) {
    return { value: undefined, error: new ApiError('invalid_json', { cause: error }) };
  }
}
