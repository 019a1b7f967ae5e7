/** Formats the syntax, summary and example of a name as Markdown. */
import { MarkupKind, type MarkupContent } from 'vscode-languageserver/node';
import type { Entry } from '../caddyfile/descriptions.ts';

/** Joins parts into Markdown content for the editor. */
export function markdown(...parts: readonly string[]): MarkupContent {
  return { kind: MarkupKind.Markdown, value: parts.filter((part) => part !== '').join('\n\n') };
}

/** Returns a Markdown code block. */
export function code(text: string, language = 'caddyfile'): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Returns the full documentation of a name. */
export function describeEntry({ name, kind, description, help }: Entry): MarkupContent {
  if (description === null) return markdown(code(name), help === '' ? `A ${kind}.` : help);
  const { syntax, summary, options = [], example } = description;
  const lines = options.map((option) => `- \`${option.syntax}\`: ${option.summary}`).join('\n');
  return markdown(code(syntax.join('\n')), summary, lines, example === undefined ? '' : `Example:\n\n${code(example)}`);
}
