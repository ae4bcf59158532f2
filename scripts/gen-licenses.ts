/** Makes the list of packages that Dialplane runs with, and their licences. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Entry = { version?: string; license?: string; dev?: boolean; optional?: boolean; link?: boolean };
type Package = { name: string; version: string; license: string; text: string | undefined };

const HEAD = `# Third-party licences

Dialplane runs with these packages. This file is generated from \`package-lock.json\` and the packages themselves
(\`npm run gen\`).

`;

/** A build for one platform; only that of this machine is installed, so its text cannot be part of the file. */
const PLATFORM_NOTE = `
The packages of PostgreSQL and Node have builds for one platform each. PostgreSQL is under the PostgreSQL licence, Node
under the MIT licence and those of its parts; both texts are in the packages.
`;

/** Returns the file: a table of the packages, then each licence text with the packages that have it. */
export function thirdPartyLicenses(root = '.'): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> };
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, entry]) => describe(root, path, entry))
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  const texts = Map.groupBy(packages, ({ text }) => text);
  const sections = [...texts].flatMap(([text, owners]) => {
    if (text === undefined) return [];
    const names = [...new Set(owners.map(({ name }) => name))].join(', ');
    return [`\n## ${names}\n\n\`\`\`\n${text}\n\`\`\`\n`];
  });
  const table = ['| Package | Version | Licence |', '| --- | --- | --- |', ...rows].join('\n');
  return `${HEAD}${table}\n${PLATFORM_NOTE}${sections.join('')}`;
}

function describe(root: string, path: string, { version = '', license, optional }: Entry): Package {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (license === undefined) throw new Error(`${name} names no licence in package-lock.json`);
  return { name, version, license, text: optional === true ? undefined : readText(join(root, path)) };
}

function readText(folder: string): string | undefined {
  const [file] = globSync('{LICENSE,LICENCE,License,license}{,.md,.txt,-MIT}', { cwd: folder }).sort();
  if (file === undefined) return undefined;
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').replaceAll('```', "'''").trim();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
