import { resumeInstallation } from '../../db/pause.ts';
import { type Command, tell } from '../command.ts';
import { withDatabase } from './install-database.ts';

export const resumeCommand: Command = {
  name: 'resume',
  usage: '',
  summary: 'End the pause of "start --paused": work continues, and the API accepts changes again',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const since = await withDatabase(terminal, resumeInstallation);
    const sentence =
      since === undefined
        ? 'This installation is not paused.'
        : `Resumed; it was paused since ${since.toISOString()}. All processes continue within 5 seconds.`;
    tell(terminal, { paused_since: since ?? null }, [sentence]);
    return 0;
  },
};
