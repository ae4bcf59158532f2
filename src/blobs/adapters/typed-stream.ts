import { PassThrough, type Readable } from 'node:stream';
import type { BlobError } from '../blob-store.ts';

/**
 * Returns a stream of the same bytes. If the source fails, the stream fails with the result of `toError`. Destroying it
 * destroys the source. A source that is closed before its end is a failure, so that no blob is silently shorter.
 */
export function typedStream(source: Readable, toError: (cause: Error) => BlobError): Readable {
  const stream = new PassThrough();
  // `on` and not `once`, because destroying a source may make it fail again.
  source.on('error', (error) => stream.destroy(toError(error)));
  source.once('close', () => {
    if (!source.readableEnded && !stream.destroyed) stream.destroy(toError(new Error('closed before its end')));
  });
  stream.once('close', () => source.destroy());
  return source.pipe(stream);
}
