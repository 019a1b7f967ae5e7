/** Translates Kubernetes objects without an API server in tests. */
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { assignAddresses } from '../../src/kubernetes/gateway/addresses.ts';
import type { ClusterView } from '../../src/kubernetes/gateway/cluster-view.ts';
import { translateRoute, type TranslatedRoute } from '../../src/kubernetes/gateway/http-route.ts';
import type { Listener } from '../../src/kubernetes/gateway/listener.ts';
import { listenerFragments } from '../../src/kubernetes/gateway/listener-fragments.ts';
import { listenersOf } from '../../src/kubernetes/gateway/listeners.ts';
import {
  keyOf,
  servicesOf,
  type BackendTlsPolicy,
  type ConfigMap,
  type Gateway,
  type HttpRoute,
  type ReferenceGrant,
  type Secret,
  type Service,
} from '../../src/kubernetes/objects.ts';
import type { RouteKindInfo } from '../../src/kubernetes/kinds.ts';
import type { FakeObject } from './fake-api-server.ts';

export interface TestObjects {
  readonly gateways: readonly FakeObject[];
  readonly routes: readonly FakeObject[];
  readonly services?: readonly FakeObject[];
  readonly slices?: readonly FakeObject[];
  readonly grants?: readonly FakeObject[];
  readonly secrets?: readonly FakeObject[];
  /** Kind of the routes. Default: HTTPRoute. */
  readonly kind?: RouteKindInfo;
  readonly configMaps?: readonly FakeObject[];
  readonly policies?: readonly FakeObject[];
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Translated {
  readonly listeners: ReadonlyMap<string, readonly Listener[]>;
  readonly routes: ReadonlyMap<string, TranslatedRoute>;
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** Routes by server, ordered by rank. */
  readonly servers: ReadonlyMap<string, readonly Json[]>;
}

export function translate(objects: TestObjects): Translated {
  const byKey = <T>(list: readonly FakeObject[] = []): Map<string, T> =>
    new Map(list.map((each) => [keyOf(each as never), each as T]));
  const [services, secrets] = [byKey<Service>(objects.services), byKey<Secret>(objects.secrets)];
  const configMaps = byKey<ConfigMap>(objects.configMaps);
  const listeners = new Map<string, readonly Listener[]>();
  const view: ClusterView = {
    service: (key) => services.get(key),
    slicesOf: (key) =>
      (objects.slices ?? []).filter(
        ({ metadata }) =>
          `${metadata.namespace ?? ''}/${metadata.labels?.['kubernetes.io/service-name'] ?? ''}` === key,
      ),
    grantsIn: (namespace) =>
      (objects.grants ?? []).filter(({ metadata }) => metadata.namespace === namespace) as unknown as ReferenceGrant[],
    secret: (key) => secrets.get(key),
    configMap: (key) => configMaps.get(key),
    policiesOf: (key) =>
      ((objects.policies ?? []) as unknown as BackendTlsPolicy[]).filter((each) => servicesOf(each).includes(key)),
    labelsOf: (namespace) => objects.labels?.[namespace] ?? {},
    listenersOf: (key) => listeners.get(key),
  };
  const fragments = new Map<string, Fragment>();
  const schemes = new Map<string, string>();
  const gateways = objects.gateways as unknown as readonly Gateway[];
  const assignments = assignAddresses(gateways, [], []);
  for (const gateway of gateways) {
    const { listen } = assignments.get(keyOf(gateway)) ?? { listen: '' };
    const namespace = gateway.metadata.namespace ?? '';
    const found = listenersOf({ gateway, sets: [] }, listen, schemes, { namespace, view, dependsOn: new Set() });
    listeners.set(keyOf(gateway), found);
    for (const [rest, fragment] of listenerFragments(found))
      fragments.set(`gateway/${keyOf(gateway)}/${rest}`, fragment);
  }
  const routes = new Map<string, TranslatedRoute>();
  for (const each of objects.routes as unknown as readonly HttpRoute[]) {
    const translated = translateRoute(each, view, objects.kind);
    routes.set(each.metadata.name, translated);
    for (const [key, fragment] of translated.fragments) fragments.set(key, fragment);
  }
  return { listeners, routes, fragments, servers: serversOf(fragments) };
}

function serversOf(fragments: ReadonlyMap<string, Fragment>): ReadonlyMap<string, readonly Json[]> {
  const found = new Map<string, Json[]>();
  const sorted = [...fragments].sort(([a, one], [b, other]) => ((one.rank ?? a) < (other.rank ?? b) ? -1 : 1));
  for (const [, { config }] of sorted) {
    const { servers = {} } = (config['apps'] as { http?: { servers?: Record<string, JsonObject> } }).http ?? {};
    for (const [name, { routes }] of Object.entries(servers))
      found.set(name, [...(found.get(name) ?? []), ...(routes as readonly Json[])]);
  }
  return found;
}
