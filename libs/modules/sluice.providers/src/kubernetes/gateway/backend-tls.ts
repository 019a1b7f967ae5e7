/** BackendTLSPolicy: TLS settings for connections to the endpoints of a Service. */
import { compareText, type JsonObject } from '@sluice/base';
import { ageOf, servicesOf, type BackendTlsPolicy } from '../objects.ts';
import { authoritiesOf } from './authorities.ts';
import type { ClusterView, Scope } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';

export interface PolicyResult {
  readonly findings: readonly Finding[];
  /** TLS options of the proxy transport, or `null` if the policy is invalid. */
  readonly tls: JsonObject | null;
}

/**
 * Returns the BackendTLSPolicy for a port of a Service. Policies for this port take precedence over policies for all ports. If several
 * policies apply, the oldest one is used.
 */
export function policyFor(serviceKey: string, port: string, view: ClusterView): BackendTlsPolicy | undefined {
  const policies = [...view.policiesOf(serviceKey)].sort((a, b) => compareText(ageOf(a), ageOf(b)));
  const name = serviceKey.slice(serviceKey.indexOf('/') + 1);
  const targeting = (section: string | undefined): BackendTlsPolicy | undefined =>
    policies.find(({ spec }) => spec.targetRefs.some((each) => each.name === name && each.sectionName === section));
  return targeting(port) ?? targeting(undefined);
}

export function resolvePolicy(policy: BackendTlsPolicy, view: ClusterView, dependsOn: Set<string>): PolicyResult {
  const namespace = policy.metadata.namespace ?? '';
  const scope: Scope = { namespace, view, dependsOn };
  const { caCertificateRefs = [], wellKnownCACertificates, hostname, subjectAltNames = [] } = policy.spec.validation;
  if (isConflicted(policy, view))
    return {
      findings: [
        fails('Accepted', 'Conflicted', 'an older BackendTLSPolicy has the same target'),
        holds('ResolvedRefs'),
      ],
      tls: null,
    };
  const names = subjectAltNames.flatMap(({ hostname: host, uri }) => host ?? uri ?? []);
  const common = { server_name: hostname, ...(names.length === 0 ? {} : { subject_alt_names: names }) };
  if (wellKnownCACertificates !== undefined)
    return wellKnownCACertificates === 'System'
      ? { findings: [holds('Accepted'), holds('ResolvedRefs')], tls: common }
      : {
          findings: [
            fails('Accepted', 'Invalid', `wellKnownCACertificates ${wellKnownCACertificates} is not supported`),
            holds('ResolvedRefs'),
          ],
          tls: null,
        };
  const { certificates, problems } = authoritiesOf(caCertificateRefs, null, 'InvalidKind', scope);
  const [problem] = problems;
  const isUsable = certificates.length > 0;
  return {
    findings: [
      isUsable ? holds('Accepted') : fails('Accepted', 'NoValidCACertificate', 'none of the CA certificates is valid'),
      problem ?? holds('ResolvedRefs'),
    ],
    tls: isUsable ? { ...common, ca: { provider: 'inline', trusted_ca_certs: certificates } } : null,
  };
}

/** Reports whether an older policy shares a target with this policy. */
function isConflicted(policy: BackendTlsPolicy, view: ClusterView): boolean {
  const namespace = policy.metadata.namespace ?? '';
  return servicesOf(policy).some((service) =>
    [...view.policiesOf(service)].some(
      (other) =>
        compareText(ageOf(other), ageOf(policy)) < 0 &&
        other.spec.targetRefs.some((theirs) =>
          policy.spec.targetRefs.some(
            ({ name, sectionName }) =>
              `${namespace}/${name}` === service && theirs.name === name && theirs.sectionName === sectionName,
          ),
        ),
    ),
  );
}
