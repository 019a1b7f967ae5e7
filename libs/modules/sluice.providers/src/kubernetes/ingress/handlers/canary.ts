/** Canaries: a second Ingress receives some of the requests for a path. */
import type { JsonObject } from '@sluice/base';
import { literal } from '../../../common/text.ts';
import { shareMatcher } from '../../gateway/share.ts';
import type { Annotations } from '../annotations/reader.ts';

/** Returns handlers that select one of the two backends by header field, then by cookie, then by weight. */
export function canaryHandlers(
  annotations: Annotations,
  canary: readonly JsonObject[],
  main: readonly JsonObject[],
): readonly JsonObject[] {
  const toCanary = (match: JsonObject): JsonObject => ({ match: [match], handle: canary, terminal: true });
  const toMain = (match: JsonObject): JsonObject => ({ match: [match], handle: main, terminal: true });
  const routes: JsonObject[] = [];
  const header = annotations.token('canary-by-header');
  if (header !== undefined) {
    const value = annotations.text('canary-by-header-value');
    const pattern = annotations.pattern('canary-by-header-pattern');
    const placeholder = `{http.request.header.${header}}`;
    if (value !== undefined) routes.push(toCanary({ vars: { [placeholder]: [literal(value)] } }));
    else if (pattern === null) return main;
    else if (pattern !== undefined) routes.push(toCanary({ header_regexp: { [header]: { pattern } } }));
    else routes.push(toCanary({ vars: { [placeholder]: ['always'] } }), toMain({ vars: { [placeholder]: ['never'] } }));
  }
  const cookie = annotations.token('canary-by-cookie');
  if (cookie !== undefined) {
    const placeholder = `{http.request.cookie.${cookie}}`;
    routes.push(toCanary({ vars: { [placeholder]: ['always'] } }), toMain({ vars: { [placeholder]: ['never'] } }));
  }
  const total = annotations.integer('canary-weight-total') || 100;
  const weight = Math.min(annotations.integer('canary-weight') ?? 0, total);
  if (weight === total)
    return [{ handler: 'subroute', routes: [...routes.filter((each) => each['handle'] === main), { handle: canary }] }];
  if (weight > 0) routes.push(toCanary(shareMatcher(weight / total)));
  return routes.length === 0 ? main : [{ handler: 'subroute', routes: [...routes, { handle: main, terminal: true }] }];
}
