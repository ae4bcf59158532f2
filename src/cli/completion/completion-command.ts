/** `dialplane completion`: prints the script that completes command lines in a shell. */
import { PROGRAM } from '../../lib/program.ts';
import { type Command, UsageError } from '../command.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';

export const completionCommand: Command = {
  name: 'completion',
  usage: SHELLS.join('|'),
  summary: 'Print the script that completes commands and options in a shell',
  positionals: 1,
  options: [],
  examples: [
    `source <(${PROGRAM} completion bash)`,
    `source <(${PROGRAM} completion zsh)`,
    `${PROGRAM} completion fish > ~/.config/fish/completions/dialplane.fish`,
  ],
  run: ({ positionals: [wanted = ''] }, terminal) => {
    const shell = SHELLS.find((candidate) => candidate === wanted);
    if (shell === undefined) throw new UsageError(`there is no script for "${wanted}"; give ${SHELLS.join(', ')}`);
    const script = SCRIPTS[shell];
    terminal.out(terminal.json ? JSON.stringify({ shell, script }) : script);
    return Promise.resolve(0);
  },
};
