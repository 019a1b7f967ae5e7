/** Path of a handler or matcher in the document. Matcher names are keys of their matcher set, which is in the route node. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { httpMatchers, type PartPlace } from '@sluice/http-app';

/** Part of a chain in a trace. */
export interface NamedPart {
  readonly path: ConfigPath;
  /** Module ID. */
  readonly module: string;
}

/** Returns the path with matcher names. If a route is not in the configuration, its matchers keep their numbers. */
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

/** Returns the names of a set's matchers, in key order. */
function matchersOf(set: Json | undefined): readonly string[] {
  return isObject(set) ? Object.keys(set).filter((key) => key !== '@id') : [];
}
