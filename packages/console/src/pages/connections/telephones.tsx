import type { CarrierConnection } from '../../api/generated/operator-types.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Code } from '../../ui/code.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

/** The setting of a SIP connection that has the telephones. */
export const PHONES_SETTING = 'phones';

/** A telephone as the setting has it: docs/carriers/sip.md. */
type Telephone = {
  readonly number: string;
  readonly name?: string;
  readonly tenant?: string;
  readonly extensions?: readonly { readonly digits: string; readonly to: string }[];
};

/** The telephones of a SIP engine: their addresses, tenants, numbers and extensions. Nothing for other connections. */
export function Telephones({ connection: { name, settings } }: { connection: CarrierConnection }) {
  const text = settings[PHONES_SETTING];
  if (text === undefined) return null;
  // The server accepts no other form.
  const telephones = JSON.parse(text) as readonly Telephone[];
  return (
    <Section title="Telephones">
      <Table
        label="Telephones"
        rows={telephones}
        rowId={(telephone) => telephone.name ?? telephone.number}
        columns={[
          { title: 'Address', cell: (telephone) => <Address {...telephone} /> },
          { title: 'Number', cell: ({ number }) => formatNumber(number) },
          { title: 'Tenant', cell: ({ tenant }) => (tenant === undefined ? '–' : <code>{tenant}</code>) },
          { title: 'Extensions', cell: ({ extensions = [] }) => <Extensions extensions={extensions} /> },
        ]}
      />
      <p>
        The address is what a routing rings and a call connects to. The files of the engine are made from the setting,
        so a number, a name or an extension is changed by commands on the server:
      </p>
      <Code
        label="The commands that change the telephones"
        text={`npx dialplane carriers change ${name} --set '${PHONES_SETTING}=[…]'\nnpx dialplane carriers setup ${name}`}
      />
    </Section>
  );
}

function Address({ name, number }: Telephone) {
  return <code>{name === undefined ? number : `sip_phone:${name}`}</code>;
}

function Extensions({ extensions }: { extensions: NonNullable<Telephone['extensions']> }) {
  if (extensions.length === 0) return '–';
  return extensions.map(({ digits, to }) => (
    <div key={digits}>
      <code>{digits}</code> → <code>{to}</code>
    </div>
  ));
}
