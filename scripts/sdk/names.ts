/** The names of the document's operations in the SDK. */

/** Exceptions from the rule below, where it would give an unexpected name. */
const NAMES: Readonly<Record<string, string>> = {
  placeCall: 'calls.create',
  createCallRelay: 'relays.create',
  getCallRelay: 'relays.get',
  deleteCallRelay: 'relays.delete',
  createCallStream: 'mediaStreams.create',
  listCallStreams: 'mediaStreams.list',
  deleteCallStream: 'mediaStreams.delete',
  getAuditLog: 'auditLog.list',
  getRequestLog: 'requestLog.list',
  getRequestLogEntry: 'requestLog.get',
  getUsage: 'usage.get',
  listPrices: 'usage.listPrices',
  getBalance: 'balance.get',
  listBalanceEntries: 'balance.listEntries',
  resetTestLedger: 'test.reset',
  search: 'search.find',
};

/** Tags whose name is no good name for a group of methods. */
const GROUPS: Readonly<Record<string, string>> = { 'Test mode': 'test', 'Usage and balance': 'usage' };

/** A method of the SDK: the property of the client that has it, and its own name. */
export type MethodName = { group: string; method: string };

/** Names the method of an operation: its tag, and its operationId without the words of the tag. */
export function methodName(operationId: string, tag: string): MethodName {
  const group = GROUPS[tag] ?? lowerFirst(pascal(tag));
  const fixed = NAMES[operationId];
  if (fixed !== undefined) {
    const [ownGroup = group, method = operationId] = fixed.split('.');
    return { group: ownGroup, method };
  }
  const ofTag = new Set(words(`${tag} ${group}`).flatMap((word) => [word, singular(word)]));
  const [verb = operationId, ...rest] = operationId.split(/(?=[A-Z])/);
  const kept = rest.filter((word) => !ofTag.has(word.toLowerCase()));
  return { group, method: lowerFirst([verb, ...kept].join('')) };
}

/** Returns `some name` or `some-name` or `some_name` as `SomeName`. */
function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => upperFirst(/^[A-Z]{2,}$/.test(word) ? word.toLowerCase() : word))
    .join('');
}

export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns `some_id` as `someId`. */
export const camel = (text: string) => lowerFirst(pascal(text));

/** Returns `someName` or `some_name` as `some-name`, the form of the command line. */
export const kebab = (text: string) => words(text).join('-');

const words = (text: string) =>
  text
    .split(/[^A-Za-z0-9]+|(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');

function singular(word: string): string {
  return word.endsWith('sses') ? word.slice(0, -2) : word.replace(/s$/, '');
}
