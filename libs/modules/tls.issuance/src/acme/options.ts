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
    'Port to listen on if none is bound yet; traffic for port 80 must be forwarded to it. Default: 80.',
  ),
});

const tlsAlpnOptions = options({
  disabled: boolean('Disable this challenge.'),
  alternate_port: integer(
    'Port to listen on if none is bound yet; traffic for port 443 must be forwarded to it. Default: 443.',
  ),
});

/** DNS record options of `dns-01`, and of CNAME validation in `zerossl`. */
export const dnsChallengeOptions = options({
  provider: inlineModule("DNS provider. Default: the app's provider.", dnsProviders, 'name'),
  ttl: duration("TTL of records. Default: 0 = the provider's default."),
  propagation_delay: duration('Delay before the first check for the record. Default: 0.'),
  propagation_timeout: duration('Timeout for DNS propagation. -1 = do not check. Default: 2 minutes.'),
  resolvers: strings(
    'DNS servers for finding zones and checking records, such as "1.1.1.1" or "[::1]:53". Default: the app\'s servers. If there are none, zones are found with the system resolvers, and records are checked on the authoritative servers.',
  ),
  override_domain: string(
    'Name of the record to create, if `_acme-challenge.<name>` is a CNAME record that points to it. Default: the target of the CNAME records, looked up with the resolvers.',
  ),
});

const dnsPersistOptions = options({
  timeout: duration(
    'Time to wait for the record. If it is missing, the required record is logged. Default: 5 minutes. Attempts are repeated, so you can also create the record later.',
  ),
  resolvers: strings(
    "DNS servers for checking the record. Default: the app's servers. If there are none, the authoritative servers are queried.",
  ),
});

const challengesOptions = options({
  http: structure('http-01 challenge.', httpOptions),
  'tls-alpn': structure('tls-alpn-01 challenge.', tlsAlpnOptions),
  dns: structure('dns-01 challenge. If set, http-01 and tls-alpn-01 are not used, as in Caddy.', dnsChallengeOptions),
  'dns-persist': structure(
    'dns-persist-01 challenge (draft-ietf-acme-dns-persist): you create a permanent TXT record once, so no DNS provider is required. If set, http-01 and tls-alpn-01 are not used. Not available in Caddy.',
    dnsPersistOptions,
  ),
  bind_host: string('Address to listen on for challenges if none is bound yet.'),
  distributed: boolean('Accepted but ignored: challenges are not shared through the storage.'),
});

const externalAccountOptions = options({
  key_id: string('Key ID from the certificate authority.'),
  mac_key: string('MAC key from the certificate authority, base64url-encoded.'),
});

const chainOptions = options({
  smallest: boolean('Prefer the chain with the fewest certificates.'),
  root_common_name: strings('Common names of roots, in order of preference.'),
  any_common_name: strings('Common names of any issuer in the chain, in order of preference.'),
});

export const acmeOptions = options({
  ca: string("Directory URL of the certificate authority. Default: Let's Encrypt."),
  test_ca: string("Directory URL to try first after a failure. Default: the staging environment for Let's Encrypt."),
  email: string('Email address of the account. May contain global placeholders.'),
  profile: string('Certificate profile.'),
  account_key: string('Private key of an existing account, in PEM format. May contain global placeholders.'),
  external_account: structure(
    'External account binding: a key from the certificate authority.',
    externalAccountOptions,
  ),
  acme_timeout: duration("Timeout for obtaining a certificate. Default: the app's setting."),
  challenges: structure('Challenges. Default: http-01 and tls-alpn-01.', challengesOptions),
  trusted_roots_pem_files: strings(
    'PEM files containing trusted roots for HTTPS connections to the certificate authority, instead of the default ones.',
  ),
  preferred_chains: structure('Preferred chain, if there are several. Default: the first one.', chainOptions),
  certificate_lifetime: duration(
    'Requested validity period of certificates, if the certificate authority supports it. Default: chosen by the certificate authority.',
  ),
  network_proxy: inlineModule('Proxy for requests to the certificate authority.', networkProxies, 'from'),
});

export type AcmeOptions = Options<typeof acmeOptions>;

export type DnsPersistOptions = Options<typeof dnsPersistOptions>;

export type DnsChallengeOptions = Options<typeof dnsChallengeOptions>;
