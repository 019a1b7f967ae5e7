/** Updates the module table in a package README, between two markers. `tools/workspace/readmes.mjs` checks the table. */

const begin = '<!-- modules -->';
const end = '<!-- /modules -->';

/** Formats a table of module names and help texts. @param {readonly { name: string, help: string }[]} modules */
function moduleTable(modules) {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
  const rows = modules.map(({ name, help }) => [`\`${name}\``, cell(help)]);
  const all = [['Module', 'What it does'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (/** @type {string[]} */ row) => `| ${row.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}

/** Parses the rows of a README's module table. @param {string} text @returns {{ name: string, help: string }[]} */
function readModuleTable(text) {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) return [];
  return [...text.slice(from, to).matchAll(/^\| `([^`]+)` +\| (.*?) *\|$/gm)].map(([, name = '', help = '']) => ({
    name,
    help: help.replaceAll('\\|', '|'),
  }));
}

/**
 * Replaces the module table of a README, or inserts it before the last paragraph.
 * @param {string} text
 * @param {readonly { name: string, help: string }[]} modules
 */
export function withModuleTable(text, modules) {
  const block = `${begin}\n\n${moduleTable(modules)}\n\n${end}`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from >= 0 && to > from) return text.slice(0, from) + block + text.slice(to + end.length);
  const tests = text.lastIndexOf('\nTests: ');
  if (tests < 0) return `${text.trimEnd()}\n\n${block}\n`;
  return `${text.slice(0, tests)}\n${block}\n${text.slice(tests)}`;
}

/** Adds a module to the table of a README. @param {string} text @param {string} name @param {string} help */
export function addModuleRow(text, name, help) {
  const others = readModuleTable(text).filter((each) => each.name !== name);
  return withModuleTable(
    text,
    [...others, { name, help }].sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
}
