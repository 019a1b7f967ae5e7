/** Configuration of a host, which several Ingresses may share: certificate, client authentication, redirects, unmatched paths. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { ageOf, keyOf } from '../objects.ts';
import { Annotations, RefusedError } from './annotations/reader.ts';
import { tlsSecretOf } from './claims.ts';
import { clientAuthentication, type ClientAuthentication } from './handlers/client-certificates.ts';
import { cipherSuites } from './handlers/cipher-suites.ts';
import { redirect } from './handlers/redirects.ts';
import type { Ingress, IngressView } from './objects.ts';
import { ingressTargets, objectKey, type IngressScope } from './scope.ts';
import { certificateOf, hostMatcher, rankOf, serversConfig, unmatched, type LoadedCertificate } from './servers.ts';
import type { IngressSettings } from './settings.ts';

export interface TranslatedHost {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly dependsOn: ReadonlySet<string>;
  /** Warnings by Ingress. */
  readonly warnings: ReadonlyMap<string, readonly string[]>;
}

export function translateHost(host: string, view: IngressView, settings: IngressSettings): TranslatedHost {
  const dependsOn = new Set<string>();
  const fragments = new Map<string, Fragment>();
  const warnings = new Map<string, string[]>();
  const scopes = [...view.ingressesOf(host)]
    .sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))
    .map((ingress) => scopeOf(ingress, view, settings, dependsOn));
  const warn = (ingress: Ingress, message: string): void => {
    const key = keyOf(ingress);
    warnings.set(key, [...(warnings.get(key) ?? []), message]);
  };
  const certificate = certificateFor(host, scopes, warn);
  const authentication = authenticationFor(host, scopes, warn);
  const suites = scopes.flatMap((scope) => cipherSuites(scope)).slice(0, 1);
  if (settings.https !== '' && (certificate !== null || authentication !== null))
    fragments.set('tls', tlsFragment(host, { certificate, authentication, suites: suites[0] ?? [] }, settings));
  if (view.isHost(host)) {
    const object = `host ${host}`;
    if (host !== '') {
      const route = { match: [hostMatcher(host)], handle: [unmatched(settings)], terminal: true };
      const config = serversConfig(settings, () => ({ routes: [route] }));
      fragments.set('unmatched', { object, rank: rankOf(host, 'unmatched'), config });
    }
    const other = wwwRedirect(host, scopes);
    if (other !== null) {
      dependsOn.add(ingressTargets.host(other));
      if (!view.isHost(other)) fragments.set('www', redirectFragment(other, host, object, settings));
    }
  }
  for (const { ingress, annotations } of scopes) for (const each of annotations.warnings) warn(ingress, each);
  return { fragments, dependsOn, warnings };
}

function scopeOf(ingress: Ingress, view: IngressView, settings: IngressSettings, dependsOn: Set<string>): IngressScope {
  const namespace = ingress.metadata.namespace ?? '';
  return { ingress, namespace, annotations: new Annotations(ingress, settings.prefix), view, settings, dependsOn };
}

type Warn = (ingress: Ingress, message: string) => void;

function certificateFor(host: string, scopes: readonly IngressScope[], warn: Warn): LoadedCertificate | null {
  for (const scope of scopes) {
    const secret = tlsSecretOf(scope.ingress, host);
    if (secret === undefined || secret === null || secret === '') continue;
    const found = certificateOf(objectKey(secret, scope.namespace), scope);
    if (typeof found !== 'string') return found;
    warn(scope.ingress, `tls: ${found}`);
  }
  return null;
}

/** Returns the client authentication of the oldest Ingress that has `auth-tls-secret`. If its Secret is invalid, all clients are rejected. */
function authenticationFor(host: string, scopes: readonly IngressScope[], warn: Warn): ClientAuthentication | null {
  for (const scope of scopes) {
    if (scope.annotations.text('auth-tls-secret') === undefined) continue;
    try {
      return clientAuthentication(host, scope);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      warn(scope.ingress, error.message);
      const refusal = [{ handler: 'error', status_code: 503 }];
      return { policy: {}, checks: refusal, plainChecks: refusal };
    }
  }
  return null;
}

interface HostTls {
  readonly certificate: LoadedCertificate | null;
  readonly authentication: ClientAuthentication | null;
  readonly suites: readonly string[];
}

function tlsFragment(
  host: string,
  { certificate, authentication, suites }: HostTls,
  settings: IngressSettings,
): Fragment {
  const policy: JsonObject = {
    match: host === '' ? {} : { sni: [host] },
    ...(certificate === null
      ? {}
      : {
          certificate_selection: { any_tag: [certificate.tag] },
          ...(certificate.name === '' ? {} : { default_sni: certificate.name, fallback_sni: certificate.name }),
        }),
    ...(suites.length === 0 ? {} : { cipher_suites: suites }),
    ...authentication?.policy,
  };
  const route = (handle: readonly JsonObject[]): JsonObject => ({
    routes: [{ ...(host === '' ? {} : { match: [hostMatcher(host)] }), handle }],
  });
  return {
    object: `host ${host}`,
    rank: rankOf(host, 'checks'),
    config: serversConfig(
      settings,
      (scheme) => {
        if (scheme === 'http') return authentication === null ? null : route(authentication.plainChecks);
        return { tls_connection_policies: [policy], ...(authentication === null ? {} : route(authentication.checks)) };
      },
      certificate === null ? {} : { tls: { certificates: { load_pem: [certificate.loaded] } } },
    ),
  };
}

/** Returns the host that redirects to this host, or `null` if there is none. */
function wwwRedirect(host: string, scopes: readonly IngressScope[]): string | null {
  if (host === '' || host.startsWith('*.')) return null;
  if (!scopes.some(({ annotations }) => annotations.flag('from-to-www-redirect') === true)) return null;
  return host.startsWith('www.') ? host.slice(4) : `www.${host}`;
}

function redirectFragment(from: string, to: string, object: string, settings: IngressSettings): Fragment {
  const [, port] = /:(\d+)$/.exec(settings.https) ?? [];
  const location = (scheme: string): string =>
    `${scheme}://${to}${scheme === 'https' && port !== undefined && port !== '443' ? `:${port}` : ''}{http.request.uri}`;
  const route = (scheme: string): JsonObject => ({
    match: [hostMatcher(from)],
    handle: [redirect(308, location(scheme))],
    terminal: true,
  });
  const config = serversConfig(settings, (scheme) => ({ routes: [route(scheme)] }));
  return { object, rank: rankOf(from, 'redirects'), config };
}
