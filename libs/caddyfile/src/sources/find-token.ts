/** Finds the token that a value came from, among the tokens of a directive. */
import { isArray, isObject, type Json } from '@sluice/base';
import { startsLine, type CaddyfileToken } from '../token.ts';

type Line = readonly [CaddyfileToken, ...CaddyfileToken[]];

/**
 * Returns the token for a value. The keys `below` lead to the value, starting from an object that `tokens` produced. Prefers tokens with
 * the same text. Otherwise, chooses a line whose name is similar to the key. If no line is similar, returns the first token.
 */
export function findToken(
  tokens: readonly CaddyfileToken[],
  below: readonly string[],
  value: Json | undefined,
): CaddyfileToken | null {
  const [first] = tokens;
  if (first === undefined || below.length === 0) return first ?? null;
  const keys = below.filter((key) => !/^\d+$/.test(key)).reverse();
  const texts = textsOf(value);
  let best: CaddyfileToken = first;
  let most = 0;
  for (const line of linesOf(tokens)) {
    const named = likeness(line[0].text, keys);
    for (const token of line) {
      const worth = named + Math.max(0, ...texts.map((text) => resemblance(token.text, text)));
      if (worth > most) {
        best = worth === named ? line[0] : token;
        most = worth;
      }
    }
  }
  return best;
}

function* linesOf(tokens: readonly CaddyfileToken[]): Generator<Line, void, void> {
  let line: [CaddyfileToken, ...CaddyfileToken[]] | null = null;
  for (const token of tokens) {
    if (token.quote === '' && (token.text === '{' || token.text === '}')) continue;
    const last = line?.at(-1);
    if (line !== null && last !== undefined && !startsLine(last, token)) {
      line.push(token);
      continue;
    }
    if (line !== null) yield line;
    line = [token];
  }
  if (line !== null) yield line;
}

/** Returns the similarity between the name of a line and the keys. Inner keys have a higher weight. */
function likeness(name: string, keys: readonly string[]): number {
  for (const [distance, key] of keys.entries()) {
    if (name === key) return 30 - distance;
    if (name.endsWith(`_${key}`) || key.endsWith(`_${name}`)) return 20 - distance;
    if (key.length > 2 && (name.startsWith(key) || key.startsWith(name))) return 10 - distance;
    if (sameWords(name.split('_'), key.split('_')) > 1) return 8 - distance;
  }
  return 0;
}

/** Returns the number of leading words that two names have in common. */
function sameWords(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((word, at) => word !== b[at]);
  return different < 0 ? a.length : different;
}

/** Returns the similarity between a token and a value. */
function resemblance(token: string, text: string): number {
  if (token === text) return 40;
  if (text.length > 2 && token.includes(text)) return 25;
  return token.length > 2 && text.includes(token) ? 15 : 0;
}

/** Returns the strings inside a value. For a large value, returns only some of them. */
function textsOf(value: Json | undefined, texts: string[] = []): readonly string[] {
  if (texts.length > 8) return texts;
  if (typeof value === 'string' && value !== '') texts.push(value);
  else if (typeof value === 'number') texts.push(String(value));
  else if (isArray(value)) for (const item of value) textsOf(item, texts);
  else if (isObject(value)) for (const item of Object.values(value)) textsOf(item, texts);
  return texts;
}
