/** Checks whether the engines of a connection work in the way that its settings describe. It only reads. */
import { textAt } from '../../../lib/json-object.ts';
import { PROGRAM } from '../../../lib/program.ts';
import type { ConnectionFinding } from '../../adapter.ts';
import type { AriAnswer, EngineClient } from '../ari-client.ts';
import { readEndpointStates } from '../trunk-states.ts';
import { FORBIDDEN_MODULES, NEEDED_MODULES } from './modules-conf.ts';
import { emergencyTrunksOf, type SipEngine, type SipSettings } from './settings.ts';
import { findOutdated } from './setup.ts';
import { isOfTenant } from './telephones.ts';
import { endpointOfTrunk } from './trunk-endpoints.ts';

/**
 * The oldest usable minor version of each branch. Audio sockets carry control messages in JSON from 22.8 and 23.2 on.
 * Refusals are reported with the right status from 22.9 and 23.3 on.
 */
const MINOR_MIN: Readonly<Record<number, number>> = { 22: 9, 23: 3 };
const LAST_BRANCH = 23;

export type CheckedConnection = {
  /** The name of the connection, for the commands that findings advise. */
  readonly name: string;
  readonly settings: SipSettings;
  /** By the engine's name in the settings. */
  readonly engines: ReadonlyMap<string, Pick<EngineClient, 'ask'>>;
};

type Asker = Pick<EngineClient, 'ask'>;

/** Checks every engine: its files, its answer, its modules, its trunks and its recording folder. */
export async function checkSip(connection: CheckedConnection): Promise<readonly ConnectionFinding[]> {
  const { engines, phones } = connection.settings;
  const found = await Promise.all(engines.map((engine) => checkEngine(connection, engine)));
  return [...found.flat(), ...(phones.length > 0 ? checkTelephones(connection.settings) : [])];
}

/** Returns facts that the users of the telephones must know. */
function checkTelephones(settings: SipSettings): readonly ConnectionFinding[] {
  const [first] = emergencyTrunksOf(settings);
  const [owned, others] = [settings.phones.filter(isOfTenant), settings.phones.filter((phone) => !isOfTenant(phone))];
  const kinds = [
    { check: 'telephones', phones: others, reach: 'the numbers of your tenants', limit: 'no other number' },
    { check: "tenants' telephones", phones: owned, reach: 'what web clients of their tenants reach', limit: undefined },
  ];
  return kinds.flatMap(({ check, phones, reach, limit }): ConnectionFinding[] => {
    if (phones.length === 0) return [];
    if (first === undefined) {
      const found = `they reach ${reach}${limit === undefined ? '' : `, ${limit}`}, and neither 911 nor 933`;
      const advice = 'Tell the people who have them, and give them another telephone for emergencies.';
      return [{ check, state: 'note', found, advice }];
    }
    const found = `they reach ${reach}, and 911 and 933 over trunk ${first.name}${limit === undefined ? '' : `, but ${limit}`}`;
    const advice = `Register the place of each telephone's number at the provider of ${first.name}, and dial 933 from each.`;
    return [{ check, state: 'note', found, advice }];
  });
}

async function checkEngine(connection: CheckedConnection, engine: SipEngine): Promise<readonly ConnectionFinding[]> {
  const files = await checkFiles(connection, engine);
  const client = connection.engines.get(engine.name);
  if (client === undefined) return [files];
  const answers = await checkAnswer(client, engine);
  if (answers.state === 'bad') return [files, answers];
  const [modules, trunks, recordings] = await Promise.all([
    checkModules(client, engine),
    checkTrunks(client, engine, connection.settings),
    checkRecordings(client, engine),
  ]);
  return [files, answers, modules, ...trunks, recordings];
}

async function checkFiles({ name, settings }: CheckedConnection, engine: SipEngine): Promise<ConnectionFinding> {
  const check = `engine ${engine.name}: files`;
  const { configFolder } = settings;
  if (configFolder === undefined) {
    const advice = 'Set config_folder, if Dialplane should write the configuration of the engine.';
    return { check, state: 'note', found: 'kept by hand', advice };
  }
  const outdated = await findOutdated(settings, engine, configFolder);
  if (outdated.length === 0) return { check, state: 'good', found: 'as the settings say' };
  const advice = `Run "${PROGRAM} carriers setup ${name}" and load the files at the engine.`;
  return { check, state: 'bad', found: `missing or changed: ${outdated.join(', ')}`, advice };
}

async function checkAnswer(client: Asker, { name, url }: SipEngine): Promise<ConnectionFinding> {
  const check = `engine ${name}`;
  const answer = await client.ask({ method: 'GET', path: '/asterisk/info', query: { only: 'system' } });
  if (answer.is === 'refused' && answer.status === 401) {
    const advice = 'Load the files of "carriers setup" at the engine: ari.conf has the password.';
    return { check, state: 'bad', found: 'the password is wrong', advice };
  }
  if (answer.is !== 'answered') {
    const advice = `Look whether Asterisk runs, and whether this machine reaches ${url}.`;
    return { check, state: 'bad', found: reasonFor(answer), advice };
  }
  const version = textAt(answer.body, 'system', 'version') ?? 'unknown';
  if (isNewEnough(version)) return { check, state: 'good', found: `Asterisk ${version}` };
  const advice = 'Install Asterisk 22.9 or newer; of Asterisk 23, 23.3 or newer.';
  return { check, state: 'bad', found: `Asterisk ${version}`, advice };
}

function isNewEnough(version: string): boolean {
  const [, branch, minor] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  if (branch === undefined || minor === undefined) return false;
  return branch > LAST_BRANCH || minor >= (MINOR_MIN[branch] ?? Number.POSITIVE_INFINITY);
}

async function checkModules(client: Asker, { name }: SipEngine): Promise<ConnectionFinding> {
  const check = `engine ${name}: modules`;
  const answer = await client.ask({ method: 'GET', path: '/asterisk/modules' });
  const listed = answer.is === 'answered' && Array.isArray(answer.body) ? answer.body : undefined;
  if (listed === undefined) return unread(check, answer);
  const running = new Set(
    listed.filter((module) => textAt(module, 'status') === 'Running').map((module) => textAt(module, 'name')),
  );
  const forbidden = FORBIDDEN_MODULES.filter((module) => running.has(module));
  const advice = 'Load modules.conf of "carriers setup" at the engine, and restart it.';
  if (forbidden.length > 0) {
    return { check, state: 'bad', found: `loaded, and can block the engine: ${forbidden.join(', ')}`, advice };
  }
  const missing = NEEDED_MODULES.filter((module) => !running.has(module));
  if (missing.length > 0) return { check, state: 'bad', found: `not loaded: ${missing.join(', ')}`, advice };
  return { check, state: 'good', found: `the ${NEEDED_MODULES.length} that calls need` };
}

/** A trunk is online while its provider answers the engine's OPTIONS requests. */
async function checkTrunks(client: Asker, { name }: SipEngine, settings: SipSettings): Promise<ConnectionFinding[]> {
  const { trunks } = settings;
  if (trunks.length === 0) return [];
  const read = await readEndpointStates(client);
  if (read.states === undefined) return [unread(`engine ${name}: trunks`, read.answer)];
  const { states } = read;
  return trunks.map(({ name: trunk, host, port, transport }) => {
    const check = `engine ${name}: trunk ${trunk}`;
    const state = states.get(endpointOfTrunk(settings, trunk));
    if (state === 'online') return { check, state: 'good', found: 'answers' };
    if (state === undefined) {
      const advice = 'Load pjsip.conf of "carriers setup" at the engine.';
      return { check, state: 'bad', found: 'the engine does not have it', advice };
    }
    const address = port === undefined ? host : `${host}:${port}`;
    const advice = `Look whether ${address} answers OPTIONS over ${transport} from the engine's address.`;
    return { check, state: 'bad', found: 'no answer', advice };
  });
}

async function checkRecordings(client: Asker, { name }: SipEngine): Promise<ConnectionFinding> {
  const check = `engine ${name}: recordings`;
  const answer = await client.ask({ method: 'GET', path: '/recordings/stored' });
  if (answer.is === 'answered') return { check, state: 'good', found: 'the folder is there' };
  if (answer.is !== 'refused') return unread(check, answer);
  const advice = 'Make the folder "recording" in the spool folder of Asterisk, for the user of Asterisk.';
  return { check, state: 'bad', found: 'the folder cannot be read', advice };
}

function unread(check: string, answer: AriAnswer): ConnectionFinding {
  const advice = 'Try again. If it stays so, look at the log of the engine.';
  return { check, state: 'bad', found: reasonFor(answer), advice };
}

function reasonFor(answer: AriAnswer): string {
  if (answer.is === 'refused') return `refused: ${answer.reason}`;
  return answer.is === 'unavailable' ? 'cannot be reached' : 'no usable answer';
}
