import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLiterals } from './check-texts.ts';
import { readSources } from './source-files.ts';

const find = (text: string, path = 'packages/embeds/src/view.ts') =>
  findLiterals(new Map([[path, text]])).map((literal) => literal.text);

test('the components of the elements hold no text that people read', () => {
  assert.deepEqual(findLiterals(readSources('.')), []);
});

test('a text in markup is found, between tags, in an attribute that is read, and around values', () => {
  assert.deepEqual(find('html`<p class="note muted">No calls yet.</p>`'), ['No calls yet.']);
  assert.deepEqual(find('html`<button class="icon" aria-label="New text" part="send">${icon}</button>`'), ['New text']);
  assert.deepEqual(find('html`<p>Call with ${person} ended</p>`'), ['Call with', 'ended']);
  assert.deepEqual(find('html`<img alt="Picture ${at}" src=${url} />`'), ['Picture']);
});

test('a text that is substituted in markup is found, also small and in a choice', () => {
  assert.deepEqual(find("html`<b>${isDone ? 'done' : open ? `by ${name}` : nothing}</b>`"), ['done', 'by']);
  assert.deepEqual(find("html`<input placeholder=${(hint ?? 'number') || 'any'} class=${a ? 'a b' : ''} />`"), [
    'number',
    'any',
  ]);
});

test('a text in code is found: a table of states, a sentence, a label of an object', () => {
  assert.deepEqual(find("const STATES = { ready: 'Ready', out: 'Not connected' };"), ['Ready', 'Not connected']);
  assert.deepEqual(find("this.problem = 'The text could not be sent.';"), ['The text could not be sent.']);
  assert.deepEqual(find('announce(`${count} new texts`);'), ['new texts']);
  assert.deepEqual(find("toggle({ label: 'mute', on });"), ['mute']);
});

test('a text in JSX is found, as a child, in an attribute that is read, and in a property of a component', () => {
  const jsx = `const view = <Page title="calls" className="a b"><><p>Nothing yet{isOld ? ' since noon' : ''}</p>{'small'}</><Row of="Two words" /></Page>;`;
  assert.deepEqual(find(jsx, 'packages/embeds/src/view.tsx'), [
    'calls',
    'Nothing yet',
    'since noon',
    'small',
    'Two words',
  ]);
});

test('codes, classes, keys, addresses, entities and what is compared are no texts', () => {
  const code = `
    import { A } from 'A module';
    type State = 'In use' | 'Free';
    const path = \`/calls/\${id}?limit=\${many}\`;
    if (event.key === 'Escape' || 'Notification' in globalThis) throw new Error('Nothing was made.');
    const icon = svg\`<path d="M5 4h3.5l1.8 4.4-2.2 1.6Z" />\`;
    const sheet = css\`p { color: red; }\`;
    html\`<p class="entry out" part=\${isOut ? 'bubble bubble-out' : 'bubble'} @click=\${() => send('call-ended')}>&nbsp;·</p>\`;
  `;
  assert.deepEqual(find(code), []);
});

test('the tables themselves, and other packages, are left alone', () => {
  for (const path of ['packages/embeds/src/texts/en.ts', 'packages/sdk/src/client.ts']) {
    assert.deepEqual(find("const text = 'Not connected';", path), [], path);
  }
});
