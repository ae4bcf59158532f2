/** The thread of `renderer.ts`: renders the requested files. */
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { resolveLink } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import type { FilePage, RenderAnswer, RenderRequest } from './renderer.ts';

const ROOT = new URL('../../../', import.meta.url);
const FILE_BYTES_MAX = 500_000;

async function render(file: string): Promise<FilePage | undefined> {
  const source = await readFile(new URL(file, ROOT), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  });
  if (source === undefined || source.length > FILE_BYTES_MAX) return undefined;
  const text = file.endsWith('.md') ? source : `# ${file}\n\n\`\`\`\`${languageOf(file)}\n${source}\n\`\`\`\`\n`;
  return { source, ...renderMarkdown(text, (href) => resolveLink(file, href)) };
}

/** The languages of file extensions that are not the language's own name. */
const EXTENSIONS: Readonly<Record<string, string>> = { '.mjs': 'js', '.py': 'python', '.yml': 'yaml', '.env': 'ini' };

function languageOf(file: string): string {
  const extension = posix.extname(file);
  return EXTENSIONS[extension] ?? extension.slice(1);
}

parentPort?.on('message', async ({ id, file }: RenderRequest) => {
  const answer: RenderAnswer = await render(file).then(
    (page) => ({ id, page }),
    (error: Error) => ({ id, problem: error.message }),
  );
  parentPort?.postMessage(answer);
});
