import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { AdapterKind } from '../../src/carriers/adapter.ts';
import type { Settings } from '../../src/context.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { type ComposeOptions, compose, type Product } from '../../src/server/compose.ts';
import { TEST_SETTINGS } from '../../test/support/harness.ts';

export const BENCH_SECRET = 'a secret that is only good for benchmarks';

type Account = Awaited<ReturnType<typeof createAccount>>;

type BenchOptions = {
  names: readonly string[];
  work: boolean;
  adapterKinds?: readonly AdapterKind[];
  /** If true, also starts the product's media gateway. */
  serveMedia?: boolean;
  /** The port to listen on, for settings that contain the port. Default: a free port. */
  port?: number;
  settings?: Partial<Settings>;
} & Pick<ComposeOptions, 'sharersOf'>;

/** Starts the product without a rate limit, with accounts of these names. With `work` it also starts the workers. */
export async function startBenchProduct(
  databaseUrl: string,
  { names, work, adapterKinds = [], serveMedia = false, port: wanted = 0, settings, sharersOf }: BenchOptions,
): Promise<{ product: Product; accounts: Account[]; url: string }> {
  const product = await compose({
    databaseUrl,
    connectionsMax: 24,
    secret: BENCH_SECRET,
    log: pino({ level: 'error' }),
    blobs: { kind: 'folder', folder: join(tmpdir(), 'dialplane-bench-blobs') },
    settings: { ...TEST_SETTINGS, ...settings },
    adapterKinds,
    ...(sharersOf && { sharersOf }),
  });
  const { db } = product.context;
  const accounts: Account[] = [];
  for (const name of names) accounts.push(await db.transaction((tx) => createAccount(tx, name)));
  await product.app.listen({ host: '127.0.0.1', port: wanted });
  const { server } = product.app;
  const { port } = server.address() as AddressInfo;
  const gateway = { server, url: `ws://127.0.0.1:${port}` };
  await product.start({ server, work, ...(serveMedia && { gateway }) });
  return { product, accounts, url: `http://127.0.0.1:${port}` };
}
