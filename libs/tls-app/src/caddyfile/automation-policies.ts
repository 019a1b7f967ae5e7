/** Finds automation policies that the `tls` directive and global options have created in a document. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, words } from '@sluice/caddyfile';

export function policiesOf(document: Json): readonly JsonObject[] {
  return listAt(document, ['apps', 'tls', 'automation', 'policies']).filter(isObject);
}

/** Returns the catch-all policy, which applies to all names that no other policy lists. Returns an empty object if there is none. */
export function catchAllOf(document: Json): JsonObject {
  return policiesOf(document).find((policy) => policy['subjects'] === undefined) ?? {};
}

export function issuersOf(policy: JsonObject): readonly JsonObject[] {
  return listAt(policy, ['issuers']).filter(isObject);
}

/** Reports whether the only issuer is the internal issuer with no options set. */
export function isInternal(issuers: readonly JsonObject[]): boolean {
  const [only] = issuers;
  return issuers.length === 1 && only?.['module'] === 'internal' && Object.keys(only).length === 1;
}

/** Returns the email address that all ACME issuers of a document share. Returns an empty string if addresses differ or are missing. */
export function commonEmail(document: Json): string {
  const issuers = policiesOf(document)
    .flatMap(issuersOf)
    .filter(({ module }) => module === 'acme');
  const [email = '', ...others] = new Set(issuers.map((issuer) => words(issuer['email']).join('')));
  return others.length === 0 ? email : '';
}
