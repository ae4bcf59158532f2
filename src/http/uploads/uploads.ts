/** Routes whose body is one unchanged file. `limits/bound-bodies.ts` bounds the memory for such bodies. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { Type } from '../../lib/type.ts';
import { BODY_BYTES_MAX } from '../edge/body-limits.ts';
import type { Api } from '../edge/types.ts';

/** The body of an upload. Its bytes are private, so that code for fields of bodies does not read them. */
export class UploadedFile {
  readonly #bytes: Buffer;
  readonly #query: unknown;

  constructor(bytes: Buffer, query: unknown) {
    this.#bytes = bytes;
    this.#query = query;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /**
   * Returns the JSON that the fingerprint of an Idempotency-Key uses for the body. It has the query too, because the
   * query describes the file.
   */
  toJSON(): object {
    return { query: this.#query, sha256: createHash('sha256').update(this.#bytes).digest('hex') };
  }
}

/** A connection is closed after this many bytes of a body that is too large. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Adds the routes of `add` in a scope that reads bodies of every media type as files. Such a route has the schema of
 * `fileBody` and a `bodyLimit`. Its body is an UploadedFile; undefined if the body is empty.
 */
export function acceptUploads(api: Api, add: (scope: Api) => void): void {
  api.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (request: FastifyRequest, body: Readable) => {
      const bytes = await readFile(body, request.routeOptions.bodyLimit ?? BODY_BYTES_MAX);
      return bytes.length === 0 ? undefined : new UploadedFile(bytes, request.query);
    });
    add(scope as Api);
    done();
  });
}

/**
 * Reads a body. A client reads no refusal while it sends. So this reads and drops the rest of a body that is too large,
 * up to a bound. Errors: 413 unreadable_body; unreadable_body for an incomplete body.
 */
async function readFile(body: Readable, bytesMax: number): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > DROPPED_BYTES_MAX) break;
      if (size <= bytesMax) chunks.push(chunk);
      else chunks = [];
    }
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError('unreadable_body', { cause });
  }
  if (size > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  return Buffer.concat(chunks);
}

/** The body of an upload in the OpenAPI document: a file of one of the media types. */
export function fileBody(mediaTypes: readonly string[], description: string) {
  const schema = Type.Unsafe<UploadedFile | undefined>({ description });
  return { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) };
}
