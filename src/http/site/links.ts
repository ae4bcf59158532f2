/** Turns links between files of the product into links between pages. */
import { posix } from 'node:path';
import { SITE_PAGES } from './site-map.ts';

/** Files that pages show unchanged, below /docs/files. */
export const SHOWN = /^(config\.example\.env|(deploy|examples)\/[\w@./-]+\.\w+)$/;

/** Pictures that pages show, at their own path. */
export const PICTURE = /^docs\/screenshots\/[\w-]+\.webp$/;

/** The level of a passage that begins at an anchor in the text, for example in the row of an error code. */
export const ANCHOR_LEVEL = 7;

const slugOfFile = new Map(SITE_PAGES.flatMap(({ slug, file }) => (file === undefined ? [] : [[file, slug]])));

/**
 * Turns a link between files into a link between pages. Folders and source code have no page.
 * @param from the file that has the link, from the root of the product
 */
export function resolveLink(from: string, href: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(from), path);
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (file === 'docs/README.md' && suffix === '') return '/docs';
  const listed = slugOfFile.get(file);
  if (listed !== undefined) return `/docs/${listed}${suffix}`;
  if (SHOWN.test(file)) return `/docs/files/${file}`;
  if (PICTURE.test(file)) return `/${file}`;
  const inDocs = /^docs\/(.+)\.md$/.exec(file)?.[1];
  return inDocs === undefined ? undefined : `/docs/${inDocs}${suffix}`;
}
