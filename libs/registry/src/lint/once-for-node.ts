/** Memoizes results per document node. A change creates new nodes only along its path, so linting again processes only the new nodes. */
import { isArray, isObject, type ConfigPath, type Json, itemAt } from '@sluice/base';
import type { LintedConfiguration } from './configuration.ts';
import type { PlacedText } from './texts.ts';

/** Memoizes a function of a node. Its result must depend only on the node. */
export function onceForNode<N extends object, T>(workOut: (node: N) => T): (node: N) => T {
  const known = new WeakMap<N, { readonly value: T }>();
  return (node) => {
    let found = known.get(node);
    if (found === undefined) known.set(node, (found = { value: workOut(node) }));
    return found.value;
  };
}

/** Returns a function that reports whether a value or any nested value satisfies `here`. `here` must not recurse. */
export function finder(here: (node: Json) => boolean): (node: Json) => boolean {
  const known = new WeakMap<object, boolean>();
  function isThere(node: Json): boolean {
    if (here(node)) return true;
    if (typeof node !== 'object' || node === null) return false;
    let found = known.get(node);
    if (found === undefined) known.set(node, (found = isWithin(node)));
    return found;
  }
  // This function avoids iterators and arrays of values, because several checks call it for each value in a new document.
  function isWithin(node: object): boolean {
    if (Array.isArray(node)) {
      for (let index = 0; index < node.length; index++) if (isThere(itemAt(node, index))) return true;
      return false;
    }
    for (const key in node) if (isThere((node as Record<string, Json>)[key] as Json)) return true;
    return false;
  }
  return isThere;
}

/** Returns a generator function that yields matching strings. Subtrees without a match are cached and skipped. */
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
 * Returns strings that refer to environment variables, files or captures, and addresses with credentials. Several checks need these
 * strings, and a single traversal of the document finds all of them.
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
