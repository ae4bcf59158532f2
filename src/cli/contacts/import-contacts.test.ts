/** `dialplane contacts import` reads files of other programs, makes contacts, and reports the result of each line. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { makeTenant } from '../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });
const { test_key: key } = harness.account;
const path = join(mkdtempSync(join(tmpdir(), 'contacts-')), 'people.csv');

type Outcome = { code: number | null; out: string; err: string };

async function importText(text: string, words: readonly string[], as = key): Promise<Outcome> {
  writeFileSync(path, text);
  return await runHere(['contacts', 'import', path, '--url', harness.url, '--key', as, ...words], {}, []);
}

async function importJson(text: string, tenantId: string, ...words: string[]) {
  const { code, out, err } = await importText(text, ['--tenant', tenantId, '--json', ...words]);
  // An import that takes longer than two seconds reports its progress.
  assert.equal(err.replace(/^\d+ lines read, \d+ % of the file\n/gm, ''), '');
  return { code, ...JSON.parse(out) };
}

type Line = { line: number; result: string; error: { message: string } | null };
const resultsOf = (lines: Line[]) => lines.map(({ line, result }) => [line, result]);
const whysOf = (lines: Line[]) => lines.flatMap(({ line, error }) => (error ? [`${line}: ${error.message}`] : []));

async function contactsOf(tenantId: string) {
  return (await harness.call('GET', `/v1/contacts?tenant_id=${tenantId}&limit=100`)).body.data.toReversed();
}

const FILE = `First Name,Last Name,Organization,Mobile Phone,Phone 2 - Value,E-mail Address,Customer ID,Birthday
Sam,Ortiz,Desert Paws,(602) 555-0143,602.555.0144,sam@example.com,crm-7,May
Kim,,,1-602-555-0145,,,,
,,"Garage ""Fast""; open",,,,crm-8,
`;

test('a file becomes contacts, and importing it again changes nothing', async () => {
  const tenantId = await makeTenant(harness);
  const first = await importJson(FILE, tenantId);
  assert.deepEqual([first.code, first.created, first.refused, first.stopped], [0, 3, 0, null]);
  assert.deepEqual(first.unused_columns, ['Birthday']);
  const contacts = await contactsOf(tenantId);
  assert.deepEqual(
    contacts.map(({ name, company, phone_numbers, email, external_ref }: Record<string, unknown>) => {
      return { name, company, phone_numbers, email, external_ref };
    }),
    [
      {
        ...{ name: 'Sam Ortiz', company: 'Desert Paws', phone_numbers: ['+16025550143', '+16025550144'] },
        ...{ email: 'sam@example.com', external_ref: 'crm-7' },
      },
      { name: 'Kim', company: null, phone_numbers: ['+16025550145'], email: null, external_ref: null },
      {
        ...{ name: 'Garage "Fast"; open', company: 'Garage "Fast"; open', phone_numbers: [], email: null },
        external_ref: 'crm-8',
      },
    ],
  );
  const again = await importJson(FILE, tenantId);
  assert.deepEqual([again.code, again.created, again.unchanged], [0, 0, 3]);
  assert.deepEqual(await contactsOf(tenantId), contacts);
});

test('each line that is refused says why, the others are imported, and the command fails', async () => {
  const tenantId = await makeTenant(harness);
  const file = [
    'name;phone;email;external_ref',
    'Ann;602-555-0150;ann@example.com;a',
    'Bob;555-0151;;b',
    ';602-555-0152;;',
    '',
    'Cid;602-555-0153;none;c',
    'Dot;;;',
    'Eve;602-555-0150;;e',
    'Fay;602-555-0154;;f;too;much',
    'Gus;602-555-0155;;g',
  ].join('\r\n');
  const { code, created, refused, lines } = await importJson(file, tenantId);
  assert.deepEqual([code, created, refused], [1, 2, 6]);
  assert.deepEqual(resultsOf(lines), [
    [2, 'created'],
    ...[3, 4, 6, 7, 8, 9].map((line) => [line, 'refused']),
    [10, 'created'],
  ]);
  const whys = whysOf(lines);
  for (const [index, why] of [
    /^3: 555-0151 has no area code$/,
    /^4: it has no name$/,
    /^6: .*"email" must/,
    /^7: it has neither a number nor a reference$/,
    /^8: Another contact of the tenant has one of these numbers/,
    /^9: it has more cells than the first line has$/,
  ].entries()) {
    assert.match(whys[index] ?? '', why);
  }
});

test('a change is told with its fields, and an empty cell changes nothing', async () => {
  const tenantId = await makeTenant(harness);
  await importJson('name,phone,company\nSam,602-555-0160,Garage\n', tenantId);
  const { out } = await importText('name,phone,company\nSam Ortiz,6025550160,\n', ['--tenant', tenantId]);
  assert.match(out, /^line 2 {2}updated {4}con_\w+ {2}Sam Ortiz \(name\)$/m);
  assert.match(out, /^1 lines: 0 created, 1 updated, 0 unchanged, 0 refused\.$/m);
  assert.equal((await contactsOf(tenantId))[0].company, 'Garage');
});

test('columns with other names are chosen by hand', async () => {
  const tenantId = await makeTenant(harness);
  const chosen = ['--column', 'name=Wer', '--column', 'phone_numbers=Handy'];
  const file = 'Wer\tName\tHandy\nSam\tIgnored\t602-555-0170\n';
  const { created, unused_columns } = await importJson(file, tenantId, ...chosen);
  assert.deepEqual([created, unused_columns], [1, ['Name']]);
  const { code, err } = await importText(file, ['--tenant', tenantId]);
  assert.deepEqual([code, /No column has the number or reference.*--column phone_numbers=COLUMN/.test(err)], [1, true]);
  const wrong = await importText(file, ['--tenant', tenantId, '--column', 'name=Nobody']);
  assert.match(wrong.err, /There is no column Nobody\. The first line has: Wer, Name, Handy\./);
  // A repeated run with the same options ends in the same way.
  assert.deepEqual([/Nothing was imported\./.test(wrong.err), /Run it again/.test(wrong.err)], [true, false]);
});

test('a key of one tenant needs no --tenant, and a key of several does', async () => {
  const tenantId = await makeTenant(harness);
  const { code } = await importText('name,phone\nSam,602-555-0180\n', [], await harness.tenantKey(tenantId));
  assert.deepEqual([code, (await contactsOf(tenantId)).length], [0, 1]);
  const several = await importText('name,phone\nSam,602-555-0180\n', []);
  assert.deepEqual([several.code, /--tenant is missing/.test(several.err)], [2, true]);
});

test('an import that stops says so, keeps what is done, and goes on when it is run again', async () => {
  const tenantId = await makeTenant(harness);
  const rows = Array.from({ length: 150 }, (_, index) => `Person ${index},ref-${index}`).join('\n');
  const broken = await importText(`name,reference\n${rows}\n"lost,quote\n`, ['--tenant', tenantId, '--json']);
  assert.equal(broken.code, 1);
  assert.match(broken.err, /from line 152 on: a quote there is not closed/);
  const { created, stopped, lines } = JSON.parse(broken.out);
  assert.deepEqual([created, lines.length], [100, 100]);
  assert.match(stopped, /line 152/);
  const mended = await importJson(`name,reference\n${rows}\n`, tenantId);
  assert.deepEqual([mended.unchanged, mended.created, mended.stopped], [100, 50, null]);
});

test('an unknown tenant ends the import with the reason of the API', async () => {
  const { code, err } = await importText('name,phone\nSam,602-555-0190\n', ['--tenant', 'tnt_none']);
  assert.equal(code, 1);
  assert.match(err, /tenant_not_found/);
});
