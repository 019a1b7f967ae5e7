/** Configuration path of a handler or matcher. Matcher names are the keys of the matcher set in the route's node. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { httpMatchers, type PartPlace } from '@sluice/http-app';

/** A handler or matcher in a trace. */
export interface NamedPart {
  readonly path: ConfigPath;
  /** Module ID. */
  readonly module: string;
}

/** Returns the path with matcher names. If the configuration doesn't contain the route, its matchers are identified by number. */
export function namedPart({ path, id, route }: PartPlace): NamedPart {
  const named: string[] = [...route.path];
  let node: Json | undefined = route.route.matcherPlace.node;
  for (const segment of path.slice(route.path.length)) {
    const key: string = typeof segment === 'string' ? segment : (matchersOf(node)[segment] ?? String(segment));
    named.push(key);
    node = isArray(node) ? node[Number(key)] : isObject(node) ? own(node, key) : undefined;
  }
  return { path: named, module: id === httpMatchers.id ? `${id}.${named.at(-1) ?? ''}` : id };
}

/** Returns the matcher names of a matcher set, in key order. */
function matchersOf(set: Json | undefined): readonly string[] {
  return isObject(set) ? Object.keys(set).filter((key) => key !== '@id') : [];
}
