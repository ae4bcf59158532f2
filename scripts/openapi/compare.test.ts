/** Changes that break callers of a released document are reported; other changes are not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { breakingChanges, type Document } from './compare-documents.ts';

type Json = ReturnType<typeof JSON.parse>;

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as Document;

/** Returns the breaking changes if the document is changed in this way. */
function after(change: (changed: Json) => void): string[] {
  const changed = JSON.parse(text);
  change(changed);
  return breakingChanges(document, changed as Document);
}

const SEND = 'POST /v1/messages body';

test('the same document breaks nothing', () => assert.deepEqual(breakingChanges(document, document), []));

const BREAKING: readonly [string, (changed: Json) => void, RegExp][] = [
  ['an operation goes', (d) => delete d.paths['/v1/messages'].post, /^POST \/v1\/messages is gone$/],
  ['an event goes', (d) => delete d.webhooks['message.sent'], /^the event message.sent is gone$/],
  [
    'an operation is renamed',
    (d) => (d.paths['/v1/messages'].post.operationId = 'send'),
    /operationId was sendMessage/,
  ],
  ['a parameter goes', (d) => d.paths['/v1/tenants'].get.parameters.shift(), /the parameter query \w+ is gone/],
  [
    'a parameter becomes required',
    (d) => (d.paths['/v1/tenants'].get.parameters[0].required = true),
    /the parameter query \w+ is required now/,
  ],
  ['a field of a body goes', (d) => delete d.components.schemas.SendMessage.properties.metadata, /metadata is gone/],
  [
    'a field of a body becomes required',
    (d) => d.components.schemas.SendMessage.required.push('metadata'),
    new RegExp(`^${SEND}.metadata is required now$`, 'm'),
  ],
  [
    'a new field of a body is required',
    (d) => {
      d.components.schemas.SendMessage.properties.purpose = { type: 'string' };
      d.components.schemas.SendMessage.required.push('purpose');
    },
    /purpose is new and required/,
  ],
  [
    'a text gets shorter',
    (d) => (d.components.schemas.SendMessage.properties.body.maxLength = 10),
    /maxLength was 8192/,
  ],
  [
    'a body takes another type',
    (d) => (d.components.schemas.SendMessage.properties.body.type = 'integer'),
    /the type was string and is integer/,
  ],
  [
    'a value is no longer accepted',
    (d) =>
      d.components.schemas.PlaceCall.properties.record &&
      d.components.schemas.CreateBrand.properties.entity_type.enum.pop(),
    /entity_type: \w+ is no longer accepted/,
  ],
  ['a field of a reply goes', (d) => delete d.components.schemas.Message.properties.segments, /segments is gone/],
  [
    'a field of a reply may be absent',
    (d) => d.components.schemas.Message.required.splice(0, 1),
    /201\.\w+ may be absent now/,
  ],
  [
    'a reply has a new value',
    (d) => d.components.schemas.Message.properties.status.enum.push('lost'),
    /status: lost is a new value/,
  ],
  [
    'a field of a reply may be null',
    (d) => (d.components.schemas.Message.properties.body.type = ['string', 'null']),
    /the type was string and is string or null/,
  ],
  [
    'a status of success changes',
    (d) => {
      const { responses } = d.paths['/v1/messages'].post;
      responses['202'] = responses['201'];
      delete responses['201'];
    },
    /no longer replies 201/,
  ],
  [
    'a schema is renamed',
    (d) => delete d.components.schemas.CheckMessageReply && swapReply(d),
    /CheckMessageReply is gone/,
  ],
  [
    'an operation needs another key',
    (d) => (d.paths['/v1/messages'].post['x-key-access'] = 'account'),
    /needs a key of the account now/,
  ],
];

function swapReply(changed: Json): void {
  const { content } = changed.paths['/v1/messages/check'].post.responses['200'];
  content['application/json'].schema = { ...(document.components.schemas['CheckMessageReply'] as object) };
}

for (const [name, change, expected] of BREAKING) {
  test(`it is reported that ${name}`, () => {
    const found = after(change);
    assert.ok(
      found.some((line) => expected.test(line)),
      `found ${JSON.stringify(found)}`,
    );
  });
}

const HARMLESS: readonly [string, (changed: Json) => void][] = [
  ['a new operation', (d) => (d.paths['/v1/more'] = d.paths['/v1/tenants'])],
  ['a new field of a reply', (d) => (d.components.schemas.Message.properties.more = { type: 'string' })],
  ['a new optional field of a body', (d) => (d.components.schemas.SendMessage.properties.more = { type: 'string' })],
  [
    'a value that is accepted in addition',
    (d) => d.components.schemas.CreateBrand.properties.entity_type.enum.push('x'),
  ],
  ['a longer text', (d) => (d.components.schemas.SendMessage.properties.body.maxLength = 9_000)],
  ['another description', (d) => (d.paths['/v1/messages'].post.description = 'Sends.')],
];

for (const [name, change] of HARMLESS) {
  test(`${name} breaks nothing`, () => assert.deepEqual(after(change), []));
}
