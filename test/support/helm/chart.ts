/** Renders the Helm chart of deploy/helm with Go's templates and sprig, as Helm does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { missing } from '../programs.ts';

const CHART = fileURLToPath(new URL('../../../deploy/helm/dialplane/', import.meta.url));
const RENDERER = fileURLToPath(new URL('render.go', import.meta.url));
/** The folder of Debian's packages of Go sources. */
const GO_SOURCES = '/usr/share/gocode';
const LIBRARIES = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml'];

export type Values = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: the manifests of many kinds, as they are in YAML
export type Manifest = any;

/** Returns false if the chart can be rendered here, otherwise the reason why not. */
export function cannotRender(): string | false {
  const hasLibraries = LIBRARIES.every((name) => existsSync(join(GO_SOURCES, 'src', name)));
  return missing('go') || (!hasLibraries && 'go is not installed');
}

/** Builds the renderer, and returns its path. */
export function buildRenderer(folder: string): string {
  const program = join(folder, 'render');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: GO_SOURCES, GOCACHE: join(folder, 'cache') };
  execFileSync('go', ['build', '-o', program, RENDERER], { env, stdio: 'pipe' });
  return program;
}

/** Renders the chart. Returns its manifests and its notes. @throws Error with Helm's message */
export function renderChart(program: string, values: Values): { manifests: Manifest[]; notes: string } {
  const release = { Name: 'phone', Namespace: 'telephony', Service: 'Helm' };
  const input = JSON.stringify({ chart: CHART, values, release });
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { 'NOTES.txt': notes = '', ...files } = JSON.parse(stdout) as Record<string, string>;
  const manifests = Object.values(files).flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS() ?? [];
    }),
  );
  return { manifests, notes };
}

export const readChart = (name: string): string => readFileSync(join(CHART, name), 'utf8');
