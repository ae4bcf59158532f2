import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { formatNumber, numberOf } from '../../lib/numbers.ts';
import { texts } from '../../texts/clock.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import css from './clock.module.css';

const t = texts.outbox;

/** The latest 100 texts that handsets have received. */
export function Outbox() {
  const [typed, setTyped] = useState('');
  const to = numberOf(typed);
  const { data, error } = useRead(['messages', 'outbox', to ?? null], (api) =>
    api.test.listOutbox(to === undefined ? {} : { to }),
  );
  const texts = data?.data ?? [];
  return (
    <Section title={t.outbox}>
      <div className={css.card}>
        <div className={css.filter}>
          <TextField label={t.receivedBy} placeholder="+16025550143" value={typed} onChange={setTyped} />
        </div>
        <ErrorNote error={error} />
        {texts.length === 0 ? (
          <p className={css.dim}>{t.noHandsetReceived}</p>
        ) : (
          <Table
            label={t.textsHandsetsHave}
            rows={texts}
            rowId={({ message_id }) => message_id}
            columns={[
              { title: t.at, cell: ({ at }) => <Moment at={at} format="zoned" /> },
              { title: t.from, cell: ({ from }) => formatNumber(from) },
              { title: t.to, cell: (text) => formatNumber(text.to) },
              { title: t.text, cell: ({ body, media_urls }) => [body, ...media_urls].filter(Boolean).join(' ') },
            ]}
          />
        )}
      </div>
    </Section>
  );
}
