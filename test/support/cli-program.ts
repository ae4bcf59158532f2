/** The program, with the kinds of carriers that tests use. */
import { runCli } from '../../src/cli/run.ts';
import { PAPER_KIND } from './paper-carrier.ts';

process.exitCode = await runCli(process.argv.slice(2), { kinds: [PAPER_KIND] });
