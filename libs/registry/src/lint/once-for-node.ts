/**
 * What is worked out of a node of the document, once for as long as the node is there. A change makes new nodes along its path
 * only, so that checks of a document of which most has been looked at before look at the rest.
 */
import { isArray, isObject, type ConfigPath, type Json } from '@sluice/base';
import type { LintedConfiguration } from './configuration.ts';
import type { PlacedText } from './texts.ts';

/** Remembers what a function of a node says. It must depend on nothing but the node. */
export function onceForNode<N extends object, T>(workOut: (node: N) => T): (node: N) => T {
  const known = new WeakMap<N, { readonly value: T }>();
  return (node) => {
    let found = known.get(node);
    if (found === undefined) known.set(node, (found = { value: workOut(node) }));
    return found.value;
  };
}

/** Whether something is in a value, at any depth. `here` looks at one value without going into it. */
export function finder(here: (node: Json) => boolean): (node: Json) => boolean {
  const known = new WeakMap<object, boolean>();
  function isThere(node: Json): boolean {
    if (here(node)) return true;
    if (typeof node !== 'object' || node === null) return false;
    let found = known.get(node);
    if (found === undefined) known.set(node, (found = isWithin(node)));
    return found;
  }
  // Loops without iterators and lists of values: this runs for each value of a new document, for several checks.
  function isWithin(node: object): boolean {
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) if (isThere(node[index] as Json)) return true;
      return false;
    }
    for (const key in node) if (isThere((node as Record<string, Json>)[key] as Json)) return true;
    return false;
  }
  return isThere;
}

/** Finds the texts that a check is about. Subtrees without one are passed over the next time. */
export function textFinder(
  wanted: (text: string) => boolean,
): (node: Json | undefined, path: ConfigPath) => Generator<PlacedText> {
  const isThere = finder((node) => typeof node === 'string' && wanted(node));
  return function* find(node, path): Generator<PlacedText> {
    if (node === undefined || !isThere(node)) return;
    if (typeof node === 'string') yield { text: node, path };
    else if (isArray(node)) for (const [index, item] of node.entries()) yield* find(item, [...path, String(index)]);
    else if (isObject(node)) for (const [key, value] of Object.entries(node)) yield* find(value, [...path, key]);
  };
}

const hasRare = finder((node) => typeof node === 'string' && /\{(?:env|file|http\.regexp)\.|:\/\/[^/?#]*@/.test(node));

/**
 * The texts of a document that refer to the environment, to files or to captures, and addresses with credentials. Several checks
 * need them, and looking for all of them at once takes as long as for one kind.
 */
export function rareTexts(configuration: LintedConfiguration): readonly PlacedText[] {
  return configuration.remember(readRare);
}

function readRare({ document }: LintedConfiguration): readonly PlacedText[] {
  const found: PlacedText[] = [];
  const way: string[] = [];
  const collect = (node: Json): void => {
    if (!hasRare(node)) return;
    if (typeof node === 'string') found.push({ text: node, path: [...way] });
    else
      for (const [key, value] of Object.entries(node as Record<string, Json>)) {
        way.push(key);
        collect(value);
        way.pop();
      }
  };
  collect(document);
  return found;
}
