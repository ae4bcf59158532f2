/** Embedded databases in folders that are removed after the tests of a file. */
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

export const root = mkdtempSync(join(tmpdir(), 'dialplane-embedded-'));
// Open, so that an unprivileged user can enter the folders below unless a test closes them.
chmodSync(root, 0o755);
closeAfterTests(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;

/** Returns the path of a folder that does not exist. */
export function newFolder(): string {
  folders += 1;
  return join(root, `${folders}`);
}

export function start(folder: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const log = pino({ level: 'silent' });
  return startEmbeddedPostgres({ folder, log, systemFolder: join(root, 'system'), ...options });
}
