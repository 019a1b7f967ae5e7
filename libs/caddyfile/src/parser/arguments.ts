/** Replaces `{args[0]}`, `{args[1:]}`, `{block}`, and `{blocks.name}` in imported text. */
import { caddyfileError } from '../errors.ts';
import type { CaddyfileToken } from '../token.ts';

/** Arguments of an `import` directive. */
export interface ImportArguments {
  readonly values: readonly CaddyfileToken[];
  readonly block: readonly CaddyfileToken[];
  /** Tokens of each named block inside the import's block. */
  readonly blocks: ReadonlyMap<string, readonly CaddyfileToken[]>;
}

/** Callback invoked with a warning for each placeholder that is not replaced. */
type Warn = (message: string) => void;

const placeholder = /\{args(?:\[([^\]]*)\]|\.([^}]*))\}/g;

/** Replaces `{args[…]}` placeholders in a string. Placeholders without a value stay unchanged. */
export function replaceArguments(text: string, { values }: ImportArguments, warn: Warn): string {
  if (!text.includes('{args')) return text;
  return text.replace(placeholder, (whole: string, bracketed: string | undefined, dotted: string | undefined) => {
    if (dotted !== undefined) warn(`Placeholder ${whole} deprecated, use {args[${dotted}]} instead`);
    const index = bracketed ?? dotted ?? '';
    if (index.includes(':')) {
      warn(`Variadic placeholder ${whole} must be a token on its own`);
      return whole;
    }
    if (!/^[+-]?\d+$/.test(index)) {
      warn(`Placeholder ${whole} has an invalid index`);
      return whole;
    }
    const value = values[Number(index)];
    if (value !== undefined) return value.text;
    warn(`Placeholder ${whole} index is out of bounds, only ${values.length} argument(s) exist`);
    return whole;
  });
}

/** Returns the arguments that a token such as `{args[1:3]}` represents. Returns `null` for other tokens. */
export function variadic(
  token: CaddyfileToken,
  values: readonly CaddyfileToken[],
  warn: Warn,
): readonly CaddyfileToken[] | null {
  const match = token.quote === '' ? /^\{args\[([^\]]*):([^\]]*)\]\}$/.exec(token.text) : null;
  if (match === null) return null;
  const [whole, from = '', to = ''] = match;
  const start = bound(from, 0);
  const end = bound(to, values.length);
  if (start === null || end === null) {
    warn(`Variadic placeholder ${whole} has an invalid ${start === null ? 'start' : 'end'} index`);
    return null;
  }
  if (start < 0 || start > end || end > values.length) {
    warn(`Variadic placeholder ${whole} indices are out of bounds, only ${values.length} argument(s) exist`);
    return null;
  }
  return values.slice(start, end);
}

function bound(text: string, otherwise: number): number | null {
  if (text === '') return otherwise;
  return /^[+-]?\d+$/.test(text) ? Number(text) : null;
}

/**
 * Returns the named blocks inside the block of an import. `name { … }` defines a block, and `name words` defines a block with a single
 * line.
 */
export function namedBlocks(tokens: readonly CaddyfileToken[]): Map<string, readonly CaddyfileToken[]> {
  const blocks = new Map<string, CaddyfileToken[]>();
  let depth = 0;
  let current: CaddyfileToken[] | null = null;
  let previous: CaddyfileToken | null = null;
  for (const token of tokens) {
    const closes = token.text === '}' && token.quote === '';
    if (closes) depth--;
    if (depth === 0 && !closes && (previous === null || previous.lastLine < token.line)) {
      if (token.text === '{' && token.quote === '') {
        throw caddyfileError('anonymous blocks are not supported', undefined, token);
      }
      current = blocks.get(token.text) ?? [];
      blocks.set(token.text, current);
    } else if (depth > 0) current?.push(token);
    if (token.text === '{' && token.quote === '') depth++;
    previous = token;
  }
  return blocks;
}
