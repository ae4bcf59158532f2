import { PassThrough, type Readable } from 'node:stream';
import type { BlobError } from '../blob-store.ts';

/**
 * Returns a stream of the same bytes that fails with `toError` of the source's failure. Destroying it destroys the
 * source. A source that is closed before its end is a failure, never a shorter blob.
 */
export function typedStream(source: Readable, toError: (cause: Error) => BlobError): Readable {
  const stream = new PassThrough();
  // `on`, as `once` would miss a second error: destroying a source may make it fail again.
  source.on('error', (error) => stream.destroy(toError(error)));
  source.once('close', () => {
    if (!source.readableEnded && !stream.destroyed) stream.destroy(toError(new Error('closed before its end')));
  });
  stream.once('close', () => source.destroy());
  return source.pipe(stream);
}
