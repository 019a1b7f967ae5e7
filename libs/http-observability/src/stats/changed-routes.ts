/** Determines the routes that a configuration change affects. Routes are compared by content, regardless of position. */
import { isArray, isObject, jsonEqual, own, type Json, type JsonObject } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import { serverHash } from '@sluice/http-app';
import { DocumentRoutes, serversOf, type DocumentRoute } from './document-routes.ts';

/** Routes and servers for which a change counts requests. */
export interface ChangedRoutes {
  /** Hashes of the servers for which all requests are counted; `null` means all servers. */
  readonly servers: ReadonlySet<string> | null;
  /** Keys of counted routes, including nested routes. */
  readonly keys: ReadonlySet<string>;
  readonly routes: DocumentRoutes;
}

/** Returns the routes to count. If `isMade` is true, the machine runs the document `after`, otherwise `before`. */
export function changedRoutes(before: Json, after: Json, isMade: boolean): ChangedRoutes {
  const there = new DocumentRoutes(before, []);
  const here = new DocumentRoutes(after, []);
  const routes = isMade ? here : there;
  const keys = new Set<string>();
  if (!jsonEqual(outsideOf(before), outsideOf(after))) return { servers: null, keys, routes };
  const servers = new Set<string>();
  const [then, now] = [objectOf(serversOf(before)), objectOf(serversOf(after))];
  const [gone, added] = [unlike(there, here), unlike(here, there)];
  for (const name of new Set([...Object.keys(then), ...Object.keys(now)])) {
    const [old, made] = [gone, added].map((all) => all.filter(({ server }) => server === name)) as [
      DocumentRoute[],
      DocumentRoute[],
    ];
    const isWhole =
      !jsonEqual(ownPart(own(then, name) ?? null), ownPart(own(now, name) ?? null)) ||
      (made.length === 0 && old.length > 0) ||
      (old.length === 0 && made.length > 0 && !isMade);
    if (isWhole) servers.add(serverHash(name));
    else for (const { key } of isMade ? made : old) keys.add(key);
  }
  return { servers, keys, routes };
}

/** Returns the routes that only the first document contains. Omits routes that differ only in nested routes. */
function unlike(these: DocumentRoutes, those: DocumentRoutes): readonly DocumentRoute[] {
  const known = new Set([...those.all()].map(({ server, node }) => `${server} ${hashNode(node)}`));
  const unknown = [...these.all()].filter(({ server, node }) => !known.has(`${server} ${hashNode(node)}`));
  if (unknown.length === 0) return unknown;
  const parts = new Set([...those.all()].map(({ server, node }) => `${server} ${hashNode(ownPart(node))}`));
  return unknown.filter(({ server, node }) => !parts.has(`${server} ${hashNode(ownPart(node))}`));
}

/** Returns a copy of a server or route without its nested routes. */
function ownPart(value: Json): Json {
  if (isArray(value)) return value.map(ownPart);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value).map((key) => {
      const inner = own(value, key) as Json;
      const isRoutes = (key === 'routes' && isArray(inner)) || (key === 'named_routes' && isObject(inner));
      return [key, isRoutes ? null : ownPart(inner)];
    }),
  );
}

/** Returns a copy of the configuration without its servers. */
function outsideOf(document: Json): Json {
  const apps = objectOf(own(objectOf(document), 'apps'));
  const http = objectOf(own(apps, 'http'));
  return { ...objectOf(document), apps: { ...apps, http: { ...http, servers: null } } };
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
