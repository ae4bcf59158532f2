import { Link } from '@tanstack/react-router';
import type { CarrierConnection, Telephone } from '../../api/generated/operator-types.ts';
import { listTelephones } from '../../api/installation.ts';
import { useOperatorRead } from '../../api/operator-queries.ts';
import { useProgram } from '../../api/sign-in-options.ts';
import { Extensions } from '../../app/extensions.tsx';
import { ledgerPath } from '../../app/ledger.ts';
import { REGISTRATIONS_EVERY_MS, Registration } from '../../app/registration.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/connections.ts';
import { Code } from '../../ui/code.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

const t = texts.telephones;

/** The setting of a SIP connection that contains the telephones. */
export const PHONES_SETTING = 'phones';

/** The telephones of a SIP engine, each with the reports of the engines. Shows nothing for other connections. */
export function Telephones({ connection: { id, name, settings } }: { connection: CarrierConnection }) {
  const program = useProgram();
  const hasTelephones = settings[PHONES_SETTING] !== undefined;
  const { data: telephones, error } = useOperatorRead(['connections', id, 'telephones'], () => listTelephones(id), {
    enabled: hasTelephones,
    everyMs: REGISTRATIONS_EVERY_MS,
  });
  if (!hasTelephones) return null;
  return (
    <Section title={t.telephones}>
      {error !== null && <ErrorNote error={error} />}
      <Table
        label={t.telephones}
        rows={telephones ?? []}
        rowId={(telephone) => telephone.name ?? telephone.number}
        columns={[
          { title: t.address, cell: (telephone) => <Address {...telephone} /> },
          { title: t.number, cell: ({ number }) => formatNumber(number) },
          { title: t.tenant, cell: ({ tenant }) => <Tenant tenant={tenant} /> },
          { title: t.extensions, cell: ({ extensions }) => <Extensions extensions={extensions} /> },
          { title: t.registration, cell: ({ engines }) => <Registrations engines={engines} /> },
        ]}
      />
      <p>{t.addressWhatRouting}</p>
      <Code
        label={t.commandsChangeTelephones}
        text={`${program} carriers change ${name} --set '${PHONES_SETTING}=[…]'\n${program} carriers setup ${name}`}
      />
    </Section>
  );
}

function Address({ name, number }: Pick<Telephone, 'name' | 'number'>) {
  return <code>{name === null ? number : `sip_phone:${name}`}</code>;
}

/** A tenant by its name, with a link to its page in live mode. A tenant that does not exist has neither. */
function Tenant({ tenant }: Pick<Telephone, 'tenant'>) {
  if (tenant === null) return '–';
  const { id, name, account_id: accountId } = tenant;
  if (name === null || accountId === null) return <code>{id}</code>;
  return <Link to={ledgerPath({ accountId, mode: 'live' }, `tenants/${id}`)}>{name}</Link>;
}

/** The registrations that each engine reports. The name of an engine is shown only if there are several engines. */
function Registrations({ engines }: Pick<Telephone, 'engines'>) {
  return engines.map(({ engine, registration, since }) => (
    <div key={engine}>
      {engines.length > 1 && `${engine}: `}
      <Registration registration={registration} since={since} />
    </div>
  ));
}
