/** Translates `proxy_pass` and `grpc_pass`, which proxy requests to an upstream. */
import { node, terminal, type Node } from '../json.ts';
import type { LocationPath } from '../location-path.ts';
import { bodyHandlers, bodyRoutes } from '../response/body-size.ts';
import { responseHandlers } from '../response/stages.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { expandText, variablesOf } from '../text/expand.ts';
import { dialOf, parseAddress, type ProxyAddress } from './address.ts';
import { interceptedErrors } from './errors.ts';
import { requestFields } from './request-fields.ts';
import { responseFields } from './response-fields.ts';
import { targetHandlers } from './target.ts';
import { httpTransport } from './transport.ts';
import { singleServer, translateGroup, type Group } from './upstreams.ts';

/** Returns the routes for a location with `proxy_pass` or `grpc_pass`. */
export function proxyRoutes(site: Site, scope: Scope, path: LocationPath, directive: Directive): Node[] {
  const { handler, target } = proxyParts(site, scope, path, directive);
  return [
    ...bodyRoutes(scope),
    terminal([...responseHandlers(site, scope), ...bodyHandlers(scope), ...target, handler]),
  ];
}

/** Returns the proxy handler and the preceding handlers that change the request target. */
export function proxyParts(
  site: Site,
  scope: Scope,
  path: LocationPath,
  directive: Directive,
): { readonly handler: Node; readonly target: readonly Node[] } {
  const text = argument(directive, 0, 'an address');
  const address = parseAddress(directive, text);
  const kind = directive.name.replace('_pass', '');
  const group = groupOf(site, scope, directive, address);
  const host = expandText(address.host.startsWith('unix:') ? 'localhost' : address.host, {
    site,
    scope,
    at: directive,
  });
  const fixed = variablesOf(text).length === 0;
  const method = scope.value('proxy_method');
  const handler = node({
    handler: 'reverse_proxy',
    upstreams: group.upstreams,
    load_balancing: group.loadBalancing,
    health_checks: group.healthChecks,
    transport: httpTransport(site, scope, { kind, address, keepalive: group.keepalive }),
    headers: node({
      request: requestFields(site, scope, host, `${kind}_set_header`),
      response: responseFields(site, scope, path, { kind, address: fixed ? text : null }),
    }),
    flush_interval: scope.value(`${kind}_buffering`) === 'off' ? -1 : undefined,
    rewrite: method === undefined ? undefined : { method: expandText(method, { site, scope, at: directive }) },
    handle_response: interceptedErrors(scope, kind),
  });
  return { handler, target: targetHandlers(site, scope, path, { directive, address }) };
}

function groupOf(site: Site, scope: Scope, directive: Directive, { host, scheme }: ProxyAddress): Group {
  const named = site.adaptation.upstreams.get(host);
  if (named !== undefined) return translateGroup(site.adaptation, named, scheme);
  return singleServer(dialOf(expandText(host, { site, scope, at: directive }), scheme));
}
