/** Generates docs/reference/nginx.md, which lists how the adapter handles each nginx directive. */

/** @typedef {{ readonly in: readonly string[], readonly consequence?: string }} DirectiveRule */
/** @typedef {{ readonly directive: string, readonly when: string }} Refusal */

const harmless = 'it has no effect: ';

/** Formats names as code spans in alphabetical order. @param {readonly string[]} names */
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

/**
 * Formats table rows. Names with the same description share a row.
 * @param {readonly (readonly [string, string])[]} entries Name and description.
 */
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
    '<!-- Generated from the code by `npm run docs`. To change this page, edit the directive rules in libs/modules/caddy.adapters. -->',
    '# nginx directives',
    'All nginx directives that the adapter recognizes. [From nginx](../guide/from-nginx.md) describes the mapping. Other directives are ignored with a warning, which suggests a similar name.',
    '## Translated',
    list(entries.filter(([, said]) => said === '').map(([name]) => name)) + '.',
    '## Not supported: ignored with a warning',
    ['| Consequence | Directives |', '| --- | --- |', ...rows(lost)].join('\n'),
    '## Not needed: ignored with a warning',
    ['| Reason | Directives |', '| --- | --- |', ...rows(idle)].join('\n'),
    '## Rejected',
    [
      '| Directive | Rejected if |',
      '| --- | --- |',
      ...refusals.map(({ directive, when }) => `| \`${directive}\` | ${when} |`),
    ].join('\n'),
  ].join('\n\n');
}
