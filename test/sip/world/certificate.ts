/** Certificates of providers in the outer world. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch } from '../../support/scratch.ts';

/** A certificate (PEM) that is its own authority, and the certificate with its key. */
export type Certificate = { readonly authority: string; readonly withKey: string };

/** Makes a certificate for an address. */
export function makeCertificate(address: string): Certificate {
  const folder = makeScratch('certificate');
  const [key, certificate] = [join(folder.path, 'key.pem'), join(folder.path, 'certificate.pem')];
  try {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=provider', '-addext', `subjectAltName=IP:${address}`];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    const authority = readFileSync(certificate, 'utf8');
    return { authority, withKey: authority + readFileSync(key, 'utf8') };
  } finally {
    folder.remove();
  }
}
