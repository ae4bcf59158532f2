import type { DocumentKind, DocumentType } from '../../../carriers/ports/porting.ts';

/** Bytes of a document. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024;

/** Documents of one port-in. */
export const DOCUMENTS_MAX = 10;

/** Ledger time to keep the documents of an ended port-in, for questions about the port. */
export const KEPT_AFTER_END_MS = 30 * 24 * 3_600_000;

/** Readers of PDF files accept other bytes before the header, up to this many (ISO 32000-1, annex H, note 13). */
const PDF_HEADER_WITHIN = 1024;
const PDF_HEADER = Buffer.from('%PDF-');
/** PNG (W3C), 5.2. */
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The start of an image and of its first marker (ITU-T T.81, B.1.1). */
const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);

/** Recognises the type of a file by its first bytes; undefined for every other type. */
export function documentTypeOf(bytes: Buffer): DocumentType | undefined {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'image/png';
  if (bytes.subarray(0, JPEG_START.length).equals(JPEG_START)) return 'image/jpeg';
  return bytes.subarray(0, PDF_HEADER_WITHIN + PDF_HEADER.length).includes(PDF_HEADER) ? 'application/pdf' : undefined;
}

/** Adds the missing documents to the carrier's sentence. */
export function nameMissing(detail: string | null, missing: readonly DocumentKind[] = []): string | null {
  if (missing.length === 0) return detail;
  const named = `Missing documents: ${missing.join(', ')}.`;
  return detail === null ? named : `${detail} ${named}`;
}
