/** `dialplane find`: the search in a terminal. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { makeTenant } from '../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });
const { test_key: key } = harness.account;
const tenantId = await makeTenant(harness);
const body = { tenant_id: tenantId, name: 'Sam Ortiz', phone_numbers: ['+16025550143'] };
const { id } = (await harness.call('POST', '/v1/contacts', { body })).body;

const find = (...words: string[]) => runHere(['find', ...words, '--url', harness.url, '--key', key], {}, []);

test('what is found is a table, or JSON for programs', async () => {
  const table = await find('(602) 555-01');
  assert.equal(table.code, 0, table.err);
  assert.match(table.out, new RegExp(`contact +Sam Ortiz +\\+16025550143 +${id} +${tenantId}`));
  const { code, out } = await find('sam or', '--tenant', tenantId, '--json');
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out)[0].id, id);
});

test('nothing found says what was searched, and is no success', async () => {
  const { code, out } = await find('nobody');
  assert.equal(code, 1);
  assert.match(out, /Nothing is found for "nobody" among the names, numbers, references and ids/);
  assert.deepEqual(JSON.parse((await find('nobody', '--json')).out), []);
});

test('a refusal of the API is one line', async () => {
  const { code, err } = await find('sam', '--tenant', 'tnt_none');
  assert.notEqual(code, 0);
  assert.match(err, /tenant_not_found|no such tenant/);
});
