/** The Markdown files of the product as pages. A page is rendered at its first request. */
import { SHOWN } from './links.ts';
import { type FilePage, renderFile } from './renderer.ts';
import { SITE_PAGES } from './site-map.ts';

const NAME = /^\w[\w-]*(\/\w[\w-]*)*$/;

const fileOfSlug = new Map(SITE_PAGES.flatMap(({ slug, file }) => (file === undefined ? [] : [[slug, file]])));

export type Library = {
  /** Returns a page by its path below /docs; undefined if there is none. */
  find(slug: string): Promise<FilePage | undefined>;
};

/** Keeps the rendered pages in memory. There are at most as many pages as files of the product. */
export function openLibrary(): Library {
  const pages = new Map<string, Promise<FilePage | undefined>>();
  return {
    find: (slug) => {
      const file = fileOf(slug);
      if (file === undefined) return Promise.resolve(undefined);
      const known = pages.get(slug);
      if (known !== undefined) return known;
      const page = renderFile(file);
      pages.set(slug, page);
      page.then(
        (found) => found ?? pages.delete(slug),
        () => pages.delete(slug),
      );
      return page;
    },
  };
}

/** Returns the file of a page, from the root of the product. */
function fileOf(slug: string): string | undefined {
  const listed = fileOfSlug.get(slug);
  if (listed !== undefined) return listed;
  const shown = slug.startsWith('files/') ? slug.slice('files/'.length) : undefined;
  if (shown !== undefined) return SHOWN.test(shown) && !shown.includes('..') ? shown : undefined;
  return NAME.test(slug) ? `docs/${slug}.md` : undefined;
}
