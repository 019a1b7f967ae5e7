/** Options of `tls.issuance.acme`. */
import { networkProxies } from '@sluice/http-app';
import {
  boolean,
  duration,
  inlineModule,
  integer,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { dnsProviders } from '@sluice/contracts';

const httpOptions = options({
  disabled: boolean('Disable this challenge.'),
  alternate_port: integer(
    'Port on which to listen for challenges, unless the server already listens on it. Traffic for port 80 must be forwarded to this port. Default: 80.',
  ),
});

const tlsAlpnOptions = options({
  disabled: boolean('Disable this challenge.'),
  alternate_port: integer(
    'Port on which to listen for challenges, unless the server already listens on it. Traffic for port 443 must be forwarded to this port. Default: 443.',
  ),
});

/** DNS record options of the `dns-01` challenge, and of CNAME validation in `zerossl`. */
export const dnsChallengeOptions = options({
  provider: inlineModule(
    "DNS provider for creating challenge records. Default: the app's provider.",
    dnsProviders,
    'name',
  ),
  ttl: duration("TTL of the DNS challenge records. Default: 0 = the provider's default."),
  propagation_delay: duration('Time to wait before first checking whether the DNS record has propagated. Default: 0.'),
  propagation_timeout: duration(
    'Maximum time to wait for the DNS record to propagate. -1 = do not check. Default: 2 minutes.',
  ),
  resolvers: strings(
    'DNS servers for finding zones and checking records, such as "1.1.1.1" or "[::1]:53". Default: the `resolvers` of the `tls` app. If the app has no `resolvers`, zones are found with the system resolvers, and records are checked on the authoritative servers.',
  ),
  override_domain: string(
    'Name of the DNS record to create, if `_acme-challenge.<name>` is a CNAME that points to it. Default: CNAME records are followed, using the DNS servers in `resolvers`.',
  ),
});

const dnsPersistOptions = options({
  timeout: duration(
    'Time to wait for the DNS record in each attempt. If the record is missing, its required content is logged. Attempts are repeated, so you can also create the record later. Default: 5 minutes.',
  ),
  resolvers: strings(
    'DNS servers for checking the record. Default: the `resolvers` of the `tls` app. If the app has no `resolvers`, the authoritative servers are queried.',
  ),
});

const challengesOptions = options({
  http: structure('http-01 challenge settings.', httpOptions),
  'tls-alpn': structure('tls-alpn-01 challenge settings.', tlsAlpnOptions),
  dns: structure(
    'dns-01 challenge settings. If set, http-01 and tls-alpn-01 are not used, as with Caddy.',
    dnsChallengeOptions,
  ),
  'dns-persist': structure(
    'dns-persist-01 challenge settings (draft-ietf-acme-dns-persist). You create a permanent TXT record once, so no DNS provider is required. If set, http-01 and tls-alpn-01 are not used. Not available in Caddy.',
    dnsPersistOptions,
  ),
  bind_host: string('IP address on which to listen for challenges, unless the server already listens on the port.'),
  distributed: boolean('Accepted but ignored: challenges are always shared through storage.'),
});

const externalAccountOptions = options({
  key_id: string('Key ID of the EAB credentials.'),
  mac_key: string('MAC key of the EAB credentials, base64url-encoded.'),
});

const chainOptions = options({
  smallest: boolean('Prefer the certificate chain with the fewest certificates.'),
  root_common_name: strings(
    'Root certificate common names, in order of preference. Chains that lead to one of these roots are preferred.',
  ),
  any_common_name: strings(
    'Issuer common names, in order of preference. Chains that contain one of these issuers are preferred.',
  ),
});

export const acmeOptions = options({
  ca: string("ACME directory URL of the certificate authority. Default: Let's Encrypt."),
  test_ca: string(
    "ACME directory URL of a test environment. After a failure, a certificate is requested from the test environment first, then from `ca`. Default: the staging environment if `ca` is Let's Encrypt.",
  ),
  email: string('Email address of the ACME account. May contain global placeholders.'),
  profile: string('ACME certificate profile to request.'),
  account_key: string('Private key of an existing ACME account, in PEM format. May contain global placeholders.'),
  external_account: structure(
    'External account binding (EAB) credentials from the certificate authority.',
    externalAccountOptions,
  ),
  acme_timeout: duration("Timeout for obtaining a certificate over ACME. Default: the app's setting."),
  challenges: structure('ACME challenge settings. Default: http-01 and tls-alpn-01.', challengesOptions),
  trusted_roots_pem_files: strings(
    'PEM files containing the root certificates to trust for HTTPS connections to the certificate authority. These certificates replace the default roots.',
  ),
  preferred_chains: structure(
    'Certificate chain to prefer if the certificate authority offers several. Default: the first chain.',
    chainOptions,
  ),
  certificate_lifetime: duration(
    'Validity period to request for certificates, if the certificate authority supports it. Default: chosen by the certificate authority.',
  ),
  network_proxy: inlineModule('Proxy for connections to the certificate authority.', networkProxies, 'from'),
});

export type AcmeOptions = Options<typeof acmeOptions>;

export type DnsPersistOptions = Options<typeof dnsPersistOptions>;

export type DnsChallengeOptions = Options<typeof dnsChallengeOptions>;
