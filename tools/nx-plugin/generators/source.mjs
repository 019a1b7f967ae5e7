/** The source and the test of a new module, for packages of this workspace and of third parties. */
import { extraTestImports, kindOf } from './kinds.mjs';
import { quoted } from './names.mjs';

/** @typedef {import('./names.mjs').ModuleNames} ModuleNames */
/** @typedef {import('./contracts.mjs').Contract} Contract */

/**
 * A module to be written.
 * @typedef {object} NewModule
 * @property {ModuleNames} names
 * @property {Contract} contract
 * @property {string} help One sentence.
 * @property {string | null} surface The one package that everything is imported from, or `null` in this workspace.
 */

/** Lines of imports of names by package, sorted. @param {[string, string][]} wanted Pairs of package and name. */
function imports(wanted) {
  const packages = [...new Set(wanted.map(([from]) => from))].sort();
  return packages
    .map((from) => {
      const names = wanted.filter(([each]) => each === from).map(([, name]) => name);
      const plain = (/** @type {string} */ name) => name.replace('type ', '').toLowerCase();
      const sorted = [...new Set(names)].sort((a, b) => (plain(a) < plain(b) ? -1 : 1));
      const isTypes = sorted.every((name) => name.startsWith('type '));
      const list = (isTypes ? sorted.map((name) => name.slice('type '.length)) : sorted).join(', ');
      return `import ${isTypes ? 'type ' : ''}{ ${list} } from '${from}';`;
    })
    .join('\n');
}

/** The source of a module: its descriptor. @param {NewModule} made */
export function sourceOf({ names, contract, help, surface }) {
  const kind = kindOf(names.namespace);
  const registry = surface ?? '@sluice/registry';
  const host = surface ?? contract.package;
  const builders = kind.builders.map((name) => /** @type {[string, string]} */ ([registry, name]));
  const lines = imports([
    [registry, 'defineModule'],
    [registry, 'options'],
    ...builders,
    ...(surface === null ? [] : /** @type {[string, string][]} */ ([[surface, 'type Registry']])),
    [host, contract.token],
    [host, `type ${contract.instance}`],
  ]);
  const register = `
/** Adds the modules of this package to a server. */
export function register(registry: Registry): void {
  registry.add(${names.symbol}Module);
}
`;
  return `/** \`${names.id}\`: ${help} */
${lines}

/** The module. */
${surface === null ? 'export ' : ''}const ${names.symbol}Module = defineModule(${contract.token}, {
  name: '${names.name}',
  help: ${quoted(help)},
  config: options(${kind.config}),
${kind.body(contract.instance)}
});
${surface === null ? '' : register}`;
}

/** The test of a module. @param {NewModule} made @param {string} under Where `register` comes from. */
export function testOf({ names, contract, surface }, under) {
  const kind = kindOf(names.namespace);
  const host = surface ?? contract.package;
  const token = kind.token === true ? [contract.token, ...extraTestImports(names.namespace)] : [];
  const lines = imports([
    ['chai', 'expect'],
    [under, 'register'],
    ...kind.helpers.map((name) => /** @type {[string, string]} */ (['@sluice/testing', name])),
    ...token.map((name) => /** @type {[string, string]} */ ([host, name])),
  ]);
  return `${lines}

describe('${names.id}', () => {
  it('${kind.title}', async () => {
${kind.test(names, contract.token)}
  });
});
`;
}
