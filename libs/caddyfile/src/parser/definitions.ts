/**
 * Finds snippets that imported text defines. Inside such a snippet, `{args[0]}` and `{block}` refer to imports of the snippet, not to the
 * current import.
 */
import { itemAt } from '@sluice/base';
import { startsLine, type CaddyfileToken } from '../token.ts';

/** Returns the indexes of the tokens inside snippets that the list defines. */
export function placesInDefinitions(tokens: readonly CaddyfileToken[]): ReadonlySet<number> {
  const places = new Set<number>();
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = itemAt(tokens, at);
    if (isBrace(token, '{')) depth++;
    else if (isBrace(token, '}')) depth--;
    else if (depth === 0 && definesSnippet(tokens, at)) at = addBlock(tokens, at + 1, places);
  }
  return places;
}

function definesSnippet(tokens: readonly CaddyfileToken[], at: number): boolean {
  const [before, token, next] = [tokens[at - 1], itemAt(tokens, at), tokens[at + 1]];
  const isName = token.text.length > 2 && token.text.startsWith('(') && token.text.endsWith(')');
  if (!isName || (before !== undefined && !startsLine(before, token))) return false;
  return next !== undefined && isBrace(next, '{') && !startsLine(token, next);
}

/** Adds the indexes between an opening brace and its closing brace. Returns the index of the closing brace. */
function addBlock(tokens: readonly CaddyfileToken[], brace: number, places: Set<number>): number {
  let depth = 1;
  for (let at = brace + 1; at < tokens.length; at++) {
    const token = itemAt(tokens, at);
    if (isBrace(token, '{')) depth++;
    else if (isBrace(token, '}') && --depth === 0) return at;
    places.add(at);
  }
  return tokens.length;
}

function isBrace(token: CaddyfileToken, text: string): boolean {
  return token.text === text && token.quote === '';
}
