/** Translates `if` conditions to matcher sets. */
import { itemAt } from '@sluice/base';
import type { Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { aliasParts, expandText } from '../text/expand.ts';
import { expressionMatcher, expressionOf, groupNames, literal } from '../text/regular-expression.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

export interface Condition {
  readonly match: Node;
  /** Name of the regular expression that `$1` refers to after the condition. `null` if the condition has none. */
  readonly captures: string | null;
}

/** Translates the condition of an `if` block. */
export function translateCondition(site: Site, scope: Scope, directive: Directive): Condition {
  const words = wordsOf(directive);
  const [first = '', operator, operand] = words;
  if (/^!?-[fdex]$/.test(first)) {
    if (operator === undefined) throw problemAt(directive, `${first} must be followed by a path`);
    return plain(negated(first.startsWith('!'), fileMatch({ site, scope, at: directive }, first, operator)));
  }
  if (!/^\$\w+$/.test(first))
    throw problemAt(directive, `expected a variable or a test such as -f in if (…), not ${JSON.stringify(first)}`);
  if (operator === undefined) return plain(negated(true, valueMatch({ site, scope, at: directive }, first, ['', '0'])));
  if (operand === undefined || words.length > 3) throw problemAt(directive, `expected one value after ${operator}`);
  if (operator === '=' || operator === '!=') {
    const value = expandText(operand, { site, scope, at: directive });
    return plain(negated(operator === '!=', valueMatch({ site, scope, at: directive }, first, [value])));
  }
  if (!/^!?~\*?$/.test(operator))
    throw problemAt(directive, `expected =, !=, ~, ~*, !~ or !~* in if (…), not ${JSON.stringify(operator)}`);
  return expressionMatch(site, scope, directive, { variable: first, operator, operand });
}

function plain(match: Node): Condition {
  return { match, captures: null };
}

function negated(not: boolean, match: Node): Node {
  return not ? { not: [match] } : match;
}

/** Returns the words of the condition without the enclosing parentheses. Spaces around the words are optional. */
function wordsOf(directive: Directive): string[] {
  argument(directive, 0, 'a condition in parentheses');
  const words = [...directive.args];
  const [first = ''] = words;
  const last = words.at(-1) ?? '';
  if (!first.startsWith('(') || !last.endsWith(')'))
    throw problemAt(directive, 'expected a condition in parentheses: if ($x = y) { … }');
  if (last === ')') words.pop();
  else words[words.length - 1] = last.slice(0, -1);
  if (first === '(') words.shift();
  else words[0] = itemAt(words, 0).slice(1);
  return words;
}

const isPath = /^\$(?:document_)?uri$/;

/** Context in which a condition is translated. */
interface Asked {
  readonly site: Site;
  readonly scope: Scope;
  readonly at: Directive;
}

function valueMatch({ site, scope, at }: Asked, variable: string, values: readonly string[]): Node {
  if (isPath.test(variable)) return { path_regexp: { pattern: `^(?:${values.map(literal).join('|')})$` } };
  return { vars: { [expandText(variable, { site, scope, at })]: values } };
}

function expressionMatch(
  site: Site,
  scope: Scope,
  at: Directive,
  { variable, operator, operand }: { variable: string; operator: string; operand: string },
): Condition {
  const name = site.unique('if');
  const translated = expressionOf(at, operand, { insensitive: operator.endsWith('*') });
  const { pattern } = translated;
  for (const group of groupNames(pattern)) site.groups.set(group, `{http.regexp.${name}.${group}}`);
  const value = isPath.test(variable) ? null : expandText(variable, { site, scope, at });
  const match = expressionMatcher(translated, name, (expression) =>
    value === null ? { path_regexp: expression } : { vars_regexp: { [value]: expression } },
  );
  const not = operator.startsWith('!');
  return { match: negated(not, match), captures: not || !/\((?!\?:)/.test(pattern) ? null : name };
}

/** Returns a matcher for a file test. `-f` tests for a file, `-d` for a directory, and `-e` and `-x` for either. */
function fileMatch({ site, scope, at }: Asked, test: string, path: string): Node {
  const text = expandText(path, { site, scope, at }).replace(/\/$/, '');
  const kind = test.at(-1);
  if (kind === 'x') site.adaptation.warn(at, '-x is treated as -e; execute permission is not checked');
  const entries = kind === 'f' ? [text] : kind === 'd' ? [`${text}/`] : [text, `${text}/`];
  const match = { file: { root: '/', try_files: entries } };
  const top = kind === 'f' || path !== '$request_filename' ? null : aliasItself({ site, scope, at });
  return top === null ? match : { not: [{ not: [match, top] }] };
}

/** Returns a matcher set for the directory of an `alias` itself, because an empty placeholder is not a valid file name. */
function aliasItself(asked: Asked): Node | null {
  const { alias } = asked.scope;
  if (alias === null) return null;
  const { folder, below } = aliasParts(asked, alias);
  if (below === '') return null;
  return { vars: { [below]: [''] }, file: { root: '/', try_files: [`${folder.replace(/\/+$/, '')}/`] } };
}
