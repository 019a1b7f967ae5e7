/** Builds the `tls` app of the document: certificates to obtain for sites, and certificates to load. */
import type { Json, JsonObject } from '@sluice/base';
import { caddyfileError, type Position } from '../errors.ts';
import { asJson, inOrder, moduleObject } from '../json.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Binding, Pairing } from './listeners.ts';
import type { Site } from './site.ts';
import { usesOtherPort } from './server-tls.ts';
import { carryOrigin } from '../sources/origins.ts';
import { bindIssuer, defaultIssuers, fillIssuer, hasAcmeDefaults, wantsCommonPolicy } from './tls-issuers.ts';
import { joinAutomationPolicies } from './tls-policies.ts';
import type { DraftPolicy } from './tls-policy-entry.ts';
import { isPublicName, isShortWildcard, isTailscaleName, qualifiesForCertificate } from './tls-subjects.ts';
import { tlsPiles, type AutomationPolicy, type CertificateLoaderConfig, type IssuerConfig } from './tls-values.ts';

/** Builds the configuration of the `tls` app. Returns `null` if the default configuration is sufficient. */
export function buildTls(pairings: readonly Pairing[], options: GlobalOptions): JsonObject | null {
  const builder = new TlsBuilder(options);
  for (const pairing of pairings) builder.addPairing(pairing);
  return builder.finish(pairings);
}

class TlsBuilder {
  readonly #options: GlobalOptions;
  readonly #drafts: DraftPolicy[] = [];
  readonly #loaders: CertificateLoaderConfig[] = [];
  readonly #automated = new Set<string>();
  #catchAll: AutomationPolicy | null;

  constructor(options: GlobalOptions) {
    this.#options = options;
    this.#catchAll = basePolicy(options);
    if (this.#catchAll !== null) this.#drafts.push({ policy: this.#catchAll, implicit: false });
  }

  addPairing(pairing: Pairing): void {
    if (!usesOtherPort(pairing, this.#options.httpPort)) return;
    for (const site of pairing.sites) if (!site.isAllHttp) this.#addSite(site);
  }

  #addSite(site: Site): void {
    const hosts = site.hosts();
    const isNew = hosts.length > 0 || this.#catchAll === null;
    const policy = isNew ? (basePolicy(this.#options) ?? {}) : (this.#catchAll as AutomationPolicy);
    const before = JSON.stringify(policy.issuers);
    applySite(policy, site);
    if (!isNew && site.values(tlsPiles.issuer).length > 0 && before !== JSON.stringify(policy.issuers)) {
      throw caddyfileError(
        `automation policy from site block is also default/catch-all policy because of key without hostname, and the two are in conflict`,
        undefined,
        site.block.keys[0],
      );
    }
    if (hosts.length === 0) this.#catchAll ??= policy;
    const names = site.hostsBeyondHttp(this.#options.httpPort);
    if (site.values(tlsPiles.forceAutomate).length > 0) for (const name of names) this.#automated.add(name);
    for (const name of names) {
      if (policy.issuers === undefined && !isTailscaleName(name) && !qualifiesForCertificate(name))
        throw caddyfileError(`subject does not qualify for certificate: '${name}'`, undefined, site.keyOf(name));
    }
    this.#addDrafts(policy, names);
    this.#loaders.push(...site.pile<CertificateLoaderConfig>(tlsPiles.loader));
  }

  /**
   * Adds the automation policies of a site. Public and internal names need different issuers, unless the site configures issuers. If
   * several sites change the policy for all names, that policy is added once per site, as in Caddy. Each copy has the names of the last
   * site.
   */
  #addDrafts(policy: AutomationPolicy, names: readonly string[]): void {
    if (names.length > 0) policy.subjects = [...names];
    else delete policy.subjects;
    const split = policy.issuers === undefined ? names.filter((name) => !isTailscaleName(name)) : [];
    const internal = split.filter((name) => !isPublicName(name, policy.on_demand));
    const external = split.filter((name) => isPublicName(name, policy.on_demand));
    if (internal.length === 0 || external.length === 0) {
      this.#drafts.push({ policy, implicit: false });
      return;
    }
    policy.subjects = external;
    this.#drafts.push({ policy, implicit: false });
    this.#drafts.push({ policy: { ...policy, subjects: internal, issuers: [{ module: 'internal' }] }, implicit: true });
  }

  finish(pairings: readonly Pairing[]): JsonObject | null {
    const options = this.#options;
    const tls: Record<string, Json> = {};
    const certificates = this.#certificates(pairings);
    if (Object.keys(certificates).length > 0) tls['certificates'] = certificates;
    const drafts = this.#drafts.map((draft) => withDefaults(draft, options));
    const policies = joinAutomationPolicies(drafts, (name) => placeOf(name, pairings)).map(policyJson);
    if (policies.length > 0) tls['automation'] = { policies: asJson(policies) };
    return Object.keys(tls).length === 0 ? null : tls;
  }

  #certificates(pairings: readonly Pairing[]): Record<string, Json> {
    const certificates: Record<string, Json> = {};
    for (const { loader, item } of this.#loaders) {
      const known = (certificates[loader] ?? []) as readonly Json[];
      const items = Array.isArray(item) ? item : [item];
      certificates[loader] = [...known, ...items];
    }
    const modes = this.#options.get<readonly string[]>('auto_https') ?? [];
    const internal: string[] = [];
    if (!modes.includes('off')) {
      for (const name of besideCatchAll(pairings, this.#options.httpPort)) {
        this.#automated.add(name);
        if (!isPublicName(name) || isShortWildcard(name)) internal.push(name);
      }
    }
    if (internal.length > 0) {
      // For wildcards such as `*.com`, the issuer counts as explicitly configured.
      const implicit = internal.every((name) => !isPublicName(name));
      this.#drafts.push({ policy: { subjects: internal, issuers: [{ module: 'internal' }] }, implicit });
    }
    if (this.#automated.size > 0) certificates['automate'] = [...this.#automated].sort();
    return Object.fromEntries(Object.entries(certificates).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Returns the hosts of sites that also have a catch-all address. No route matches these hosts, but they still need certificates. */
function besideCatchAll(pairings: readonly Pairing[], httpPort: string): Set<string> {
  const names = new Set<string>();
  for (const site of pairings.flatMap(({ sites }) => sites)) {
    if (!site.hasCatchAll) continue;
    for (const { host, scheme, port } of site.addresses) {
      if (host !== '' && scheme !== 'http' && port !== httpPort) names.add(host);
    }
  }
  return names;
}

/** Returns the position of the last occurrence of a name. */
function placeOf(name: string, pairings: readonly Pairing[]): Position | undefined {
  const sites = pairings.flatMap((pairing) => pairing.sites);
  const owner = sites.findLast(({ addresses }) => addresses.some(({ host }) => host === name));
  return owner?.keyOf(name);
}

/** Returns the automation policy from the global options. Returns `null` if no relevant option is set. */
function basePolicy(options: GlobalOptions): AutomationPolicy | null {
  const policy: AutomationPolicy = {};
  const issuers = options.get<IssuerConfig[]>('cert_issuer');
  const local = options.has('local_certs');
  if (issuers !== undefined && local) {
    throw caddyfileError(
      'global options are ambiguous: local_certs is confusing when combined with cert_issuer, because local_certs is also a specific kind of issuer',
      undefined,
      options.tokenOf('local_certs'),
    );
  }
  const host = options.get<readonly Binding[]>('default_bind')?.[0]?.addresses[0];
  if (host !== undefined && wantsCommonPolicy(options)) for (const issuer of issuers ?? []) bindIssuer(issuer, host);
  if (issuers !== undefined) policy.issuers = [...issuers];
  else if (local) policy.issuers = [{ module: 'internal' }];
  const keyType = options.get<string>('key_type');
  if (keyType !== undefined) policy.key_type = keyType;
  const ratio = options.get<number>('renewal_window_ratio');
  if (ratio !== undefined) policy.renewal_window_ratio = ratio;
  if (options.has('ocsp_stapling')) policy.disable_ocsp_stapling = true;
  return Object.keys(policy).length === 0 && !wantsCommonPolicy(options) ? null : policy;
}

/** Adds the settings of a site's `tls` directives to a policy. If there are several, the first one sets the key type and the renewal window. */
function applySite(policy: AutomationPolicy, site: Site): void {
  if (site.values(tlsPiles.onDemand).length > 0) policy.on_demand = true;
  if (site.values(tlsPiles.reusePrivateKeys).length > 0) policy.reuse_private_keys = true;
  const ratio = site.pile<number>(tlsPiles.renewalWindowRatio)[0];
  if (ratio !== undefined) policy.renewal_window_ratio = ratio;
  const keyType = site.pile<string>(tlsPiles.keyType)[0];
  if (keyType !== undefined) policy.key_type = keyType;
  const issuers = site.pile<IssuerConfig>(tlsPiles.issuer);
  if (issuers.length > 0) policy.issuers = issuers;
  const managers = site.pile<Json>(tlsPiles.manager);
  if (managers.length > 0) policy.get_certificate = [...(policy.get_certificate ?? []), ...managers];
  const host = site.pile<Binding>('bind').find(({ addresses }) => addresses.length > 0)?.addresses[0];
  if (host !== undefined) for (const issuer of policy.issuers ?? []) bindIssuer(issuer, host);
}

function withDefaults({ policy, implicit }: DraftPolicy, options: GlobalOptions): DraftPolicy {
  const issuers =
    policy.issuers ??
    (hasAcmeDefaults(options) && (policy.subjects ?? []).every((name) => getsDefaults(name, policy))
      ? defaultIssuers(options)
      : undefined);
  if (issuers === undefined) return { policy, implicit };
  return { policy: { ...policy, issuers: issuers.map((each) => fillIssuer(each, options)) }, implicit };
}

function getsDefaults(name: string, policy: AutomationPolicy): boolean {
  return isPublicName(name, policy.on_demand) && !isTailscaleName(name);
}

/** Fields of automation policies, in the same order as in Caddy's JSON. */
const fields = [
  'subjects issuers get_certificate must_staple renewal_window_ratio key_type storage on_demand reuse_private_keys',
  'disable_ocsp_stapling ocsp_overrides',
].flatMap((names) => names.split(' '));

function policyJson(policy: AutomationPolicy): Json {
  const issuers = policy.issuers?.map((each) => moduleObject('module', each.module, withoutEmpty(each)));
  return inOrder({ ...policy, issuers, key_type: policy.key_type || undefined }, fields);
}

/** Removes empty issuer options, such as a quoted `email {$NONE}`. */
function withoutEmpty(issuer: IssuerConfig): IssuerConfig {
  const said = Object.entries(issuer).filter(([, value]) => value !== '');
  return carryOrigin(issuer, { ...Object.fromEntries(said), module: issuer.module });
}
