import type { Tenant } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Confirm } from '../../ui/dialog.tsx';

const NAMED_MAX = 5;

type DeleteTenantProps = { tenant: Tenant; isOpen: boolean; onClose: () => void };

/** Asks before a tenant is deleted, and says what goes with it and what stays. */
export function DeleteTenant({ tenant, isOpen, onClose }: DeleteTenantProps) {
  const ledger = useLedger();
  const navigate = useNavigate();
  const { id, name } = tenant;
  const { data: numbers } = useRead(
    ['phone_numbers', 'in use', id],
    (api) => api.phoneNumbers.list({ tenant_id: id, limit: 100 }),
    { enabled: isOpen },
  );
  const remove = useWrite((api) => api.tenants.delete(id), {
    changes: ['phone_numbers', 'campaigns', 'port_ins', 'api_keys', 'message_templates'],
    done: `${name} is deleted.`,
    onDone: () => navigate({ to: ledgerPath(ledger, 'tenants'), ignoreBlocker: true }),
  });
  const own = numbers?.data.filter(({ status }) => status !== 'released') ?? [];
  const named = own.slice(0, NAMED_MAX).map(({ phone_number }) => formatNumber(phone_number));
  const others = own.length - named.length;
  return (
    <Confirm
      title={`Delete ${name}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm="Delete the tenant"
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>This cannot be undone. At once:</p>
      <ul>
        <li>
          {own.length === 0
            ? 'It has no numbers to release.'
            : `Its numbers are released and gone for good: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`}
        </li>
        <li>Its open port-ins are cancelled, its campaigns suspended.</li>
        <li>Its emergency addresses, opt-in forms and templates are deleted.</li>
        <li>Its API keys stop working.</li>
      </ul>
      <p>Its texts, calls and events stay readable by their ids, and its opt-outs stay.</p>
    </Confirm>
  );
}
