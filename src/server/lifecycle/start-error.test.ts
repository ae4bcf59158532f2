import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IncompatibleDatabaseError } from '../../db/migrate.ts';
import { readConfig } from '../settings/config.ts';
import { explainStartError, StartError } from './start-error.ts';

test('a database of other migrations is refused with the setting that leads to a new one', () => {
  const error = new IncompatibleDatabaseError({ number: 2, name: '0002_other' }, { number: 2, name: '0002_queue' });
  const nextStep = (env: Record<string, string>) => {
    const explained = explainStartError(error, readConfig(env));
    assert.ok(explained instanceof StartError);
    assert.equal(explained.message, error.message);
    return explained.nextStep;
  };
  assert.match(nextStep({}), /^Set DIALPLANE_DATA to a new folder, or run the version/);
  const server = { DATABASE_URL: 'postgres://localhost/name', DIALPLANE_SECRET: 'x'.repeat(64) };
  assert.match(nextStep(server), /^Set DATABASE_URL to an empty database, or run the version/);
});
