/** Where a handler or matcher stands in the document. Names of matchers are keys of their set, which stands in the node of the route. */
import { isArray, isObject, own, type ConfigPath, type Json } from '@sluice/base';
import { httpMatchers, type PartPlace } from '@sluice/http-app';

/** What a trace says of a part. */
export interface NamedPart {
  readonly path: ConfigPath;
  /** Id of its module. */
  readonly module: string;
}

/** Names a part. A matcher of a route that stands in no configuration keeps its number. */
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

/** The matchers of a set are in the order of its keys. */
function matchersOf(set: Json | undefined): readonly string[] {
  return isObject(set) ? Object.keys(set).filter((key) => key !== '@id') : [];
}
