import { mkdtempSync, mkdirSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { checkBoundaries } from '../boundaries.mjs';
import { importsOf } from '../imports.mjs';

interface Described {
  readonly layer: string;
  readonly src?: string;
  /** Additional source files, by path within `src`. */
  readonly more?: Readonly<Record<string, string>>;
  readonly test?: string;
  readonly keys?: object;
  readonly references?: readonly string[];
}

describe('workspace script: boundaries', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluice-boundaries-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function write(path: string, content: string | object): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Creates a workspace of libraries. The package x is in the directory libs/x. */
  function workspace(packages: Record<string, Described>): string[] {
    write('package.json', { workspaces: ['libs/*'], devDependencies: { chai: '6.3.0' } });
    for (const [name, { layer, src = '', more = {}, test = '', keys, references }] of Object.entries(packages)) {
      write(`libs/${name}/package.json`, { name: `@sluice/${name}`, nx: { tags: [`layer:${layer}`] }, ...keys });
      write(`libs/${name}/src/index.ts`, src);
      for (const [path, text] of Object.entries(more)) write(`libs/${name}/src/${path}`, text);
      if (test) write(`libs/${name}/test/index.test.ts`, test);
      if (references) write(`libs/${name}/tsconfig.lib.json`, { references: references.map((path) => ({ path })) });
    }
    return checkBoundaries(root);
  }

  const registry = { layer: 'foundation' };
  const needs = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '0.1.0']));

  it('checkBoundaries accepts the dependencies that the design allows', () => {
    const problems = workspace({
      registry,
      'http-app': {
        layer: 'app',
        src: `import type { A } from '@sluice/registry';\nimport 'node:fs';\nimport './index.ts';`,
        test: `import { expect } from 'chai';\nimport '@sluice/http-app';`,
        keys: { peerDependencies: needs('@sluice/registry') },
      },
    });
    expect(problems).to.deep.equal([]);
  });

  it('checkBoundaries allows the dashboard to import its dedicated package entry', () => {
    const keys = { dependencies: needs('@sluice/base') };
    const dashboard = { layer: 'dashboard', src: `import '@sluice/base/secrets';`, keys };
    expect(workspace({ base: { layer: 'foundation' }, dashboard })).to.deep.equal([]);
  });

  const forbidden: [string, Record<string, Described>, RegExp][] = [
    [
      'a foundation package imports an app',
      {
        registry: { layer: 'foundation', src: `import '@sluice/a';`, keys: { dependencies: needs('@sluice/a') } },
        a: { layer: 'app' },
      },
      /layer:foundation may not import @sluice\/a/,
    ],
    [
      'a protocol imports the runtime',
      {
        a: { layer: 'runtime' },
        b: { layer: 'protocol', src: `import '@sluice/a';`, keys: { dependencies: needs('@sluice/a') } },
      },
      /layer:protocol may not import @sluice\/a/,
    ],
    [
      'an app imports another app',
      {
        a: { layer: 'app' },
        b: { layer: 'app', src: `export * from '@sluice/a';`, keys: { dependencies: needs('@sluice/a') } },
      },
      /layer:app may not import @sluice\/a/,
    ],
    [
      'a module imports a sibling',
      {
        a: { layer: 'modules' },
        b: { layer: 'modules', src: `await import('@sluice/a');`, keys: { dependencies: needs('@sluice/a') } },
      },
      /layer:modules may not import @sluice\/a/,
    ],
    [
      'an example imports a module',
      { a: { layer: 'modules' }, b: { layer: 'example', keys: { dependencies: needs('@sluice/a') } } },
      /package.json: layer:example may not import/,
    ],
    [
      'the tests of an app import a module',
      {
        a: { layer: 'modules' },
        b: { layer: 'app', test: `import '@sluice/a';`, keys: { devDependencies: needs('@sluice/a') } },
      },
      /test\/index.test.ts: layer:app may not import/,
    ],
    [
      'the dashboard imports a package other than through its dedicated entry',
      {
        base: { layer: 'foundation' },
        a: { layer: 'dashboard', src: `import '@sluice/base';`, keys: { dependencies: needs('@sluice/base') } },
      },
      /layer:dashboard may not import @sluice\/base \(layer:foundation\)/,
    ],
    [
      'another package imports express',
      { a: { layer: 'app', src: `import express from 'express';`, keys: { dependencies: needs('express') } } },
      /express may be imported by @sluice\/admin-api alone/,
    ],
    ['an import is not declared', { a: { layer: 'app', src: `import 'ajv';` } }, /ajv is not in the dependencies/],
    [
      'sources import a devDependency',
      { a: { layer: 'app', src: `import 'ajv';`, keys: { devDependencies: needs('ajv') } } },
      /ajv is not in the dependencies/,
    ],
    [
      'sources import a devDependency of the root',
      { a: { layer: 'app', src: `import 'chai';` } },
      /chai is not in the dependencies/,
    ],
    [
      'a built-in module is imported without node:',
      { a: { layer: 'app', src: `import 'fs';` } },
      /fs is not in the dependencies/,
    ],
    [
      'a dependency is not imported',
      { a: { layer: 'app', src: `import 'tapable';`, keys: { dependencies: needs('ajv', 'tapable') } } },
      /ajv is declared but not imported by its sources/,
    ],
    [
      'a devDependency is not imported',
      { a: { layer: 'app', test: `import 'chai';`, keys: { devDependencies: needs('ajv') } } },
      /ajv is declared but not imported by its tests/,
    ],
    [
      'a relative import leaves the package',
      { a: { layer: 'app', src: `import '../../registry/src/index.ts';` }, registry },
      /a relative import leaves the package/,
    ],
    [
      'two files import each other, one of them only for a type',
      { a: { layer: 'foundation', more: { 'b.ts': `import './c.ts';`, 'c.ts': `import type { B } from './b.ts';` } } },
      /libs\/a\/src: a circle of files: b.ts, c.ts/,
    ],
    [
      'three files form a cycle through a re-export and a dynamic import',
      {
        a: {
          layer: 'foundation',
          more: { 'b.ts': `export * from './c.ts';`, 'c.ts': `import './d.ts';`, 'd.ts': `await import('./b.ts');` },
        },
      },
      /libs\/a\/src: a circle of files: b.ts, c.ts, d.ts/,
    ],
    [
      'two directories import each other without a cycle of files',
      {
        a: {
          layer: 'foundation',
          more: {
            'x/one.ts': `import '../y/one.ts';`,
            'y/one.ts': '',
            'y/two.ts': `import '../x/two.ts';`,
            'x/two.ts': '',
          },
        },
      },
      /libs\/a\/src: a circle of folders: x, y/,
    ],
    [
      'a file and a nested directory import each other',
      {
        a: {
          layer: 'foundation',
          more: { 'x/y/one.ts': `import './z/one.ts';`, 'x/y/z/one.ts': '', 'x/y/z/two.ts': `import '../one.ts';` },
        },
      },
      /libs\/a\/src: a circle of folders: x\/y\/one.ts, x\/y\/z/,
    ],
    ['a package has no layer', { a: { layer: 'cellar' } }, /nx.tags needs one of layer:foundation/],
  ];
  for (const [title, packages, expected] of forbidden) {
    it(`checkBoundaries reports a problem if ${title}`, () => {
      const problems = workspace(packages);
      expect(problems, problems.join('\n')).to.have.length(1);
      expect(problems[0]).to.match(expected);
    });
  }

  it('checkCycles accepts files and directories with acyclic dependencies', () => {
    const more = { 'x/one.ts': `import '../y/one.ts';`, 'x/two.ts': `import './one.ts';`, 'y/one.ts': '' };
    expect(workspace({ a: { layer: 'foundation', src: `export * from './x/two.ts';`, more } })).to.deep.equal([]);
  });

  it('checkBoundaries ignores optional peers, which are loaded on demand', () => {
    const keys = { peerDependencies: needs('@sluice/a'), peerDependenciesMeta: { '@sluice/a': { optional: true } } };
    expect(workspace({ a: { layer: 'server' }, b: { layer: 'tools', src: `import 'node:fs';`, keys } })).to.deep.equal(
      [],
    );
    const problems = workspace({ a: { layer: 'server' }, b: { layer: 'tools', src: `import '@sluice/a';`, keys } });
    expect(problems.join()).to.match(/layer:tools may not import @sluice\/a/);
  });

  it('checkBoundaries lets the tests of a module import a sibling module', () => {
    const problems = workspace({
      a: { layer: 'modules' },
      b: { layer: 'modules', test: `import '@sluice/a';`, keys: { devDependencies: needs('@sluice/a') } },
    });
    expect(problems).to.deep.equal([]);
  });

  it('checkBoundaries rejects references that differ from the dependencies, and corrects the references if fix is set', () => {
    const keys = { dependencies: needs('@sluice/registry') };
    const src = `import '@sluice/registry';`;
    const problems = workspace({
      registry: { layer: 'foundation', references: [] },
      a: { layer: 'app', src, keys, references: [] },
    });
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(/libs\/a\/tsconfig.lib.json: references differ/);
    expect(checkBoundaries(root, { fix: true })).to.deep.equal([]);
    expect(checkBoundaries(root)).to.deep.equal([]);
    expect(readFileSync(join(root, 'libs/a/tsconfig.lib.json'), 'utf8')).to.contain('../registry/tsconfig.lib.json');
  });

  it('importsOf finds static imports, dynamic imports and re-exports, but ignores strings', () => {
    const text = [
      `import a from 'a'; import type { B } from 'b'; export { c } from 'c'; export * from 'd';`,
      `await import('e'); await import(name); // import 'x';`,
      'const text = `import "y";`;',
    ];
    expect(importsOf('file.ts', text.join('\n'))).to.have.members(['a', 'b', 'c', 'd', 'e']);
  });
});
