/** Hover help for Caddyfiles. */
import type { Hover, MarkupContent } from 'vscode-languageserver/node';
import { placeholderShorthands } from '@sluice/caddyfile';
import { cursorAt, type Cursor } from '../caddyfile/cursor.ts';
import type { Descriptions } from '../caddyfile/descriptions.ts';
import { isBare } from '../caddyfile/tree.ts';
import type { Library } from '../documents/library.ts';
import { rangeOf } from '../text/span.ts';
import type { CompletionContext } from './caddyfile-completion.ts';
import { code, describeEntry, markdown } from './markdown.ts';

/** Maximum number of lines of a definition to display. */
const maxLines = 20;

export async function hoverCaddyfile(
  context: CompletionContext,
  library: Library,
  path: string,
  offset: number,
): Promise<Hover | null> {
  const cursor = cursorAt(context.tree, offset);
  if (cursor === null || cursor.word === null) return null;
  const placeholder = placeholderAt(context, cursor);
  if (placeholder !== null) return placeholder;
  const contents = definitionAt(context, library, path, offset) ?? (await entryAt(context.descriptions, cursor));
  return contents === null ? null : { contents, range: rangeOf(context.document, cursor.word) };
}

/** Returns hover help with the full form of a placeholder shorthand. */
function placeholderAt({ document, tree }: CompletionContext, { word, offset }: Cursor): Hover | null {
  if (word === null) return null;
  const text = tree.text.slice(word.start, word.end);
  for (const match of text.matchAll(/\{([\w?]+\.?)([^{}\s]*)\}/g)) {
    const start = word.start + match.index;
    const end = start + match[0].length;
    const [, name = '', rest = ''] = match;
    const long = placeholderShorthands().get(name);
    if (offset < start || offset > end || long === undefined) continue;
    return { contents: markdown(`Shorthand for \`{${long}${rest}}\`.`), range: rangeOf(document, { start, end }) };
  }
  return null;
}

function definitionAt(
  { project }: CompletionContext,
  library: Library,
  path: string,
  offset: number,
): MarkupContent | null {
  const name = project.nameAt(path, offset);
  const definition = name === null || name.defines ? undefined : project.definitionsOf(name)[0];
  if (definition === undefined) return null;
  const tree = library.file(definition.path)?.tree;
  if (tree === undefined) return null;
  const line = definition.block?.lines.find(({ words }) => words[0]?.end === definition.end);
  const block = line === undefined ? definition.section.block : line.block;
  const start = tree.text.lastIndexOf('\n', definition.start) + 1;
  const end = block === null ? (line?.words.at(-1)?.end ?? definition.end) : Math.min(block.end + 1, tree.text.length);
  return markdown(code(shortened(tree.text.slice(start, end))));
}

function shortened(text: string): string {
  const lines = text.split('\n');
  return lines.length <= maxLines ? text : [...lines.slice(0, maxLines), '# …'].join('\n');
}

async function entryAt(descriptions: Descriptions, { block, line, index }: Cursor): Promise<MarkupContent | null> {
  if (block === null || line === null) return null;
  const [name, first] = line.words;
  if (isBare(name, 'import')) return importHelp(index);
  if (name?.token.text.startsWith('@') === true) {
    const matcher = index === 1 ? await descriptions.named('matchers').get(first?.token.text ?? '')?.() : undefined;
    return matcher === undefined ? null : describeEntry(matcher);
  }
  const entry = await descriptions.entryOf(line);
  if (entry === null) return null;
  if (index === 0) return describeEntry(entry);
  const word = line.words[index]?.token.text;
  const module = await descriptions.moduleOf(entry.description, line)?.();
  return module !== undefined && module.name === word ? describeEntry(module) : null;
}

function importHelp(index: number): MarkupContent | null {
  if (index > 0) return null;
  return markdown(
    code('import <snippet>|<files> [<argument>…]'),
    'Inserts the contents of a snippet or of files. Arguments are available as `{args[0]}` and so on.',
  );
}
