/** docs/reference/nginx.md: what becomes of each directive of nginx. */

/** @typedef {{ readonly in: readonly string[], readonly consequence?: string }} DirectiveRule */
/** @typedef {{ readonly directive: string, readonly when: string }} Refusal */

const harmless = 'it has no effect: ';

/** Names as code, in the order of the alphabet. @param {readonly string[]} names */
function list(names) {
  return names
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** @param {string} text */
function sentence(text) {
  return `${(text[0] ?? '').toUpperCase()}${text.slice(1)}`;
}

/** Rows of names that share what is said of them. @param {readonly (readonly [string, string])[]} entries Name, and what is said. */
function rows(entries) {
  const bySaying = Map.groupBy(entries, ([, said]) => said);
  return [...bySaying].map(([said, names]) => `| ${sentence(said)} | ${list(names.map(([name]) => name))} |`);
}

/**
 * @param {ReadonlyMap<string, DirectiveRule>} known @param {readonly Refusal[]} refusals
 * @returns {string}
 */
export function nginxPage(known, refusals) {
  const entries = [...known].map(([name, { consequence }]) => /** @type {const} */ ([name, consequence ?? '']));
  const lost = entries.filter(([, said]) => said !== '' && !said.startsWith(harmless));
  const idle = entries.flatMap(([name, said]) =>
    said.startsWith(harmless) ? [/** @type {const} */ ([name, said.slice(harmless.length)])] : [],
  );
  return [
    '<!-- Made from the code by `npm run docs`: change the rules of the directives in libs/modules/caddy.adapters. -->',
    '# Directives of nginx',
    'What the adapter makes of each directive that it knows. [From nginx](../guide/from-nginx.md) says what maps to what. One that is not here is left out with a warning that names the nearest one.',
    '## Translated',
    list(entries.filter(([, said]) => said === '').map(([name]) => name)) + '.',
    '## Left out, with a warning',
    ['| What that means | Directives |', '| --- | --- |', ...rows(lost)].join('\n'),
    '## Without an effect here, with a warning',
    ['| Why it needs none | Directives |', '| --- | --- |', ...rows(idle)].join('\n'),
    '## Refused',
    [
      '| Directive | It is an error where |',
      '| --- | --- |',
      ...refusals.map(({ directive, when }) => `| \`${directive}\` | ${when} |`),
    ].join('\n'),
  ].join('\n\n');
}
