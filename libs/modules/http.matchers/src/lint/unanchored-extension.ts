/** Lint check SL017. */
import { caddyfile, defineLint } from '@sluice/registry';
import { patternsIn } from './patterns.ts';

export const unanchoredExtension = defineLint({
  code: 'SL017',
  name: 'unanchored-extension',
  severity: 'warning',
  summary: 'A regular expression for a file extension is not anchored at the end.',
  details: `The pattern \`\\.php\` also matches \`/photo.php.jpg\` and \`/a.phpx/b\`, which a visitor may have uploaded. Write \`\\.php$\`. To also match a path that follows the extension, write \`\\.php(/|$)\`.`,
  bad: caddyfile(String.raw`:8080 {
	@php path_regexp \.php
	respond @php "a script"
	respond "hello"
}
`),
  good: caddyfile(String.raw`:8080 {
	@php path_regexp \.php$
	respond @php "a script"
	respond "hello"
}
`),
  check(configuration, report) {
    for (const { pattern, id, path } of patternsIn(configuration))
      if (id === 'http.matchers.path_regexp' && /\\\.(?:[a-z][a-z\d]{1,4}|\((?:\?:)?[a-z\d?|]+\))$/i.test(pattern))
        report(
          path,
          `also matches longer names, such as a${pattern.slice(pattern.lastIndexOf('\\.') + 1)}.txt: add $ at the end`,
        );
  },
});
