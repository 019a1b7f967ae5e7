/**
 * Configuration paths of reverse proxies. If a proxy moves within the configuration, its node stays the same. Paths are therefore looked up
 * by node.
 */
import { formatWhere, type Json } from '@sluice/base';

/** Returns the configuration paths of the objects that contain the given nodes. Traverses the whole document. */
export function placesOf(document: Json, nodes: ReadonlySet<Json>): ReadonlyMap<Json, string> {
  const places = new Map<Json, string>();
  if (nodes.size === 0) return places;
  const path: string[] = [];
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    if (nodes.has(node)) places.set(node, formatWhere(path.slice(0, -1)));
    for (const [key, child] of Object.entries(node)) {
      path.push(key);
      visit(child);
      path.pop();
    }
  };
  visit(document);
  return places;
}
