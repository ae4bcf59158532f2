/**
 * Blobs as objects of a bucket of any S3-compatible store. The bucket is in the path of each request, which every such
 * store supports at any name or address.
 */
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Blob, BlobError, type ByteRange, checkedKey, checkRange, type OpenBlobStore } from '../blob-store.ts';
import {
  createS3Requests,
  S3_LIMITS,
  type S3Limits,
  type S3Requests,
  type S3Settings,
  toBlobError,
} from './s3-requests.ts';
import { typedStream } from './typed-stream.ts';

/** Returns a store in a bucket, which must exist. An object must fit in one request (5 GiB). */
export function openS3Store(settings: S3Settings, limits: Partial<S3Limits> = {}): OpenBlobStore {
  const requests = createS3Requests(settings, { ...S3_LIMITS, ...limits });
  const store = createStore(settings, requests);
  return {
    ...store,
    check: async () => {
      const key = `probes/${randomUUID()}`;
      await store.put(key, Buffer.from('dialplane'), { contentType: 'text/plain' });
      await store.remove(key);
      return `in the bucket "${settings.bucket}" at ${settings.endpoint}`;
    },
    close: () => requests.close(),
  };
}

function createStore(settings: S3Settings, requests: S3Requests) {
  const store: Omit<OpenBlobStore, 'check' | 'close'> = {
    put: async (key, bytes, { contentType }) => {
      const headers = { 'content-type': contentType };
      const answer = await requests.send({ method: 'PUT', key: checkedKey(key), headers, body: bytes });
      await settle(settings, answer, [200]);
    },
    putFile: async (key, file, { contentType }) => {
      const headers = { 'content-type': contentType };
      const answer = await requests.send({ method: 'PUT', key: checkedKey(key), headers, body: file });
      await settle(settings, answer, [200]);
    },
    get: async (key, range) => {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const answer = await requests.send({ method: 'GET', key: checkedKey(key), headers });
      if (await isAbsent(settings, answer)) return undefined;
      return toBlob(settings, answer, range);
    },
    size: async (key) => {
      const answer = await requests.send({ method: 'HEAD', key: checkedKey(key) });
      // An answer to HEAD has only a status, so a missing bucket looks like a missing blob.
      await settle(settings, answer, [200, 404]);
      return answer.statusCode === 404 ? undefined : Number(answer.headers['content-length']);
    },
    remove: async (key) => {
      const answer = await requests.send({ method: 'DELETE', key: checkedKey(key) });
      if (!(await isAbsent(settings, answer))) await settle(settings, answer, [200, 204]);
    },
  };
  return store;
}

/** Checks the status of an answer, drops its body and frees its connection. */
async function settle(settings: S3Settings, answer: Dispatcher.ResponseData, good: readonly number[]): Promise<void> {
  if (!good.includes(answer.statusCode)) throw await toBlobError(settings, answer);
  await answer.body.dump();
}

/**
 * Returns true if there is no such object. Throws if there is no such bucket, because that is an error of the settings.
 */
async function isAbsent(settings: S3Settings, answer: Dispatcher.ResponseData): Promise<boolean> {
  if (answer.statusCode !== 404) return false;
  const error = await toBlobError(settings, answer);
  if (error.message.includes('NoSuchBucket')) throw error;
  return true;
}

async function toBlob(
  settings: S3Settings,
  answer: Dispatcher.ResponseData,
  range: ByteRange | undefined,
): Promise<Blob> {
  const { statusCode, headers, body } = answer;
  if (statusCode === 416) {
    await body.dump();
    throw new RangeError(`bytes ${range?.start} to ${range?.end} are not within the blob`);
  }
  if (statusCode !== (range === undefined ? 200 : 206)) throw await toBlobError(settings, answer);
  const sent = range === undefined ? undefined : sentPart(headers);
  const size = sent === undefined ? Number(headers['content-length']) : sent.size;
  const toError = (error: Error) => new BlobError('unavailable', `${settings.endpoint} ended the answer early`, error);
  const blob = { size, stream: typedStream(body, toError) };
  try {
    if (range !== undefined) checkRange(range, size);
    if (sent?.start !== range?.start || sent?.end !== range?.end) {
      throw new BlobError('refused', `${settings.endpoint} answered with another part than the requested one`);
    }
  } catch (error) {
    blob.stream.destroy();
    throw error;
  }
  return blob;
}

/** Reads "bytes 0-99/1234" (RFC 9110, 14.4). Any other value yields NaN, which equals no requested part. */
function sentPart(headers: Dispatcher.ResponseData['headers']): ByteRange & { size: number } {
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(headers['content-range'])) ?? [];
  return { start: Number(start), end: Number(end), size: Number(size) };
}
