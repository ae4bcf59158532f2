/** Writes the configuration of the engines: one folder for each engine, in the folder of the settings. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderEngineFiles } from './engine-files.ts';
import type { SipEngine, SipSettings } from './settings.ts';

/** The files contain passwords, so only their owner may read them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Writes the files that are missing or differ. Returns a sentence for each file, and one about loading them. Throws an
 * Error if the settings name no folder, or if the folder cannot be written.
 */
export async function setUpSip(settings: SipSettings): Promise<readonly string[]> {
  const { configFolder, engines } = settings;
  if (configFolder === undefined) throw new Error('config_folder: name the folder for the files of the engines');
  const did: string[] = [];
  for (const engine of engines) {
    const folder = join(configFolder, engine.name);
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    let isChanged = false;
    for (const [name, text] of renderEngineFiles(settings, engine)) {
      const path = join(folder, name);
      const made = await writeIfOther(path, text);
      isChanged ||= made !== 'unchanged';
      did.push(`${path}: ${made}`);
    }
    did.push(
      isChanged
        ? `Engine ${engine.name}: load the files on its machine with "load.sh ${folder}" of deploy/asterisk.`
        : `Engine ${engine.name}: nothing has changed.`,
    );
  }
  return did;
}

/** Writes a file atomically: if an engine loads it during the write, it reads the earlier file. */
async function writeIfOther(path: string, text: string): Promise<'made' | 'changed' | 'unchanged'> {
  const earlier = await readIfThere(path);
  if (earlier === text) {
    await chmod(path, FILE_MODE);
    return 'unchanged';
  }
  const written = `${path}.new`;
  await writeFile(written, text, { mode: FILE_MODE });
  await rename(written, path);
  return earlier === undefined ? 'made' : 'changed';
}

/** Returns the names of an engine's files that are missing or differ from the settings. */
export async function findOutdated(settings: SipSettings, engine: SipEngine, folder: string): Promise<string[]> {
  const outdated: string[] = [];
  for (const [name, text] of renderEngineFiles(settings, engine)) {
    if ((await readIfThere(join(folder, engine.name, name))) !== text) outdated.push(name);
  }
  return outdated;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
