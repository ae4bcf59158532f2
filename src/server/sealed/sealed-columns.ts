/** The columns that are encrypted with DIALPLANE_SECRET for more than a day. */
import { credentialsContext } from '../../carriers/connections/credentials.ts';
import { cellContext } from '../../db/cells.ts';
import { einContext } from '../../domain/compliance/index.ts';
import { secretContext } from '../../domain/events/index.ts';
import { pinContext } from '../../domain/numbers/index.ts';
import { INSTALLATION_CONTEXT } from '../install/sealed-text.ts';

export type SealedColumn = {
  /** What the rows are, in the plural. */
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key in its order, with their SQL types. */
  readonly key: readonly (readonly [column: string, type: 'integer' | 'text' | 'boolean'])[];
  /** Returns the encryption context of a row by its primary key. */
  contextOf(key: readonly string[]): string;
};

const OF_LEDGER = [
  ['ledger_id', 'integer'],
  ['id', 'text'],
] as const;

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: 'connections to carriers',
    table: 'carrier_connections',
    column: 'credentials',
    key: [['id', 'text']],
    contextOf: ([id = '']) => credentialsContext(id),
  },
  {
    name: 'webhook secrets',
    table: 'webhook_secrets',
    column: 'secret',
    key: [
      ['ledger_id', 'integer'],
      ['endpoint_id', 'text'],
      ['id', 'text'],
    ],
    contextOf: ([ledgerId, endpointId = '', id = '']) => secretContext(Number(ledgerId), endpointId, id),
  },
  {
    name: 'EINs of brands',
    table: 'brands',
    column: 'ein',
    key: OF_LEDGER,
    contextOf: ([ledgerId, id = '']) => einContext(Number(ledgerId), id),
  },
  {
    name: 'PINs of port-ins',
    table: 'port_ins',
    column: 'pin',
    key: OF_LEDGER,
    contextOf: ([ledgerId, id = '']) => pinContext({ ledgerId: Number(ledgerId) }, id),
  },
  {
    name: 'addresses of cells',
    table: 'cells',
    column: 'url',
    key: [['number', 'integer']],
    contextOf: ([number = '']) => cellContext(number),
  },
  // This column must be the last. While an older secret encrypts it, no process starts without that secret.
  {
    name: 'text that checks the secret',
    table: 'installation',
    column: 'sealed',
    key: [['single', 'boolean']],
    contextOf: () => INSTALLATION_CONTEXT,
  },
];
