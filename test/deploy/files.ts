import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** Reads a file of the project. */
export function readProjectFile(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

export function pathOfProject(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** Parses YAML with the parser that the documentation of the API is made with. Fails on any error. */
export function parseYaml(text: string): unknown {
  const { parse } = createRequire(createRequire(import.meta.url).resolve('@fastify/swagger'))('yaml') as {
    parse(text: string, options: object): unknown;
  };
  return parse(text, { strict: true, merge: true });
}

/** The reason to skip tests that need a program, or false if it is installed. */
export function noProgram(name: string): string | false {
  const found = ['/usr/bin', '/usr/sbin', '/usr/local/bin'].some((folder) => existsSync(`${folder}/${name}`));
  return found ? false : `${name} is not installed here: NOT TESTED`;
}
