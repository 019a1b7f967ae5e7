/** Upper and lower case, letter by letter as Go has it: no letter becomes two. */
import { isStrayByte } from '../values/text.ts';

/** Text in upper case. */
export function upper(text: string): string {
  return mapLetters(text, text.toUpperCase(), upperLetter);
}

/** Text in lower case. */
export function lower(text: string): string {
  return mapLetters(text, text.toLowerCase(), lowerLetter);
}

/** The engine's conversion where it changes letters one to one, else letter by letter. */
function mapLetters(text: string, whole: string, convert: (letter: string) => string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return whole;
  let mapped = '';
  for (const letter of text) mapped += isStrayByte(letter) ? '\uFFFD' : convert(letter);
  return mapped;
}

/** A letter in upper case. */
function upperLetter(letter: string): string {
  const mapped = letter.toUpperCase();
  return sameCount(letter, mapped) ? mapped : letter;
}

/** A letter in lower case; `İ` is the one that loses a mark. */
export function lowerLetter(letter: string): string {
  if (letter === '\u0130') return 'i';
  const mapped = letter.toLowerCase();
  return sameCount(letter, mapped) ? mapped : letter;
}

/** A letter in title case: that of a word's first letter (`ǆ` -> `ǅ`). */
export function titleLetter(letter: string): string {
  if (isStrayByte(letter)) return '\uFFFD';
  const digraph = 'ǄǅǆǇǈǉǊǋǌǱǲǳ'.indexOf(letter);
  if (digraph !== -1) return 'ǅǅǅǈǈǈǋǋǋǲǲǲ'.charAt(digraph);
  return upperLetter(letter);
}

function sameCount(letter: string, mapped: string): boolean {
  return mapped.length === letter.length || [...mapped].length === 1;
}

/** Tells letters in upper case. */
export function isUpper(letter: string): boolean {
  return /^\p{Lu}$/u.test(letter);
}

/** Tells letters in lower case. */
function isLower(letter: string): boolean {
  return /^\p{Ll}$/u.test(letter);
}

/** Tells space as Go's `unicode.IsSpace`. */
export function isSpace(letter: string): boolean {
  return /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(letter);
}

/** The first letter of each word in title case; a word begins after anything that is not a letter, digit or `_`. */
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

/** The first letter of each word in lower case; words are separated by space. */
export function untitle(text: string): string {
  return mapWords(text, (letter, begins) => (begins ? lowerLetter(letter) : letter));
}

/** Upper to lower case and back; a lower-case letter that begins a word gets title case. */
export function swapCase(text: string): string {
  return mapWords(text, (letter, begins) => {
    if (isUpper(letter) || /^\p{Lt}$/u.test(letter)) return lowerLetter(letter);
    if (!isLower(letter)) return letter;
    return begins ? titleLetter(letter) : upperLetter(letter);
  });
}

/** The first letters of the words. */
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
