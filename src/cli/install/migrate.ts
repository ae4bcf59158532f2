import { listCells } from '../../db/cells.ts';
import { type Command, tell } from '../command.ts';
import { useCell, withDatabase } from './install-database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Apply the migrations of this version, as a start does, without serving',
  description: 'It migrates the database and those of all cells.',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const cells: { cell: string; applied: readonly string[] }[] = [];
    const applied = await withDatabase(terminal, async (db, names) => {
      for (const cell of (await listCells(db)).filter(({ state }) => state === 'open')) {
        const inCell = await useCell(cell, terminal, async (_db, more) => more);
        cells.push(...(inCell.length === 0 ? [] : [{ cell: cell.name, applied: inCell }]));
      }
      return names;
    });
    const ofCells = cells.flatMap(({ cell, applied }) => applied.map((name) => `${name} in cell ${cell}`));
    const sentences = [...applied, ...ofCells];
    tell(terminal, { applied, cells }, sentences.length === 0 ? ['All migrations are applied.'] : sentences);
    return 0;
  },
};
