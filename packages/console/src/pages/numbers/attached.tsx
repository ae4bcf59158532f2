import type { PhoneNumber, UpdatePhoneNumber } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { CampaignField, E911AddressField, RoutingConfigField } from '../../app/option-fields.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { Form } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import css from './numbers.module.css';

const t = texts.attached;

const FIELDS = ['routing_config_id', 'campaign_id', 'e911_address_id'] as const;

type References = Pick<PhoneNumber, (typeof FIELDS)[number]>;

/** The resources that are attached to the number. Changes are sent together; an empty field detaches. */
export function Attached({ number }: { number: PhoneNumber }) {
  const { id, tenant_id } = number;
  const [changed, setChanged] = useState<Partial<References>>({});
  const references = { ...number, ...changed };
  const save = useWrite((api, changes: UpdatePhoneNumber) => api.phoneNumbers.update(id, changes), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => t.isSaved(formatNumber(phone_number)),
    onDone: () => setChanged({}),
  });
  return (
    <Card label={t.attached}>
      <h2 className={css.heading}>{t.attached}</h2>
      <Form
        stays
        isChanged={Object.keys(changesOf(number, references)).length > 0}
        submit={t.save}
        fields={FIELDS}
        error={save.error}
        isPending={save.isPending}
        onSubmit={() => save.mutate(changesOf(number, references))}
      >
        <RoutingConfigField
          tenantId={tenant_id}
          value={references.routing_config_id}
          onChange={(routing_config_id) => setChanged({ ...changed, routing_config_id })}
          hint={t.decidesWhoRings}
        />
        <CampaignField
          tenantId={tenant_id}
          value={references.campaign_id}
          onChange={(campaign_id) => setChanged({ ...changed, campaign_id })}
          hint={t.registrationTextsCarriers}
        />
        <E911AddressField
          tenantId={tenant_id}
          value={references.e911_address_id}
          onChange={(e911_address_id) => setChanged({ ...changed, e911_address_id })}
          hint={t.whereHelpSent}
        />
      </Form>
    </Card>
  );
}

function changesOf(number: PhoneNumber, references: References): UpdatePhoneNumber {
  return Object.fromEntries(
    FIELDS.filter((name) => references[name] !== number[name]).map((name) => [name, references[name]]),
  );
}
