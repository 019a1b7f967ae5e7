/** TLS settings of a server, and checks for requests over TLS. */
import { tlsApp, type HttpChallenges, type TlsTermination } from '@sluice/contracts';
import type { Context, Options } from '@sluice/registry';
import type { JsonArray, NetworkAddress } from '@sluice/base';
import { httpPortToken, httpsPortToken } from '../app-tokens.ts';
import { decide, noAutomaticHttps, type AutomaticHttps } from '../automatic-https/decision.ts';
import { HttpError } from '../errors.ts';
import { hostOf } from '../exchange/authority.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { serverOptions } from '../options.ts';

export interface Security {
  /** TLS termination; `null` if the server doesn't use TLS. */
  readonly termination: TlsTermination | null;
  readonly automatic: AutomaticHttps;
  readonly challenges: HttpChallenges;
  /** True to reject requests whose host differs from the server name in the TLS handshake. */
  readonly strictSniHost: boolean;
}

/** Challenges to use if there is no `tls` app. No challenge is ever pending. */
const noChallenges: HttpChallenges = { open: false, covers: () => false, response: () => null };

/** Shared constant, so that the default policies are the same object in every configuration and count as unchanged. */
const defaultPolicies: JsonArray = Object.freeze([Object.freeze({})]);

const policiesKey = 'tls_connection_policies';

export interface SecuredServer {
  readonly protocols: readonly string[];
  readonly addresses: readonly NetworkAddress[];
  /** TLS settings of the previous configuration. */
  readonly previous: Security | null;
}

export async function provisionSecurity(
  config: Options<typeof serverOptions>,
  { protocols, addresses, previous }: SecuredServer,
  context: Context,
): Promise<Security> {
  const ports = { http: context.use(httpPortToken), https: context.use(httpsPortToken) };
  const own = (config.tls_connection_policies ?? []) as JsonArray;
  const tls = await context.appIfRegistered(tlsApp);
  const automatic = tls === null ? noAutomaticHttps : decide(config, addresses, ports, previous?.automatic);
  const policies = automatic.defaultPolicy ? defaultPolicies : own;
  if (policies.length > 0 && tls === null)
    throw context.error('uses TLS, but the tls app is not available', policiesKey);
  const termination =
    tls === null || policies.length === 0
      ? null
      : await tls.termination(policies, { protocols: alpnOf(protocols) }, context, policiesKey);
  return {
    termination,
    automatic,
    challenges: tls?.httpChallenges ?? noChallenges,
    strictSniHost: termination !== null && (config.strict_sni_host ?? termination.authenticatesClients),
  };
}

/** Returns the protocols to offer in ALPN, in order of preference. */
function alpnOf(protocols: readonly string[]): string[] {
  return [...(protocols.includes('h2') ? ['h2'] : []), ...(protocols.includes('h1') ? ['http/1.1'] : [])];
}

/** Throws if the host of a TLS request doesn't match the server name in the handshake (RFC 9110 §15.5.20). */
export function checkSniHost({ connection, host }: Exchange): void {
  const { tls } = connection;
  if (tls !== null && hostOf(host).toLowerCase() !== tls.serverName.toLowerCase())
    throw new HttpError(421, `the host is ${host}, but the TLS handshake was for ${tls.serverName || 'no name'}`);
}
