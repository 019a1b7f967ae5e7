import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';

const folder = fileURLToPath(new URL('../../../editors/vscode/', import.meta.url));
const readText = (name: string): string => readFileSync(join(folder, name), 'utf8');
const readJson = (name: string): Record<string, unknown> => JSON.parse(readText(name)) as Record<string, unknown>;

interface Manifest {
  readonly main: string;
  readonly contributes: {
    readonly languages: readonly { readonly id: string; readonly configuration?: string }[];
    readonly grammars: readonly { readonly language: string; readonly scopeName: string; readonly path: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

async function loadGrammar(): Promise<IGrammar> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: () =>
      Promise.resolve(textmate.parseRawGrammar(readText('syntaxes/caddyfile.tmLanguage.json'), 'caddyfile.json')),
  });
  const grammar = await registry.loadGrammar('source.caddyfile');
  return grammar ?? expect.fail('there is no grammar');
}

/** Stubs of the modules that the extension requires. They contain only the parts that the extension uses. */
const editorStubs = {
  'vscode/index.js': `
const settings = { command: '/opt/sluice', modules: ['one', './two'] };
exports.workspace = { getConfiguration: () => ({ get: (name) => settings[name] }) };
`,
  'vscode-languageclient/node.js': `
exports.calls = [];
exports.TransportKind = { stdio: 'stdio' };
exports.LanguageClient = class {
  constructor(id, name, server, client) { exports.calls.push({ id, name, server, client }); }
  async start() { exports.calls.push('start'); }
  async stop() { exports.calls.push('stop'); }
};
`,
} as const;

describe('extension for Visual Studio Code', () => {
  const manifest = readJson('package.json') as unknown as Manifest;

  it('the Visual Studio Code extension contains the files named in its manifest', () => {
    const { languages, grammars } = manifest.contributes;
    const named = [
      manifest.main,
      ...languages.map(({ configuration }) => configuration),
      ...grammars.map(({ path }) => path),
    ];
    for (const name of named) if (name !== undefined) expect(existsSync(join(folder, name)), name).to.equal(true);
    expect(Object.keys(readJson('language-configuration.json'))).to.include('brackets');
  });

  it('the Visual Studio Code extension package contains all required files', () => {
    const copy = mkdtempSync(join(tmpdir(), 'sluice-vscode-'));
    try {
      cpSync(folder, copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
      const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: copy,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      for (const name of ['extension.js', 'language-configuration.json', 'syntaxes/caddyfile.tmLanguage.json'])
        expect(packed).to.contain(`"${name}"`);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  it('the Visual Studio Code extension can be packed with vsce, if vsce is installed', function () {
    this.timeout(120_000);
    const vsce = join(folder, 'node_modules/.bin/vsce');
    if (!existsSync(vsce)) return this.skip();
    const copy = mkdtempSync(join(tmpdir(), 'sluice-vscode-'));
    try {
      const out = join(copy, 'sluice.vsix');
      execFileSync(vsce, ['package', '--allow-missing-repository', '--out', out], { cwd: folder, stdio: 'ignore' });
      // File names appear uncompressed in the archive, so a text search finds them.
      const archive = readFileSync(out, 'latin1');
      for (const name of ['extension.js', 'node_modules/vscode-languageclient/package.json'])
        expect(archive.includes(`extension/${name}`), name).to.equal(true);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  it('the Visual Studio Code extension starts the language server with the configured modules', async () => {
    const { properties } = manifest.contributes.configuration;
    expect(Object.keys(properties)).to.deep.equal(['sluice.command', 'sluice.modules']);
    const copy = mkdtempSync(join(tmpdir(), 'sluice-vscode-'));
    try {
      cpSync(join(folder, 'extension.js'), join(copy, 'extension.js'));
      for (const [path, code] of Object.entries(editorStubs)) {
        mkdirSync(join(copy, 'node_modules', path, '..'), { recursive: true });
        writeFileSync(join(copy, 'node_modules', path), code);
      }
      const require = createRequire(join(copy, 'test.js'));
      const extension = require('./extension.js') as Record<'activate' | 'deactivate', () => Promise<void>>;
      await extension.activate();
      await extension.deactivate();
      const { calls } = require('vscode-languageclient/node') as { calls: readonly unknown[] };
      const args = ['lsp', '--module', 'one', '--module', './two'];
      expect(calls[0]).to.deep.include({ server: { command: '/opt/sluice', args, transport: 'stdio' } });
      expect(calls.slice(1)).to.deep.equal(['start', 'stop']);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  describe('extension for Visual Studio Code: colors', () => {
    let grammar: IGrammar;
    before(async () => {
      grammar = await loadGrammar();
    });

    /** Returns each highlighted text with its innermost scope. */
    const colored = (text: string): string[] => {
      let state = textmate.INITIAL;
      return text.split('\n').flatMap((line) => {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        return tokens.flatMap(({ startIndex, endIndex, scopes }) => {
          const part = line.slice(startIndex, endIndex);
          return part.trim() === '' || scopes.length < 2 ? [] : [`${part} ${scopes.at(-1)?.replace('.caddyfile', '')}`];
        });
      });
    };

    for (const [title, text, parts] of [
      ['comments', '# one', ['# one comment.line.number-sign']],
      [
        'addresses and directives',
        'a.example {\n\trespond 200\n}',
        [
          'a.example entity.name.section',
          '{ punctuation.section.block.begin',
          'respond keyword.other.directive',
          '200 constant.numeric',
          '} punctuation.section.block.end',
        ],
      ],
      [
        'snippets and imports',
        '(one) {\n\timport two\n}',
        [
          '( punctuation.definition.snippet',
          'one entity.name.function',
          ') punctuation.definition.snippet',
          '{ punctuation.section.block.begin',
          'import keyword.control.import',
          'two entity.name.function',
          '} punctuation.section.block.end',
        ],
      ],
      [
        'matchers and placeholders',
        ':80 {\n\t@a path /x\n\trespond @a "at {path}"\n}',
        [
          ':80 entity.name.section',
          '{ punctuation.section.block.begin',
          '@a variable.other.matcher',
          'path support.function.matcher',
          '/x string.unquoted.path',
          'respond keyword.other.directive',
          '@a variable.other.matcher',
          '" string.quoted.double',
          'at  string.quoted.double',
          '{path} variable.parameter.placeholder',
          '" string.quoted.double',
          '} punctuation.section.block.end',
        ],
      ],
      [
        'heredocs',
        ':80 {\n\trespond <<END\n\t\t{ # x\n\t\tEND 200\n}',
        [
          ':80 entity.name.section',
          '{ punctuation.section.block.begin',
          'respond keyword.other.directive',
          '<< string.unquoted.heredoc',
          'END keyword.control.heredoc',
          '\t\t{ # x string.unquoted.heredoc',
          'END keyword.control.heredoc',
          '200 constant.numeric',
          '} punctuation.section.block.end',
        ],
      ],
    ] as const) {
      it(`the grammar of the Visual Studio Code extension highlights ${title}`, () =>
        expect(colored(text)).to.deep.equal(parts));
    }
  });
});
