/** Arguments of matcher functions in expressions. They are strings, lists and maps that are constant except for placeholders. */
import { compileText, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { literalText, nameOf, type Node } from './tree.ts';

/** A string composed of literals and placeholders. Placeholders are objects. */
export type TextParts = readonly (string | { readonly placeholder: string })[];

/** Key and values of a map entry. `single` is true if the value was not a list. */
export interface EntryParts {
  readonly key: TextParts;
  readonly values: readonly TextParts[];
  readonly single: boolean;
}

/** Parses a string: a literal, a placeholder, or several of these joined by `+`. Returns `null` for anything else. */
function textParts(node: Node | undefined): TextParts | null {
  const literal = literalText(node);
  if (literal !== null) return [literal];
  if (node?.exprKind.case !== 'callExpr') return null;
  const { function: name, target, args } = node.exprKind.value;
  if (target !== undefined || args.length !== 2) return null;
  if (name === 'ph') {
    const placeholder = literalText(args[1]);
    return nameOf(args[0]) === 'req' && placeholder !== null ? [{ placeholder }] : null;
  }
  const [left, right] = name === '_+_' ? args.map(textParts) : [];
  return left == null || right == null ? null : [...left, ...right];
}

/** Parses several strings. Returns `null` if any node is not a valid string. */
export function allTexts(nodes: readonly Node[]): TextParts[] | null {
  const texts = nodes.map(textParts);
  return texts.every((text) => text !== null) ? texts : null;
}

/** Parses a map whose values are strings or lists of strings. Returns `null` for anything else. */
export function mapEntries(node: Node | undefined): EntryParts[] | null {
  if (node?.exprKind.case !== 'structExpr' || node.exprKind.value.messageName !== '') return null;
  const entries: EntryParts[] = [];
  for (const { keyKind, value } of node.exprKind.value.entries) {
    const key = keyKind.case === 'mapKey' ? textParts(keyKind.value) : null;
    const text = textParts(value);
    const values = value?.exprKind.case === 'listExpr' ? allTexts(value.exprKind.value.elements) : text && [text];
    if (key === null || values === null) return null;
    entries.push({ key, values, single: text !== null });
  }
  return entries;
}

/** Returns the string with its placeholders in braces, for a matcher that expands placeholders itself. */
export function withPlaceholders(parts: TextParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : `{${part.placeholder}}`)).join('');
}

/** Returns the string, or `null` if it has placeholders. */
function constantText(parts: TextParts): string | null {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

/**
 * Returns a matcher that calls `make` with the expanded strings. If the strings contain no placeholders, `make` is called once. Otherwise,
 * `make` is called with the values of a request, and its result is cached until the values change.
 */
export function matcherOf(texts: readonly TextParts[], make: (texts: readonly string[]) => HttpMatcher): HttpMatcher {
  const constants = texts.map(constantText);
  if (constants.every((text) => text !== null)) return make(constants);
  const templates = texts.map((parts) =>
    compileText(
      parts
        .map((part) => (typeof part === 'string' ? part.replaceAll(/[{}]/g, '\\$&') : `{${part.placeholder}}`))
        .join(''),
      'empty',
    ),
  );
  let lastKey: string | null = null;
  let matcher: HttpMatcher = { match: () => false };
  return {
    match(exchange: Exchange) {
      const values = templates.map((template) => template.expand(exchange));
      const key = JSON.stringify(values);
      if (key !== lastKey) {
        matcher = make(values);
        lastKey = key;
      }
      return matcher.match(exchange);
    },
  };
}
