/** Routes that serve stored audio, whole or in part (RFC 9110, 14). A request needs a key or a signed link. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Blob, ByteRange } from '../../blobs/blob-store.ts';
import type { Context } from '../../context.ts';
import { ApiError, type ErrorCode } from '../../lib/errors/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { type Static, type TObject, Type } from '../../lib/type.ts';
import { toEnvelope } from '../edge/envelope.ts';
import { isKnown } from '../edge/etag.ts';
import { LINK_LIFE_S, LinkQuery } from '../edge/signed-links.ts';
import { toStorageError } from '../edge/storage-error.ts';
import type { Api } from '../edge/types.ts';
import { releaseSlot } from '../limits/admission.ts';
import { Closed } from '../schemas/schemas.ts';

/** What a request may read. A key reads its scope. A signed link reads its one path, in the ledger of the link. */
type AudioAccess = Pick<Scope, 'ledgerId' | 'tenantId'>;

export type AudioRoute<Params extends TObject> = {
  /** Below /v1, such as `/recordings/:recording_id/audio`. */
  url: string;
  tag: string;
  summary: string;
  params: Params;
  /** The error code if the resource exists, but its blob does not. */
  notFound: ErrorCode;
  /**
   * Finds the resource within `access`. Returns the key of its blob and a file name.
   * @throws ApiError if the resource does not exist or the access does not cover it
   */
  find(access: AudioAccess, params: Static<Params>): Promise<FoundFile>;
  /** If true, browsers save the file and do not show it. */
  isAttachment?: boolean;
};

/** `contentType`: audio/wav by default. */
type FoundFile = { key: string; filename: string; contentType?: string };

/** Files never change, so a browser may use its copy until the link expires. */
const CACHE_CONTROL = `private, max-age=${LINK_LIFE_S}`;
const CONTENT_TYPE = 'audio/wav';
const RANGE = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** Describes the reply as a file in the OpenAPI document. */
const fileReply = (type: string) => ({
  content: { [type]: { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } },
});

/**
 * Adds GET and HEAD of an audio file. Replies 200, 206 for a part, 304 if the client's copy is still valid, 416 for a
 * part beyond the end, 401 for an invalid link, and 503 storage_unavailable while the store does not answer.
 */
export function audioRoute<Params extends TObject>(
  api: Api,
  context: Pick<Context, 'blobs' | 'settings'>,
  { url, tag, summary, params, notFound, find, isAttachment = false }: AudioRoute<Params>,
): void {
  const response = { 200: fileReply(isAttachment ? '*/*' : CONTENT_TYPE) };
  const schema = { tags: [tag], summary, params, querystring: Closed(LinkQuery), response };
  api.get(url, { config: { signedLink: true }, schema }, async (request, reply) => {
    const { ledgerId, tenantId } = request.link === undefined ? request.scope : { ...request.link, tenantId: null };
    const file = await find({ ledgerId, tenantId }, request.params as Static<Params>);
    const shown = { ...file, notFound, disposition: isAttachment ? 'attachment' : 'inline' };
    const served = serve(context, request as FastifyRequest, reply as unknown as FastifyReply, shown);
    return served.catch((error: unknown) => {
      throw toStorageError(error);
    });
  });
}

type File = FoundFile & { notFound: ErrorCode; disposition: string };

async function serve(
  { blobs, settings }: Pick<Context, 'blobs' | 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, filename, contentType = CONTENT_TYPE, notFound, disposition }: File,
): Promise<FastifyReply> {
  const size = await blobs.size(key);
  if (size === undefined) throw new ApiError(notFound);
  const etag = `"${filename}-${size}"`;
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': CACHE_CONTROL,
    etag,
    'x-content-type-options': 'nosniff',
  };
  if (isKnown(request, etag)) return reply.code(304).headers(headers).send();
  const range = rangeOf(request, { etag, size });
  if (range === 'unsatisfiable') return refuseRange(request, reply, { size, publicUrl: settings.publicUrl });
  const part = range === 'whole' ? undefined : range;
  // A slow client may read the file for a long time. The request holds no slot during that time.
  releaseSlot(request);
  // Fastify drops the body of a HEAD reply. Given the file's stream, it would still read the whole file.
  const stream = request.method === 'HEAD' ? Readable.from([]) : await open(blobs, key, part, notFound);
  reply.headers(headers).type(contentType).header('content-disposition', `${disposition}; filename="${filename}"`);
  reply.header('content-length', part === undefined ? size : part.end - part.start + 1);
  if (part !== undefined) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${size}`);
  return reply.send(stream);
}

async function open(
  blobs: Context['blobs'],
  key: string,
  part: ByteRange | undefined,
  notFound: ErrorCode,
): Promise<Blob['stream']> {
  // The blob may have been deleted after its size was read.
  const blob = await blobs.get(key, part);
  if (blob === undefined) throw new ApiError(notFound);
  return blob.stream;
}

/** Reads Range, defined for GET only (14.2). An If-Range (13.1.5) with the etag of another file cancels the range. */
function rangeOf({ method, headers }: FastifyRequest, { etag, size }: { etag: string; size: number }) {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return 'whole';
  return readRange(headers.range, size);
}

/** Replies 416 with the size in Content-Range (15.5.17), and the code invalid_range. */
function refuseRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, publicUrl }: { size: number; publicUrl: string },
): FastifyReply {
  const message = `The range begins beyond the end of the file, which has ${size} bytes.`;
  const error = new ApiError('invalid_range', { param: 'range', message });
  request.errorCode = error.code;
  return reply
    .code(416)
    .headers({ 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toEnvelope(error, { publicUrl, requestId: request.id })));
}

/**
 * Reads a Range header for a file of `size` bytes (RFC 9110, 14.1.2 and 14.2). Returns a part of the file. Returns
 * `unsatisfiable` (416) if the range has no byte of the file. Returns `whole` without a header, and for a header that
 * it ignores: another unit, malformed, or several ranges, which a server need not serve.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
