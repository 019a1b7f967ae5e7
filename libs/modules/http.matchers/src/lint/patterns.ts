/** Finds the regular expressions of matchers in a configuration. */
import { isObject, own, type ConfigPath } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

export interface PlacedPattern {
  readonly pattern: string;
  readonly path: ConfigPath;
  readonly id: string;
}

/**
 * Yields the regular expression of each `path_regexp` matcher. For matchers with one expression per field or variable, yields all of these
 * expressions.
 */
export function* patternsIn(configuration: LintedConfiguration): Generator<PlacedPattern> {
  const single = 'http.matchers.path_regexp';
  for (const { node, path } of configuration.modulesOf(single)) {
    const pattern = isObject(node) ? own(node, 'pattern') : undefined;
    if (typeof pattern === 'string') yield { pattern, id: single, path: [...path, 'pattern'] };
  }
  for (const id of ['http.matchers.header_regexp', 'http.matchers.vars_regexp']) {
    for (const { node, path } of configuration.modulesOf(id)) {
      for (const [key, value] of isObject(node) ? Object.entries(node) : []) {
        const pattern = isObject(value) ? own(value, 'pattern') : undefined;
        if (typeof pattern === 'string') yield { pattern, id, path: [...path, key, 'pattern'] };
      }
    }
  }
}

/** Removes escapes and character classes from a regular expression, so that only its metacharacters remain. */
export function marksOf(pattern: string): string {
  return pattern.replaceAll(/\\[^]/g, '··').replaceAll(/\[\^?\]?[^\]]*\]/g, (part) => '·'.repeat(part.length));
}
