/**
 * The image of a Dockerfile as folders, for machines without Docker. The steps run as root in a mount namespace, on a
 * copy-on-write layer over the file system of this machine, which stands for the base image. Its Node is the pinned
 * one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob, resolve } from 'node:path';
import process from 'node:process';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';
import { ROOT, SHELL } from './packs.ts';

/** The folders of a stage: `upper` holds what its steps have written. */
type Stage = { readonly upper: string; readonly work: string; readonly merged: string };

/** An image, and its settings for a container. */
export type Image = {
  readonly stage: Stage;
  readonly workingFolder: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  readonly volume: string;
  readonly stopSignal: string;
  readonly healthCheck: readonly string[];
  /** The program with its arguments. */
  readonly command: readonly string[];
};

/** Returns false if this machine can make such layers, or else the reason to skip a test. */
export function noLayers(folder: string): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'layers need root on Linux';
  const stage = makeStage(join(folder, 'probe'));
  const { status, stderr } = inNamespace(`${mountLayers(stage)}; chroot ${stage.merged} setpriv --version`);
  return status === 0 ? false : `layers cannot be made here: ${stderr.trim()}`;
}

/** Runs the steps of a Dockerfile in a folder. Uses caches of this machine where the Dockerfile mounts caches. */
export function buildImage(dockerfile: string, folder: string): Image {
  const text = readFileSync(join(ROOT, dockerfile), 'utf8');
  const context = copyContext(readFileSync(join(ROOT, `${dockerfile}.dockerignore`), 'utf8'), join(folder, 'context'));
  const stages = new Map<string, Stage>();
  let image: Image | undefined;
  for (const step of DockerfileParser.parse(text).getInstructions()) {
    if (step.getKeyword() === 'FROM') {
      const stage = makeStage(join(folder, `stage-${stages.size}`));
      stages.set(step.getArguments()[2]?.getValue() ?? '', stage);
      image = { ...EMPTY, stage };
    } else if (image !== undefined) {
      image = { ...image, ...take(step, image, (name) => (name === undefined ? context : stages.get(name)?.upper)) };
    }
  }
  if (image === undefined) throw new Error(`${dockerfile} has no stage`);
  return image;
}

const EMPTY = {
  workingFolder: '/',
  user: 'root',
  env: {},
  volume: '',
  stopSignal: 'SIGTERM',
  healthCheck: [],
  command: [],
};

/** Runs a step, and returns what it changes in the description of the image. */
function take(step: Instruction, image: Image, sourceOf: (stage?: string) => string | undefined): Partial<Image> {
  const raw = step.getRawArgumentsContent() ?? '';
  const words = step.getArguments().map((word) => word.getValue());
  const [first = ''] = words;
  switch (step.getKeyword()) {
    case 'WORKDIR':
      mkdirSync(join(image.stage.upper, first), { recursive: true });
      return { workingFolder: first };
    case 'COPY':
      copy(raw, image, sourceOf(/--from=(\S+)/.exec(step.getTextContent())?.[1]));
      return {};
    case 'RUN':
      runStep(raw, image);
      return {};
    case 'USER':
      return { user: first };
    case 'ENV':
      return { env: { ...image.env, ...Object.fromEntries(words.map((word) => word.split('=', 2))) } };
    case 'VOLUME':
      return { volume: first };
    case 'STOPSIGNAL':
      return { stopSignal: first };
    case 'HEALTHCHECK':
      return { healthCheck: JSON.parse(raw.slice(raw.indexOf('['))) };
    case 'ENTRYPOINT':
    case 'CMD':
      return { command: [...image.command, ...JSON.parse(raw)] };
    case 'EXPOSE':
      return {};
    default:
      throw new Error(`the step ${step.getKeyword()} is not known here`);
  }
}

function copy(raw: string, { stage, workingFolder }: Image, from: string | undefined): void {
  const sources = raw.split(/\s+/);
  const target = join(stage.upper, resolve(workingFolder, sources.pop() as string));
  for (const source of sources) {
    const path = join(from ?? '/nowhere', source);
    // Copies a file itself, but of a folder its contents.
    const isFile = /\.\w+$/.test(source);
    cpSync(path, isFile ? join(target, source) : target, { recursive: true, preserveTimestamps: true });
  }
}

function runStep(command: string, { stage, workingFolder }: Image): void {
  const inside = `cd ${workingFolder} && ${command}`;
  const { status, stdout, stderr } = inNamespace(`${mountLayers(stage)}; exec chroot ${stage.merged} sh -ec "$1"`, [
    inside,
  ]);
  if (status !== 0) throw new Error(`failed: ${command}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
}

/** Copies the committed files that the build sends to Docker. */
function copyContext(ignored: string, to: string): string {
  const rules = ignored
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({
      sends: line.startsWith('!'),
      pattern: line.replace(/^!/, ''),
    }));
  const matches = (file: string, pattern: string): boolean =>
    matchesGlob(file, pattern) || (dirname(file) !== '.' && matches(dirname(file), pattern));
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 });
  for (const file of stdout.split('\0').filter((each) => each !== '')) {
    if (rules.findLast(({ pattern }) => matches(file, pattern))?.sends !== false)
      cpSync(join(ROOT, file), join(to, file));
  }
  return to;
}

function makeStage(folder: string): Stage {
  const stage = { upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') };
  for (const path of Object.values(stage)) mkdirSync(path, { recursive: true });
  const programs = join(stage.upper, 'usr/local/bin');
  mkdirSync(programs, { recursive: true });
  // A mount needs a file to be mounted on.
  writeFileSync(join(programs, 'node'), '');
  return stage;
}

/** Returns the commands that mount a stage. */
function mountLayers({ upper, work, merged }: Stage): string {
  return [
    `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${merged}`,
    `mount --bind ${process.execPath} ${merged}/usr/local/bin/node`,
    `mount --rbind /proc ${merged}/proc`,
    `mount --rbind /dev ${merged}/dev`,
    `mount -t tmpfs tmpfs ${merged}/tmp`,
  ].join(' && ');
}

const ENVIRONMENT = { ...SHELL, PATH: `/usr/local/bin:${SHELL['PATH']}` };

function inNamespace(script: string, args: readonly string[] = []) {
  const words = ['--mount', 'sh', '-ec', script, 'sh', ...args];
  return spawnSync('unshare', words, { encoding: 'utf8', env: ENVIRONMENT });
}

/** Where a container keeps its data, and the settings that its operator gives it. */
export type ContainerSettings = { readonly data: string; readonly env: Readonly<Record<string, string>> };

/**
 * Starts a container of the image: its program, or another one. The process runs as the image's user, without any
 * capability. It can write only to /tmp and to the volume. The checkout is hidden. One container runs at a time.
 */
export function startContainer(image: Image, { data, env }: ContainerSettings, command = image.command) {
  const { merged } = image.stage;
  const script = [
    mountLayers(image.stage),
    `mount -o remount,ro ${merged}`,
    `mount --bind ${data} ${merged}${image.volume}`,
    `mkdir -p ${merged}${ROOT}`,
    `mount -t tmpfs -o ro tmpfs ${merged}${ROOT}`,
    `cd ${merged}`,
    'exec chroot . "$@"',
  ].join(' && ');
  return start('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...asUser(image, command)], { ...image.env, ...env });
}

/** Starts another program in a running container, as `docker exec` does. */
export function startInside(pid: number, image: Image, { env }: ContainerSettings, command: readonly string[]) {
  const entered = ['--target', String(pid), '--mount', '--root', '--', ...asUser(image, command)];
  return start('nsenter', entered, { ...image.env, ...env });
}

function asUser({ user, workingFolder }: Image, command: readonly string[]): string[] {
  const ids = ['--reuid', user, '--regid', user, '--clear-groups'];
  const rights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];
  return ['setpriv', '--pdeathsig', 'KILL', ...ids, ...rights, 'env', '-C', workingFolder, ...command];
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(program, args, { env: { PATH: ENVIRONMENT.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}
