/** Converts case character by character, like Go. A character never becomes two characters. */
import { isStrayByte } from '../values/text.ts';

export function upper(text: string): string {
  return mapLetters(text, text.toUpperCase(), upperLetter);
}

export function lower(text: string): string {
  return mapLetters(text, text.toLowerCase(), lowerLetter);
}

/** Uses JavaScript's conversion if it maps each letter to one letter. Otherwise, converts letter by letter. */
function mapLetters(text: string, whole: string, convert: (letter: string) => string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return whole;
  let mapped = '';
  for (const letter of text) mapped += isStrayByte(letter) ? '\uFFFD' : convert(letter);
  return mapped;
}

function upperLetter(letter: string): string {
  const mapped = letter.toUpperCase();
  return sameCount(letter, mapped) ? mapped : letter;
}

/** Converts a letter to lowercase. `İ` loses its dot. */
export function lowerLetter(letter: string): string {
  if (letter === '\u0130') return 'i';
  const mapped = letter.toLowerCase();
  return sameCount(letter, mapped) ? mapped : letter;
}

/** Converts a letter to title case, which is used for the first letter of a word (`ǆ` → `ǅ`). */
export function titleLetter(letter: string): string {
  if (isStrayByte(letter)) return '\uFFFD';
  const digraph = 'ǄǅǆǇǈǉǊǋǌǱǲǳ'.indexOf(letter);
  if (digraph !== -1) return 'ǅǅǅǈǈǈǋǋǋǲǲǲ'.charAt(digraph);
  return upperLetter(letter);
}

function sameCount(letter: string, mapped: string): boolean {
  return mapped.length === letter.length || [...mapped].length === 1;
}

export function isUpper(letter: string): boolean {
  return /^\p{Lu}$/u.test(letter);
}

function isLower(letter: string): boolean {
  return /^\p{Ll}$/u.test(letter);
}

/** Reports whether a character is whitespace, as defined by Go's `unicode.IsSpace`. */
export function isSpace(letter: string): boolean {
  return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(letter);
}

/** Converts the first letter of each word to title case. A word starts after any character that is not a letter, digit or `_`. */
export function title(text: string): string {
  let begins = true;
  let titled = '';
  for (const letter of text) {
    titled += begins ? titleLetter(letter) : letter;
    begins = isSeparator(letter);
  }
  return titled;
}

function isSeparator(letter: string): boolean {
  if (/^[\x00-\x7f]$/.test(letter)) return !/^\w$/.test(letter);
  return !/^[\p{L}\p{Nd}]$/u.test(letter) && isSpace(letter);
}

/** Converts the first letter of each word to lowercase. Words are separated by whitespace. */
export function untitle(text: string): string {
  return mapWords(text, (letter, begins) => (begins ? lowerLetter(letter) : letter));
}

/** Swaps uppercase and lowercase. A lowercase letter at the start of a word becomes title case. */
export function swapCase(text: string): string {
  return mapWords(text, (letter, begins) => {
    if (isUpper(letter) || /^\p{Lt}$/u.test(letter)) return lowerLetter(letter);
    if (!isLower(letter)) return letter;
    return begins ? titleLetter(letter) : upperLetter(letter);
  });
}

/** Returns the first letter of each word. */
export function initials(text: string): string {
  return mapWords(text, (letter, begins) => (begins && !isSpace(letter) ? letter : ''));
}

function mapWords(text: string, convert: (letter: string, begins: boolean) => string): string {
  let begins = true;
  let mapped = '';
  for (const letter of text) {
    mapped += convert(isStrayByte(letter) ? '\uFFFD' : letter, begins);
    begins = isSpace(letter);
  }
  return mapped;
}
