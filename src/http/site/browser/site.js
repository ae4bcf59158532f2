// The script of pages in the browser: search, tabs, copies of code, and the choice between light and dark.

/** Returns the value stored under a name; null in a browser that stores nothing. */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser without storage keeps the choice only until the page is left.
  }
}

const root = document.documentElement;
const theme = document.querySelector('.theme');
const isDark = () =>
  (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
function showTheme(chosen) {
  if (chosen) root.dataset.theme = chosen;
  theme.textContent = isDark() ? 'Light' : 'Dark';
}
showTheme(kept('theme'));
theme.hidden = false;
theme.addEventListener('click', () => {
  const chosen = isDark() ? 'light' : 'dark';
  keep('theme', chosen);
  showTheme(chosen);
});

const wide = matchMedia('(min-width: 52.01rem)');
const navigation = document.querySelector('.navigation');
const openWide = () => {
  navigation.open = wide.matches;
};
wide.addEventListener('change', openWide);
openWide();
navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.append(button);
}

/** Shows one language in all groups of tabs that have it. */
function choose(label) {
  for (const group of document.querySelectorAll('.tabs')) {
    const panels = [...group.querySelectorAll('.tab')];
    if (!panels.some((panel) => panel.dataset.tab === label)) continue;
    for (const panel of panels) panel.hidden = panel.dataset.tab !== label;
    for (const tab of group.querySelectorAll('[role="tab"]')) {
      const isChosen = tab.textContent === label;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }
}

for (const group of document.querySelectorAll('.tabs')) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  const panels = [...group.querySelectorAll('.tab')];
  for (const panel of panels) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.setAttribute('role', 'tab');
    tab.textContent = panel.dataset.tab;
    tab.addEventListener('click', () => {
      keep('language', tab.textContent);
      choose(tab.textContent);
    });
    list.append(tab);
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-label', panel.dataset.tab);
    panel.querySelector('h6').remove();
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const tabs = [...list.children];
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.click();
    next.focus();
  });
  group.prepend(list);
  choose(panels[0].dataset.tab);
}
const language = kept('language');
if (language) choose(language);

const input = document.querySelector('.search input');
const found = document.querySelector('#found');
let index;
/** Reads the texts of all pages, once. */
async function openIndex() {
  const [{ default: MiniSearch }, reply] = await Promise.all([
    import('/docs/assets/minisearch.js'),
    fetch('/docs/search.json'),
  ]);
  if (!reply.ok) throw new Error(`The search answered ${reply.status}.`);
  const search = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    storeFields: ['url', 'title', 'heading', 'text'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  await search.addAllAsync((await reply.json()).map((passage, id) => ({ id, ...passage })));
  return search;
}

async function show() {
  const query = input.value.trim();
  found.hidden = query === '';
  if (query === '') return;
  index ??= openIndex();
  let results;
  try {
    results = (await index).search(query).slice(0, 12);
  } catch {
    index = undefined;
    return found.replaceChildren(line('The search could not be loaded. Try again.'));
  }
  if (input.value.trim() !== query) return;
  found.replaceChildren(...(results.length > 0 ? results.map(entry) : [line('Nothing was found.')]));
}

function line(text) {
  const item = document.createElement('li');
  item.className = 'none';
  item.textContent = text;
  return item;
}

function entry({ url, title, heading, text }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const part = document.createElement('small');
  link.href = url;
  link.textContent = heading === title ? title : `${title}: ${heading}`;
  part.textContent = text.slice(0, 140);
  link.append(part);
  item.append(link);
  return item;
}

input.addEventListener('input', show);
input.addEventListener('focus', show);
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    input.focus();
  }
  if (!event.target.closest('.search')) return;
  const links = [...found.querySelectorAll('a')];
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || links.length === 0) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement) + step;
  (links[next] ?? input).focus();
});
