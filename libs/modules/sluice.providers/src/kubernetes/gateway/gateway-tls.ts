/** TLS options of a Gateway: client certificate validation for listeners, and the certificate that the Gateway presents to backends. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Gateway, Secret } from '../objects.ts';
import { authoritiesOf } from './authorities.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';
import { isPermitted } from './grants.ts';
import type { CertificatePair, ClientValidation } from './listener.ts';

/** Returns the client certificate validation for a port, with any problems found. */
export function clientValidationOf(
  { spec }: Gateway,
  port: number,
  scope: Scope,
): { readonly validation: ClientValidation | null; readonly problems: readonly Finding[] } {
  const { frontend } = spec.tls ?? {};
  const perPort = frontend?.perPort?.find((each) => each.port === port);
  const wanted = (perPort === undefined ? frontend?.default : perPort.tls)?.validation;
  if (wanted === undefined) return { validation: null, problems: [] };
  const references = wanted.caCertificateRefs ?? [];
  const { certificates, problems } = authoritiesOf(references, 'Gateway', 'InvalidCACertificateKind', scope);
  return {
    validation: { authorities: certificates, isRequired: wanted.mode !== 'AllowInsecureFallback' },
    problems,
  };
}

/** Returns the conditions that report an insecure validation mode of a Gateway. */
export function validationFindings({ spec }: Gateway): readonly Finding[] {
  const { frontend } = spec.tls ?? {};
  const modes = [frontend?.default, ...(frontend?.perPort ?? []).map(({ tls }) => tls)].map(
    (each) => each?.validation?.mode,
  );
  return modes.includes('AllowInsecureFallback')
    ? [
        holds(
          'InsecureFrontendValidationMode',
          'ConfigurationChanged',
          'clients without a valid certificate are accepted',
        ),
      ]
    : [];
}

export interface BackendCertificate {
  readonly pair: Pick<CertificatePair, 'certificate' | 'key'> | null;
  readonly findings: readonly Finding[];
}

/** Returns the client certificate that a Gateway presents to backends. */
export function backendCertificateOf(
  { spec }: Gateway,
  { namespace: ownNamespace, view, dependsOn }: Scope,
): BackendCertificate {
  const reference = spec.tls?.backend?.clientCertificateRef;
  if (reference === undefined) return { pair: null, findings: [] };
  const refused = (message: string, reason = 'InvalidClientCertificateRef'): BackendCertificate => ({
    pair: null,
    findings: [fails('ResolvedRefs', reason, message)],
  });
  const { group = '', kind = 'Secret', name, namespace = ownNamespace } = reference;
  if (group !== '' || kind !== 'Secret') return refused(`client certificate ${name} has the unsupported kind ${kind}`);
  const key = `${namespace}/${name}`;
  if (namespace !== ownNamespace) {
    dependsOn.add(targets.grants(namespace));
    const from = { kind: 'Gateway', namespace: ownNamespace } as const;
    if (!isPermitted(from, { kind: 'Secret', namespace, name }, view.grantsIn(namespace)))
      return refused(`no ReferenceGrant permits the reference to Secret ${key}`, 'RefNotPermitted');
  }
  dependsOn.add(targets.secret(key));
  const secret = view.secret(key);
  if (secret === undefined || secret === null) return refused(`Secret ${key} doesn't exist`);
  const pair = pemPairOf(secret);
  return typeof pair === 'string'
    ? refused(`Secret ${key}: ${pair}`)
    : { pair: { certificate: pair.certificate, key: pair.key }, findings: [holds('ResolvedRefs')] };
}

export interface PemPair {
  readonly certificate: string;
  readonly key: string;
  readonly parsed: X509Certificate;
}

/** Returns the certificate and key in a Secret, or the reason why the Secret has no valid certificate. */
export function pemPairOf({ data }: Secret): PemPair | string {
  const text = (name: string): string => Buffer.from(data?.[name] ?? '', 'base64').toString();
  const [certificate, key] = [text('tls.crt'), text('tls.key')];
  try {
    const parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return 'the key does not match the certificate';
    return { certificate, key, parsed };
  } catch {
    return 'tls.crt or tls.key is not in PEM format';
  }
}
