// The first command on a fresh clone. It needs only Node >= 20 and npm. It installs missing packages, then starts the
// pinned Node, which runs TypeScript without a build. It is plain JavaScript, because on a fresh clone there is neither
// type stripping nor any package.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { install } from './bootstrap/install.mjs';
import { isInstalled } from './bootstrap/installed.mjs';
import { canLaunch, fail, launch } from './bootstrap/launch.mjs';
import { findProgram } from './bootstrap/program.mjs';

const ROOT = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))));

/** The entry of the program. It runs from a build where one can be made. */
const PROGRAM = 'src/main.ts';

/** The entry of each command, and whether it needs the development packages. `dialplane` takes the user's arguments. */
const COMMANDS = {
  dialplane: { entry: PROGRAM, args: [], development: false },
  start: { entry: PROGRAM, args: ['start'], development: false },
  test: { entry: 'scripts/test.ts', args: [], development: true },
  'test:bare': { entry: 'scripts/test.ts', args: ['--bare'], development: true },
  'test:crash': { entry: 'scripts/test.ts', args: ['--crash'], development: true },
  'test:cells': { entry: 'scripts/test.ts', args: ['--cells'], development: true },
  'test:rolling': { entry: 'scripts/test.ts', args: ['--rolling'], development: true },
  'test:ha': { entry: 'scripts/test.ts', args: ['--ha'], development: true },
  'test:pack': { entry: 'scripts/test.ts', args: ['--pack'], development: true },
  'test:explore': { entry: 'scripts/explore.ts', args: [], development: true },
  'test:sip': { entry: 'scripts/test-sip.ts', args: [], development: true },
  example: { entry: 'scripts/example.ts', args: [], development: false },
  build: { entry: 'scripts/build.ts', args: [], development: true },
  check: { entry: 'scripts/check.ts', args: [], development: true },
  gen: { entry: 'scripts/gen.ts', args: [], development: true },
  'gen:examples': { entry: 'scripts/gen-examples.ts', args: [], development: true },
  'keep:openapi': { entry: 'scripts/check-openapi.ts', args: ['--keep'], development: true },
  'gen:telnyx': { entry: 'scripts/gen-telnyx-schemas.ts', args: [], development: true },
  'telnyx:emulator': { entry: 'scripts/telnyx-emulator.ts', args: [], development: true },
  'bench:ingress': { entry: 'bench/ingress.ts', args: [], development: true },
  'bench:bodies': { entry: 'bench/bodies.ts', args: [], development: true },
  'bench:send': { entry: 'bench/send.ts', args: [], development: true },
  'bench:request-log': { entry: 'bench/request-log.ts', args: [], development: true },
  'bench:webhooks': { entry: 'bench/webhooks.ts', args: [], development: true },
  'bench:jobs': { entry: 'bench/jobs.ts', args: [], development: true },
  'bench:realtime': { entry: 'bench/realtime.ts', args: [], development: true },
  'bench:media': { entry: 'bench/media.ts', args: [], development: true },
  'bench:relay': { entry: 'bench/relay.ts', args: [], development: true },
  'bench:start': { entry: 'bench/start.ts', args: [], development: true },
  'bench:utterances': { entry: 'bench/utterances.ts', args: [], development: true },
  'bench:answers': { entry: 'bench/answers.ts', args: [], development: true },
  'bench:voice-agent': { entry: 'bench/voice-agent.ts', args: [], development: true },
  'bench:voice': { entry: 'bench/voice.ts', args: [], development: true },
  'bench:retention': { entry: 'bench/retention.ts', args: [], development: true },
  'bench:storage': { entry: 'bench/storage.ts', args: [], development: true },
  'bench:operators': { entry: 'bench/operators.ts', args: [], development: true },
  'bench:growth': { entry: 'bench/growth.ts', args: [], development: true },
  'bench:sip': { entry: 'bench/sip.ts', args: [], development: true },
  'bench:voice-timers': { entry: 'bench/voice-timers.ts', args: [], development: true },
  'bench:voice-wire': { entry: 'bench/voice-wire.ts', args: [], development: true },
  'bench:emergency': { entry: 'bench/emergency.ts', args: [], development: true },
  'bench:scheduled': { entry: 'bench/scheduled.ts', args: [], development: true },
  'bench:console': { entry: 'bench/console.ts', args: [], development: true },
  'bench:slow-carrier': { entry: 'bench/slow-carrier.ts', args: [], development: true },
};

/**
 * Runs one command of COMMANDS under Node >= 26, after installing missing packages. Returns when the command has ended;
 * the process then ends with the command's exit code, or by the command's signal.
 */
export async function bootstrap(name, args) {
  const command = COMMANDS[name];
  if (command === undefined) return fail(`unknown command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}`);
  if (!canLaunch()) return;
  const { development } = command;
  const wasInstalled = isInstalled(ROOT, development);
  if (!wasInstalled) {
    const problem = await install(ROOT, development);
    if (problem !== undefined) return fail(problem);
  }
  const entry = command.entry === PROGRAM ? await findProgram(ROOT) : join(ROOT, command.entry);
  // The install may have replaced the running Node on disk; then the command starts under the new one.
  await launch(ROOT, entry, [...command.args, ...args], { newProcess: !wasInstalled });
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
  await bootstrap(process.argv[2] ?? 'start', process.argv.slice(3));
}
