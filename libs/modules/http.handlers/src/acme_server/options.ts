import { boolean, duration, options, string, strings, structure, type Options } from '@sluice/registry';

const rules = options({
  domains: strings(
    'Domain names. "example.com" matches only this name. "*.example.com" matches names with exactly one label before "example.com".',
  ),
  ip_ranges: strings('IP addresses or CIDR ranges, such as "10.1.2.3" or "10.0.0.0/8".'),
});

const policy = options({
  allow: structure('Names and IP addresses that certificates may contain. If set, all others are rejected.', rules),
  deny: structure('Names and IP addresses that certificates must not contain. Takes precedence over `allow`.', rules),
  allow_wildcard_names: boolean(
    'Allow wildcard names in certificates. Default: false. If no policy is set, wildcard names are allowed.',
  ),
});

export const acmeServerOptions = options({
  ca: string('ID of the issuing certificate authority in the `pki` app. Default: "local".'),
  lifetime: duration('Maximum validity period of certificates. Default: 12 hours.'),
  host: string('Host, with an optional port, to use in the URLs of the ACME server. Default: the request host.'),
  path_prefix: string(
    'Prefix of the ACME server\'s paths, followed by the ID of the certificate authority. Default: "/acme/".',
  ),
  sign_with_root: boolean('Sign with the root certificate instead of the intermediate.'),
  resolvers: strings(
    'DNS servers for validating challenges, such as "1.1.1.1" or "[::1]:53". Default: the system resolvers.',
  ),
  challenges: strings('Challenge types to offer: http-01, tls-alpn-01, dns-01. Default: all.'),
  policy: structure(
    'Policy for the names and IP addresses that certificates may contain. Default: any that pass validation.',
    policy,
  ),
});

export type AcmeServerOptions = Options<typeof acmeServerOptions>;
