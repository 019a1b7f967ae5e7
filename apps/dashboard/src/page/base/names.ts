/** Display names for parts of the configuration. A route is named by its `@id`, host or path, or else by its index. */
import { isList, isObject, own, valueAt, type Json, type Path } from './json.ts';
import { whereOf } from './paths.ts';

const separator = ' › ';

/** Returns the display name of a route, such as `@shop`, `shop.example.com`, `shop.example.com/cart`, `/cart` or `routes[3]`. */
export function routeName(route: Json | undefined, index: number): string {
  const id = own(route, '@id');
  if (typeof id === 'string' || typeof id === 'number') return `@${id}`;
  const [set] = listOf(own(route, 'match')).filter(isObject);
  const name = firstOf(own(set, 'host')) + firstOf(own(set, 'path'));
  return name === '' ? `routes[${index}]` : name;
}

/**
 * Returns the title of a configuration value, such as `demo › shop.example.com › handle[0].body`. Values outside HTTP servers are
 * identified by their path.
 */
export function titleOf(document: Json | undefined, path: Path): string {
  const inServer = path[0] === 'apps' && path[1] === 'http' && path[2] === 'servers' && path.length > 3;
  if (!inServer) return whereOf(path);
  const parts = [String(path[3])];
  let rest: (string | number)[] = [];
  for (let index = 4; index < path.length; index += 1) {
    const [key, next] = [path[index], path[index + 1]];
    if (key === undefined) continue;
    if (key !== 'routes' || typeof next !== 'number') rest.push(key);
    else {
      if (rest.length > 0) parts.push(whereOf(rest));
      rest = [];
      index += 1;
      parts.push(routeName(valueAt(document, path.slice(0, index + 1)), next));
    }
  }
  if (rest.length > 0) parts.push(whereOf(rest));
  return parts.join(separator);
}

/** Formats a list as its first string and the number of remaining strings. */
function firstOf(value: Json | undefined): string {
  const [first, ...others] = listOf(value);
  if (typeof first !== 'string') return '';
  return others.length === 0 ? first : `${first} (+${others.length})`;
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
