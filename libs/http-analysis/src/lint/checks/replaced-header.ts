/** Lint check SL034. */
import { isObject, own, type JsonObject } from '@sluice/base';
import { caddyfile, defineLint } from '@sluice/registry';
import { everyNestedList } from '../every-route.ts';
import type { HandlerModel, RouteModel, RoutesModel } from '../model.ts';
import { serversOf } from '../servers.ts';

export const replacedHeader = defineLint({
  code: 'SL034',
  name: 'replaced-header',
  severity: 'warning',
  summary: 'A response header field is set, and then overwritten or deleted for the same requests.',
  details: `Clients never see the first value. Remove one of the two operations. To send both values, add the second value (\`+Name\` in a Caddyfile).`,
  bad: caddyfile(`:8080 {
	route {
		header Cache-Control "max-age=3600"
		header Cache-Control no-store
		respond "hello"
	}
}
`),
  good: caddyfile(`:8080 {
	route {
		header Cache-Control "max-age=3600"
		header /private/* Cache-Control no-store
		respond "hello"
	}
}
`),
  async check(configuration, report) {
    for (const server of await serversOf(configuration)) {
      for (const list of [server.routes, server.errors, ...everyNestedList(server)]) {
        for (const { field, first, second } of replacedIn(list)) {
          report(
            first.path,
            first === second
              ? `sets ${field} and then overwrites or deletes it itself: remove one of the two`
              : `sets ${field}, which a later handler overwrites or deletes for the same requests: remove one of the two`,
            {
              related: [{ path: second.path, message: 'the handler that overwrites it' }],
            },
          );
        }
      }
    }
  },
});

interface Replaced {
  readonly field: string;
  readonly first: HandlerModel;
  readonly second: HandlerModel;
}

/** Compares headers within a route. Also compares the headers of a route with those of a later route that has no matchers. */
function replacedIn({ routes }: RoutesModel): Replaced[] {
  const found: Replaced[] = [];
  let before = new Map<string, HandlerModel>();
  for (const route of routes) {
    if (!route.handlers.some(({ name }) => name === 'headers')) continue;
    // Headers that are set for only some requests are compared only within the route that sets them.
    const here = isForAll(route) ? before : new Map<string, HandlerModel>();
    for (const handler of route.handlers) {
      for (const field of contradictedIn(handler)) found.push({ field, first: handler, second: handler });
      for (const field of removedBy(handler)) {
        const first = here.get(field) ?? (isForAll(route) ? before.get(field) : undefined);
        if (first !== undefined) found.push({ field: field.split(' ')[0] ?? '', first, second: handler });
        here.delete(field);
      }
      for (const field of setBy(handler)) here.set(field, handler);
    }
    if (!isForAll(route)) continue;
    before = here;
  }
  return found;
}

/** Returns the headers that a handler both sets and deletes, or both adds and sets. Deletions run last. */
function contradictedIn(handler: HandlerModel): readonly string[] {
  const operations = operationsOf(handler);
  if (operations === null || (own(operations, 'delete') === undefined && own(operations, 'add') === undefined))
    return [];
  const namesOf = (key: string): readonly string[] => {
    const named = own(operations, key);
    const names = isObject(named) ? Object.keys(named) : Array.isArray(named) ? named.map(String) : [];
    return names.filter((name) => !/[{*]/.test(name)).map((name) => name.toLowerCase());
  };
  const [added, set, deleted] = [namesOf('add'), namesOf('set'), namesOf('delete')];
  return [
    ...new Set(
      [...added, ...set].filter((each) => deleted.includes(each) || (added.includes(each) && set.includes(each))),
    ),
  ];
}

function isForAll({ sets, group }: RouteModel): boolean {
  return sets.length === 0 && group === '';
}

/** Returns the header operations for a response. Returns `null` if they apply to only some responses. */
function operationsOf({ name, node }: HandlerModel): JsonObject | null {
  const response = name === 'headers' ? own(node, 'response') : undefined;
  return isObject(response) && !own(response, 'require') ? response : null;
}

/** Returns the lowercase header names, with a suffix for deferred operations. Deferred operations only replace other deferred operations. */
function fieldsOf(operations: JsonObject, names: readonly string[]): readonly string[] {
  const time = own(operations, 'deferred') === true ? ' deferred' : '';
  return names.filter((name) => !/[{*]/.test(name)).map((name) => `${name.toLowerCase()}${time}`);
}

function setBy(handler: HandlerModel): readonly string[] {
  const operations = operationsOf(handler);
  const set = operations === null ? undefined : own(operations, 'set');
  return operations === null || !isObject(set) ? [] : fieldsOf(operations, Object.keys(set));
}

function removedBy(handler: HandlerModel): readonly string[] {
  const operations = operationsOf(handler);
  const removed = operations === null ? undefined : own(operations, 'delete');
  const names = Array.isArray(removed) ? removed.map(String) : [];
  return operations === null ? [] : [...setBy(handler), ...fieldsOf(operations, names)];
}
