/** What the addresses of a server tell: its ports, whether it speaks TLS, whether it is for this machine alone. */
import { isArray, isObject, own, type Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import { everyRoute } from './every-route.ts';
import type { ServerModel } from './model.ts';
import { hostsOf } from './wildcard-hosts.ts';

/** The addresses of a server as they are written. */
export function listenOf({ node }: ServerModel): readonly string[] {
  const listen = own(node, 'listen');
  return isArray(listen) ? listen.filter((each) => typeof each === 'string') : [];
}

/** Whether no connection of a server is over TLS: it has no policies, and nothing automatic gives it any. */
export function isPlain(server: ServerModel, document: Json): boolean {
  const policies = own(server.node, 'tls_connection_policies');
  if (isArray(policies) && policies.length > 0) return false;
  const automatic = own(server.node, 'automatic_https');
  if (isObject(automatic) && own(automatic, 'disable') === true) return true;
  const http = getAt(document, ['apps', 'http', 'http_port']);
  const port = typeof http === 'number' ? http : 80;
  const listen = listenOf(server);
  if (listen.length > 0 && listen.every((address) => address.endsWith(`:${port}`))) return true;
  for (const route of everyRoute(server)) if (hostsOf(route).length > 0) return false;
  return !listen.some((address) => address.endsWith(':443'));
}

/** Whether only this machine can connect. */
export function isLocal(server: ServerModel): boolean {
  const listen = listenOf(server);
  return listen.length > 0 && listen.every((each) => /^(?:unix|fd)|(?:^|\/)(?:127\.|localhost|\[::1\])/.test(each));
}
