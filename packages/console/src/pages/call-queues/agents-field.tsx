import { useState } from 'react';
import { useSipPhones, useWebClients } from '../../api/tenant-phones.ts';
import { e164Of } from '../../lib/numbers.ts';
import { texts } from '../../texts/call-queues.ts';
import { TextField } from '../../ui/field.tsx';
import { PickField } from '../../ui/pick-field.tsx';

const t = texts.agentsField;

type AgentsFieldProps = {
  /** Null while no tenant is chosen. */
  tenantId: string | null;
  agents?: readonly string[];
};

/** Asks for the agents of a queue, one in a line. Web clients and telephones of the tenant are added by their names. */
export function AgentsField({ tenantId, agents = [] }: AgentsFieldProps) {
  const [typed, setTyped] = useState(agents.join('\n'));
  const add = (agent: string) => setTyped([...agentsOf(typed).filter((each) => each !== agent), agent].join('\n'));
  return (
    <>
      <TextField
        name="agents"
        label={t.agentsOneLine}
        rows={4}
        value={typed}
        onChange={setTyped}
        placeholder="+16025550143"
        hint={t.numbersWebClients}
      />
      {tenantId !== null && <AddAgent key={tenantId} tenantId={tenantId} onAdd={add} />}
    </>
  );
}

/** Adds a web client or a telephone of a tenant by its name. */
function AddAgent({ tenantId, onAdd }: { tenantId: string; onAdd: (agent: string) => void }) {
  const clients = useWebClients(tenantId);
  const phones = useSipPhones(tenantId);
  const active = clients.rows.filter(({ status }) => status === 'active');
  const list = {
    ...clients,
    whole: undefined,
    rows: [
      ...phones.rows.map(({ id, name }) => ({ id, text: t.telephone(name) })),
      ...active.map(({ id, name }) => ({ id, text: t.webClient(name ?? id) })),
    ],
  };
  if (list.rows.length === 0) return null;
  return (
    <PickField
      label={t.addWebClient}
      list={list}
      optionOf={(option) => option}
      // The field stays empty: the added agents are in the lines above.
      value={null}
      onChange={(id) => id !== null && onAdd(id)}
    />
  );
}

/** Returns the typed agents. */
export function agentsOf(typed = ''): string[] {
  const lines = typed.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => (/^[a-z]/.test(line) ? line : e164Of(line)));
}
