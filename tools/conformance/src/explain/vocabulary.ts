/** Vocabulary of generated routes and requests. It is small so that routes and requests often match. */
import type { Random } from '../differential/random.ts';

const segments = [
  'a',
  'b',
  'Api',
  'x.php',
  'img',
  'v1',
  'caf%C3%A9',
  'a%20b',
  'a%2Fb',
  '%41',
  '..',
  '.',
  '',
  'A',
  'long-segment',
];
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'PURGE'];

/** Names and values for header fields, query parameters and variables. */
export const words = ['x-a', 'x-b', 'accept'] as const;
export const values = ['1', '2', 'text/html', 'application/json', 'one two', ''] as const;
export const parameters = ['q', 'page', 'a'] as const;
export const variables = ['v', 'w', 'tenant'] as const;

/** Returns the host name with the given number. Routes match some hosts with wildcards. */
export function hostOf(number: number): string {
  return number % 7 === 3 ? `sub${number}.w${number % 50}.example` : `h${number}.example.com`;
}

/** Returns the string with some letters in uppercase. */
export function mixedCase(text: string, random: Random): string {
  if (random.chance(0.7)) return text;
  return [...text].map((letter) => (random.chance(0.4) ? letter.toUpperCase() : letter)).join('');
}

/** Generates a request path. */
export function pathOf(random: Random): string {
  const parts = Array.from({ length: random.integer(0, 4) }, () => random.pick(segments));
  return `/${parts.join('/')}`;
}

/** Generates a pattern for the `path` matcher. */
export function patternOf(random: Random): string {
  const path = `/${Array.from({ length: random.integer(0, 2) }, () => random.pick(segments)).join('/')}`;
  return random.pick([
    path,
    `${path.replace(/\/$/, '')}/*`,
    `${path}*`,
    '*.php',
    '*a*',
    '/a/*/b',
    mixedCase(path, random),
    '/%2F*',
  ]);
}

export function methodOf(random: Random): string {
  return random.pick(methods);
}
