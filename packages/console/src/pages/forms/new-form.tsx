import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/forms.ts';
import { Page } from '../../ui/page.tsx';
import { creationOf, type Design, EMPTY } from './design.ts';
import { Designer } from './designer.tsx';

const t = texts.newForm;

/** Designs a new opt-in form. `?tenant_id=` chooses its tenant. */
export function NewFormPage() {
  const ledger = useLedger();
  const navigate = useNavigate();
  const [{ tenant_id }] = useFilters();
  const create = useWrite((api, design: Design) => api.optInForms.create(creationOf(design)), {
    changes: ['opt_in_forms'],
    done: ({ name }) => t.isPublished(name),
    onDone: ({ id }) => navigate({ to: ledgerPath(ledger, `forms/${id}`) }),
  });
  return (
    <Page title={t.newOptForm} about={t.pagePublicSoon}>
      <Designer
        initial={{ ...EMPTY, tenant_id: tenant_id ?? null }}
        isTenantFixed={false}
        submit={t.publishTheForm}
        onSubmit={create.mutate}
        onCancel={() => void navigate({ to: ledgerPath(ledger, 'forms') })}
        error={create.error}
        isPending={create.isPending}
      />
    </Page>
  );
}
