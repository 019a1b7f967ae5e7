/** Certificate issuers that the global options configure. */
import type { Json, JsonObject } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Binding } from './listeners.ts';
import type { IssuerConfig } from './tls-values.ts';

/** Directory URL of the fallback CA, which is used if the first CA cannot issue a certificate. */
const zeroSsl = 'https://acme.zerossl.com/v2/DV90';

/** Global options that apply to all ACME issuers. */
const acmeOptions = ['acme_ca', 'acme_ca_root', 'acme_dns', 'acme_eab', 'preferred_chains'] as const;

/** Reports whether a global option requires an automation policy for all names. */
export function wantsCommonPolicy(options: GlobalOptions): boolean {
  return acmeOptions.some((name) => options.has(name));
}

/** Reports whether any global option configures the default ACME issuers. */
export function hasAcmeDefaults(options: GlobalOptions): boolean {
  return options.has('email') || wantsCommonPolicy(options);
}

/** Returns the issuers for names that have no configured issuer: the configured CA if there is one, otherwise the two default CAs. */
export function defaultIssuers(options: GlobalOptions): IssuerConfig[] {
  const email = options.get<string>('email') ?? '';
  return options.has('acme_ca') || email === ''
    ? [{ module: 'acme' }]
    : [
        { module: 'acme', email },
        { module: 'acme', ca: zeroSsl, email },
      ];
}

export function issuersFor(email: string): IssuerConfig[] {
  return [
    { module: 'acme', email },
    { module: 'acme', ca: zeroSsl, email },
  ];
}

/** Sets the host on which an ACME issuer listens for challenges, unless one is already set. Sites share the issuers from the global options. */
export function bindIssuer(issuer: IssuerConfig, host: string): void {
  const challenges = (issuer['challenges'] ?? {}) as JsonObject;
  if (issuer.module !== 'acme' || challenges['bind_host'] !== undefined) return;
  issuer['challenges'] = host === '' ? challenges : { ...challenges, bind_host: host };
}

/** Adds missing settings of an ACME issuer from the global options. */
export function fillIssuer(issuer: IssuerConfig, options: GlobalOptions): IssuerConfig {
  if (issuer.module !== 'acme') return issuer;
  const filled: IssuerConfig = carryOrigin(issuer, { ...issuer });
  const fill = (field: string, value: Json | undefined): void => {
    if (value !== undefined) filled[field] ??= value;
  };
  fill('email', options.get<string>('email'));
  fill('ca', options.get<string>('acme_ca'));
  const root = options.get<string>('acme_ca_root');
  if (root !== undefined) fill('trusted_roots_pem_files', [root]);
  fillDns(filled, options);
  fill('external_account', options.get<Json>('acme_eab'));
  fill('certificate_lifetime', options.get<number>('cert_lifetime'));
  fill('preferred_chains', options.get<Json>('preferred_chains'));
  fillPort(filled, 'http', options.get<number>('http_port'));
  fillPort(filled, 'tls-alpn', options.get<number>('https_port'));
  const host = options.get<readonly Binding[]>('default_bind')?.[0]?.addresses[0];
  if (host !== undefined) bindIssuer(filled, host);
  return filled;
}

/** Enables DNS challenges if `acme_dns` is set. Uses the DNS provider from that option or from the `tls` app, and the app's resolvers. */
function fillDns(issuer: IssuerConfig, options: GlobalOptions): void {
  const challenges = (issuer['challenges'] ?? {}) as JsonObject;
  const isGlobal = options.has('acme_dns');
  const provider = options.get<Json>('acme_dns') ?? null;
  if (isGlobal && provider === null && !options.has('dns'))
    throw caddyfileError(
      "filling in global issuer defaults for AP 0, issuer 0: acme_dns specified without DNS provider config, but no provider specified with 'dns' global option",
      undefined,
      options.tokenOf('acme_dns'),
    );
  const known = challenges['dns'] as JsonObject | undefined;
  if (known === undefined && !isGlobal) return;
  const dns: Record<string, Json> = provider === null ? { ...known } : { provider, ...known };
  const resolvers = options.get<readonly string[]>('tls_resolvers') ?? [];
  // An issuer that uses the app's DNS provider also uses the app's resolvers.
  if (resolvers.length > 0 && (isGlobal || dns['provider'] !== undefined)) dns['resolvers'] ??= resolvers;
  issuer['challenges'] = { ...challenges, dns };
}

/** Sets the port of a challenge type for an issuer to the port of the server. */
function fillPort(issuer: IssuerConfig, challenge: string, port: number | undefined): void {
  const challenges = (issuer['challenges'] ?? {}) as JsonObject;
  const known = (challenges[challenge] ?? {}) as JsonObject;
  if (port === undefined || known['alternate_port'] !== undefined) return;
  issuer['challenges'] = { ...challenges, [challenge]: { ...known, alternate_port: port } };
}
