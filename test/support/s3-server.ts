import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { S3Settings } from '../../src/blobs/adapters/s3-requests.ts';

type S3rver = { run(): Promise<AddressInfo>; close(): Promise<void> };
type S3rverConstructor = new (options: {
  address: string;
  port: number;
  silent: boolean;
  directory: string;
  vhostBuckets: boolean;
  configureBuckets: { name: string }[];
}) => S3rver;

/** An S3 server for one test file, with one bucket. It checks signatures. */
export type TestS3 = {
  settings: S3Settings;
  /** The folder of the objects. */
  directory: string;
  stop(): Promise<void>;
};

export async function startS3(): Promise<TestS3> {
  // The package has no types.
  const S3rver: S3rverConstructor = createRequire(import.meta.url)('@20minutes/s3rver');
  const directory = await mkdtemp(join(tmpdir(), 'dialplane-s3-'));
  const bucket = 'dialplane-audio';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      // The only key pair of this server.
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    directory,
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
