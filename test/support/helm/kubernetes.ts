/** Checks manifests with Kubernetes' own schemas. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Manifest } from './chart.ts';

const SCHEMAS = fileURLToPath(new URL('schemas.ts', import.meta.url));
const MAX_SCHEMA_BYTES = 16 * 1024 * 1024;

/** A kind of the Prometheus Operator. Kubernetes itself does not have it, but a cluster may. */
const FOREIGN = 'monitoring.coreos.com/v1 PodMonitor';

/**
 * Returns a function that throws for a manifest that Kubernetes' schemas refuse. Takes some seconds, and writes files
 * into the folder.
 */
export function buildValidator(folder: string): (manifest: Manifest) => void {
  const printed = execFileSync(process.execPath, [SCHEMAS, folder], { encoding: 'utf8', maxBuffer: MAX_SCHEMA_BYTES });
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  const schemas = Object.entries(JSON.parse(printed) as Record<string, object>);
  const validators = new Map(schemas.map(([kind, schema]) => [kind, ajv.compile(schema)]));
  return (manifest) => validate(validators, manifest);
}

function validate(validators: ReadonlyMap<string, ValidateFunction>, manifest: Manifest): void {
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  if (kind === FOREIGN) return;
  const isValid = validators.get(kind);
  if (isValid === undefined) throw new Error(`${kind} has no schema`);
  if (isValid(manifest)) return;
  const errors = isValid.errors?.map(({ instancePath, message, params }) =>
    [instancePath || '/', message, JSON.stringify(params)].join(' '),
  );
  throw new Error(`${kind} ${manifest.metadata?.name}: ${errors?.join('; ')}`);
}
