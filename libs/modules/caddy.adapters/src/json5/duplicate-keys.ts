/** Finds duplicate keys in JSON5 objects. Parsers accept them without a warning. */
import JSON5 from 'json5';

/** A duplicate key, with the 1-based line numbers of the duplicate and of the first occurrence. */
export interface DuplicateKey {
  readonly key: string;
  readonly line: number;
  readonly first: number;
}

const word = /[^\s\uFEFF{}[\],:'"/]+/uy;

/** Finds duplicate keys in valid JSON5. The result for invalid input is unspecified. */
export function findDuplicateKeys(text: string): DuplicateKey[] {
  const duplicates: DuplicateKey[] = [];
  const objects: (Map<string, number> | null)[] = [];
  let awaitsKey = false;
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const unit = text.charAt(at);
    const end = endOfToken(text, at);
    if (unit === '{' || unit === '[') objects.push(unit === '{' ? new Map() : null);
    else if (unit === '}' || unit === ']') objects.pop();
    if (unit === '{' || unit === ',') awaitsKey = (objects.at(-1) ?? null) !== null;
    else if (awaitsKey && isValue(unit)) {
      const key = keyOf(text.slice(at, end));
      const keys = objects.at(-1) as Map<string, number>;
      const first = keys.get(key);
      if (first === undefined) keys.set(key, line);
      else duplicates.push({ key, line, first });
      awaitsKey = false;
    } else if (unit === '}' || unit === '[') awaitsKey = false;
    line += countLines(text, at, end);
    at = end;
  }
  return duplicates;
}

function isValue(unit: string): boolean {
  word.lastIndex = 0;
  return unit === '"' || unit === "'" || word.test(unit);
}

function endOfToken(text: string, start: number): number {
  const unit = text[start];
  if (unit === '"' || unit === "'") return endOfString(text, start);
  if (unit === '/') return endOfComment(text, start);
  word.lastIndex = start;
  return word.test(text) ? word.lastIndex : start + 1;
}

/** Returns the end of a line comment. Any ECMAScript line terminator ends the comment. */
function endOfComment(text: string, start: number): number {
  if (text[start + 1] === '*') {
    const end = text.indexOf('*/', start + 2);
    return end < 0 ? text.length : end + 2;
  }
  const rest = /[\n\r\u2028\u2029]/g;
  rest.lastIndex = start;
  return rest.exec(text)?.index ?? text.length;
}

/** Returns the end of the string that starts at `start`. Uses a loop, because regular expressions overflow the stack on long strings. */
function endOfString(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function keyOf(source: string): string {
  if (!source.includes('\\')) return /^['"]/.test(source) ? source.slice(1, -1) : source;
  try {
    return Object.keys(JSON5.parse<object>(`{${source}:0}`))[0] ?? source;
  } catch {
    return source;
  }
}

function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (text[at] === '\n') count++;
  return count;
}
