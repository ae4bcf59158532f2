/** The part of an error catalogue entry that its page needs. */
export type DocumentedError = { status: number; group: string; message: string; remedy: string };

const OPENING = `<!-- Made by npm run gen from src/lib/errors/errors.ts. Edit there. -->

# Errors

Every refusal has the same shape, with a stable \`code\` to branch on; the message may be reworded at any time. Below is
each code, the HTTP status it comes with, what it means, and what to do about it.
`;

/**
 * Makes docs/errors.md: a section per group in the order of `groups` (name -> title), a row per code in the order of
 * `errors`. Each row has an anchor named as the code; the links of error replies lead to it.
 * @throws Error if a code names a group that is not in `groups`
 */
export function errorPages(
  errors: Readonly<Record<string, DocumentedError>>,
  groups: Readonly<Record<string, string>>,
): string {
  const rows = new Map(Object.keys(groups).map((group) => [group, [] as string[]]));
  for (const [code, { status, group, message, remedy }] of Object.entries(errors)) {
    const section = rows.get(group);
    if (section === undefined) throw new Error(`The error ${code} names the unknown group ${group}.`);
    section.push(`| <a id="${code}"></a>\`${code}\` | ${status} | ${cell(message)} | ${cell(remedy)} |`);
  }
  const sections = [...rows].map(([group, lines]) =>
    [`\n## ${groups[group]}\n`, '| Code | Status | Meaning | What to do |', '| --- | --- | --- | --- |', ...lines].join(
      '\n',
    ),
  );
  return `${OPENING}${sections.join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}
