import type { Call, CreateCallListener } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { useWebClients } from '../../api/tenant-phones.ts';
import { Agent } from '../../app/agent.tsx';
import { texts } from '../../texts/calls.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import { Table } from '../../ui/table.tsx';
import { type Listener, listenersOf } from './progress.ts';

const t = texts.listeners;

type SpeaksTo = CreateCallListener['speaks_to'];

const SPEAKS_TO: Readonly<Record<SpeaksTo, string>> = {
  none: t.nobodyOnlyListens,
  agent: t.theAgentAlone,
  all: t.agentCustomer,
};
const HEARD_BY: Readonly<Record<SpeaksTo, string>> = { none: t.nobody, agent: t.theAgent, all: t.all };

/** A button that lets a web client of the tenant listen to the call. */
export function ListenButton({ call }: { call: Call }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>{t.listen}</Button>
      {isOpen && <ListenDialog call={call} onClose={() => setOpen(false)} />}
    </>
  );
}

function ListenDialog({ call: { id, tenant_id }, onClose }: { call: Call; onClose: () => void }) {
  const clients = useWebClients(tenant_id);
  const add = useWrite((api, body: CreateCallListener) => api.calls.createListener(id, body), {
    changes: ['calls', 'audit_log'],
    done: t.listensOnceAnnouncement,
    onDone: onClose,
  });
  return (
    <Dialog title={t.listenCall} isOpen onClose={onClose}>
      <p>{t.auditLogNames}</p>
      <Form
        submit={t.listen}
        fields={['web_client_id', 'speaks_to']}
        error={add.error}
        isPending={add.isPending}
        onCancel={onClose}
        onSubmit={({ web_client_id = '', speaks_to = 'none' }) =>
          add.mutate({ web_client_id, speaks_to: speaks_to as SpeaksTo })
        }
      >
        <PickField
          label={t.webClient}
          name="web_client_id"
          hint={t.pageMustLogged}
          isRequired
          autoFocus
          list={clients}
          optionOf={({ id: key, name, status }) => ({
            id: key,
            text: status === 'active' ? (name ?? key) : t.revoked(name ?? key),
          })}
          searched={t.noWebClient}
        />
        <Select
          name="speaks_to"
          label={t.whoHearsIt}
          options={Object.entries(SPEAKS_TO).map(([key, text]) => ({ id: key, text }))}
          defaultValue="none"
        />
      </Form>
    </Dialog>
  );
}

/** The listeners of the call, with a button to end each. Shows nothing without listeners. */
export function Listeners({ call }: { call: Call }) {
  const end = useWrite((api, { id }: Listener) => api.calls.deleteListener(call.id, id), {
    changes: ['calls', 'audit_log'],
    done: t.listenerLeftCall,
  });
  const listeners = call.ended_at === null ? listenersOf(call) : [];
  if (listeners.length === 0) return null;
  return (
    <Section title={t.listeners}>
      <ErrorNote error={end.error} />
      <Table
        label={t.listeners}
        rows={listeners}
        rowId={({ id }) => id}
        columns={[
          {
            title: t.webClient,
            cell: ({ webClientId }) => <Agent tenantId={call.tenant_id} party={webClientId} />,
          },
          { title: t.heardBy, cell: ({ speaksTo }) => HEARD_BY[speaksTo] },
          {
            title: t.end,
            align: 'end',
            cell: (listener) => (
              <Button small onPress={() => end.mutate(listener)}>
                {t.stopListening}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  );
}
