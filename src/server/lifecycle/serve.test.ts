import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cloneDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../../../test/support/jobs.ts';
import { freePort } from '../../../test/support/ports.ts';
import { readConfig } from '../settings/config.ts';
import type { Undo } from './running.ts';
import { serve } from './serve.ts';

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

test('nothing listens before the files of a new cluster are on the disk', async () => {
  const database = await cloneDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'dialplane-serve-'));
  const port = await freePort();
  const config = readConfig({
    PORT: `${port}`,
    DIALPLANE_DATA: folder,
    DIALPLANE_CONSOLE: 'off',
    DIALPLANE_METRICS_PORT: 'off',
  });
  const undo: Undo = [];
  let listenedBefore: boolean | undefined;
  // The start waits for this promise before it listens. `then` is called when the wait begins.
  const synced = {
    // biome-ignore lint/suspicious/noThenProperty: the moment of its await counts
    then: (resolve: () => void) => {
      void isListening(port).then((listening) => {
        listenedBefore = listening;
        resolve();
      });
    },
  } as Promise<void>;
  try {
    const install = {
      databaseUrl: database.url,
      secret: 'f'.repeat(64),
      lost: Promise.withResolvers<string>().promise,
      synced,
    };
    const options = {
      config,
      log: silentLog,
      paused: false,
      user: null,
      onProgress: () => undefined,
      requireNotCancelled: () => undefined,
    };
    await serve(options, install, undo);
    assert.equal(listenedBefore, false);
    assert.equal(await isListening(port), true);
  } finally {
    for (const step of undo.reverse()) await step();
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
});
