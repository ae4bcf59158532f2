/** Embedded databases. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/server/embedded-postgres/start.ts';
import { closeAfterTests } from './close-after-tests.ts';

/** Folders of databases for the tests of a file. */
export type Clusters = {
  readonly root: string;
  /** Returns the path of a folder that does not exist. */
  newFolder(): string;
  start(folder: string, options?: Partial<EmbeddedPostgresOptions>): Promise<EmbeddedPostgres>;
};

/** Makes a folder for databases. It is removed after the tests of the file. */
export function useClusters(): Clusters {
  const root = mkdtempSync(join(tmpdir(), 'dialplane-embedded-'));
  // This mode lets an unprivileged user enter the folders in it, unless a test closes them.
  chmodSync(root, 0o755);
  closeAfterTests(() => rmSync(root, { recursive: true, force: true }));
  const log = pino({ level: 'silent' });
  let folders = 0;
  return {
    root,
    newFolder: () => {
      folders += 1;
      return join(root, `${folders}`);
    },
    start: (folder, options) => startEmbeddedPostgres({ folder, log, systemFolder: join(root, 'system'), ...options }),
  };
}
