import type { PortIn, PortInDocument } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { formatBytes } from '../../lib/amounts.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Table } from '../../ui/table.tsx';
import { canCorrect } from './stages.ts';
import { Upload } from './upload.tsx';

const TYPES: Readonly<Record<PortInDocument['content_type'], string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
};

/** The documents of a port-in: add and delete them while it can be corrected. No operation returns the file. */
export function Documents({ portIn }: { portIn: PortIn }) {
  const [deleted, setDeleted] = useState<PortInDocument>();
  const documents = useRead(['port_ins', portIn.id, 'documents'], (api) => api.portIns.listDocuments(portIn.id));
  const remove = useWrite((api, id: string) => api.portIns.deleteDocument(portIn.id, id), {
    changes: ['port_ins'],
    done: 'The document is deleted.',
    onDone: () => setDeleted(undefined),
  });
  const isOpen = canCorrect(portIn.status);
  const rows = documents.data?.data ?? [];
  return (
    <>
      <ErrorNote error={documents.error} />
      {isOpen && <Upload portInId={portIn.id} />}
      {documents.data !== undefined && rows.length === 0 && (
        <EmptyState title="No documents">
          Most losing carriers want a letter of authorization, signed by the authorized person, and a recent invoice.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label="Documents"
          rows={rows}
          rowId={({ id }) => id}
          columns={[
            { title: 'Kind', cell: ({ kind }) => <Badge>{words(kind)}</Badge> },
            { title: 'Type', cell: ({ content_type }) => TYPES[content_type] },
            { title: 'Size', cell: ({ size_bytes }) => formatBytes(size_bytes), align: 'end' },
            {
              title: 'Added',
              cell: ({ created_at }) => <Moment at={created_at} tenantId={portIn.tenant_id} />,
              align: 'end',
            },
            {
              title: 'Actions',
              align: 'end',
              cell: (document) =>
                isOpen ? (
                  <Button small onPress={() => setDeleted(document)}>
                    Delete
                  </Button>
                ) : (
                  '–'
                ),
            },
          ]}
        />
      )}
      <Confirm
        title="Delete this document?"
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        confirm="Delete"
        onConfirm={() => deleted !== undefined && remove.mutate(deleted.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>The {deleted && words(deleted.kind)} is deleted for good.</p>
      </Confirm>
    </>
  );
}
