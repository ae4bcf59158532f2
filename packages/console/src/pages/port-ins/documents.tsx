import type { PortIn, PortInDocument } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useRead, useWrite } from '../../api/queries.ts';
import { formatBytes } from '../../lib/amounts.ts';
import { texts } from '../../texts/port-ins.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Table } from '../../ui/table.tsx';
import { canCorrect } from './stages.ts';
import { Upload } from './upload.tsx';

const t = texts.documents;

const TYPES: Readonly<Record<PortInDocument['content_type'], string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
};

/**
 * The documents of a port-in. They can be added and deleted while the port-in can be corrected. No operation returns
 * the file.
 */
export function Documents({ portIn }: { portIn: PortIn }) {
  const [deleted, setDeleted] = useState<PortInDocument>();
  const documents = useRead(['port_ins', portIn.id, 'documents'], (api) => api.portIns.listDocuments(portIn.id));
  const remove = useWrite((api, id: string) => api.portIns.deleteDocument(portIn.id, id), {
    changes: ['port_ins'],
    done: t.documentDeleted,
    onDone: () => setDeleted(undefined),
  });
  const isOpen = canCorrect(portIn.status);
  const rows = documents.data?.data ?? [];
  return (
    <>
      <ErrorNote error={documents.error} />
      {isOpen && <Upload portInId={portIn.id} />}
      {documents.data !== undefined && rows.length === 0 && (
        <EmptyState title={t.noDocuments}>{t.mostLosingCarriers}</EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          label={t.documents}
          rows={rows}
          rowId={({ id }) => id}
          columns={[
            { title: t.kind, cell: ({ kind }) => <Badge>{words(kind)}</Badge> },
            { title: t.type, cell: ({ content_type }) => TYPES[content_type] },
            { title: t.size, cell: ({ size_bytes }) => formatBytes(size_bytes), align: 'end' },
            {
              title: t.added,
              cell: ({ created_at }) => <Moment at={created_at} tenantId={portIn.tenant_id} />,
              align: 'end',
            },
            {
              title: t.actions,
              align: 'end',
              cell: (document) =>
                isOpen ? (
                  <Button small onPress={() => setDeleted(document)}>
                    {t.delete}
                  </Button>
                ) : (
                  '–'
                ),
            },
          ]}
        />
      )}
      <Confirm
        title={t.deleteThisDocument}
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        confirm={t.delete}
        onConfirm={() => deleted !== undefined && remove.mutate(deleted.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{deleted !== undefined && t.goneForGood(words(deleted.kind))}</p>
      </Confirm>
    </>
  );
}
