import type { OptOutCandidate } from '@dialplane/sdk/resources';
import { useList, useWrite } from '../../api/queries.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import css from './opt-outs.module.css';

/** Texts that may be opt-outs, for a person to decide. Nothing if there are none. */
export function Candidates({ tenantId }: { tenantId: string | undefined }) {
  const candidates = useList(['opt_out_candidates', tenantId], (api, page) =>
    api.optOuts.listCandidates({ ...page, tenant_id: tenantId }),
  );
  const optOut = useWrite(
    (api, { tenant_id, external_number }: OptOutCandidate) => api.optOuts.create({ tenant_id, external_number }),
    {
      changes: ['opt_outs', 'opt_out_candidates', 'conversations'],
      done: ({ external_number }) => `${formatNumber(external_number)} is opted out.`,
    },
  );
  const dismiss = useWrite((api, { message_id }: OptOutCandidate) => api.optOuts.dismissCandidate(message_id), {
    changes: ['opt_out_candidates'],
    done: 'The text is no opt-out.',
  });
  if (candidates.rows.length === 0) return <ErrorNote error={candidates.error} />;
  return (
    <Section title="To decide">
      <p>
        These texts may be meant as opt-outs. Until you decide, the people still get texts. A text is listed for 30
        days.
      </p>
      <ErrorNote error={optOut.error ?? dismiss.error} />
      <DataList
        label="Texts to decide"
        list={candidates}
        rowId={(row) => row.message_id}
        columns={[
          { title: 'Person', cell: ({ external_number }) => formatNumber(external_number) },
          { title: 'Text', cell: ({ body }) => body, width: '2fr', wraps: true },
          { title: 'Tenant', cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: 'Sent', cell: (row) => <Moment at={row.at} tenantId={row.tenant_id} /> },
          {
            title: 'Decision',
            align: 'end',
            cell: (row) => (
              <span className={css.decision}>
                <Button
                  small
                  aria-label={`Opt ${formatNumber(row.external_number)} out`}
                  onPress={() => optOut.mutate(row)}
                >
                  Opt out
                </Button>
                <Button
                  small
                  aria-label={`Dismiss the text of ${formatNumber(row.external_number)}`}
                  onPress={() => dismiss.mutate(row)}
                >
                  No opt-out
                </Button>
              </span>
            ),
          },
        ]}
        empty={null}
      />
    </Section>
  );
}
