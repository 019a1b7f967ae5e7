/** Completion within Caddyfiles. */
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Environment } from '@sluice/base';
import { placeholderShorthands } from '@sluice/caddyfile';
import { cursorAt, type Cursor } from '../caddyfile/cursor.ts';
import type { Content, Descriptions, Entry } from '../caddyfile/descriptions.ts';
import type { Project } from '../caddyfile/project.ts';
import { isBare, type CaddyfileTree } from '../caddyfile/tree.ts';
import { rangeOf, type Span } from '../text/span.ts';
import { describeEntry } from './markdown.ts';

/** Input of completion. */
export interface CompletionContext {
  readonly document: TextDocument;
  readonly tree: CaddyfileTree;
  readonly project: Project;
  readonly descriptions: Descriptions;
  readonly environment: Environment;
}

export async function completeCaddyfile(context: CompletionContext, offset: number): Promise<CompletionItem[]> {
  const { tree, document } = context;
  const cursor = cursorAt(tree, offset);
  if (cursor === null) return [];
  const place = { start: offset - cursor.prefix.length, end: cursor.word?.end ?? offset };
  const brace = openBrace(cursor.prefix);
  if (brace >= 0)
    return placed(document, placeholders(context, cursor, brace), placeholderSpan(tree, place.start + brace, offset));
  return placed(document, await itemsAt(context, cursor), place);
}

async function itemsAt(context: CompletionContext, cursor: Cursor): Promise<CompletionItem[]> {
  const { project, descriptions, tree } = context;
  const { block, line, index, section } = cursor;
  if (block === null || section === null) {
    const isImport = section?.kind === 'import' && index === 1;
    if (isImport) return snippets(project);
    return index === 0 && startsLine(tree, cursor) ? [keyword('import')] : [];
  }
  if (line === null || index === 0) {
    const content = await descriptions.contentOf(block);
    const items = await entriesOf(content);
    const hasImports = content.size > 0 || block.section.kind === 'snippet';
    return hasImports ? [...items, keyword('import')] : items;
  }
  return argumentsAt(context, cursor);
}

async function argumentsAt({ project, descriptions }: CompletionContext, cursor: Cursor): Promise<CompletionItem[]> {
  const { block, line, index, section, prefix } = cursor;
  const [name] = line?.words ?? [];
  if (line === null || section === null || name === undefined) return [];
  const { text } = name.token;
  if (isBare(name, 'import')) return index === 1 ? snippets(project) : [];
  if (text.startsWith('@')) return index === 1 ? entriesOf(descriptions.named('matchers')) : [];
  const entry = await descriptions.entryOf(line);
  const syntax = entry?.description?.syntax ?? [];
  const items: CompletionItem[] = [];
  const takesMatcher = entry?.description === null || syntax.some((form) => form.includes('<matcher>'));
  if (index === 1 && section.kind !== 'global' && (takesMatcher || prefix.startsWith('@'))) {
    for (const each of project.matchersFor(section, block)) {
      items.push({ label: `@${each.name}`, kind: CompletionItemKind.Variable, detail: 'named matcher' });
    }
  }
  if (prefix.startsWith('@')) return items;
  if (text === 'invoke') {
    for (const route of project.definitions('route')) {
      items.push({ label: route.name, kind: CompletionItemKind.Reference, detail: 'named route' });
    }
  }
  const namespace = entry?.description?.module;
  if (namespace !== undefined) items.push(...(await entriesOf(descriptions.named(namespace))));
  if (syntax.some((form) => form.includes('<directive>')))
    items.push(...(await entriesOf(descriptions.named('directives'))));
  const words = syntax.flatMap((form) => literalsOf(form, text));
  return [...items, ...[...new Set(words)].map(keyword)];
}

/** Returns the literal words in a syntax description, such as `off` in `admin off`. */
function literalsOf(syntax: string, name: string): string[] {
  const words = syntax.replaceAll(/<[^>]*>/g, ' ').split(/[\s|[\]…]+/);
  return words.filter((word) => /^[\w.+-]+$/.test(word) && word !== name);
}

async function entriesOf(content: Content): Promise<CompletionItem[]> {
  const entries = await Promise.all([...content.values()].map((load) => load()));
  return entries.map(itemOf);
}

const kinds: Readonly<Record<Entry['kind'], CompletionItemKind>> = {
  directive: CompletionItemKind.Function,
  'global option': CompletionItemKind.Property,
  option: CompletionItemKind.Field,
  module: CompletionItemKind.Module,
  matcher: CompletionItemKind.Operator,
};

function itemOf(entry: Entry): CompletionItem {
  const detail = entry.description?.syntax[0] ?? entry.kind;
  return { label: entry.name, kind: kinds[entry.kind], detail, documentation: describeEntry(entry) };
}

function keyword(label: string): CompletionItem {
  return { label, kind: CompletionItemKind.Keyword };
}

function snippets(project: Project): CompletionItem[] {
  const names = new Set(project.definitions('snippet').map(({ name }) => name));
  return [...names].map((label) => ({ label, kind: CompletionItemKind.Interface, detail: 'snippet' }));
}

/** Returns the start offset of a placeholder that is being typed, or -1 if there is none. */
function openBrace(prefix: string): number {
  const open = prefix.lastIndexOf('{');
  return open < prefix.lastIndexOf('}') || prefix.charAt(open - 1) === '\\' ? -1 : open;
}

/** Returns the range of a partially typed placeholder, including its braces. */
function placeholderSpan({ text }: CaddyfileTree, start: number, offset: number): Span {
  const rest = /^[\w?.$:[\]-]*\}?/.exec(text.slice(offset))?.[0] ?? '';
  return { start, end: offset + rest.length };
}

function placeholders({ environment }: CompletionContext, cursor: Cursor, brace: number): CompletionItem[] {
  const written = cursor.prefix.slice(brace);
  const kind = CompletionItemKind.Variable;
  if (written.startsWith('{$')) {
    return Object.keys(environment).map((name) => ({ label: `{$${name}}`, kind, detail: 'environment variable' }));
  }
  const inSnippet = cursor.section?.kind === 'snippet';
  const ofImports = inSnippet ? ['args[0]', 'args[:]', 'block', 'blocks.'] : [];
  const all: CompletionItem[] = ofImports.map((name) => ({
    label: braced(name),
    kind,
    detail: 'import argument',
  }));
  for (const [name, long] of placeholderShorthands()) all.push({ label: braced(name), kind, detail: long });
  for (const [name, detail] of globalPlaceholders) all.push({ label: braced(name), kind, detail });
  return all;
}

/** Placeholders that are available everywhere, including outside of requests. */
const globalPlaceholders: readonly (readonly [string, string])[] = [
  ['env.', 'environment variable, read at run time'],
  ['file.', 'contents of a file'],
  ['system.hostname', 'host name of this machine'],
  ['system.os', 'operating system'],
  ['system.wd', 'working directory'],
  ['time.now.http', 'time in HTTP date format'],
  ['time.now.unix', 'time in seconds'],
  ['time.now.year', 'year'],
];

/** Adds braces to a placeholder name. If the name ends with a dot, the user must continue it, so no closing brace is added. */
function braced(name: string): string {
  return name.endsWith('.') ? `{${name}` : `{${name}}`;
}

function placed(document: TextDocument, items: readonly CompletionItem[], span: Span): CompletionItem[] {
  const range = rangeOf(document, span);
  return items.map((item) => ({ ...item, filterText: item.label, textEdit: { range, newText: item.label } }));
}

function startsLine({ text }: CaddyfileTree, { offset, prefix }: Cursor): boolean {
  const start = offset - prefix.length;
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}
