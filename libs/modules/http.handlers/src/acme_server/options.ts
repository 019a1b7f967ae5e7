/** Options of `http.handlers.acme_server`. */
import { boolean, duration, options, string, strings, structure, type Options } from '@sluice/registry';

const rules = options({
  domains: strings('Names: "example.com" for that one, "*.example.com" for those with one label more.'),
  ip_ranges: strings('Addresses: "10.1.2.3" or "10.0.0.0/8".'),
});

const policy = options({
  allow: structure('What certificates may have. If anything is allowed, all else is refused.', rules),
  deny: structure('What certificates may not have, whatever is allowed.', rules),
  allow_wildcard_names: boolean('Whether certificates may have wildcard names. Default false where there is a policy.'),
});

/** The options of the handler. */
export const acmeServerOptions = options({
  ca: string('Id of the authority of the app `pki` that issues. Default "local".'),
  lifetime: duration('How long certificates are valid at most. Default 12 hours.'),
  host: string('Host, with port if need be, in the URLs of the server. Default: as the client names it.'),
  path_prefix: string('What paths of the server begin with; the id of the authority follows. Default "/acme/".'),
  sign_with_root: boolean('Whether the root signs, in place of the intermediate.'),
  resolvers: strings('Name servers for validations: "1.1.1.1" or "[::1]:53". Default: those of the system.'),
  challenges: strings('Which of http-01, tls-alpn-01 and dns-01 are offered. Default: all.'),
  policy: structure('Which names and addresses certificates may have. Default: any that are proved.', policy),
});

/** See {@link acmeServerOptions}. */
export type AcmeServerOptions = Options<typeof acmeServerOptions>;
