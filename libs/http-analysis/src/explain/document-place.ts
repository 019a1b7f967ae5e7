/** Finds the configuration paths, options, and modules of handlers and matchers in the document. */
import { formatWhere, isObject, type Json } from '@sluice/base';
import type { ModuleEffect, ModuleLookup } from '@sluice/registry';
import { httpHandlers, httpMatchers, type PartPlace, redactNode } from '@sluice/http-app';

/** A handler or matcher in the configuration document. */
export interface DocumentPart {
  readonly path: string;
  readonly id: string;
  readonly effect: ModuleEffect;
  /** Options without secrets. */
  readonly wanted: Json;
}

/** Finds a handler or matcher in the configuration document. */
export function documentPart(document: Json, place: PartPlace, registry: ModuleLookup): DocumentPart {
  const path: string[] = [];
  let node: Json | undefined = document;
  let name = '';
  for (const segment of place.path) {
    // The matchers in a set have the same order as the keys of the set.
    name = typeof segment === 'string' ? segment : (moduleKeys(node)[segment] ?? String(segment));
    path.push(name);
    node = childOf(node, name);
  }
  const isMatcher = place.id === httpMatchers.id;
  const module = isMatcher ? name : place.id.slice(httpHandlers.id.length + 1);
  const id = isMatcher ? `${httpMatchers.id}.${name}` : place.id;
  const found = registry.find(isMatcher ? httpMatchers : httpHandlers, module);
  return {
    path: formatWhere(path),
    id,
    effect: id === '' ? 'pure' : (found?.loaded?.effect ?? 'opaque'),
    wanted: redactNode(node, name),
  };
}

function moduleKeys(node: Json | undefined): string[] {
  return isObject(node) ? Object.keys(node).filter((key) => key !== '@id') : [];
}

function childOf(node: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(node)) return (node as readonly Json[])[Number(key)];
  return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}
