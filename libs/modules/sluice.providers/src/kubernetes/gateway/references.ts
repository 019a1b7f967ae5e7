import type { BackendTlsPolicy, Gateway, ListenerSet } from '../objects.ts';
import type { ObjectReference } from '../object-reference.ts';
import { targets } from './cluster-view.ts';

export function namedTargetsOf({ metadata, spec }: Gateway | ListenerSet): readonly string[] {
  const namespace = metadata.namespace ?? '';
  const { frontend, backend } = ('tls' in spec ? spec.tls : undefined) ?? {};
  const certificates = (spec.listeners ?? []).flatMap(({ tls }) => tls?.certificateRefs ?? []);
  const client = backend?.clientCertificateRef;
  const validations = [frontend?.default, ...(frontend?.perPort ?? []).map(({ tls }) => tls)];
  const authorities = validations.flatMap((each) => each?.validation?.caCertificateRefs ?? []);
  return [
    ...[...certificates, ...(client === undefined ? [] : [client])]
      .filter((each) => isCore(each, 'Secret'))
      .map((each) => targets.secret(keyOfReference(each, namespace))),
    ...authorities
      .filter((each) => isCore(each, 'ConfigMap'))
      .map((each) => targets.configMap(keyOfReference(each, namespace))),
  ];
}

export function policyTargetsOf({ metadata, spec }: BackendTlsPolicy): readonly string[] {
  return (spec.validation.caCertificateRefs ?? [])
    .filter((each) => isCore(each, 'ConfigMap'))
    .map(({ name }) => targets.configMap(`${metadata.namespace ?? ''}/${name}`));
}

function isCore({ group = '', kind = 'Secret' }: ObjectReference, wanted: string): boolean {
  return group === '' && kind === wanted;
}

function keyOfReference({ name, namespace }: ObjectReference, ownNamespace: string): string {
  return `${namespace ?? ownNamespace}/${name}`;
}
