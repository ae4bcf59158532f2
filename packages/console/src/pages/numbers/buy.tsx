import type { AvailableNumber } from '@dialplane/sdk/resources';
import { useRef, useState } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { useRead } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { formatUsd } from '../../lib/amounts.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { useFieldErrors, useFocusOnError } from '../../ui/api-errors.ts';
import { Badge } from '../../ui/badge.tsx';
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
    <Page title="Buy a number" about="Numbers that the carrier sells now. Another buyer may take one first.">
      <AriaForm
        ref={form}
        className={css.search ?? ''}
        aria-label="Search"
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
          <TextField name="area_code" label="Area code" placeholder="602" defaultValue={area_code ?? ''} />
          <TextField name="contains" label="Contains the digits" placeholder="777" defaultValue={contains ?? ''} />
          <TextField name="locality" label="City" placeholder="Phoenix" defaultValue={locality ?? ''} />
        </FieldErrorsContext>
        <Button type="submit" kind="primary">
          Search
        </Button>
      </AriaForm>
      {data === undefined && isFetching && <p role="status">Searching…</p>}
      {!isShownAtFields && <ErrorNote error={error} />}
      {data?.data.length === 0 && (
        <EmptyState title="No numbers match" curl={<Curl path="/v1/phone_numbers/available?area_code=602" />}>
          Try fewer digits or another area code.
        </EmptyState>
      )}
      {data !== undefined && data.data.length > 0 && (
        <Table
          label="Available numbers"
          rows={data.data}
          rowId={({ phone_number }) => phone_number}
          columns={[
            { title: 'Number', cell: (number) => <NumberAndPlace number={number} /> },
            { title: 'Place', cell: placeOf, isWideOnly: true },
            { title: 'For', cell: (number) => <Capabilities number={number} />, isWideOnly: true },
            { title: 'A month', cell: ({ monthly_price_usd }) => formatUsd(monthly_price_usd), align: 'end' },
            {
              title: 'Buy',
              align: 'end',
              cell: (number) => (
                <Button small aria-label={`Buy ${formatNumber(number.phone_number)}`} onPress={() => setChosen(number)}>
                  Buy
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

/** A narrow screen has the place below the number. */
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
          <Badge key={each}>{each}</Badge>
        ))}
      </Row>
      {texts_unavailable !== undefined && <p className={css.why}>{texts_unavailable}</p>}
    </>
  );
}

const textOf = (value: FormDataEntryValue | null) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
