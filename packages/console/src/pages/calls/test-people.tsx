import type { Call } from '@dialplane/sdk/resources';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/calls.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { Row, Section } from '../../ui/page.tsx';
import { otherOf } from './list.tsx';
import css from './test-people.module.css';

const t = texts.testPeople;

type Party = 'customer' | 'agent';

const PARTIES = [
  { id: 'customer', text: t.customer },
  { id: 'agent', text: t.agent },
];

const CHANGES = ['calls', 'timeline'];

/** Controls the simulated people of a call in test mode: their words, their keys, and their hang-up. */
export function TestPeople({ call }: { call: Call }) {
  const { id, connect_to } = call;
  const [party, setParty] = useState<Party>('customer');
  const hasAgent = connect_to?.startsWith('+') ?? false;
  // This keeps the agent on the call, and the customer still answers prompts automatically.
  const staying = hasAgent ? (connect_to as string) : otherOf(call);
  const stay = useWrite((api) => api.test.takeOverCall(id, { number: staying }), { changes: CHANGES });
  return (
    <Section title={t.simulatedPeople}>
      <p className={css.about}>{stay.isSuccess ? t.theyStayUntil : t.theyAnswerTalk}</p>
      <Row>
        <Button isDisabled={stay.isSuccess} isPending={stay.isPending} onPress={() => stay.mutate(undefined)}>
          {t.keepThemLine}
        </Button>
      </Row>
      <ErrorNote error={stay.error} />
      {hasAgent && (
        <Row>
          <Select
            label={t.person}
            options={PARTIES}
            value={party}
            onChange={(chosen) => setParty(chosen === 'agent' ? 'agent' : 'customer')}
          />
        </Row>
      )}
      <Act id={id} party={party} what="speech" />
      <Act id={id} party={party} what="dtmf" />
    </Section>
  );
}

type ActProps = { id: string; party: Party; what: 'speech' | 'dtmf' };

/** A field with the words or the digits of the person. */
function Act({ id, party, what }: ActProps) {
  const [text, setText] = useState('');
  const isSpeech = what === 'speech';
  const act = useWrite(
    (api, given: string) =>
      isSpeech
        ? api.test.speechCall(id, { speaker: party, text: given })
        : api.test.dtmfCall(id, { party, digits: given }),
    { changes: CHANGES, onDone: () => setText('') },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') act.mutate(text);
  };
  return (
    <>
      <form className={css.act} onSubmit={submit}>
        <TextField
          label={isSpeech ? t.wordsPersonSays : t.digitsPersonPresses}
          placeholder={isSpeech ? t.thankYouWe : '1'}
          maxLength={isSpeech ? 1000 : 100}
          value={text}
          onChange={setText}
        />
        <Button type="submit" isPending={act.isPending}>
          {isSpeech ? t.say : t.press}
        </Button>
      </form>
      <ErrorNote error={act.error} />
    </>
  );
}
