/** The program with the kinds of carriers of tests. */
import { runCli } from '../../src/cli/run.ts';
import { PAPER_KIND } from './paper-carrier.ts';

process.exitCode = await runCli(process.argv.slice(2), { kinds: [PAPER_KIND] });
