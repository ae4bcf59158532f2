import type { CreatePortIn } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Card, Page } from '../../ui/page.tsx';
import { PortInForm } from './port-in-form.tsx';

/** Makes a draft of a port-in. */
export function NewPortInPage() {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite((api, portIn: CreatePortIn) => api.portIns.create(portIn), {
    changes: ['port_ins'],
    done: 'The draft is saved. Add the documents, then submit it.',
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `port-ins/${id}`) }),
  });
  return (
    <Page title="New port-in" about="A draft orders nothing. Add the documents to it, then submit it.">
      <Card>
        <PortInForm
          submit="Save the draft"
          onSubmit={(details) => create.mutate(details as CreatePortIn)}
          onCancel={() => void navigate({ to: ledgerPath(ledger, 'port-ins') })}
          error={create.error}
          isPending={create.isPending}
        />
      </Card>
    </Page>
  );
}
