/** Declared facts about this package's matchers, used in static checks of routes. */
import { isArray } from '@sluice/base';
import type { Domain, MatcherFacts } from '@sluice/http-app';
import { rangeDomain } from './common/range-domain.ts';
import { Words } from './common/word-domain.ts';
import { impliedByExpression } from './expression/implied.ts';
import { hostDomain } from './host/domain.ts';
import { pathDomain } from './path/domain.ts';
import { impliedByPattern } from './path_regexp/implied.ts';

/** Declared facts, keyed by matcher name. `file` and `expression` depend on data outside the request, so they have no `reads`. */
export const matchers: Readonly<Record<string, MatcherFacts>> = {
  client_ip: { reads: ['remote', 'vars', 'header'], domain: rangeDomain },
  expression: { implies: impliedByExpression },
  header: { reads: ['header', 'host'] },
  header_regexp: { reads: ['header', 'host'] },
  host: { reads: ['host'], domain: hostDomain },
  maxmind_geolocation: { reads: ['remote', 'vars', 'header'] },
  method: { reads: ['method'], domain: methodDomain },
  path: { reads: ['path'], domain: pathDomain },
  path_regexp: { reads: ['path'], implies: impliedByPattern },
  protocol: { reads: ['protocol', 'header'], domain: schemeDomain },
  query: { reads: ['query'] },
  remote_ip: { reads: ['remote', 'vars', 'header'], domain: rangeDomain },
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

/** Returns the request set "with TLS" or "without TLS". The two sets are disjoint. */
function schemeDomain(options: unknown): Domain | null {
  return options === 'http' || options === 'https' ? new Words([options]) : null;
}
