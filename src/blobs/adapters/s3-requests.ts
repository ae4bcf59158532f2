/**
 * Signed requests to an S3-compatible store, with retries. Every request can be repeated safely, because a blob never
 * changes under its key. Signatures are AWS Signature Version 4, by aws4fetch.
 */
import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { Pool } from '../../lib/http/undici.ts';
import { withoutSlash } from '../../lib/http/without-slash.ts';
import { sleep, timeoutSignal } from '../../lib/time/time.ts';
import { BlobError, type BlobFailure, type FileBytes } from '../blob-store.ts';

export type S3Settings = {
  /** Address of the store, without the bucket: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export type S3Limits = {
  /** The time limit from the start of a request to the headers of the answer. It includes the sending of a body. */
  timeoutMs: number;
  /** The time limit between two pieces of an answer's body. */
  idleTimeoutMs: number;
  attempts: number;
  /** The time limit of reads: a caller of the API waits for them. */
  readTimeoutMs: number;
  readAttempts: number;
  /** The delay after the first failure. It doubles with each later failure. */
  retryDelayMs: number;
};

export const S3_LIMITS: S3Limits = {
  timeoutMs: 20_000,
  idleTimeoutMs: 20_000,
  attempts: 4,
  readTimeoutMs: 4_000,
  readAttempts: 2,
  retryDelayMs: 200,
};

type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key: string;
  headers?: Record<string, string>;
  body?: Uint8Array | FileBytes;
};

export type S3Requests = {
  /**
   * Returns the store's answer, with any status below 500 except 408 and 429, which are retried.
   * @throws BlobError of the last attempt, if all attempts failed
   */
  send(request: S3Request): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
};

const CONNECT_TIMEOUT_MS = 3_000;
const CONNECTIONS = 32;
const EMPTY_SHA256 = createHash('sha256').digest('hex');
const ERROR_BYTES_MAX = 10_000;
/** The slowest upload of a file: 500 kB a second. */
const BYTES_PER_MS_MIN = 500;

/** Returns the client of a bucket. It opens no connection before the first request. */
export function createS3Requests(settings: S3Settings, limits: S3Limits): S3Requests {
  const { origin, pathname } = new URL(settings.endpoint);
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    bodyTimeout: limits.idleTimeoutMs,
  });
  const base = `${origin}${withoutSlash(pathname)}/${settings.bucket}`;
  // The signer derives a key for each day and caches it here.
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sendOnce({ method, key, headers, body }: S3Request): Promise<Dispatcher.ResponseData> {
    const sha256 = hashOf(body);
    const signer = new AwsV4Signer({
      ...settings,
      service: 's3',
      method,
      url: `${base}/${key}`,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      cache: signingKeys,
    });
    const signed = await signer.sign();
    return pool.request({
      method,
      path: signed.url.pathname,
      headers: { ...Object.fromEntries(signed.headers), ...lengthOf(body) },
      headersTimeout: isRead(method) ? limits.readTimeoutMs : limits.timeoutMs + sizeOf(body) / BYTES_PER_MS_MIN,
      ...(body !== undefined && { body: bytesOf(body) }),
      // `headersTimeout` does not cover a store that stops reading the body. This signal does.
      ...(body !== undefined && { signal: timeoutSignal(limits.timeoutMs + sizeOf(body) / BYTES_PER_MS_MIN) }),
    });
  }

  /** Returns the answer, or a failure that may be retried. */
  async function attempt(request: S3Request): Promise<Dispatcher.ResponseData | BlobError> {
    try {
      const answer = await sendOnce(request);
      return isTemporary(answer) ? await toBlobError(settings, answer) : answer;
    } catch (error) {
      return new BlobError('unavailable', `${settings.endpoint} does not answer`, error);
    }
  }

  async function send(request: S3Request): Promise<Dispatcher.ResponseData> {
    const attempts = isRead(request.method) ? limits.readAttempts : limits.attempts;
    for (let failures = 1; ; failures++) {
      const outcome = await attempt(request);
      if (!(outcome instanceof BlobError)) return outcome;
      if (failures >= attempts) throw outcome;
      await sleep(limits.retryDelayMs * 2 ** (failures - 1) * (0.5 + Math.random()));
    }
  }

  return { send, close: () => pool.destroy() };
}

type Body = S3Request['body'];

const isFile = (body: Body): body is FileBytes => body !== undefined && !(body instanceof Uint8Array);

function hashOf(body: Body): string {
  if (body === undefined) return EMPTY_SHA256;
  return isFile(body) ? body.sha256 : createHash('sha256').update(body).digest('hex');
}

const bytesOf = (body: Uint8Array | FileBytes) =>
  isFile(body) ? body.open() : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

const sizeOf = (body: Body) => (isFile(body) ? body.size : 0);

/** A stream does not state its length. */
const lengthOf = (body: Body) => (isFile(body) ? { 'content-length': `${body.size}` } : {});

function isRead(method: S3Request['method']): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** 429 and 5xx are temporary. 408 means that the connection was too slow. */
function isTemporary({ statusCode }: Dispatcher.ResponseData): boolean {
  return statusCode >= 500 || statusCode === 429 || statusCode === 408;
}

/** Reads a refusal's body and returns its error. S3 gives the reason in XML: `<Error><Code>NoSuchBucket</Code>…`. */
export async function toBlobError(
  { endpoint, bucket }: S3Settings,
  { statusCode, body }: Dispatcher.ResponseData,
): Promise<BlobError> {
  const answer = await text(body).catch((error: unknown) => String(error));
  const code = /<Code>(\w+)<\/Code>/.exec(answer.slice(0, ERROR_BYTES_MAX))?.[1];
  const why = code === undefined ? `status ${statusCode}` : `status ${statusCode}, ${code}`;
  return new BlobError(kindOf(statusCode), `the bucket "${bucket}" at ${endpoint} answers with ${why}`);
}

function kindOf(status: number): BlobFailure {
  if (status === 401 || status === 403) return 'denied';
  if (status === 507) return 'full';
  return status >= 500 || status === 429 || status === 408 ? 'unavailable' : 'refused';
}
