import type { CreatePortIn } from '@dialplane/sdk/resources';
import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/port-ins.ts';
import { Card, Page } from '../../ui/page.tsx';
import { PortInForm } from './port-in-form.tsx';

const t = texts.newPortIn;

/** Makes a draft of a port-in. */
export function NewPortInPage() {
  const ledger = useLedger();
  const navigate = useNavigate();
  const create = useWrite((api, portIn: CreatePortIn) => api.portIns.create(portIn), {
    changes: ['port_ins'],
    done: t.draftSavedAdd,
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `port-ins/${id}`) }),
  });
  return (
    <Page title={t.newPortIn} about={t.draftOrdersNothing}>
      <Card>
        <PortInForm
          submit={t.saveTheDraft}
          onSubmit={(details) => create.mutate(details as CreatePortIn)}
          onCancel={() => void navigate({ to: ledgerPath(ledger, 'port-ins') })}
          error={create.error}
          isPending={create.isPending}
        />
      </Card>
    </Page>
  );
}
