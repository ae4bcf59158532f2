/**
 * Runs all quality gates, also after one has failed: `npm run check`. No gate writes a file that another one reads, so
 * two run at a time. Prints a line for each step, then the output of each failed step.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

type Step = { name: string; command: readonly [string, ...string[]] };

const node = process.execPath;
const tool = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const STEPS: readonly Step[] = [
  {
    name: 'format and lint',
    command: [node, tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--max-diagnostics=50', '.'],
  },
  { name: 'types', command: [node, tool('typescript/bin/tsc'), '-p', '.'] },
  { name: 'types of the softphone', command: [node, tool('typescript/bin/tsc'), '-p', 'packages/softphone'] },
  { name: 'types of the languages', command: [node, tool('typescript/bin/tsc'), '-p', 'packages/i18n'] },
  { name: 'types of the embeds', command: [node, tool('typescript/bin/tsc'), '-p', 'packages/embeds'] },
  { name: 'types of the SDK', command: [node, tool('typescript/bin/tsc'), '-p', 'packages/sdk'] },
  {
    name: 'types of the SDK as published',
    command: [node, tool('typescript/bin/tsc'), '-p', 'packages/sdk/tsconfig.build.json', '--noEmit'],
  },
  { name: 'types of the console', command: [node, tool('typescript/bin/tsc'), '-p', 'packages/console'] },
  { name: 'types of the examples', command: [node, tool('typescript/bin/tsc'), '-p', 'examples'] },
  { name: 'module boundaries', command: [node, script('check-boundaries.ts')] },
  { name: 'width of comments', command: [node, script('check-comments.ts')] },
  { name: 'texts of pages', command: [node, script('check-texts.ts')] },
  { name: 'hashes of packages', command: [node, script('check-lock.ts')] },
  { name: 'unused code', command: [node, tool('knip/bin/knip.js')] },
  { name: 'OpenAPI document', command: [node, script('check-openapi.ts')] },
  { name: 'generated files', command: [node, script('gen.ts'), '--check'] },
];

const STEPS_AT_A_TIME = 2;

type Outcome = { name: string; passed: boolean; output: string };

async function run({ name, command: [program, ...args] }: Step): Promise<Outcome> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const passed = await new Promise<boolean>((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (passed) for (const line of output.matchAll(/^warning: .*$/gm)) console.log(`        ${line[0]}`);
  return { name, passed, output };
}

async function main(): Promise<void> {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const outcomes: Outcome[] = [];
  const steps = STEPS.values();
  // Both runners read from one iterator, so each step runs once.
  const runSteps = async () => {
    for (const step of steps) outcomes.push(await run(step));
  };
  await Promise.all(Array.from({ length: STEPS_AT_A_TIME }, runSteps));
  const failed = outcomes.filter((outcome) => !outcome.passed);
  for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trimEnd()}`);
  console.log(failed.length > 0 ? `\n${failed.length} of ${STEPS.length} checks failed` : '\nall checks passed');
  process.exitCode = failed.length > 0 ? 1 : 0;
}

await main();
