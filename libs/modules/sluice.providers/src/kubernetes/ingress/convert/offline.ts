/** Translates Kubernetes manifests without a cluster. */
import { compareText, silentLogger, type JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { keyOf, type EndpointSlice, type KubeObject, type Secret } from '../../objects.ts';
import { isOwn } from '../classes.ts';
import { IngressIndex } from '../index-of-ingresses.ts';
import type { ConfigMap, Ingress, IngressClass, IngressService, IngressView, Snippet } from '../objects.ts';
import type { IngressSettings } from '../settings.ts';
import { adaptSnippet } from '../snippet-cache.ts';
import { translateBase, translateUnit, unitIds, type Unit } from '../units.ts';

export interface Manifests {
  readonly classes: readonly IngressClass[];
  readonly ingresses: readonly Ingress[];
  readonly services: readonly IngressService[];
  readonly slices: readonly EndpointSlice[];
  readonly secrets: readonly Secret[];
  readonly configMaps: readonly ConfigMap[];
}

export interface OfflineOptions {
  readonly settings: IngressSettings;
  /** Controller name of the IngressClasses to translate, or `null` to translate all Ingresses. */
  readonly controllerName: string | null;
  /** Converts nginx configuration. */
  readonly adaptNginx: (text: string) => Promise<JsonObject>;
}

export interface OfflineResult {
  readonly ingresses: readonly Ingress[];
  readonly view: IngressView;
  /** Configuration fragments in the order of the routes. */
  readonly fragments: readonly (readonly [key: string, fragment: Fragment])[];
  /** Warnings by Ingress. */
  readonly warnings: ReadonlyMap<string, readonly string[]>;
}

/** Translates manifests. Ingresses that contain snippets are retranslated after the snippets have been converted. */
export async function translateManifests(manifests: Manifests, options: OfflineOptions): Promise<OfflineResult> {
  const snippets = new Map<string, Snippet>();
  for (;;) {
    const { result, missing } = translateAll(manifests, options, snippets);
    if (missing.length === 0) return result;
    for (const text of missing) snippets.set(text, await adaptSnippet(text, options.adaptNginx));
  }
}

function translateAll(
  manifests: Manifests,
  { settings, controllerName }: OfflineOptions,
  snippets: ReadonlyMap<string, Snippet>,
): { readonly result: OfflineResult; readonly missing: readonly string[] } {
  const classes = byKey(manifests.classes);
  const ingresses = manifests.ingresses.filter(
    (each) => controllerName === null || isOwn(each, classes, controllerName),
  );
  const index = new IngressIndex(settings.prefix);
  for (const each of ingresses) index.set(keyOf(each), each);
  const missing = new Set<string>();
  const view = viewOf(manifests, index, (text) => {
    const known = snippets.get(text) ?? null;
    if (known === null) missing.add(text);
    return known;
  });
  const context = { view, settings, ingress: (key: string) => index.get(key) };
  const fragments = new Map<string, Fragment>();
  const warnings = new Map<string, Set<string>>(ingresses.map((each) => [keyOf(each), new Set<string>()]));
  const add = (unit: Unit | null): void => {
    for (const [key, fragment] of unit?.fragments ?? []) fragments.set(key, fragment);
    for (const [key, list] of unit?.warnings ?? []) for (const warning of list) warnings.get(key)?.add(warning);
  };
  const keys = ingresses.map(keyOf);
  for (const key of keys) add(translateUnit(unitIds.ingress(key), context));
  for (const host of new Set(keys.flatMap((key) => [...index.hostsOf(key)])))
    add(translateUnit(unitIds.host(host), context));
  add(translateBase(context, silentLogger));
  const sorted = [...fragments].sort(([a, one], [b, other]) => compareText(one.rank ?? a, other.rank ?? b));
  const texts = new Map([...warnings].map(([key, list]) => [key, [...list]]));
  return { result: { ingresses, view, fragments: sorted, warnings: texts }, missing: [...missing] };
}

function viewOf(manifests: Manifests, index: IngressIndex, snippet: (text: string) => Snippet | null): IngressView {
  const [services, secrets, configMaps] = [
    byKey(manifests.services),
    byKey(manifests.secrets),
    byKey(manifests.configMaps),
  ];
  const slices = Map.groupBy(
    manifests.slices,
    ({ metadata: { namespace = '', labels } }) => `${namespace}/${labels?.['kubernetes.io/service-name'] ?? ''}`,
  );
  return {
    service: (key) => services.get(key),
    slicesOf: (key) => slices.get(key) ?? [],
    secret: (key) => secrets.get(key),
    configMap: (key) => configMaps.get(key),
    snippet,
    claimants: (claim) => index.claimants(claim),
    ingressesOf: (host) => index.ingressesOf(host),
    isHost: (host) => index.isHost(host),
    usesExpressions: (host) => index.usesExpressions(host),
  };
}

function byKey<T extends KubeObject>(objects: readonly T[]): ReadonlyMap<string, T> {
  return new Map(objects.map((each) => [keyOf(each), each]));
}
