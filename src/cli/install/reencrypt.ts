import { listCells } from '../../db/cells.ts';
import { PROGRAM } from '../../lib/program.ts';
import { countByKey, reencrypt, type SealedCount } from '../../server/sealed/reencrypt.ts';
import { type Command, tell } from '../command.ts';
import { cipherOfInstall } from './cipher-of-install.ts';
import { withDatabase } from './install-database.ts';

export const reencryptCommand: Command = {
  name: 'reencrypt',
  usage: '',
  summary: 'Encrypt again with the newest DIALPLANE_SECRET, so that the older ones can be dropped',
  description:
    'Run it with the secrets of the servers, the new one first, when every server has the new one. Servers keep ' +
    'running. It works in batches; if it is interrupted, run it again.',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const { done, left, cells } = await withDatabase(terminal, async (db) => {
      const cipher = cipherOfInstall();
      const cells = (await listCells(db)).map(({ name }) => name);
      return { done: await reencrypt(db, cipher), left: await countByKey(db, cipher), cells };
    });
    const needed = left.filter(({ older, unknown }) => older + unknown > 0);
    const sentences = [
      ...done.map(({ name, count }) => `Encrypted again: ${count} ${name}`),
      needed.length === 0
        ? `All of it is encrypted with the newest secret. Drop the older ones ${describeDrop(cells)}.`
        : `Still under another secret: ${describeNeeded(needed)}.`,
    ];
    tell(terminal, { reencrypted: done, left: needed }, sentences);
    return needed.length === 0 ? 0 : 1;
  },
};

/**
 * Returns a sentence about when the older secrets can be dropped. Cells have separate values. A cell is not served if a
 * secret of its values is missing.
 */
function describeDrop(cells: readonly string[]): string {
  const day = 'a day after every server has it';
  if (cells.length === 0) return day;
  return `${day}, and after "${PROGRAM} reencrypt --cell NAME" for ${cells.join(', ')}`;
}

/** Returns a sentence about the values that an older secret encrypted. */
export function describeNeeded(counts: readonly SealedCount[]): string {
  return counts
    .filter(({ older, unknown }) => older + unknown > 0)
    .map(({ name, older, unknown }) => `${older + unknown} ${name}`)
    .join(', ');
}
