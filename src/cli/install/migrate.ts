import { type Command, tell } from '../command.ts';
import { withDatabase } from './install-database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Apply the migrations of this version, as a start does, without serving',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const applied = await withDatabase(terminal, async (_db, names) => names);
    const sentences = applied.length === 0 ? ['All migrations are applied.'] : [...applied];
    tell(terminal, { applied }, sentences);
    return 0;
  },
};
