/** Generates the pages of docs/reference: a page per module, the configuration tree, placeholders, events and metrics. */

/** @typedef {import('@sluice/registry/reference').Reference} Reference */
/** @typedef {import('@sluice/registry/reference').ModuleEntry} ModuleEntry */
/** @typedef {import('@sluice/registry/reference').OptionReference} OptionReference */
/** @typedef {import('@sluice/registry').PackageReference} PackageReference */

const begin =
  '<!-- Generated from the code by `npm run docs`. To change this page, edit the help texts of the modules. -->';

/** Merges the references of all packages into one. @param {readonly PackageReference[]} said */
export function joined(said) {
  return {
    examples: Object.assign({}, ...said.map(({ examples }) => examples)),
    sources: Object.assign({}, ...said.map(({ sources }) => sources)),
    placeholders: said.flatMap(({ placeholders }) => placeholders ?? []),
    events: said.flatMap(({ events }) => events ?? []),
    metrics: said.flatMap(({ metrics }) => metrics ?? []),
  };
}

/** Escapes text for a table or list. HTML is displayed as text. @param {string} text */
function plain(text) {
  return text
    .split('`')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/([<{|*_])/g, '\\$1') : part.replaceAll('|', '\\|')))
    .join('`');
}

/** @param {string[][]} rows The first is the head. */
function table(rows) {
  const line = (/** @type {string[]} */ row) => `| ${row.join(' | ')} |`;
  return [line(rows[0] ?? []), line((rows[0] ?? []).map(() => '---')), ...rows.slice(1).map(line)].join('\n');
}

/** @param {string} id */
function link(id, text = id) {
  return `[${text}](${encodeURIComponent(id)}.md)`;
}

/** Returns the type, allowed values and default of an option. @param {OptionReference} option @param {Reference} reference */
function facts({ type, values, default: usual, modules }, reference) {
  const hosted = modules === null ? [] : reference.inNamespace(modules.namespace);
  const one = values.length === 0 ? '' : `; one of ${values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
  const several = hosted.length === 0 ? '' : `: ${hosted.map((each) => link(each.id, `\`${each.name}\``)).join(', ')}`;
  return `${plain(type)}${several}${one}${usual === undefined ? '' : `; default \`${JSON.stringify(usual)}\``}`;
}

/** Formats options as a nested list. @param {readonly OptionReference[]} options @param {Reference} reference @returns {string} */
function optionList(options, reference, indent = '') {
  return options
    .map((option) => {
      const help = option.help === '' ? '' : ` ${plain(option.help)}`;
      const line = `${indent}- **\`${option.name}\`** (${facts(option, reference)})${help}`;
      return option.options.length === 0 ? line : `${line}\n${optionList(option.options, reference, `${indent}  `)}`;
    })
    .join('\n');
}

/** Returns the configuration paths where a module may be used. @param {ModuleEntry} module @param {Reference} reference */
function places(module, reference) {
  if (module.section) return `In the configuration: \`${module.name}\``;
  if (module.namespace === '') return `In the configuration: \`apps\` › \`${module.name}\``;
  const all = reference.placesOf(module.namespace).map(({ host, path }) => {
    const keys = path.map((key) => `\`${key}\``).join(' › ');
    return `- ${link(host)}${keys === '' ? '' : ` › ${keys}`}`;
  });
  return all.length === 0 ? '' : `Used in:\n\n${all.join('\n')}`;
}

/**
 * Formats the reference page of a module.
 * @param {ModuleEntry} module @param {Reference} reference @param {ReturnType<typeof joined>} said
 * @param {{ package: string | null, directive: boolean }} origin
 */
export function modulePage(module, reference, said, origin) {
  const { options, type, help, modules } = module.options;
  const example = said.examples[module.id];
  const source = said.sources[module.id];
  if (example === undefined && source === undefined)
    throw new Error(`${module.id} has no example: add one to src/reference.ts of its package`);
  const from = origin.package === null ? '' : `Package \`${origin.package}\`.`;
  const directive = origin.directive
    ? ` In Caddyfiles: [\`${module.name}\`](../../guide/caddyfile-reference.md#${module.name}).`
    : '';
  const takes = type === 'object' ? '' : `Type: ${facts(module.options, reference)}.`;
  return [
    begin,
    `# ${module.id}`,
    plain(module.help),
    ...(help === '' || help === module.help ? [] : [plain(help)]),
    places(module, reference),
    ...(takes === '' ? [] : [takes]),
    '## Example',
    source === undefined
      ? `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
      : `\`\`\`${source.language}\n${source.text.trimEnd()}\n\`\`\``,
    ...(options.length === 0 ? [] : ['## Options', optionList(options, reference)]),
    ...(modules !== null && options.length > 0 ? [] : []),
    `${from}${directive} [All modules](../README.md).`.trim(),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Formats the configuration tree. @param {readonly OptionReference[]} options @param {Reference} reference @returns {string[]} */
function tree(options, reference, indent = '  ') {
  return options.flatMap((option) => {
    const below = tree(option.options, reference, `${indent}  `);
    const hosted = option.modules === null ? [] : reference.inNamespace(option.modules.namespace);
    if (below.length === 0 && hosted.length === 0) return [];
    const namespace = option.modules?.namespace ?? '';
    const modules = hosted.length === 0 ? '' : `: modules of [${namespace}](#${anchor(namespace)})`;
    return [`${indent}- \`${option.name}\`${modules}`, ...below];
  });
}

/** @param {string} heading */
function anchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Formats the page with the configuration tree. @param {Reference} reference */
export function indexPage(reference) {
  const all = [...reference.entries.values()];
  const at = (/** @type {string} */ id, text = id) => `[${text}](modules/${encodeURIComponent(id)}.md)`;
  const entry = (/** @type {ModuleEntry} */ each) => `- ${at(each.id, each.name)}: ${plain(each.help)}`;
  const node = (/** @type {ModuleEntry} */ each) => {
    const { modules } = each.options;
    const hosted = modules === null ? '' : `: modules of [${modules.namespace}](#${anchor(modules.namespace)})`;
    return [`- ${at(each.id, `\`${each.name}\``)}${hosted}`, ...tree(each.options.options, reference)];
  };
  const inApps = reference
    .inNamespace('')
    .flatMap(node)
    .map((line) => `  ${line}`);
  const namespaces = reference.namespaces().flatMap((namespace) => {
    const hosts = [...new Set(reference.placesOf(namespace).map(({ host }) => host))];
    return [
      `### ${namespace}`,
      ...(hosts.length === 0 ? [] : [`In ${hosts.map((host) => at(host)).join(', ')}.`]),
      reference.inNamespace(namespace).map(entry).join('\n'),
    ];
  });
  return [
    begin,
    '# Reference',
    'Reference of all configuration options, generated from the modules. `sluice doc` shows the same on a terminal: `sluice doc http.handlers.encode`.',
    [
      '- [Placeholders](placeholders.md), [events](events.md), [metrics](metrics.md)',
      '- [Errors](../errors.md): all codes, with causes and fixes',
      '- [Lint checks](lint/README.md): findings of `sluice lint`',
      '- [The command line](../guide/cli.md#all-commands), [the admin API](../guide/admin-api.md), whose OpenAPI description is at `GET /openapi.json`',
      '- [Caddyfile directives](../guide/caddyfile-reference.md), [nginx directives](nginx.md)',
    ].join('\n'),
    '## The configuration',
    'Structure of the configuration, from the root. Options that do not contain modules are on the pages of their modules.',
    [...all.filter(({ section }) => section).flatMap(node), '- `apps`', ...inApps].join('\n'),
    '## Modules',
    ...namespaces,
  ].join('\n\n');
}

/** @param {ReturnType<typeof joined>} said */
export function placeholderPage({ placeholders }) {
  const groups = placeholders.flatMap(({ title, where, names }) => [
    `## ${title}`,
    `Available in: ${plain(where)}`,
    table([['Placeholder', 'Meaning'], ...Object.entries(names).map(([name, help]) => [`\`{${name}}\``, plain(help)])]),
  ]);
  return [
    begin,
    '# Placeholders',
    'Options that support placeholders replace names in braces. `\\{` is a brace. Replace the parts in `<…>`. Each option documents whether an unknown placeholder is left unchanged or becomes empty.',
    ...groups,
    '[The reference](README.md).',
  ].join('\n\n');
}

/** @param {ReturnType<typeof joined>} said */
export function eventPage({ events }) {
  const sorted = events.toSorted((a, b) => (`${a.origin}.${a.name}` < `${b.origin}.${b.name}` ? -1 : 1));
  const parts = sorted.flatMap(({ origin, name, help, data }) => [
    `## ${name}`,
    `${plain(help)} ${origin === '' ? 'Events of the server itself have an empty origin.' : `Origin \`${origin}\`.`}`,
    ...(Object.keys(data).length === 0
      ? []
      : [table([['Field', 'Meaning'], ...Object.entries(data).map(([key, text]) => [`\`${key}\``, plain(text)])])]),
  ]);
  return [
    begin,
    '# Events',
    'Events that the server emits, to handlers of the [`events` app](modules/events.md) and to clients of `GET /events` ([guide](../guide/observing.md#events)).',
    ...parts,
    '[The reference](README.md).',
  ].join('\n\n');
}

/** @param {ReturnType<typeof joined>} said */
export function metricPage({ metrics }) {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labelNames, help }) => [
      `\`${name}\``,
      type,
      labelNames.map((label) => `\`${label}\``).join(', '),
      plain(help),
    ]);
  return [
    begin,
    '# Metrics',
    '`GET /metrics` of the admin API and the [`metrics` handler](modules/http.handlers.metrics.md) expose these metrics in Prometheus and OpenMetrics format. Request metrics are included only if `metrics` is set ([guide](../guide/observing.md#metrics)).',
    table([['Metric', 'Kind', 'Labels', 'Meaning'], ...rows]),
    '[The reference](README.md).',
  ].join('\n\n');
}
