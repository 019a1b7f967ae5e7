/** Kubernetes API definitions for validation. As in a cluster, unknown fields are errors. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Definition {
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; version: string; kind: string }[];
}

const definitions = JSON.parse(readFileSync(new URL('fixtures/kubernetes-1.37.json', import.meta.url), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Definition>>;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(definitions, 'kubernetes');

/** Returns the name of the API definition for a manifest, or `undefined` if there is none. */
function definitionOf(manifest: Manifest): string | undefined {
  const found = Object.entries(definitions.$defs).find(([, { 'x-kubernetes-group-version-kind': kinds = [] }]) =>
    kinds.some(({ group, version, kind }) => {
      const apiVersion = group === '' ? version : `${group}/${version}`;
      return apiVersion === manifest.apiVersion && kind === manifest.kind;
    }),
  );
  return found?.[0];
}

export function isDefined(manifest: Manifest): boolean {
  return definitionOf(manifest) !== undefined;
}

/** Returns the problems in a manifest, each with its path. */
export function faultsOf(manifest: Manifest): string[] {
  const name = definitionOf(manifest);
  if (name === undefined) return [`there is no ${manifest.kind} in ${manifest.apiVersion}`];
  const validate = ajv.getSchema(`kubernetes#/$defs/${name}`);
  if (validate?.(manifest) === true) return [];
  return (validate?.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, ...Object.values(params as object)].join(' '),
  );
}
