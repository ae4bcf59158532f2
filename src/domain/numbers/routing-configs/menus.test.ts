import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { useTenant } from '../../../../test/support/numbers.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const PERSON = '+16025550143';
const HIGH_COST = '+16054551234';
const VOICEMAIL = { type: 'voicemail' };
const ring = (...targets: string[]) => ({ type: 'ring', targets });
const FILLED_RING = { strategy: 'simultaneous', timeout_seconds: 25, no_answer: null };

const menu = (options: object, change: object = {}) => ({
  type: 'menu',
  prompt: 'Press a key.',
  options,
  otherwise: VOICEMAIL,
  ...change,
});
/** A menu that has others below its key 2. */
const nested = (levels: number, innermost: object): object =>
  levels === 0 ? innermost : menu({ 2: nested(levels - 1, innermost) });

const body = (change: object) => ({ tenant_id: tenantId, name: 'Desk', open_behavior: ring(PERSON), ...change });
const post = (change: object) => harness.call('POST', '/v1/routing_configs', { body: body(change) });

async function make(change: object): Promise<Json> {
  const reply = await post(change);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

test('absent fields of menus get their defaults at every depth, for open and closed', async () => {
  const innermost = menu({ '*': ring(PERSON) }, { timeout_seconds: 1, tries: 5 });
  const wanted = menu(
    { 9: menu({ '#': innermost }), 0: { type: 'voicemail', transcribe: false } },
    { otherwise: innermost },
  );
  const filledInnermost = {
    ...innermost,
    options: { '*': { ...ring(PERSON), ...FILLED_RING } },
    otherwise: DEFAULT_VOICEMAIL,
  };
  const filled = {
    type: 'menu',
    prompt: 'Press a key.',
    options: {
      0: { ...DEFAULT_VOICEMAIL, transcribe: false },
      9: {
        ...menu({ '#': filledInnermost }),
        timeout_seconds: 6,
        tries: 2,
        otherwise: DEFAULT_VOICEMAIL,
      },
    },
    timeout_seconds: 6,
    tries: 2,
    otherwise: filledInnermost,
  };
  const made = await make({ open_behavior: wanted, closed_behavior: wanted });
  assert.deepEqual(made.open_behavior, filled);
  assert.deepEqual(made.closed_behavior, filled);
  const read = (await harness.call('GET', `/v1/routing_configs/${made.id}`)).body;
  assert.deepEqual(read, made);
  const { id, object, created_at, ...fields } = read;
  const replaced = await harness.call('PUT', `/v1/routing_configs/${id}`, { body: fields });
  assert.deepEqual(replaced.body, made);
});

test('an invalid menu is refused with its field, at any depth', async () => {
  const invalid: [object, string][] = [
    [menu({}), 'closed_behavior.options'],
    [menu({ 12: VOICEMAIL }), 'closed_behavior.options'],
    [menu({ a: VOICEMAIL }), 'closed_behavior.options'],
    [menu({ 1: VOICEMAIL }, { prompt: 'x'.repeat(501) }), 'closed_behavior.prompt'],
    [menu({ 1: VOICEMAIL }, { prompt: 'a\u0000' }), 'closed_behavior.prompt'],
    [menu({ 1: VOICEMAIL }, { timeout_seconds: 0 }), 'closed_behavior.timeout_seconds'],
    [menu({ 1: VOICEMAIL }, { timeout_seconds: 31 }), 'closed_behavior.timeout_seconds'],
    [menu({ 1: VOICEMAIL }, { tries: 0 }), 'closed_behavior.tries'],
    [menu({ 1: VOICEMAIL }, { tries: 6 }), 'closed_behavior.tries'],
    [menu({ 1: VOICEMAIL }, { greeting_text: 'x' }), 'closed_behavior.greeting_text'],
    [menu({ 1: { type: 'hangup' } }), 'closed_behavior.options[1].type'],
    [menu({ '*': ring('602') }), 'closed_behavior.options.*.targets[0]'],
    [menu({ 1: VOICEMAIL }, { otherwise: ring(PERSON, '602') }), 'closed_behavior.otherwise.targets[1]'],
    [nested(2, ring(PERSON, PERSON)), 'closed_behavior.options[2].options[2].targets'],
    [nested(3, ring('602')), 'closed_behavior.options[2].options[2].options[2].targets[0]'],
  ];
  for (const [closed_behavior, param] of invalid) {
    const reply = await post({ closed_behavior });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', param], JSON.stringify(closed_behavior));
  }
  const { error } = (await post({ closed_behavior: menu({ 12: VOICEMAIL }) })).body;
  assert.equal(error.message, '"closed_behavior.options" has a name that must be one of 0 to 9, * and #.');
});

test('the refusal of an absent field of a menu names it, at any depth', async () => {
  const absent: [object, string][] = [
    [menu({ 1: VOICEMAIL }, { prompt: undefined }), 'open_behavior.prompt'],
    [menu({ 1: VOICEMAIL }, { prompt: '  ' }), 'open_behavior.prompt'],
    [menu({ 1: VOICEMAIL }, { options: undefined }), 'open_behavior.options'],
    [menu({ 1: VOICEMAIL }, { otherwise: undefined }), 'open_behavior.otherwise'],
    [menu({ 1: VOICEMAIL }, { otherwise: {} }), 'open_behavior.otherwise.type'],
    [menu({ 1: { type: 'ring' } }), 'open_behavior.options[1].targets'],
    [nested(2, { type: 'ring' }), 'open_behavior.options[2].options[2].targets'],
  ];
  for (const [open_behavior, param] of absent) {
    assert.deepEqual(
      refusal(await post({ open_behavior })),
      [400, 'missing_fields', param],
      JSON.stringify(open_behavior),
    );
  }
});

test('menus are nested at most three deep', async () => {
  await make({ open_behavior: nested(3, ring(PERSON)) });
  const deep = await post({ open_behavior: nested(4, ring(PERSON)) });
  const param = 'open_behavior.options[2].options[2].options[2].type';
  assert.deepEqual(refusal(deep), [400, 'invalid_body', param]);
  assert.equal(deep.body.error.message, `"${param}" must be one of ring, voicemail, queue.`);
  const inOtherwise = menu({ 1: VOICEMAIL }, { otherwise: nested(3, VOICEMAIL) });
  assert.equal(
    refusal(await post({ closed_behavior: inOtherwise }))[2],
    `closed_behavior.otherwise.options[2].options[2].type`,
  );
});

test('a config has at most 100 behaviors, those in menus included', async () => {
  const voicemails = (count: number) =>
    Object.fromEntries([...'0123456789*#'].slice(0, count).map((key) => [key, VOICEMAIL]));
  // The ring of the opening hours, this menu and its `otherwise`, and in it seven menus of 12 and one of 2 and `last`.
  const withLast = (last: number) => {
    const menus = Array.from({ length: 7 }, (_, key) => [key, menu(voicemails(10))]);
    return { closed_behavior: menu({ ...Object.fromEntries(menus), 7: menu(voicemails(last)) }) };
  };
  assert.equal((await post(withLast(11))).status, 201);
  assert.deepEqual(refusal(await post(withLast(12))), [400, 'invalid_body', 'closed_behavior.otherwise']);
});

test('a config that is longer than the limit of the body is refused', async () => {
  const greeting = { type: 'voicemail', greeting_text: 'x'.repeat(2_000) };
  const options = Object.fromEntries([...'0123456789*#'].map((key) => [key, greeting]));
  const below = Object.fromEntries([...'0123456789*#'].map((key) => [key, menu(options)]));
  assert.equal((await post({ closed_behavior: menu(below) })).status, 413);
});

test('the targets of a menu are checked like others', async () => {
  for (const [target, expected] of [
    [HIGH_COST, [422, 'destination_not_supported', 'open_behavior.options.#.targets[1]']],
    ['wcl_none', [404, 'web_client_not_found', 'open_behavior.options.#.targets[1]']],
  ] as const) {
    const reply = await post({ open_behavior: menu({ '#': ring(PERSON, target) }) });
    assert.deepEqual(refusal(reply), expected, target);
  }
  const elsewhere = await post({ closed_behavior: menu({ 1: VOICEMAIL }, { otherwise: ring(HIGH_COST) }) });
  assert.equal(refusal(elsewhere)[2], 'closed_behavior.otherwise.targets[0]');
});

test('the application is a target beside others, once in a list', async () => {
  for (const targets of [['application'], [PERSON, 'application'], ['application', PERSON]]) {
    const made = await make({ open_behavior: { ...ring(...targets), strategy: 'sequential' } });
    assert.deepEqual(made.open_behavior.targets, targets);
  }
  assert.deepEqual(refusal(await post({ open_behavior: ring('application', PERSON, 'application') })), [
    400,
    'invalid_body',
    'open_behavior.targets',
  ]);
  for (const target of ['Application', 'app', ' application']) {
    assert.equal(refusal(await post({ open_behavior: ring(target) }))[2], 'open_behavior.targets[0]', target);
  }
});

test('an evaluation shows where keys lead', async () => {
  const billing = ring('+16025550144');
  const doctor = menu({ '*': ring('application', PERSON) });
  const { id, open_behavior } = await make({ open_behavior: menu({ 1: billing, 2: doctor }) });
  const filled = open_behavior.options;
  const evaluate = async (wanted: object) => {
    const reply = await harness.call('POST', `/v1/routing_configs/${id}/evaluate`, { body: wanted });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const { at: _, open: __, ...where } = reply.body;
    return where;
  };
  assert.deepEqual(await evaluate({}), { behavior: open_behavior, targets: [] });
  const inMenu = { behavior: open_behavior, path: '', targets: [] };
  const inDoctor = { behavior: filled[2], path: '2', targets: [] };
  const atDoctor = { behavior: filled[2].options['*'], path: '2*', targets: ['application', PERSON] };
  for (const [digits, expected] of [
    ['', inMenu],
    ['9', inMenu],
    ['1', { behavior: filled[1], path: '1', targets: ['+16025550144'] }],
    ['91', { behavior: filled[1], path: '1', targets: ['+16025550144'] }],
    ['12*', { behavior: filled[1], path: '1', targets: ['+16025550144'] }],
    ['2', inDoctor],
    ['22', inDoctor],
    ['2*', atDoctor],
    ['2#*1', atDoctor],
    [`${'9'.repeat(30)}2*`, atDoctor],
  ] as const) {
    assert.deepEqual(await evaluate({ digits }), expected, digits);
  }
});

test('keys change nothing in the evaluation of a config without menus', async () => {
  const { id, open_behavior } = await make({});
  const { body } = await harness.call('POST', `/v1/routing_configs/${id}/evaluate`, { body: { digits: '1' } });
  assert.deepEqual([body.behavior, body.path, body.targets], [open_behavior, '', [PERSON]]);
});

test('an evaluation refuses what are no keys', async () => {
  const { id } = await make({});
  for (const digits of ['x', '1 2', '9'.repeat(33), 1, null]) {
    const reply = await harness.call('POST', `/v1/routing_configs/${id}/evaluate`, { body: { digits } });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', 'digits'], String(digits));
  }
});
