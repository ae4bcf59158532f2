/** `dialplane open`: shows a page of the server in the browser. */
import { spawn } from 'node:child_process';
import { PROGRAM } from '../../lib/program.ts';
import { readClientEnvironment } from '../../server/settings/client-environment.ts';
import { type Command, tell, UsageError } from '../command.ts';
import { ACCESS_MEANINGS, findUrl } from './server-access.ts';

/** The pages, by the name that a user types. */
const PAGES: Readonly<Record<string, string>> = {
  docs: '/docs',
  api: '/docs/api',
  operations: '/docs/operations',
  events: '/docs/events',
  errors: '/docs/errors',
};

const NAMES = Object.keys(PAGES).join('|');

export const openCommand: Command = {
  name: 'open',
  usage: `${NAMES} [--url URL] [--profile NAME]`,
  summary: 'Open a page of the server in the browser: its guides, or the reference of the API',
  positionals: 1,
  options: ['url', 'profile'],
  meanings: { url: ACCESS_MEANINGS.url, profile: ACCESS_MEANINGS.profile },
  examples: [`${PROGRAM} open docs`, `${PROGRAM} open api --profile staging`],
  run: async (args, terminal) => {
    const [name = ''] = args.positionals;
    const path = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
    if (path === undefined) throw new UsageError(`there is no page "${name}"; give ${NAMES.replaceAll('|', ', ')}`);
    const url = `${findUrl(args, terminal)}${path}`;
    const opened = readClientEnvironment().hasDesktop && (await openInBrowser(url));
    tell(terminal, { url, opened }, [opened ? `Opened ${url} in the browser.` : url]);
    return 0;
  },
};

/** Opens the address in the browser. Returns false if the system has no program for it. */
function openInBrowser(url: string): Promise<boolean> {
  const [program, args] = openerOf(process.platform, url);
  return new Promise((resolve) => {
    const opener = spawn(program, args, { detached: true, stdio: 'ignore' });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}

function openerOf(platform: NodeJS.Platform, url: string): [program: string, args: string[]] {
  if (platform === 'darwin') return ['open', [url]];
  // `start` of cmd cannot be used: it interprets & and % in an address.
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
