import type { PortInDocument } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { apiThrough } from '../../api/client.ts';
import { fetchWithProgress } from '../../api/progress.ts';
import { useWrite } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatBytes } from '../../lib/amounts.ts';
import { texts } from '../../texts/port-ins.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import css from './port-ins.module.css';

const t = texts.upload;

type Kind = PortInDocument['kind'];
type Type = PortInDocument['content_type'];

const KINDS = [
  { id: 'letter_of_authorization', text: t.letterOfAuthorization },
  { id: 'invoice', text: t.invoice },
] as const;
const TYPES: readonly Type[] = ['application/pdf', 'image/png', 'image/jpeg'];
const BYTES_MAX = 10 * 1024 * 1024;
/** On a slow connection, a large file takes minutes. */
const TIMEOUT_MS = 600_000;

/** Sends a file to a port-in, and shows the progress. */
export function Upload({ portInId }: { portInId: string }) {
  const ledger = useLedger();
  const [kind, setKind] = useState<Kind>('letter_of_authorization');
  const [share, setShare] = useState(0);
  const upload = useWrite(
    async (_, file: File) => {
      if (file.size > BYTES_MAX) throw new Error(t.tooLarge(file.name, formatBytes(file.size)));
      setShare(0);
      const api = apiThrough(ledger, fetchWithProgress(setShare));
      const body = { content: file, type: TYPES.find((type) => type === file.type) ?? 'application/pdf' };
      return await api.portIns.createDocument(portInId, body, { kind }, { timeoutMs: TIMEOUT_MS });
    },
    { changes: ['port_ins'], done: (_, { name }) => t.isAdded(name) },
  );
  return (
    <>
      <div className={css.upload}>
        <Select label={t.kindOfDocument} options={KINDS} value={kind} onChange={(id) => setKind(id as Kind)} />
        <FileButton accept={TYPES} isPending={upload.isPending} onChoose={upload.mutate}>
          {t.addADocument}
        </FileButton>
        {upload.isPending && (
          <label className={css.progress}>
            {upload.variables?.name}
            <progress value={share} />
          </label>
        )}
      </div>
      <p className={css.note}>{t.pdfPngJpeg}</p>
      <ErrorNote error={upload.error} />
    </>
  );
}
