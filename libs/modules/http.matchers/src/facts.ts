/** What is known of the matchers of this package, for checks that reason about routes. */
import { isArray } from '@sluice/base';
import type { Domain, MatcherFacts } from '@sluice/http-app';
import { Words } from './common/word-domain.ts';
import { hostDomain } from './host/domain.ts';
import { pathDomain } from './path/domain.ts';

/** Facts by the names of matchers. Of `file` and `expression` none: what they depend on is not in the request alone. */
export const matchers: Readonly<Record<string, MatcherFacts>> = {
  client_ip: { reads: ['remote', 'vars', 'header'] },
  header: { reads: ['header', 'host'] },
  header_regexp: { reads: ['header', 'host'] },
  host: { reads: ['host'], domain: hostDomain },
  maxmind_geolocation: { reads: ['remote', 'vars', 'header'] },
  method: { reads: ['method'], domain: methodDomain },
  path: { reads: ['path'], domain: pathDomain },
  path_regexp: { reads: ['path'] },
  protocol: { reads: ['protocol', 'header'], domain: schemeDomain },
  query: { reads: ['query'] },
  remote_ip: { reads: ['remote', 'vars', 'header'] },
  tls: { reads: ['tls'] },
  url_pattern: { reads: ['host', 'path', 'query', 'protocol', 'header'] },
};

function methodDomain(options: unknown): Domain | null {
  if (!isArray(options as never)) return null;
  const methods = options as readonly unknown[];
  return methods.every((each) => typeof each === 'string')
    ? new Words(methods.map((each) => each.toUpperCase()))
    : null;
}

/** Only with and without TLS exclude each other. */
function schemeDomain(options: unknown): Domain | null {
  return options === 'http' || options === 'https' ? new Words([options]) : null;
}
