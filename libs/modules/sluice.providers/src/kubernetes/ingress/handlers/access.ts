/** Access rules that accept or reject requests: IP ranges, passwords, and an authorization service. */
import { parseIpRange, type Json, type JsonObject } from '@sluice/base';
import type { AnnotationName } from '../annotations/table.ts';
import type { IngressScope } from '../scope.ts';
import { basicAuthentication } from './basic-auth.ts';
import { authorization } from './auth-url.ts';

export function accessHandlers(scope: IngressScope): readonly JsonObject[] {
  const { annotations } = scope;
  const allowed = [...rangesOf('whitelist-source-range', scope), ...rangesOf('allowlist-source-range', scope)];
  const denied = rangesOf('denylist-source-range', scope);
  const questions = [...basicAuthentication(scope), ...authorization(scope)];
  const satisfy = annotations.word('satisfy', ['all', 'any']);
  const outside = { not: [{ client_ip: { ranges: allowed } }] };
  const rejections = denied.length === 0 ? [] : [rejecting([{ client_ip: { ranges: denied } }])];
  if (satisfy === 'any' && allowed.length > 0 && questions.length > 0)
    return [...rejections, { handler: 'subroute', routes: [{ match: [outside], handle: questions }] }];
  return [...rejections, ...(allowed.length === 0 ? [] : [rejecting([outside])]), ...questions];
}

function rejecting(match: Json): JsonObject {
  return {
    handler: 'subroute',
    routes: [{ match, handle: [{ handler: 'error', status_code: 403 }], terminal: true }],
  };
}

/**
 * Returns the IP networks in an annotation. Refuses the Ingress if a network is invalid, because ignoring the network could admit other
 * clients.
 */
export function rangesOf(name: AnnotationName, { annotations }: IngressScope): readonly string[] {
  return annotations.list(name).map((each) => {
    try {
      parseIpRange(each);
      return each;
    } catch {
      return annotations.refuse(name, `${JSON.stringify(each)} is not an IP address or a CIDR range`);
    }
  });
}
