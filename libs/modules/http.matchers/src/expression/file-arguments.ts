/** Converts the arguments of the `file()` function to matcher options. */
import type { Options } from '@sluice/registry';
import type { fileOptions } from '../file/index.ts';
import { policies, type Policy } from '../file/search.ts';
import { allTexts, mapEntries, withPlaceholders } from './arguments.ts';
import type { Node } from './tree.ts';

export function fileArguments(args: readonly Node[]): Options<typeof fileOptions> | null {
  if (args.length === 0) return {};
  const texts = allTexts(args);
  if (texts !== null) return { try_files: texts.map(withPlaceholders) };
  return args.length === 1 ? fromMap(args[0]) : null;
}

function fromMap(node: Node | undefined): Options<typeof fileOptions> | null {
  const entries = mapEntries(node);
  if (entries === null) return null;
  let options: Options<typeof fileOptions> = {};
  for (const entry of entries) {
    const values = entry.values.map(withPlaceholders);
    const one = entry.single ? (values[0] ?? '') : null;
    const key = withPlaceholders(entry.key);
    if (key === 'root' && one !== null) options = { ...options, root: one };
    else if (key === 'try_policy' && isPolicy(one)) options = { ...options, try_policy: one };
    else if (key === 'try_files' && one === null) options = { ...options, try_files: values };
    else if (key === 'split_path' && one === null) options = { ...options, split_path: values };
    else return null;
  }
  return options;
}

function isPolicy(text: string | null): text is Policy {
  return policies.some((policy) => policy === text);
}
