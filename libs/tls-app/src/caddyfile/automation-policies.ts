/** Automation policies of a document, as the directive `tls` and global options made them. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { listAt, words } from '@sluice/caddyfile';

export function policiesOf(document: Json): readonly JsonObject[] {
  return listAt(document, ['apps', 'tls', 'automation', 'policies']).filter(isObject);
}

/** The one for names that no other is for; empty where there is none. */
export function catchAllOf(document: Json): JsonObject {
  return policiesOf(document).find((policy) => policy['subjects'] === undefined) ?? {};
}

export function issuersOf(policy: JsonObject): readonly JsonObject[] {
  return listAt(policy, ['issuers']).filter(isObject);
}

/** Whether issuers are that of this server alone, without options. */
export function isInternal(issuers: readonly JsonObject[]): boolean {
  const [only] = issuers;
  return issuers.length === 1 && only?.['module'] === 'internal' && Object.keys(only).length === 1;
}

/** The e-mail address that all issuers over ACME of a document have; empty if they don't. */
export function commonEmail(document: Json): string {
  const issuers = policiesOf(document)
    .flatMap(issuersOf)
    .filter(({ module }) => module === 'acme');
  const [email = '', ...others] = new Set(issuers.map((issuer) => words(issuer['email']).join('')));
  return others.length === 0 ? email : '';
}
