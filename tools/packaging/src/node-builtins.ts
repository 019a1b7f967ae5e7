/**
 * Rewrites how the bundle accesses Node's built-in modules. An `import … from 'node:http'` creates a facade that reads every export and
 * thus triggers Node's own lazy loading. For example, `node:http` loads the fetch client, which takes several MB per thread. Bundled code
 * calls `process.getBuiltinModule` instead. Modules that are slow to load are loaded on first use, so a plaintext HTTP server does not load
 * TLS. The sources use regular imports.
 */
import { builtinModules, stripTypeScriptTypes } from 'node:module';
import type { Plugin } from 'rolldown';
import { isOurs } from './only-what-is-used.ts';
import { referencesIn } from './references.ts';

const imported = /^import (\{[^}]*\}|\w+|\* as \w+) from '(node:[\w/]+)';$/gm;
const importedLater = /\bimport\('(node:[\w/]+)'\)/g;

/** Built-in modules that are loaded on first use. */
const later: ReadonlySet<string> = new Set([
  'node:assert',
  'node:child_process',
  'node:crypto',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:http',
  'node:http2',
  'node:https',
  'node:inspector/promises',
  'node:perf_hooks',
  'node:tls',
  'node:tty',
  'node:v8',
  'node:zlib',
]);

const names = builtinModules.map((name) => name.replace(/^node:/, '')).join('|');
const prefix = '\0builtin:';

/** Replaces imports of built-in modules in our sources, and both imports and `require` calls in libraries. */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node builtins',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: /'node:/ },
      handler: (code, id) =>
        isOurs(id) ? { code: withoutFacades(stripTypeScriptTypes(code, { mode: 'strip' })), moduleType: 'js' } : null,
    },
    resolveId: {
      filter: { id: new RegExp(`^(?:node:.+|${names})$`) },
      handler: (id, importer) =>
        // The bundler's runtime helpers must be available to wrap the other modules.
        importer?.includes('rolldown/runtime')
          ? { id, external: true }
          : `${prefix}${id.replace(/^node:/, '').replaceAll('/', '+')}.cjs`,
    },
    load: {
      filter: { id: new RegExp(`^${prefix}`) },
      handler: (id) => {
        const name = `node:${id.slice(prefix.length, -'.cjs'.length).replaceAll('+', '/')}`;
        const loaded = `process.getBuiltinModule('${name}')`;
        return later.has(name)
          ? `module.exports = new Proxy({}, { get: (_, name) => ${loaded}[name], has: (_, name) => name in ${loaded} });`
          : `module.exports = ${loaded};`;
      },
    },
  };
}

/** Replaces the imports of built-in modules in a file. Line numbers do not change. */
export function withoutFacades(source: string): string {
  const getters = new Map<string, string>();
  const lazy = new Map<string, string>();
  const eager = source.replaceAll(imported, (statement, bindings: string, module: string) => {
    const lines = '\n'.repeat(statement.split('\n').length - 1);
    const named = namedBindings(bindings);
    if (!later.has(module) || named === null) {
      const pattern = named === null ? bindings.replace('* as ', '') : `{ ${named.map(asProperty).join(', ')} }`;
      return `const ${pattern} = process.getBuiltinModule('${module}');${lines}`;
    }
    const getter = `$${module.slice('node:'.length).replaceAll('/', '_')}`;
    getters.set(getter, module);
    for (const { name, local } of named) lazy.set(local, `${getter}().${name}`);
    return lines;
  });
  const replaced = lazy.size === 0 ? eager : withReferences(eager, lazy);
  const declared = [...getters].map(
    ([getter, module]) =>
      `let ${getter}$; const ${getter} = () => (${getter}$ ??= process.getBuiltinModule('${module}'));`,
  );
  return (declared.join(' ') + replaced).replaceAll(
    importedLater,
    (_, module: string) => `Promise.resolve(process.getBuiltinModule('${module}'))`,
  );
}

interface Binding {
  readonly name: string;
  readonly local: string;
}

/** Parses named import bindings such as `{ a, c as d }`. Returns `null` for a namespace or default import. */
function namedBindings(bindings: string): readonly Binding[] | null {
  if (!bindings.startsWith('{')) return null;
  return bindings
    .slice(1, -1)
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [name = '', local = name] = each.split(' as ');
      return { name, local };
    });
}

function asProperty({ name, local }: Binding): string {
  return name === local ? name : `${name}: ${local}`;
}

/** Replaces each reference to a name with an expression. */
function withReferences(source: string, expressions: ReadonlyMap<string, string>): string {
  let text = source;
  for (const { name, start, end, shorthand, constructed } of referencesIn(
    source,
    new Set(expressions.keys()),
  ).reverse()) {
    const expression = expressions.get(name) ?? name;
    const before = `${text.slice(0, start)}${shorthand ? `${name}: ` : ''}`;
    text = `${before}${constructed ? `(${expression})` : expression}${text.slice(end)}`;
  }
  return text;
}
