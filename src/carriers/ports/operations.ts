/**
 * The operations of the ports, and the answer if a request does not end in time or is not made.
 *
 * | | does not end in time | is not made |
 * | --- | --- | --- |
 * | `command`, `upload` | `unknown` | `unavailable` |
 * | `question` | `undecided` | `undecided` |
 * | `read`, `download` | throws carrier_unavailable (ApiError) | the same |
 */
import type { Carrier } from './carrier.ts';

/** `upload` and `download` carry files and may take longer than the other kinds. */
export type OperationKind = 'command' | 'upload' | 'question' | 'read' | 'download';

type Ports = Required<Omit<Carrier, 'name'>>;

/** The kinds that an operation with this answer may have. */
type KindOf<Answer> = Answer extends { outcome: string }
  ? 'command' | 'upload'
  : Answer extends { found: string }
    ? 'question'
    : 'read' | 'download';

type OperationsOf<Port> = {
  readonly [Name in keyof Port as Required<Port>[Name] extends (...args: never[]) => unknown
    ? Name
    : never]-?: Required<Port>[Name] extends (...args: never[]) => Promise<infer Answer> ? KindOf<Answer> : never;
};

/** The kind of each operation. The other properties of a port are not requests. */
export const OPERATIONS: { readonly [Capability in keyof Ports]: OperationsOf<Required<Ports[Capability]>> } = {
  numbers: { search: 'read', order: 'command', findOrder: 'question', release: 'command' },
  messaging: { send: 'command', findSend: 'question', fetchMedia: 'download' },
  registry: {
    createBrand: 'command',
    findBrand: 'question',
    sendBrandCode: 'command',
    confirmBrandCode: 'command',
    createCampaign: 'command',
    findCampaign: 'question',
    endCampaign: 'command',
    assignNumber: 'command',
    unassignNumber: 'command',
  },
  e911: { registerAddress: 'command', findAddress: 'question', removeAddress: 'command', assignAddress: 'command' },
  porting: {
    checkPortability: 'read',
    submitPortIn: 'upload',
    findPortIn: 'question',
    cancelPortIn: 'command',
  },
  voice: {
    dispatch: 'command',
    findCommand: 'question',
    findLegs: 'question',
    findRecording: 'question',
    fetchRecording: 'download',
    fetchUtterance: 'read',
  },
};
