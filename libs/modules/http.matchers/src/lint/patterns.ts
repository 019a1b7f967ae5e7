/** The regular expressions of matchers, as they are written. */
import { isObject, own, type ConfigPath } from '@sluice/base';
import type { LintedConfiguration } from '@sluice/registry';

/** A pattern and where it stands. */
export interface PlacedPattern {
  readonly pattern: string;
  readonly path: ConfigPath;
  /** The module that has it. */
  readonly id: string;
}

/** Those of `path_regexp`, which has one, and of the matchers that have one for each field or variable. */
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

/** A pattern without what is escaped and without what stands in classes, so that marks in it are marks. */
export function marksOf(pattern: string): string {
  return pattern.replaceAll(/\\[^]/g, '··').replaceAll(/\[\^?\]?[^\]]*\]/g, (part) => '·'.repeat(part.length));
}
