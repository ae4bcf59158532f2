import type { AvailableNumber } from '@dialplane/sdk/resources';
import { useRef, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { useRead } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { formatUsd } from '../../lib/amounts.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/numbers.ts';
import { useFieldErrors, useFocusOnError } from '../../ui/api-errors.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { FieldErrorsContext } from '../../ui/field-errors.ts';
import { Page, Row } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { BuyNumber } from './buy-number.tsx';
import css from './numbers.module.css';

const t = texts.buy;

const NAMES = ['area_code', 'contains', 'locality'] as const;
const RESULTS_MAX = 50;
const nothing = () => undefined;

/** Searches the numbers that can be bought, and buys one. */
export function BuyNumberPage() {
  const [filters, setFilters] = useFilters();
  const { area_code, contains, locality } = filters;
  const [chosen, setChosen] = useState<AvailableNumber>();
  const query = { area_code, contains, locality, limit: RESULTS_MAX };
  const { data, error, isFetching, refetch } = useRead(['available_numbers', query], (api) =>
    api.phoneNumbers.searchAvailable(query),
  );
  const form = useRef<HTMLFormElement>(null);
  const { errors, drop, isShownAtFields } = useFieldErrors(error, NAMES);
  useFocusOnError(form, error);
  return (
    <Page title={t.buyANumber} about={t.numbersCarrierSells}>
      <AriaForm
        ref={form}
        className={css.search ?? ''}
        aria-label={t.search}
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget);
          const changed = Object.fromEntries(NAMES.map((name) => [name, textOf(typed.get(name))]));
          setFilters(changed);
          if (NAMES.every((name) => changed[name] === filters[name])) void refetch();
        }}
      >
        <FieldErrorsContext value={{ errors, drop, touch: nothing }}>
          <TextField name="area_code" label={t.areaCode} placeholder="602" defaultValue={area_code ?? ''} />
          <TextField name="contains" label={t.containsTheDigits} placeholder="777" defaultValue={contains ?? ''} />
          <TextField name="locality" label={t.city} placeholder={t.phoenix} defaultValue={locality ?? ''} />
        </FieldErrorsContext>
        <Button type="submit" kind="primary">
          {t.search}
        </Button>
      </AriaForm>
      {data === undefined && isFetching && <p role="status">{t.searching}</p>}
      {!isShownAtFields && <ErrorNote error={error} />}
      {data?.data.length === 0 && (
        <EmptyState title={t.noNumbersMatch} curl={<Curl path="/v1/phone_numbers/available?area_code=602" />}>
          {t.tryFewerDigits}
        </EmptyState>
      )}
      {data !== undefined && data.data.length > 0 && (
        <Table
          label={t.availableNumbers}
          rows={data.data}
          rowId={({ phone_number }) => phone_number}
          columns={[
            { title: t.number, cell: (number) => <NumberAndPlace number={number} /> },
            { title: t.place, cell: placeOf, isWideOnly: true },
            { title: t.for, cell: (number) => <Capabilities number={number} />, isWideOnly: true },
            { title: t.aMonth, cell: ({ monthly_price_usd }) => formatUsd(monthly_price_usd), align: 'end' },
            {
              title: t.buy,
              align: 'end',
              cell: (number) => (
                <Button small aria-label={t.buyOf(formatNumber(number.phone_number))} onPress={() => setChosen(number)}>
                  {t.buy}
                </Button>
              ),
            },
          ]}
        />
      )}
      {chosen !== undefined && (
        <BuyNumber number={chosen} tenantId={filters.tenant_id} onClose={() => setChosen(undefined)} />
      )}
    </Page>
  );
}

const placeOf = ({ locality: city, region }: AvailableNumber) => `${city}, ${region}`;

/** On a narrow screen the place is below the number. */
function NumberAndPlace({ number }: { number: AvailableNumber }) {
  return (
    <>
      <strong className={css.number}>{formatNumber(number.phone_number)}</strong>
      <span className={css.place}>{placeOf(number)}</span>
    </>
  );
}

function Capabilities({ number: { capabilities, texts_unavailable } }: { number: AvailableNumber }) {
  return (
    <>
      <Row>
        {capabilities.map((each) => (
          <Badge key={each}>{words(each)}</Badge>
        ))}
      </Row>
      {texts_unavailable !== undefined && <p className={css.why}>{texts_unavailable}</p>}
    </>
  );
}

const textOf = (value: FormDataEntryValue | null) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
