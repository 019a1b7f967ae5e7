/** Trusted CA certificates from ConfigMaps. */
import { X509Certificate } from 'node:crypto';
import type { ObjectReference } from '../object-reference.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, type Finding } from './conditions.ts';
import { isPermitted, type Referrer } from './grants.ts';

export interface Authorities {
  /** CA certificates in DER format, base64-encoded. */
  readonly certificates: readonly string[];
  /** Invalid references. */
  readonly problems: readonly Finding[];
}

/** @param kindReason Reason for references to kinds other than ConfigMap. */
export function authoritiesOf(
  references: readonly ObjectReference[],
  from: Referrer['kind'] | null,
  kindReason: string,
  { namespace: ownNamespace, view, dependsOn }: Scope,
): Authorities {
  const certificates: string[] = [];
  const problems: Finding[] = [];
  const invalid = (reason: string, message: string): number => problems.push(fails('ResolvedRefs', reason, message));
  for (const { group = '', kind, name, namespace = ownNamespace } of references) {
    if (group !== '' || kind !== 'ConfigMap') {
      invalid(kindReason, `CA certificate ${name} has the unsupported kind ${kind ?? ''}`);
      continue;
    }
    const key = `${namespace}/${name}`;
    if (namespace !== ownNamespace) {
      dependsOn.add(targets.grants(namespace));
      const target = { kind: 'ConfigMap', namespace, name } as const;
      if (from === null || !isPermitted({ kind: from, namespace: ownNamespace }, target, view.grantsIn(namespace))) {
        invalid('RefNotPermitted', `no ReferenceGrant permits the reference to ConfigMap ${key}`);
        continue;
      }
    }
    dependsOn.add(targets.configMap(key));
    const text = view.configMap(key)?.data?.['ca.crt'];
    if (text === undefined) {
      invalid('InvalidCACertificateRef', `ConfigMap ${key} doesn't exist, or has no ca.crt`);
      continue;
    }
    const found = certificatesIn(text);
    if (found.length === 0)
      invalid('InvalidCACertificateRef', `ca.crt of ConfigMap ${key} has no certificate in PEM format`);
    certificates.push(...found);
  }
  return { certificates, problems };
}

function certificatesIn(text: string): readonly string[] {
  try {
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block).raw.toString('base64'));
  } catch {
    return [];
  }
}
