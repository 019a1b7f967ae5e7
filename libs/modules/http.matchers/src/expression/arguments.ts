/** Arguments of matcher functions: texts, lists and maps that are known but for placeholders. */
import { compileText, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { literalText, nameOf, type Node } from './tree.ts';

/** A text of literals and placeholders; the latter are objects. */
export type TextParts = readonly (string | { readonly placeholder: string })[];

/** Key and values of an entry of a map; `single` if the value was no list. */
export interface EntryParts {
  readonly key: TextParts;
  readonly values: readonly TextParts[];
  readonly single: boolean;
}

/** Reads a text: a literal, a placeholder, or these joined by `+`; `null` for anything else. */
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

/** Reads several texts; `null` if any is none. */
export function allTexts(nodes: readonly Node[]): TextParts[] | null {
  const texts = nodes.map(textParts);
  return texts.every((text) => text !== null) ? texts : null;
}

/** Reads a map of texts, or lists of texts, by texts. */
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

/** The text for a matcher that replaces placeholders itself. */
export function withPlaceholders(parts: TextParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : `{${part.placeholder}}`)).join('');
}

/** The text if no placeholder is in it, else `null`. */
function constantText(parts: TextParts): string | null {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

/**
 * A matcher that wants texts without placeholders: made at once if there are none, else when a request tells their
 * values, and kept until one comes with other values.
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
