/** Generates the Caddyfile reference from the descriptions of directives, matchers and global options. */

/** @typedef {import('@sluice/caddyfile').Description} Description */
/** @typedef {import('@sluice/caddyfile').OptionDescription} OptionDescription */
/** @typedef {{ readonly name: string, readonly describe?: () => Promise<Description> }} Described */

const contents = new Map([
  ['directives', 'directives'],
  ['matchers', 'matchers'],
]);

/**
 * Describes what the first value or the block may contain in addition to the listed options.
 * @param {Pick<Description, 'module' | 'block' | 'summary'>} description
 */
function hosted({ module, block, summary }) {
  const named = block === undefined ? undefined : contents.get(block);
  if (module !== undefined && module === block)
    return ` Arguments and block: modules from the \`${module}\` namespace.`;
  const parts = [];
  if (module !== undefined) parts.push(`Module namespace: \`${module}\`.`);
  if (named !== undefined && !summary.includes(named)) parts.push(`The block contains ${named}.`);
  if (block !== undefined && named === undefined)
    parts.push(`The block contains modules from the \`${block}\` namespace.`);
  return parts.length === 0 ? '' : ` ${parts.join(' ')}`;
}

/**
 * Formats options as a nested list. Options shared with another directive refer to the section of that directive.
 * @param {readonly OptionDescription[]} options
 * @param {string} indent
 * @returns {string}
 */
function optionList(options, indent = '') {
  return options
    .filter((option) => option.of === undefined)
    .map((option) => {
      const line = `${indent}- \`${option.syntax}\`: ${option.summary}${hosted(option)}`;
      return option.options === undefined ? line : `${line}\n${optionList(option.options, `${indent}  `)}`;
    })
    .join('\n');
}

/** @param {string} name @param {Description} description */
function section(name, description) {
  const { syntax, summary, options, example } = description;
  const parts = [
    `### ${name}`,
    `\`\`\`\n${syntax.join('\n')}\n\`\`\``,
    `${summary}${hosted(description)}`,
    ...(options === undefined ? [] : [optionList(options)]),
    `\`\`\`caddyfile\n${example.trimEnd()}\n\`\`\``,
  ];
  return parts.join('\n\n');
}

/**
 * Formats the sections of one kind, sorted by name. @param {Iterable<Described>} contributions @param {string} [prefix] Selects names, and
 * is removed from them.
 */
export async function referenceOf(contributions, prefix = '') {
  const wanted = [...contributions].filter(({ name }) => name.startsWith(prefix));
  const sections = [];
  for (const { name, describe } of wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (describe !== undefined) sections.push(section(name.slice(prefix.length), await describe()));
  }
  return sections.join('\n\n');
}
