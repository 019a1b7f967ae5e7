/** `add_header`: fields of responses. */
import { node, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { argument } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';

/** Responses that get fields without `always`, and `expires`. */
export const successes: readonly number[] = [200, 201, 204, 206, 301, 302, 303, 304, 307, 308];

/** The handlers of the `add_header` that count here. */
export function fieldHandlers(site: Site, scope: Scope): Node[] {
  const [plain, always] = fieldsOf(site, scope);
  return [
    ...(plain.size === 0 ? [] : [adding(plain, successes)]),
    ...(always.size === 0 ? [] : [adding(always, null)]),
  ];
}

/** The handlers of the `add_header … always` alone, for errors. */
export function alwaysHandlers(site: Site, scope: Scope): Node[] {
  const [, always] = fieldsOf(site, scope);
  return always.size === 0 ? [] : [adding(always, null)];
}

type Fields = Map<string, string[]>;

function fieldsOf(site: Site, scope: Scope): [plain: Fields, always: Fields] {
  const fields: [Fields, Fields] = [new Map(), new Map()];
  for (const directive of scope.all('add_header')) {
    const name = argument(directive, 0, 'a field name and a value');
    const value = expandText(argument(directive, 1, 'a value behind the name'), { site, scope, at: directive });
    if (value === '') continue;
    const [plain, always] = fields;
    const into = directive.args[2] === 'always' ? always : plain;
    into.set(name, [...(into.get(name) ?? []), value]);
  }
  return fields;
}

function adding(fields: Fields, statuses: readonly number[] | null): Node {
  return {
    handler: 'headers',
    response: node({
      add: Object.fromEntries(fields),
      deferred: true,
      require: statuses === null ? undefined : { status_code: statuses },
    }),
  };
}
