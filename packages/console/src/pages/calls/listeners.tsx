import type { Call, CreateCallListener } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useWebClients } from '../../api/tenant-phones.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import { Table } from '../../ui/table.tsx';
import { type Listener, listenersOf } from './progress.ts';

type SpeaksTo = CreateCallListener['speaks_to'];

const SPEAKS_TO: Readonly<Record<SpeaksTo, string>> = {
  none: 'Nobody: it only listens',
  agent: 'The agent alone',
  all: 'The agent and the customer',
};
const HEARD_BY: Readonly<Record<SpeaksTo, string>> = { none: 'nobody', agent: 'the agent', all: 'all' };

/** A button that lets a web client of the tenant listen to the call. */
export function ListenButton({ call }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Listen</Button>
      {isOpen && <ListenDialog call={call} onClose={() => setOpen(false)} />}
    </>
  );
}

function ListenDialog({ call: { id, tenant_id }, onClose }: { call: Call; onClose: () => void }) {
  const clients = useWebClients(tenant_id);
  const add = useWrite((api, body: CreateCallListener) => api.calls.createListener(id, body), {
    changes: ['calls', 'audit_log'],
    done: 'It listens once the announcement that is due has been spoken.',
    onDone: onClose,
  });
  return (
    <Dialog title="Listen to the call" isOpen onClose={onClose}>
      <p>
        The audit log names you, the call and the web client. The listening announcement of the routing is spoken first.
      </p>
      <Form
        submit="Listen"
        fields={['web_client_id', 'speaks_to']}
        error={add.error}
        isPending={add.isPending}
        onCancel={onClose}
        onSubmit={({ web_client_id = '', speaks_to = 'none' }) =>
          add.mutate({ web_client_id, speaks_to: speaks_to as SpeaksTo })
        }
      >
        <PickField
          label="Web client"
          name="web_client_id"
          hint="Its page must be logged in, and on no call"
          isRequired
          autoFocus
          list={clients}
          optionOf={({ id: key, name, status }) => ({
            id: key,
            text: status === 'active' ? (name ?? key) : `${name ?? key}, revoked`,
          })}
          searched="No web client is like this"
        />
        <Select
          name="speaks_to"
          label="Who hears it"
          options={Object.entries(SPEAKS_TO).map(([key, text]) => ({ id: key, text }))}
          defaultValue="none"
        />
      </Form>
    </Dialog>
  );
}

/** Who listens to the call now, and a button to end each. Nothing without any. */
export function Listeners({ call }: { call: Call }) {
  const ledger = useLedger();
  const end = useWrite((api, { id }: Listener) => api.calls.deleteListener(call.id, id), {
    changes: ['calls', 'audit_log'],
    done: 'The listener has left the call.',
  });
  const listeners = call.ended_at === null ? listenersOf(call) : [];
  if (listeners.length === 0) return null;
  return (
    <Section title="Listeners">
      <ErrorNote error={end.error} />
      <Table
        label="Listeners"
        rows={listeners}
        rowId={({ id }) => id}
        columns={[
          {
            title: 'Web client',
            cell: ({ webClientId: id }) => <Link to={ledgerPath(ledger, `web-clients/${id}`)}>{id}</Link>,
          },
          { title: 'Heard by', cell: ({ speaksTo }) => HEARD_BY[speaksTo] },
          {
            title: 'End',
            align: 'end',
            cell: (listener) => (
              <Button small onPress={() => end.mutate(listener)}>
                Stop listening
              </Button>
            ),
          },
        ]}
      />
    </Section>
  );
}
