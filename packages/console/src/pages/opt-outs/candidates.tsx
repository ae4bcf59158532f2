import type { OptOutCandidate } from '@dialplane/sdk/resources';
import { useList, useWrite } from '../../api/queries.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/opt-outs.ts';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import css from './opt-outs.module.css';

const t = texts.candidates;

/** Texts that may be opt-outs. A person decides about each. Shows nothing if there are none. */
export function Candidates({ tenantId }: { tenantId: string | undefined }) {
  const candidates = useList(['opt_out_candidates', tenantId], (api, page) =>
    api.optOuts.listCandidates({ ...page, tenant_id: tenantId }),
  );
  const optOut = useWrite(
    (api, { tenant_id, external_number }: OptOutCandidate) => api.optOuts.create({ tenant_id, external_number }),
    {
      changes: ['opt_outs', 'opt_out_candidates', 'conversations'],
      done: ({ external_number }) => t.isOptedOut(formatNumber(external_number)),
    },
  );
  const dismiss = useWrite((api, { message_id }: OptOutCandidate) => api.optOuts.dismissCandidate(message_id), {
    changes: ['opt_out_candidates'],
    done: t.textNoOpt,
  });
  if (candidates.rows.length === 0) return <ErrorNote error={candidates.error} />;
  return (
    <Section title={t.toDecide}>
      <p>{t.theseTextsMay}</p>
      <ErrorNote error={optOut.error ?? dismiss.error} />
      <DataList
        label={t.textsToDecide}
        list={candidates}
        rowId={(row) => row.message_id}
        columns={[
          { title: t.person, cell: ({ external_number }) => formatNumber(external_number) },
          { title: t.text, cell: ({ body }) => body, width: '2fr', wraps: true },
          { title: t.tenant, cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: t.sent, cell: (row) => <Moment at={row.at} tenantId={row.tenant_id} /> },
          {
            title: t.decision,
            align: 'end',
            cell: (row) => (
              <span className={css.decision}>
                <Button
                  small
                  aria-label={t.optOut(formatNumber(row.external_number))}
                  onPress={() => optOut.mutate(row)}
                >
                  {t.optOutText}
                </Button>
                <Button
                  small
                  aria-label={t.dismissText(formatNumber(row.external_number))}
                  onPress={() => dismiss.mutate(row)}
                >
                  {t.noOptOut}
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
