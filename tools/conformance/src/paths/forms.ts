/** Request targets of the path test matrix: spellings of paths that users, proxies and attackers send. */

/** Path patterns with two placeholders. `{a}` stands for a directory or script, and `{b}` for the rest of the path. */
const forms: readonly string[] = [
  '/{a}',
  '/{a}/',
  '/{a}//',
  '//{a}',
  '/{a}/{b}',
  '/{a}//{b}',
  '//{a}/{b}',
  '/{a}/./{b}',
  '/./{a}/{b}',
  '/{a}/{b}/.',
  '/{a}/{b}/..',
  '/{a}/{b}/../',
  '/{a}/../{b}',
  '/../{a}/{b}',
  '/{a}/../../{b}',
  '/{a}/%2e/{b}',
  '/{a}/%2e%2e/{b}',
  '/{a}/.%2E/{b}',
  '/%2e%2e/{a}/{b}',
  '/{a}/..%2f{b}',
  '/{a}/%2e%2e%2f{b}',
  '/{a}%2f..%2f{b}',
  '/{a}%2f%2e%2e%2f{b}',
  '/{a}%2f../{b}',
  '/{a}%2f{b}',
  '/{a}%2F{b}',
  '/{a}%2f%2f{b}',
  '/%2f{a}/{b}',
  '/{a}%252f{b}',
  '/{a}/..%252f{b}',
  '/{a}/%252e%252e/{b}',
  '/{a}%5c{b}',
  '/{a}/..%5c{b}',
  '/{a}%00/{b}',
  '/{a}/{b}%00',
  '/{a}%3f/{b}',
  '/{a}%23{b}',
  '/{a};x/{b}',
  '/{a}%3bx/{b}',
  '/{a}%20/{b}',
  '/{a}+/{b}',
  '/{a}%7bx%7d/{b}',
  '/{a}%25/{b}',
  '/{a}%c3%a4/{b}',
  '/{a}\u00c3\u00a4/{b}',
  '/{a}%ff/{b}',
  '/{a}../{b}',
  '/{a}.../{b}',
  '/{a}..%2f{b}',
  '/{a}/{b}?x=/../y%2fz&{q}',
  '/{a}?../{b}',
];

const names: readonly (readonly [a: string, b: string])[] = [
  ['admin', 'page.txt'],
  ['mount', 'document'],
  ['%61dmin', 'Page.txt'],
  ['admin.php', 'other.php'],
  ['folder.php', 'page.txt'],
];

/**
 * Request targets that do not follow a pattern: roots, invalid escapes, uppercase and lowercase letters, and letters with a longer
 * lowercase form.
 */
const singles: readonly string[] = [
  ...['/', '//', '/.', '/..', '/%2e', '/%2f', '/%2e%2e%2f', '/%', '/%zz', '/a%2', '/*', '*'],
  ...['/ADMIN/page.txt', '/ADMIN/..%2fpage.txt', '/ADMIN..%2fpage.txt', '/other.PHP/x', '/OTHER.PHP/..%2fx.php'],
  ...['/scripts.php.d/run.php', '/scripts.php.d/run.php/x', '/scripts.php.d/%2e%2e/run.php'],
  ...['/%c4%b0.php/page.txt', '/%c4%b0.php.txt/x.php/y', '/%c4%b0%c4%b0.php/y', '/%e2%84%aa.php/y', '/a%2ephp/x'],
];

/** All request targets, without duplicates. */
export const targets: readonly string[] = [
  ...new Set([
    ...singles,
    ...names.flatMap(([a, b]) =>
      forms.map((form) => form.replaceAll('{a}', a).replaceAll('{b}', b).replace('{q}', 'q')),
    ),
  ]),
];
