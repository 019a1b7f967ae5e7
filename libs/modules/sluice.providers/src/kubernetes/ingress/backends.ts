import { joinHostPort, type JsonObject } from '@sluice/base';
import { endpointsOf } from '../gateway/backends.ts';
import type { IngressBackend, IngressService } from './objects.ts';
import { ingressTargets, type IngressScope } from './scope.ts';

/** Addresses of a backend in a stable order. Empty if no endpoint is ready. If the backend has a problem, requests get status 503. */
export interface ResolvedBackend {
  readonly service: string;
  readonly port: string;
  readonly dials: readonly string[];
  readonly problem: string | null;
}

export function resolveBackend(backend: IngressBackend, scope: IngressScope): ResolvedBackend {
  const { service } = backend;
  if (service === undefined)
    return {
      service: '',
      port: '',
      dials: [],
      problem: `a backend resource of kind ${backend.resource?.kind ?? ''} is not supported`,
    };
  const key = `${scope.namespace}/${service.name}`;
  const port = service.port?.name ?? String(service.port?.number ?? '');
  return { service: service.name, port, ...resolveService(key, port, scope) };
}

/** @param wanted Name or number of a port; empty means the first one. */
export function resolveService(
  key: string,
  wanted: string,
  { view, settings, dependsOn, annotations }: IngressScope,
): { readonly dials: readonly string[]; readonly problem: string | null } {
  dependsOn.add(ingressTargets.service(key));
  const service = view.service(key);
  const number = /^\d+$/.test(wanted) ? Number(wanted) : undefined;
  if (service === undefined) {
    if (!settings.isOffline) return { dials: [], problem: `Service ${key} doesn't exist` };
    if (number === undefined)
      return { dials: [], problem: `port ${wanted} is unknown; add Service ${key} to the manifests` };
    return { dials: [clusterName(key, number)], problem: null };
  }
  const { type, clusterIP, externalName = '' } = service.spec;
  const found = portOf(service, wanted, number);
  if (type === 'ExternalName') {
    const external = found?.port ?? number;
    if (external === undefined) return { dials: [], problem: `Service ${key} has no port ${wanted}` };
    return { dials: [joinHostPort(externalName, external)], problem: null };
  }
  if (found === undefined) {
    // Headless Services don't need to declare ports.
    if (clusterIP === 'None' && number !== undefined)
      return { dials: podsOf(number, view.slicesOf(key)), problem: null };
    return {
      dials: [],
      problem: wanted === '' ? `Service ${key} has no ports` : `Service ${key} has no port ${wanted}`,
    };
  }
  if (
    annotations.flag('service-upstream') === true &&
    clusterIP !== undefined &&
    clusterIP !== 'None' &&
    clusterIP !== ''
  )
    return { dials: [joinHostPort(clusterIP, found.port)], problem: null };
  const dials = endpointsOf(found, view.slicesOf(key));
  return { dials: settings.isOffline && dials.length === 0 ? [clusterName(key, found.port)] : dials, problem: null };
}

type Port = NonNullable<IngressService['spec']['ports']>[number];

function portOf(
  { spec: { ports = [] } }: IngressService,
  wanted: string,
  number: number | undefined,
): Port | undefined {
  if (wanted === '') return ports[0];
  return ports.find((each) => (number === undefined ? each.name === wanted : each.port === number));
}

function podsOf(port: number, slices: ReturnType<IngressScope['view']['slicesOf']>): readonly string[] {
  const found = new Set<string>();
  for (const { endpoints } of slices)
    for (const { addresses, conditions } of endpoints ?? [])
      if (conditions?.ready !== false) for (const address of addresses) found.add(joinHostPort(address, port));
  return [...found].sort();
}

function clusterName(key: string, port: number): string {
  const [namespace = '', name = ''] = key.split('/');
  return joinHostPort(`${name}.${namespace}.svc.cluster.local`, port);
}

export function unavailable(): JsonObject {
  return { handler: 'error', status_code: 503 };
}
