/**
 * Routes whose body is one file, sent as it is. A process holds only a few such bodies at a time: a request waits for
 * its turn before its body is read, so that many large uploads do not fill the memory.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { Type } from '../../lib/type.ts';
import { BODY_BYTES_MAX } from '../edge/body-limits.ts';
import type { Api } from '../edge/types.ts';
import { type Admission, createAdmission } from '../limits/admission.ts';

/** The body of an upload. Its bytes are private, so that nothing that walks over a body's fields reads them. */
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

  /** Stands for the body in the fingerprint of an Idempotency-Key. The query counts: it says what the file is. */
  toJSON(): object {
    return { query: this.#query, sha256: createHash('sha256').update(this.#bytes).digest('hex') };
  }
}

/** Uploads that a process reads or holds at a time, in all and of one ledger. */
const HELD_MAX = 4;
const LEDGER_HELD_MAX = 2;
const WAIT_MS = 15_000;
/** Bytes of a body that is too large, after which its connection is closed. */
const DROPPED_BYTES_MAX = 64 * 1024 * 1024;
/** The name under which the uploads of all ledgers are counted. */
const ALL_LEDGERS = 0;

const BUSY = 'Too many files are being uploaded at the same time.';

/**
 * Adds the routes of `add` in a scope that reads bodies of every media type as files. A route there has the schema of
 * `fileBody` and a `bodyLimit`; its body is an UploadedFile, or undefined for an empty body.
 */
export function acceptUploads(api: Api, add: (scope: Api) => void): void {
  const ofLedger = createAdmission({ ledgerMax: LEDGER_HELD_MAX, waitMs: WAIT_MS, refusal: BUSY });
  const ofAll = createAdmission({ ledgerMax: HELD_MAX, waitMs: WAIT_MS, refusal: BUSY });
  api.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (request: FastifyRequest, body: Readable) => {
      const bytes = await readFile(body, request.routeOptions.bodyLimit ?? BODY_BYTES_MAX);
      return bytes.length === 0 ? undefined : new UploadedFile(bytes, request.query);
    });
    scope.addHook('preParsing', async (request, reply) => {
      await holdPlaces(reply, [
        [ofLedger, request.scope.ledgerId],
        [ofAll, ALL_LEDGERS],
      ]);
    });
    add(scope as Api);
    done();
  });
}

/**
 * Reads a body. One that is too large is read on and dropped up to a bound, because a client that is still sending does
 * not read its refusal. Errors: 413 unreadable_body; unreadable_body for a body that breaks off.
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
    throw new ApiError('unreadable_body', { cause });
  }
  if (size > bytesMax) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  return Buffer.concat(chunks);
}

/** Waits for a place in each admission, and frees them when the exchange has ended. Error: rate_limited. */
async function holdPlaces(reply: FastifyReply, admissions: readonly (readonly [Admission, number])[]): Promise<void> {
  const held: (() => void)[] = [];
  // A client that has left already, such as during the look-up of its key, is not announced again.
  let hasEnded = reply.raw.closed;
  // Also closed by a client that leaves while it waits.
  reply.raw.once('close', () => {
    hasEnded = true;
    for (const release of held) release();
  });
  for (const [admission, ledgerId] of admissions) {
    const release = await admission.enter(ledgerId);
    if (hasEnded) release();
    else held.push(release);
  }
}

/** The body of an upload in the OpenAPI document: a file of one of the media types. */
export function fileBody(mediaTypes: readonly string[], description: string) {
  const schema = Type.Unsafe<UploadedFile | undefined>({ description });
  return { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema }])) };
}
