/** The part of an event's entry that its row needs. */
type DocumentedEvent = {
  readonly when: string;
  readonly docs?: { readonly when?: string; readonly data?: string };
  readonly sample: (at: string) => { readonly data: { readonly object: string } };
};

const HEAD = '| Type | When | `data` |\n| --- | --- | --- |\n';

/**
 * Returns the page with its table of events replaced by a new one.
 * @throws Error if the page has no such table
 */
export function withEventTable(page: string, events: Readonly<Record<string, DocumentedEvent>>): string {
  const start = page.indexOf(HEAD);
  if (start === -1) throw new Error('The page has no table of events.');
  const end = page.indexOf('\n\n', start);
  const rows = Object.entries(events).map(([type, event]) => `| \`${type}\` | ${cellsOf(event).join(' | ')} |`);
  return page.slice(0, start) + HEAD + rows.join('\n') + page.slice(end);
}

function cellsOf({ when, docs = {}, sample }: DocumentedEvent): string[] {
  const { object } = sample(new Date(0).toISOString()).data;
  const moment = when.replace(/\.$/, '');
  return [
    docs.when === undefined ? moment : `${moment} (${docs.when})`,
    docs.data === undefined ? object : `${object}, ${docs.data}`,
  ];
}
