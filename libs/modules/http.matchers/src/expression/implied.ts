/** Derives the matchers that an expression implies: they match whenever the expression does. Used in static checks of routes. */
import { isObject, own, type Json, type JsonObject } from '@sluice/base';

const call = /^(path|host|method)\(\s*((?:'[^'\\]*'|"[^"\\]*")(?:\s*,\s*(?:'[^'\\]*'|"[^"\\]*"))*)\s*\)$/;
const equals = /^\{(?:http\.request\.)?method\}\s*==\s*(?:'([^'\\]*)'|"([^"\\]*)")$/;

/**
 * Parses a conjunction of calls and comparisons. Other expressions would require the CEL parser, which is too expensive to load for every
 * configuration.
 */
export function impliedByExpression(options: unknown): JsonObject | null {
  const text = textOf(options as Json);
  if (text === null || /\|\||\?/.test(text)) return null;
  const parts = text.split('&&').map((each) => each.trim());
  // Operators inside quotes, parentheses or lists don't separate conditions.
  if (!parts.every(isBalanced)) return null;
  const implied: Record<string, Json> = {};
  for (const part of parts) {
    const [, name, list = ''] = call.exec(part) ?? [];
    if (name !== undefined)
      implied[name] ??= [...list.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b ?? '');
    const [found, single, double] = equals.exec(part) ?? [];
    if (found !== undefined) implied['method'] ??= [single ?? double ?? ''];
  }
  return Object.keys(implied).length === 0 ? null : implied;
}

function isBalanced(part: string): boolean {
  const bare = part.replaceAll(/'[^']*'|"[^"]*"/g, '');
  if (/['"]/.test(bare)) return false;
  const count = (marks: RegExp): number => bare.match(marks)?.length ?? 0;
  return count(/[([]/g) === count(/[)\]]/g);
}

function textOf(options: Json): string | null {
  const text = isObject(options) ? own(options, 'expr') : options;
  return typeof text === 'string' ? text : null;
}
