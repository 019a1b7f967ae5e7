/** Finds definitions and uses of names in a Caddyfile: snippets, named matchers and named routes. */
import type { LocatedToken } from '@sluice/caddyfile';
import { isBare, linesOf, nameOf, type Block, type CaddyfileTree, type Line, type Section } from './tree.ts';

export type NameKind = 'snippet' | 'matcher' | 'route';

/** One occurrence of a name. `start` and `end` exclude `@`, parentheses and quotes. */
export interface Occurrence {
  readonly kind: NameKind;
  readonly name: string;
  readonly defines: boolean;
  readonly start: number;
  readonly end: number;
  readonly section: Section;
  /** Block that contains the name; `null` for the name of a section. */
  readonly block: Block | null;
}

/** First argument of an `import`: a snippet name, a file path, or a file pattern. */
export interface ImportTarget {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly section: Section;
  readonly block: Block | null;
}

/** Returns all occurrences of names in a file, in text order within each section. */
export function occurrencesOf(tree: CaddyfileTree): Occurrence[] {
  return tree.sections.flatMap((section) => [...keyNames(section), ...lineNames(section)]);
}

/** Returns the targets of all imports in a file. */
export function importsOf(tree: CaddyfileTree): ImportTarget[] {
  return tree.sections.flatMap((section) => {
    const own = section.kind === 'import' ? [targetOf(section.keys[1], section, null)] : [];
    const inner = [...linesOf(section.block)]
      .filter(({ words }) => isBare(words[0], 'import'))
      .map(({ words, parent }) => targetOf(words[1], section, parent));
    return [...own, ...inner].filter((target) => target !== null);
  });
}

function targetOf(token: LocatedToken | undefined, section: Section, block: Block | null): ImportTarget | null {
  if (token === undefined || isBare(token, '{')) return null;
  return { text: token.token.text, ...inner(token), section, block };
}

/** Returns the range of a token without its quotes. */
function inner({ token, start, end }: LocatedToken): { start: number; end: number } {
  return token.quote === '' || token.quote === '<' ? { start, end } : { start: start + 1, end: end - 1 };
}

function* keyNames(section: Section): Generator<Occurrence, void, void> {
  const [first, second] = section.keys;
  if (first === undefined) return;
  if (section.kind === 'snippet' || section.kind === 'route') {
    const prefix = section.kind === 'snippet' ? '(' : '&(';
    const name = nameOf(first, prefix) ?? '';
    const place = { start: first.start + prefix.length, end: first.end - 1 };
    yield { kind: section.kind, name, defines: true, ...place, section, block: null };
  }
  if (section.kind === 'import' && second !== undefined) yield use('snippet', second, section, null);
}

function* lineNames(section: Section): Generator<Occurrence, void, void> {
  if (section.kind === 'global') return;
  for (const line of linesOf(section.block)) {
    const [name, ...values] = line.words;
    if (name === undefined) continue;
    if (isMatcher(name)) yield matcher(name, true, line);
    else if (isBare(name, 'import')) {
      const [target, ...rest] = values;
      if (target !== undefined) yield use('snippet', target, section, line.parent);
      for (const value of rest) if (isMatcher(value)) yield matcher(value, false, line);
    } else {
      const [first] = values;
      if (first !== undefined && isMatcher(first)) yield matcher(first, false, line);
      const last = values.at(-1);
      if (isBare(name, 'invoke') && last !== undefined && !isMatcher(last))
        yield use('route', last, section, line.parent);
    }
  }
}

function isMatcher({ token: { text, quote } }: LocatedToken): boolean {
  return quote === '' && text.startsWith('@') && text.length > 1;
}

function matcher({ token, start, end }: LocatedToken, defines: boolean, { parent }: Line): Occurrence {
  const place = { start: start + 1, end };
  return { kind: 'matcher', name: token.text.slice(1), defines, ...place, section: parent.section, block: parent };
}

function use(kind: NameKind, token: LocatedToken, section: Section, block: Block | null): Occurrence {
  return { kind, name: token.token.text, defines: false, ...inner(token), section, block };
}
