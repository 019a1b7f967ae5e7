/** Words that stand for JSON values other than texts. */
import type { Json } from '@sluice/base';

/** What options hold that are numbers and may be placeholders: a number where the word is one. */
export function weakValue(text: string): Json {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  return text;
}

/** The value that a bare word means: a number, true or false, or the text itself. */
export function scalarValue(text: string): Json {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (text === 'true') return true;
  if (text === 'false') return false;
  return text;
}
