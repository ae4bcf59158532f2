// Starts the program under Node >= 26: this one, or the Node that npm installed next to the program.
import process from 'node:process';
import { isPinned, pinnedNode } from './pinned-node.mjs';
import { runHere, runUnder } from './run.mjs';

const NODE_MAJOR_TO_START = 20;
const NODE_MAJOR_TO_RUN = 26;
const hostMajor = Number(process.versions.node.split('.')[0]);

/** Returns false and prints an error if this Node is too old for the launcher itself. */
export function canLaunch() {
  if (hostMajor >= NODE_MAJOR_TO_START) return true;
  fail(`this is Node ${process.versions.node}; Dialplane needs Node ${NODE_MAJOR_TO_START} or newer to start`);
  return false;
}

/**
 * Runs the entry. Returns when the program has ended; the process then ends with the program's exit code, or by its
 * signal. `newProcess` starts the program in another process, also if this Node is new enough.
 */
export async function launch(root, entry, args, { newProcess = false } = {}) {
  const isNewEnough = hostMajor >= NODE_MAJOR_TO_RUN;
  if (isNewEnough && !newProcess) return runHere(entry, args);
  const node = isNewEnough ? process.execPath : pinnedNode(root);
  if (node === undefined) return fail(missingNode(root));
  const problem = await runUnder(node, entry, args);
  if (problem !== undefined) fail(problem);
}

/** Reports a problem that keeps the program from starting. */
export function fail(problem) {
  process.stderr.write(`dialplane: ${problem}\n`);
  process.exitCode = 1;
}

function missingNode(root) {
  const platform = `${process.platform}-${process.arch}`;
  const advice = `install Node ${NODE_MAJOR_TO_RUN} or newer yourself and start again`;
  if (!isPinned(root)) return `no Node ${NODE_MAJOR_TO_RUN} is published for ${platform}; ${advice}`;
  return `Node ${NODE_MAJOR_TO_RUN} for ${platform} is missing: npm left out its optional packages. Run "npm install --include=optional" in the folder with your package.json, or ${advice}`;
}
