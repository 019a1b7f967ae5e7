/** Translates an Ingress to configuration fragments, one for each path. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { fallbackOrders } from '../../common/fallback-orders.ts';
import { ageOf, keyOf } from '../objects.ts';
import { Annotations, RefusedError } from './annotations/reader.ts';
import { resolveBackend, unavailable, type ResolvedBackend } from './backends.ts';
import { claimOf, claimsOf, tlsSecretOf, type Claim } from './claims.ts';
import { accessHandlers } from './handlers/access.ts';
import { canaryHandlers } from './handlers/canary.ts';
import { corsHandlers } from './handlers/cors.ts';
import { defaultBackendOf, errorOptions } from './handlers/errors.ts';
import { cookieHandlers, loadBalancing } from './handlers/load-balancing.ts';
import { mirrorHandlers } from './handlers/mirror.ts';
import { observingHandlers, responseHandlers } from './handlers/observing.ts';
import { proxyOptions } from './handlers/proxy.ts';
import { rateLimits } from './handlers/rate-limits.ts';
import { appRootOf, httpsRedirectOf, redirectOf } from './handlers/redirects.ts';
import { bodyHandlers } from './handlers/request-body.ts';
import { rewriteHandlers } from './handlers/rewriting.ts';
import { snippetsOf } from './handlers/snippets.ts';
import type { Ingress, IngressView } from './objects.ts';
import { pathMatchers, pathRank } from './paths.ts';
import { ingressTargets, type IngressScope } from './scope.ts';
import { hostMatcher, rankOf, serversConfig } from './servers.ts';
import type { IngressSettings } from './settings.ts';

export interface TranslatedIngress {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly dependsOn: ReadonlySet<string>;
  readonly warnings: readonly string[];
  /** Reason why all paths respond with 503, or `null` if the paths are served. */
  readonly refused: string | null;
}

export function translateIngress(ingress: Ingress, view: IngressView, settings: IngressSettings): TranslatedIngress {
  const dependsOn = new Set<string>();
  const annotations = new Annotations(ingress, settings.prefix);
  const namespace = ingress.metadata.namespace ?? '';
  const scope = { ingress, namespace, annotations, view, settings, dependsOn };
  annotations.warnUnsupported();
  if (annotations.flag('canary') === true) return canaryResult(scope);
  let refused: string | null = null;
  const shared = attempt(() => sharedHandlers(scope));
  const appRoot = attempt(() => appRootOf(scope));
  const fragments = new Map<string, Fragment>();
  const addPath = (claim: Claim, host: string, key: string, place: 'paths' | 'defaultBackend'): void => {
    const usesExpressions = view.usesExpressions(claim.host);
    dependsOn.add(ingressTargets.host(claim.host));
    const matchers = place === 'paths' ? pathMatchers(claim, usesExpressions) : {};
    if (typeof matchers === 'string') {
      annotations.warn('paths', matchers);
      return;
    }
    const handlers = shared === null ? null : attempt(() => shared(claim));
    const isTls = tlsSecretOf(ingress, claim.host) !== undefined;
    const match = { ...hostMatcher(host), ...matchers };
    const route = (handle: readonly JsonObject[]): JsonObject => ({
      ...(Object.keys(match).length === 0 ? {} : { match: [match] }),
      handle,
      terminal: true,
    });
    const https = handlers === null ? null : httpsRedirectOf(isTls, scope);
    const config = serversConfig(settings, (scheme) => {
      const handle = handlers ?? [unavailable()];
      return { routes: [route(scheme === 'http' && https !== null ? [https, ...handle] : handle)] };
    });
    const rank = rankOf(host, place, `${place === 'paths' ? pathRank(claim) : ''} ${ageOf(ingress)} ${key}`);
    const isFallback = place === 'defaultBackend' && host === '';
    fragments.set(key, {
      object: `Ingress ${keyOf(ingress)}, path ${claim.host}${claim.path}`,
      rank,
      ...(isFallback ? { fallback: `${fallbackOrders.ingressBackend} ${ageOf(ingress)}` } : {}),
      config,
    });
  };
  for (const [index, claim] of servedClaims(scope).entries())
    for (const [n, host] of hostsOf(claim.host, scope).entries())
      addPath(claim, host, `${pad(index)}${n === 0 ? '' : `.${n}`}`, 'paths');
  for (const [index, host] of defaultHosts(ingress).entries())
    addPath(
      claimOf(host, '/', 'Prefix', ingress.spec.defaultBackend ?? {}),
      host,
      `default.${index}`,
      'defaultBackend',
    );
  if (appRoot !== null)
    for (const host of new Set((ingress.spec.rules ?? []).map((rule) => (rule.host ?? '').toLowerCase())))
      fragments.set(`root ${host}`, rootFragment(host, appRoot, scope));
  return { fragments, dependsOn, warnings: annotations.warnings, refused };

  function attempt<T>(action: () => T): T | null {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      refused ??= error.message;
      return null;
    }
  }
}

/** Returns a function that returns the handlers of a path. All paths share the handlers that don't depend on the path. */
function sharedHandlers(scope: IngressScope): (claim: Claim) => readonly JsonObject[] {
  const before = [...observingHandlers(scope), ...corsHandlers(scope)];
  const wholeResponse = redirectOf(scope);
  if (wholeResponse !== null) return () => [...before, wholeResponse];
  const inFront = [
    ...rateLimits(scope),
    ...accessHandlers(scope),
    ...bodyHandlers(scope),
    ...responseHandlers(scope),
    ...cookieHandlers(scope),
    ...mirrorHandlers(scope),
  ];
  const withSnippets = snippetsOf(scope);
  return (claim) => [
    ...before,
    ...inFront,
    ...withSnippets([...rewriteHandlers(claim, scope), ...backendHandlers(claim, scope)]),
  ];
}

function backendHandlers(claim: Claim, scope: IngressScope): readonly JsonObject[] {
  const main = proxyTo(resolveBackend(claim.backend, scope), scope);
  const canary = canaryOf(claim, scope);
  return canary === null ? main : canaryHandlers(canary.annotations, canary.handlers, main);
}

function proxyTo(backend: ResolvedBackend, scope: IngressScope, balancing = scope.annotations): readonly JsonObject[] {
  if (backend.problem !== null) scope.annotations.warn('backend', backend.problem);
  const fallback = backend.dials.length === 0 ? defaultBackendOf(scope) : null;
  const dials = backend.dials.length > 0 ? backend.dials : (fallback ?? []);
  if (dials.length === 0) return [unavailable()];
  const service = { name: backend.service, port: backend.port };
  const options = { ...proxyOptions(scope, dials.length < 2 ? null : balancing), ...errorOptions(scope, service) };
  return [{ handler: 'reverse_proxy', ...options, upstreams: dials.map((dial) => ({ dial })) }];
}

interface Canary {
  readonly annotations: Annotations;
  readonly handlers: readonly JsonObject[];
}

function canaryOf(claim: Claim, scope: IngressScope): Canary | null {
  const { view, settings, dependsOn } = scope;
  dependsOn.add(ingressTargets.claim(claim.id));
  const candidates = [...view.claimants(claim.id)]
    .filter((each) => each !== scope.ingress && each.metadata.namespace === scope.ingress.metadata.namespace)
    .map((ingress) => ({ ingress, annotations: new Annotations(ingress, settings.prefix) }))
    .filter(({ annotations }) => annotations.flag('canary') === true)
    .sort((a, b) => (ageOf(a.ingress) < ageOf(b.ingress) ? -1 : 1));
  const [first] = candidates;
  if (first === undefined) return null;
  const found = claimsOf(first.ingress).find(({ id }) => id === claim.id);
  if (found === undefined) return null;
  const backend = resolveBackend(found.backend, { ...scope, ...first });
  return { annotations: first.annotations, handlers: proxyTo(backend, scope, first.annotations) };
}

/**
 * Returns the result for a canary Ingress. The result can contain warnings but no configuration, because the main Ingress's result contains
 * the configuration.
 */
function canaryResult(scope: IngressScope): TranslatedIngress {
  const { ingress, annotations, view, dependsOn } = scope;
  canaryHandlers(annotations, [], []);
  loadBalancing(annotations);
  for (const { id, host, path, backend } of claimsOf(ingress)) {
    dependsOn.add(ingressTargets.claim(id));
    const { problem } = resolveBackend(backend, scope);
    if (problem !== null) annotations.warn('backend', problem);
    const hasMain = [...view.claimants(id)].some(
      (each) => each.metadata.namespace === ingress.metadata.namespace && !isCanary(each, scope),
    );
    if (!hasMain) annotations.warn('canary', `no other Ingress has the path ${host}${path}`);
  }
  return { fragments: new Map(), dependsOn, warnings: annotations.warnings, refused: null };
}

function isCanary(ingress: Ingress, { settings }: IngressScope): boolean {
  return new Annotations(ingress, settings.prefix).flag('canary') === true;
}

/** Returns the paths of an Ingress that no older Ingress claims. */
function servedClaims(scope: IngressScope): readonly Claim[] {
  const { ingress, annotations, view, dependsOn } = scope;
  return claimsOf(ingress).filter(({ id, host, path }) => {
    dependsOn.add(ingressTargets.claim(id));
    for (const other of view.claimants(id)) {
      if (other === ingress || isCanary(other, scope) || ageOf(other) >= ageOf(ingress)) continue;
      annotations.warn('paths', `${host}${path} belongs to the older Ingress ${keyOf(other)}`);
      return false;
    }
    return true;
  });
}

/** Returns a host and the aliases that annotations define for it. */
function hostsOf(host: string, { annotations, view, dependsOn }: IngressScope): readonly string[] {
  const aliases = annotations.list('server-alias').map((each) => each.toLowerCase());
  if (host === '') return [host];
  return [
    host,
    ...aliases.filter((alias) => {
      if (alias === host) return false;
      dependsOn.add(ingressTargets.host(alias));
      const isPlain = /^(?:\*\.)?[a-z\d.-]+$/.test(alias);
      if (!isPlain) annotations.warn('server-alias', `${JSON.stringify(alias)} is not a valid host name`);
      else if (view.isHost(alias)) annotations.warn('server-alias', `${alias} is already the host of another rule`);
      return isPlain && !view.isHost(alias);
    }),
  ];
}

/** Returns the hosts whose unmatched requests go to the Ingress's default backend. */
function defaultHosts({ spec }: Ingress): readonly string[] {
  if (spec.defaultBackend === undefined) return [];
  const hosts = (spec.rules ?? []).map(({ host = '' }) => host.toLowerCase());
  return hosts.length === 0 ? [''] : [...new Set(hosts)];
}

function rootFragment(host: string, handler: JsonObject, scope: IngressScope): Fragment {
  const { ingress, settings } = scope;
  const route = {
    match: [{ ...hostMatcher(host), vars: { '{http.request.uri.path}': ['/'] } }],
    handle: [handler],
    terminal: true,
  };
  const https = httpsRedirectOf(tlsSecretOf(ingress, host) !== undefined, scope);
  const plain = https === null ? route : { ...route, handle: [https, handler] };
  const config = serversConfig(settings, (scheme) => ({ routes: [scheme === 'http' ? plain : route] }));
  return { object: `Ingress ${keyOf(ingress)}`, rank: rankOf(host, 'redirects', ageOf(ingress)), config };
}

function pad(index: number): string {
  return String(index).padStart(4, '0');
}
