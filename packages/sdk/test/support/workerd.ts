/** Cloudflare's runtime of Workers, with a worker that uses the installed package. */
import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { blocksOf } from '../../../../test/support/doc-pages.ts';
import { until } from '../../../../test/support/jobs.ts';
import { killAtExit } from '../../../../test/support/kill-at-exit.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { findProgram } from '../../../../test/support/programs.ts';
import type { Project } from './built-package.ts';

export type WorkerOptions = {
  /** The date that chooses the behavior of the Worker's globals. */
  readonly compatibilityDate: string;
  readonly bindings: Readonly<Record<string, string>>;
};

const AGENT = fileURLToPath(new URL('worker-agent.mjs', import.meta.url));

/** Requests to /tenants list the tenants. All others go to the example of the README. */
const MAIN = `import example from './example.js';
import { listTenants } from './agent.js';
export default {
  fetch: (request, env) => (new URL(request.url).pathname === '/tenants' ? listTenants(env) : example.fetch(request)),
};
`;

/** Starts a worker on this machine, until the tests are over. Returns its host and port. */
export async function startWorker(project: Project, options: WorkerOptions): Promise<string> {
  const name = `worker-${options.compatibilityDate}.capnp`;
  const [example] = blocksOf('packages/sdk/README.md').filter(({ text }) => text.includes('WebSocketPair'));
  project.write('worker.js', MAIN);
  project.write('example.js', `import { accept } from './agent.js';\n${example?.text}`);
  copyFileSync(AGENT, join(project.folder, 'agent.js'));
  project.write(name, configOf(project, options));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(findProgram('workerd') ?? 'workerd', ['serve', name, `--socket-addr=http=${address}`], {
    cwd: project.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  closeAfterTests(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await until('the worker answers', async () => {
    if (child.exitCode !== null) throw new Error(`workerd has ended: ${output}`);
    return fetch(`http://${address}/`).then(
      (reply) => reply.status === 426,
      () => false,
    );
  });
  return address;
}

/** The configuration of a worker with these modules, by name. The worker may reach this machine. */
function configOf({ installed }: Project, { compatibilityDate, bindings }: WorkerOptions): string {
  const dist = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
  const files = dist
    .filter((file) => file.endsWith('.js'))
    .map((file) => [`sdk/${file}`, `node_modules/@dialplane/sdk/dist/${file}`]);
  const own = ['worker.js', 'example.js', 'agent.js'].map((file) => [file, file]);
  const modules = [...own, ...files].map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`);
  const texts = Object.entries(bindings).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  bindings = [${texts.join(', ')}],
  compatibilityDate = "${compatibilityDate}",
);
`;
}
