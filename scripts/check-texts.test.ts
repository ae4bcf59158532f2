import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLiterals } from './check-texts.ts';
import { readSources } from './source-files.ts';

const find = (text: string, path = 'packages/embeds/src/view.ts') =>
  findLiterals(new Map([[path, text]])).map((literal) => literal.text);

test('components hold no text that people read', () => {
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

test('in the console keys of reads, columns and elements for code are no texts', () => {
  const code = `
    const list = useRead(['calls', 'newest of all'], read);
    const columns = [{ width: 'minmax(0, 2fr) auto', title: 'From' }];
    const view = <p><code>dialplane start now</code><kbd>Ctrl K</kbd><Link to="/a b" search={{ of: 'Two words' }}>all</Link></p>;
  `;
  assert.deepEqual(find(code, 'packages/console/src/pages/overview/view.tsx'), ['From', 'all']);
});

test('a module that is loaded before the language reads no text while it is loaded', () => {
  const code = 'const NAMES = { a: t.a }; const nameOf = () => t.b; function draw() { return t.c; }';
  assert.deepEqual(find(code, 'packages/console/src/pages/overview/shell.tsx'), []);
  assert.deepEqual(find(code, 'packages/embeds/src/shell.ts'), []);
});

test('the tables themselves, and other packages, are left alone', () => {
  for (const path of ['packages/embeds/src/texts/en.ts', 'packages/sdk/src/client.ts']) {
    assert.deepEqual(find("const text = 'Not connected';", path), [], path);
  }
});
