import { execFile, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { checkBoundaries } from '@sluice/workspace/boundaries';
import { readContracts } from '../../../generators/contracts.mjs';
import { moduleGenerator } from '../../../generators/module/generator.mjs';
import { namespaceGenerator } from '../../../generators/namespace/generator.mjs';
import { makePackage, packageGenerator } from '../../../generators/package/generator.mjs';
import { writePackage } from '../../../generators/skeleton.mjs';
import { folderTree } from '../../../generators/tree.mjs';
import { readPackages, workspaceRoot } from '@sluice/workspace';

const execute = promisify(execFile);

describe('nx plugin: generators', function () {
  this.timeout(60_000);
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-generators-'));
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ workspaces: ['libs/*', 'libs/modules/*'], devDependencies: { chai: '6.3.0' } }),
    );
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ references: [{ path: './libs/zebra' }] }));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const read = (path: string): string => readFileSync(join(root, path), 'utf8');

  /** Copies workspace packages without their build output. */
  function copy(...paths: string[]): void {
    for (const path of paths)
      cpSync(join(workspaceRoot, path), join(root, path), {
        recursive: true,
        filter: (source) => !/[\\/](?:dist|node_modules)$/.test(source),
      });
  }

  /**
   * Runs the test files of the copied packages and returns Mocha's output. The files import their own package from the copy, and other
   * packages from the workspace.
   */
  async function runTests(files: readonly { readonly project: string; readonly name: string }[]): Promise<string> {
    mkdirSync(join(root, 'node_modules/@sluice'), { recursive: true });
    const own = new Set(files.map(({ project }) => `@sluice/${project}`));
    for (const { manifest, folder } of readPackages(workspaceRoot))
      if (manifest.name.startsWith('@sluice/') && !own.has(manifest.name))
        symlinkSync(folder, join(root, 'node_modules', manifest.name));
    for (const name of own)
      symlinkSync(join(root, 'libs/modules', name.slice('@sluice/'.length)), join(root, 'node_modules', name));
    symlinkSync(join(workspaceRoot, 'node_modules/chai'), join(root, 'node_modules/chai'));
    const { NODE_OPTIONS: _, SLUICE_TEST_RESULTS: __, ...env } = process.env;
    const mocha = join(workspaceRoot, 'node_modules/mocha/bin/mocha.js');
    const paths = files.map(({ project, name }) => `libs/modules/${project}/test/${name}.test.ts`);
    const options = { cwd: root, env: { ...env, NODE_OPTIONS: '--conditions=@sluice/source' } };
    const run = execute(process.execPath, [mocha, '--no-config', '--exit', ...paths], options);
    const { stdout } = await run.catch((error: { stdout: string }) => error);
    return stdout;
  }

  describe('nx plugin: module generator', () => {
    const ids = ['http.handlers.a_teapot', 'http.matchers.teatime', 'events.handlers.zzz_note', 'caddy.fs.tape'];

    it('the module generator writes a module that respects the boundaries, a passing test, an index entry and a README row', async () => {
      copy('libs/base', 'libs/http1', 'libs/contracts', 'libs/registry', 'libs/http-app', 'libs/events-app');
      const made = ids.map((id) => ({
        id,
        project: id.slice(0, id.lastIndexOf('.')),
        name: id.slice(id.lastIndexOf('.') + 1),
      }));
      for (const { id, project, name } of made) {
        copy(`libs/modules/${project}`);
        moduleGenerator(folderTree(root), { id, summary: 'Tells when tea is ready.' });
        const source = read(`libs/modules/${project}/src/${name}/index.ts`);
        expect(source).to.contain(`/** \`${id}\`: Tells when tea is ready. */`);
        const readme = read(`libs/modules/${project}/README.md`);
        expect(readme).to.match(new RegExp(`\\| \`${name}\` +\\| Tells when tea is ready\\. +\\|`));
        const index = read(`libs/modules/${project}/src/module-index.ts`);
        const symbol = `${name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())}Module`;
        expect(index).to.contain(`${name}: async () => (await import('./${name}/index.ts')).${symbol},`);
        const names = [...index.matchAll(/^ +(\w+): async/gm)].map(([, each = '']) => each);
        if (project === 'http.matchers') expect(names).to.deep.equal([...names].sort());
        expect(names.length).to.be.above(1);
      }
      const problems = checkBoundaries(root).filter((problem) => made.some(({ name }) => problem.includes(name)));
      expect(problems).to.deep.equal([]);
      const output = await runTests(made);
      for (const id of ids) expect(output).to.contain(id);
      expect(output).to.contain(`${ids.length} passing`);
    });

    it('the module generator rejects an existing name, an unknown namespace, and an invalid ID', () => {
      copy('libs/registry', 'libs/http-app', 'libs/modules/http.handlers');
      const make = (id: string) => () => moduleGenerator(folderTree(root), { id });
      expect(make('http.handlers.vars')).to.throw('libs/modules/http.handlers/src/vars/index.ts already exists');
      expect(make('http.limiters.rate')).to.throw('nx g @sluice/nx-plugin:namespace http.limiters');
      expect(make('Teapot')).to.throw('"Teapot" is not a module id');
    });
  });

  it('the module generator runs with nx on the Node version of this process and on the installed Node version, as in CONTRIBUTING.md', async () => {
    const { PATH = '', NODE_OPTIONS: _, ...env } = process.env;
    const folders = PATH.split(delimiter).filter((folder) => !/node_modules[\\/](?:\.bin|node-)/.test(folder));
    const text = readFileSync(join(workspaceRoot, 'CONTRIBUTING.md'), 'utf8');
    const [, argumentsOf = ''] = /^npx nx (g @sluice\/nx-plugin:module .*)$/m.exec(text) ?? [];
    const [generate = '', generator = '', id = '', , summary = ''] = argumentsOf.split(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/);
    for (const path of [[dirname(process.execPath), ...folders], folders]) {
      const nx = join(workspaceRoot, 'node_modules/nx/dist/bin/nx.js');
      const args = [nx, generate, generator, id, '--summary', summary.replaceAll('"', ''), '--dry-run'];
      // Redirects the output to a file, because nx exits before a pipe is drained.
      const file = join(root, 'output');
      const output = openSync(file, 'w');
      const stdio = ['ignore', output, output] as const;
      spawnSync('node', args, { cwd: workspaceRoot, env: { ...env, PATH: path.join(delimiter) }, stdio: [...stdio] });
      closeSync(output);
      expect(stripVTControlCharacters(readFileSync(file, 'utf8'))).to.contain(
        'CREATE libs/modules/http.handlers/src/teapot/index.ts',
      );
    }
  });

  describe('nx plugin: namespace generator', () => {
    it('the namespace generator writes the contract and a package that the server registers and that accepts modules', async () => {
      copy(
        'libs/base',
        'libs/contracts',
        'libs/registry',
        'apps/server/src/register-standard.ts',
        'apps/server/package.json',
      );
      namespaceGenerator(folderTree(root), { id: 'http.limiters', contract: 'Limiter' });
      expect(readContracts(folderTree(root)).get('http.limiters')).to.deep.equal({
        namespace: 'http.limiters',
        token: 'httpLimiters',
        instance: 'Limiter',
        file: 'libs/contracts/src/http-limiters.ts',
        package: '@sluice/contracts',
      });
      expect(read('apps/server/src/register-standard.ts')).to.contain(`['@sluice/http.limiters', httpLimiters],\n];`);
      expect(JSON.parse(read('apps/server/package.json'))).to.have.nested.property(
        'dependencies.@sluice/http\\.limiters',
      );
      moduleGenerator(folderTree(root), { id: 'http.limiters.rate' });
      moduleGenerator(folderTree(root), { id: 'http.limiters.burst' });
      expect(read('apps/server/src/register-standard.ts')).to.contain(
        "import { register as httpLimiters } from '@sluice/http.limiters';",
      );
      expect(read('libs/modules/http.limiters/src/index.ts')).to.contain('registry.add(...modules);');
      expect(read('libs/modules/http.limiters/src/module-index.ts')).to.match(/burstModule,[^]*rateModule,/);
    });

    it('the namespace generator rejects an existing namespace', () => {
      copy('libs/http-app');
      const make = () => namespaceGenerator(folderTree(root), { id: 'http.handlers', contract: 'Handler' });
      expect(make).to.throw('namespace http.handlers already exists in libs/http-app/src/handler.ts');
    });
  });

  describe('nx plugin: package generator', () => {
    it('the package generator writes a third-party package that imports only @sluice/module', () => {
      const directory = join(root, 'outside');
      expect(makePackage({ id: 'http.matchers.teatime', directory, name: 'tea' })).to.equal(directory);
      const source = read('outside/src/index.ts');
      expect([...source.matchAll(/from '(.*)'/g)].map(([, from]) => from)).to.deep.equal(['@sluice/module']);
      expect(source).to.contain('export function register(registry: Registry)');
      const manifest = JSON.parse(read('outside/package.json')) as object;
      expect(manifest).to.include({ name: 'tea' });
      expect(manifest).to.have.nested.property('peerDependencies.@sluice/module');
    });

    it('the package generator writes nothing in an nx dry run', () => {
      packageGenerator(folderTree(root), { id: 'http.handlers.teapot', directory: 'outside' });
      expect(folderTree(root).exists('outside')).to.equal(false);
    });

    it('the package generator rejects nonempty directories and unexported namespaces', () => {
      const make = (id: string, directory: string) => () => makePackage({ id, directory });
      expect(make('http.handlers.teapot', root)).to.throw(`${root} is not empty`);
      expect(make('http.limiters.rate', join(root, 'a'))).to.throw(
        'namespace http.limiters is not available to third parties: expected one of caddy.adapters,',
      );
      const withDirective = () => makePackage({ id: 'caddy.storage.x', directory: join(root, 'a'), directive: true });
      expect(withDirective).to.throw('--directive makes a directive of a handler');
    });

    it('the package generator supports every namespace whose contract @sluice/module exports', () => {
      const report = readFileSync(join(workspaceRoot, 'libs/module/api-report.md'), 'utf8');
      const contracts = [...readContracts(folderTree(workspaceRoot)).values()].filter(
        ({ namespace }) => namespace !== '',
      );
      expect(contracts.length).to.be.above(30);
      for (const { namespace, token, instance } of contracts) {
        makePackage({ id: `${namespace}.made`, directory: join(root, namespace) });
        for (const name of [token, instance]) expect(report).to.contain(`\n## ${name}\n`);
      }
    });

    it('generated packages of every kind pass their type checks and tests', async () => {
      const wanted: [id: string, directive?: boolean][] = [
        ['http.handlers.teapot', true],
        ['http.matchers.teatime', true],
        ['greeter'],
        ...[
          'caddy.storage.made',
          'dns.providers.made',
          'events.handlers.made',
          'http.authentication.providers.made',
          'http.handlers.templates.functions.made',
          'http.ip_sources.made',
          'http.reverse_proxy.selection_policies.made',
          'http.reverse_proxy.upstreams.made',
          'tls.permission.made',
        ].map((id): [string] => [id]),
      ];
      symlinkSync(join(workspaceRoot, 'node_modules'), join(root, 'node_modules'));
      for (const [id, directive = false] of wanted) makePackage({ id, directive, directory: join(root, 'made', id) });
      const { compilerOptions } = JSON.parse(read('made/greeter/tsconfig.json')) as { compilerOptions: object };
      const more = { rootDir: '.', noEmit: true, declaration: false, types: ['node', 'mocha'] };
      const sources = {
        allowImportingTsExtensions: true,
        rewriteRelativeImportExtensions: false,
        customConditions: ['@sluice/source'],
        skipLibCheck: true,
      };
      writeFileSync(
        join(root, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...more, ...sources }, include: ['made'] }),
      );
      const tsc = join(workspaceRoot, 'node_modules/typescript/bin/tsc');
      const checked = await execute(process.execPath, [tsc, '-p', root, '--checkers', '1'], { cwd: root }).catch(
        (error: { stdout: string }) => error,
      );
      // Workspace sources are type-checked with the options of the workspace, not with those of the generated package.
      expect(checked.stdout.split('\n').filter((line) => line.startsWith('made/'))).to.deep.equal([]);
      const mocha = join(workspaceRoot, 'node_modules/mocha/bin/mocha.js');
      const { NODE_OPTIONS: _, SLUICE_TEST_RESULTS: __, ...env } = process.env;
      const run = execute(process.execPath, [mocha, '--no-config', '--exit', 'made/*/test/*.test.ts'], {
        cwd: root,
        env: { ...env, NODE_OPTIONS: '--conditions=@sluice/source' },
      });
      const { stdout } = await run.catch((error: { stdout: string }) => error);
      expect(stdout)
        .to.contain(`${wanted.length + 2} passing`)
        .and.not.contain('failing');
    });
  });

  describe('nx plugin: writePackage', () => {
    const peers = ['@sluice/registry'];

    it('writePackage creates packages that respect the boundaries once their references are written', () => {
      const tree = folderTree(root);
      writePackage(tree, { path: 'libs/registry', layer: 'foundation', description: 'The registry.' });
      writePackage(tree, { path: 'libs/modules/http.handlers', layer: 'modules', description: 'Handlers.', peers });
      expect(checkBoundaries(root, { fix: true })).to.deep.equal([]);
      expect(checkBoundaries(root)).to.deep.equal([]);
      const [registry, handlers] = readPackages(root).sort((a, b) => b.project.localeCompare(a.project));
      expect(registry).to.include({ path: 'libs/registry', project: 'registry', layer: 'foundation' });
      expect(handlers).to.include({ path: 'libs/modules/http.handlers', project: 'http.handlers', layer: 'modules' });
      expect(handlers?.manifest.peerDependencies).to.deep.equal({ '@sluice/registry': '0.1.0' });
    });

    it('writePackage keeps existing files and lists each package once in the root tsconfig.json', () => {
      const tree = folderTree(root);
      writePackage(tree, { path: 'libs/registry', layer: 'foundation', description: 'The registry.' });
      writeFileSync(join(root, 'libs/registry/README.md'), 'mine');
      writePackage(tree, { path: 'libs/registry', layer: 'foundation', description: 'The registry.' });
      expect(read('libs/registry/README.md')).to.equal('mine');
      const { references } = JSON.parse(read('tsconfig.json')) as { references: unknown };
      expect(references).to.deep.equal([{ path: './libs/registry' }, { path: './libs/zebra' }]);
    });
  });
});
