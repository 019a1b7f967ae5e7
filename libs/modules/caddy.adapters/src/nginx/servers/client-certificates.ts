/** Translates `ssl_verify_client`. Client certificates are requested in the TLS handshake and verified for each request. */
import { passing, raise, setVariables, subroute, terminal, type Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import { errorPages } from '../response/error-page.ts';
import { marks, type Site } from '../site.ts';
import { serverNameMatch, noServerName, sameHost, type HandshakeNames } from './handshake-names.ts';

/** Placeholder for OpenSSL's verification result: `SUCCESS`, `NONE`, or `FAILED:` followed by the reason. */
const verified = '{http.request.tls.client.verify}';

/** Verification errors that `optional_no_ca` accepts. They mean that the issuer of the certificate is unknown. */
const withoutIssuer = [
  'self-signed certificate',
  'self-signed certificate in certificate chain',
  'unable to get local issuer certificate',
  'unable to verify the first certificate',
].map((reason) => `FAILED:${reason}`);

/** Verification results that each mode accepts. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  on: ['SUCCESS'],
  optional: ['SUCCESS', 'NONE'],
  optional_no_ca: ['SUCCESS', 'NONE', ...withoutIssuer],
};

/** nginx's internal statuses for invalid and missing client certificates. Clients receive status 400. */
const [invalid, missing] = [495, 496];

/**
 * Returns the `client_authentication` option of a connection policy. An invalid certificate does not fail the handshake, because nginx
 * responds with 400.
 */
export function clientAuthentication(site: Site): Node | undefined {
  const { adaptation, scope } = site;
  const mode = modeOf(site);
  if (mode === null) return undefined;
  const files = ['ssl_client_certificate', 'ssl_trusted_certificate'].flatMap((name) => scope.value(name) ?? []);
  const revoked = scope.find('ssl_crl');
  if (revoked !== undefined)
    throw problemAt(revoked, 'ssl_crl is not supported; clients with a revoked certificate would be accepted');
  if (files.length === 0 && mode !== 'optional_no_ca')
    throw problemAt(
      scope.find('ssl_verify_client') ?? site.directive,
      'ssl_verify_client requires ssl_client_certificate with the trusted CAs',
    );
  const authorities = [...new Set(files)].map((file) => adaptation.path(file));
  return { mode: 'request', ...(files.length === 0 ? {} : { ca: { provider: 'file', pem_files: authorities } }) };
}

function modeOf({ scope }: Site): string | null {
  const directive = scope.find('ssl_verify_client');
  const mode = directive?.args[0] ?? 'off';
  if (directive === undefined || mode === 'off') return null;
  if (!Object.hasOwn(accepted, mode))
    throw problemAt(
      directive,
      `expected on, off, optional or optional_no_ca after ssl_verify_client, not ${JSON.stringify(mode)}`,
    );
  return mode;
}

/**
 * Returns handlers that verify client certificates. They check that the handshake used this server's settings. Another server may not have
 * requested a certificate, or may have used other CAs. `isDefault` is true if this server also handles handshakes whose name matches no
 * server.
 */
export function clientChecks(site: Site, names: readonly HandshakeNames[], isDefault: boolean): Node[] {
  const mode = modeOf(site);
  if (mode === null) return [];
  const pages = new Set(errorPages(site.scope).flatMap(({ statuses }) => statuses));
  const refuse = (status: number): Node[] => [raise(pages.has(status) ? status : 400)];
  const foreign: Node[] = isDefault
    ? names.map((each) => ({ ...serverNameMatch(each), not: [sameHost] }))
    : [{ not: [sameHost] }, noServerName];
  const without = mode === 'on' ? [terminal(refuse(missing), [{ vars: { [verified]: ['', 'NONE'] } }])] : [];
  return [
    subroute([
      passing([setVariables({ [marks.location]: `${site.id}_server` })]),
      ...(foreign.length === 0 ? [] : [terminal([raise(421)], foreign)]),
      ...without,
      terminal(refuse(invalid), [{ not: [{ vars: { [verified]: [...(accepted[mode] ?? [])] } }] }]),
    ]),
  ];
}
