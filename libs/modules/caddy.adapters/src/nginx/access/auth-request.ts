/** Translates `auth_request`, with which a subrequest decides whether a request may continue. */
import { passing, raise, setVariables, type Node } from '../json.ts';
import { findLocation } from '../find-location.ts';
import { proxyParts } from '../proxy/reverse-proxy.ts';
import { fixedTarget } from '../proxy/target.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';
import { variableKey } from '../text/variables.ts';

const passes: ReadonlySet<string> = new Set(['proxy_pass']);

/** Returns the handlers for the authentication subrequest. If it can't be translated, the handlers reject every request. */
export function authRequestHandlers(site: Site, scope: Scope): Node[] {
  const directive = scope.find('auth_request');
  const uri = directive?.args[0] ?? 'off';
  if (directive === undefined || uri === 'off') return [];
  const asked = findLocation(site.tree, uri);
  const pass = asked?.scope.content(passes);
  const fixed = asked?.scope.own('return').at(-1)?.args[0] ?? '';
  // If the location only returns a status, the result of the subrequest is constant.
  if (
    pass === undefined &&
    /^\d{3}$/.test(fixed) &&
    asked?.scope.directives.every(({ name }) => name === 'return' || name === 'internal')
  )
    return fixed.startsWith('2') ? [] : [raise(/^40[13]$/.test(fixed) ? Number(fixed) : 500)];
  if (asked === null || pass === undefined) {
    site.adaptation.warn(
      directive,
      `auth_request ${uri} requires a location with proxy_pass; otherwise, every request is rejected`,
    );
    return [raise(500)];
  }
  return [
    {
      ...proxyParts(site, asked.scope, asked.path, pass).handler,
      rewrite: { method: 'GET', uri: fixedTarget(site, asked.scope, asked.path, { directive: pass, uri }) },
      handle_response: [
        { match: { status_code: [2] }, routes: [passing([setVariables(remembered(site, scope))])] },
        { match: { status_code: [401] }, routes: [challenge, passing([raise(401)])] },
        { match: { status_code: [403] }, routes: [passing([raise(403)])] },
        { routes: [passing([raise(500)])] },
      ],
    },
  ];
}

const challengeText = '{http.reverse_proxy.header.WWW-Authenticate}';

/** Forward the authentication service's challenge (`WWW-Authenticate`), if there is one. */
const challenge: Node = passing(
  [{ handler: 'headers', response: { set: { 'WWW-Authenticate': [challengeText] } } }],
  [{ not: [{ vars: { [challengeText]: [''] } }] }],
);

/** Returns the variables that `auth_request_set` sets from the response. */
function remembered(site: Site, scope: Scope): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const directive of scope.all('auth_request_set')) {
    const name = argument(directive, 0, 'a variable and a value').replace(/^\$/, '');
    const value = argument(directive, 1, 'a value after the variable');
    variables[variableKey(name)] = expandText(value, { site, scope, at: directive, held: true });
  }
  return variables;
}
