import { e164Of } from '../../lib/numbers.ts';
import { TextField } from '../../ui/field.tsx';

/** Asks for the agents of a queue, one in a line. */
export function AgentsField({ agents = [] }: { agents?: readonly string[] }) {
  return (
    <TextField
      name="agents"
      label="Agents, one in a line"
      rows={4}
      defaultValue={agents.join('\n')}
      placeholder="+16025550143"
      hint="Numbers, web clients (wcl_…), and telephones of your SIP engine (sip_phone:front)"
    />
  );
}

/** Returns the agents that were typed. */
export function agentsOf(typed = ''): string[] {
  const lines = typed.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => (/^[a-z]/.test(line) ? line : e164Of(line)));
}
