/** Converts GRPCRoutes to HTTPRoutes. A gRPC method becomes a path, and gRPC messages are an HTTP/2 stream. */
import type { GrpcMatch, GrpcRoute, HttpRoute, RouteMatch } from '../objects.ts';
import { quoteRegExp } from '../../common/text.ts';

export function asHttpRoute(route: HttpRoute | GrpcRoute): HttpRoute {
  const { rules, ...spec } = (route as GrpcRoute).spec;
  return {
    ...(route as HttpRoute),
    spec: {
      ...spec,
      ...(rules === undefined
        ? {}
        : { rules: rules.map(({ matches = [{}], ...rule }) => ({ ...rule, matches: matches.map(asHttpMatch) })) }),
    },
  };
}

function asHttpMatch({ method, headers }: GrpcMatch): RouteMatch {
  return { ...(method === undefined ? {} : { path: pathOf(method) }), ...(headers === undefined ? {} : { headers }) };
}

function pathOf({ type = 'Exact', service, method }: NonNullable<GrpcMatch['method']>): RouteMatch['path'] & object {
  if (type === 'RegularExpression')
    return { type: 'RegularExpression', value: `/(?:${service ?? '[^/]+'})/(?:${method ?? '[^/]+'})` };
  if (service === undefined)
    return method === undefined
      ? { type: 'PathPrefix', value: '/' }
      : { type: 'RegularExpression', value: `/[^/]+/${quoteRegExp(method)}` };
  return method === undefined
    ? { type: 'PathPrefix', value: `/${service}` }
    : { type: 'Exact', value: `/${service}/${method}` };
}
