/** Generates the source and the test of a new module, for this workspace and for third-party packages. */
import { extraTestImports, kindOf } from './kinds.mjs';
import { quoted } from './names.mjs';

/** @typedef {import('./names.mjs').ModuleNames} ModuleNames */
/** @typedef {import('./contracts.mjs').Contract} Contract */

/**
 * A module to create.
 * @typedef {object} NewModule
 * @property {ModuleNames} names
 * @property {Contract} contract
 * @property {string} help One sentence.
 * @property {boolean} [directive] Set if the module gets a Caddyfile syntax.
 * @property {string | null} surface The package that exports everything the module imports, or `null` in this workspace.
 */

/** Formats sorted import statements, grouped by package. @param {[string, string][]} wanted Pairs of package and name. */
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

/** Returns the source of a module. The source defines the module's descriptor. @param {NewModule} made */
export function sourceOf(made) {
  const { names, contract, help, surface } = made;
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
    ...(contract.instance === 'object'
      ? []
      : /** @type {[string, string][]} */ ([[host, `type ${contract.instance}`]])),
    ...(kind.types ?? []).map((name) => /** @type {[string, string]} */ ([host, `type ${name}`])),
    ...(made.directive ? [/** @type {[string, string]} */ ([registry, point(names)])] : []),
  ]);
  const register = `
/** Registers the modules of this package. */
export function register(registry: Registry): void {
  registry.add(${names.symbol}Module);
${made.directive ? contributionOf(names) : ''}}
`;
  return `/** \`${names.id}\`: ${help} */
${lines}

${surface === null ? 'export ' : ''}const ${names.symbol}Module = defineModule(${contract.token}, {
  name: '${names.name}',
  help: ${quoted(help)},
  config: options(${kind.config}),
${kind.body(contract.instance)}
});
${surface === null ? '' : register}`;
}

/**
 * Reports whether a module is an HTTP handler. Handlers have directives. Other modules have a syntax that their host parses. @param
 * {ModuleNames} names
 */
function isHandler({ namespace }) {
  return namespace === 'http.handlers';
}

/** Returns the name of the function that contributes the Caddyfile syntax. @param {ModuleNames} names */
function point(names) {
  return isHandler(names) ? 'contributeHandlers' : 'contributeSyntaxes';
}

/** Returns the name of the syntax declaration. @param {ModuleNames} names */
function declarationOf(names) {
  return `${names.symbol}${isHandler(names) ? 'Directive' : 'Syntax'}`;
}

/** Returns the statement that contributes the Caddyfile syntax. @param {ModuleNames} names */
function contributionOf(names) {
  const load = `async () => (await import('./caddyfile.ts')).${declarationOf(names)}`;
  if (isHandler(names))
    return `  contributeHandlers(registry, {
    name: '${names.name}',
    order: { before: 'respond' },
    load: ${load},
  });
`;
  return `  contributeSyntaxes(registry, '${names.namespace}', {
    ${names.name}: ${load},
  });
`;
}

/** Returns the source of the Caddyfile syntax. The syntax has one line per option in a block. @param {NewModule} made */
export function syntaxOf({ names, surface }) {
  if (isHandler(names))
    return `/** \`${names.name} [matcher] [TEXT] { text TEXT }\`, a directive of sites. */
import { alias, handler, text } from '${surface}/directive';

export const ${declarationOf(names)} = handler('${names.name}', {
  line: text('[<text>]', { field: 'text', takes: 'optional' }),
  block: { text: alias(text('<text>')) },
  unknown: "unrecognized subdirective '%', expected text",
  example: '${names.name} hello',
});
`;
  const { option } = kindOf(names.namespace);
  return `/** \`${names.name} [VALUE] { ${option} VALUE }\` */
import { alias, syntax, text } from '${surface}/directive';

export const ${declarationOf(names)} = syntax({
  line: text('[<value>]', { field: '${option}', takes: 'optional' }),
  block: { ${option}: alias(text('<value>')) },
  unknown: "unrecognized option '%', expected ${option}",
});
`;
}

/** Returns the test of the Caddyfile syntax. @param {NewModule} made */
export function syntaxTestOf({ names }) {
  const isHandler = names.namespace === 'http.handlers';
  const { option } = kindOf(names.namespace);
  const lines = isHandler ? `${names.name} Hello` : `@m ${names.name} /here\\nrespond @m ok`;
  const expected = isHandler
    ? `{ handler: '${names.name}', text: 'Hello' }`
    : `{ ${names.name}: { ${option}: '/here' } }`;
  return `import { expect } from 'chai';
import { fromCaddyfile } from '@sluice/testing';
import { register } from '../src/index.ts';

describe('${names.id}: Caddyfile syntax', () => {
  it('${names.name} sets the options of the module', async () => {
    const document = await fromCaddyfile(':80 {\\n${lines}\\n}\\n', register);
    expect(JSON.stringify(document)).to.contain(JSON.stringify(${expected}));
  });
});
`;
}

/** Returns the test of a module. @param {NewModule} made @param {string} under Module specifier of `register`. */
export function testOf({ names, contract, surface }, under) {
  const kind = kindOf(names.namespace);
  const host = surface ?? contract.package;
  const token = kind.token === true ? [contract.token, ...extraTestImports(names.namespace)] : [];
  const lines = imports([
    ['chai', 'expect'],
    [under, 'register'],
    ...(kind.nodeImports ?? []),
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
