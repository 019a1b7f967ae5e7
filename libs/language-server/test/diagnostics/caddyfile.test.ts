import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type CodeAction, type Diagnostic, type TextEdit } from 'vscode-languageserver-protocol/node';
import { startEditor, type TestEditor } from '../support/test-editor.ts';
import { registers } from '../support/registers.ts';

const uri = 'file:///nowhere/Caddyfile';

describe('language server diagnostics of a Caddyfile', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: registers, environment: { TARGET: 'https://example.com' } });
  });
  afterEach(() => editor.close());

  const problemsOf = async (text: string): Promise<string[]> => {
    await editor.open(uri, text);
    return editor.problems(uri);
  };

  it('the language server reports no diagnostics for a valid Caddyfile', async () => {
    expect(await problemsOf('example.com {\n\trespond hi\n}\n')).to.deep.equal([]);
    expect(editor.capabilities).to.deep.include({ documentFormattingProvider: true });
  });

  it('diagnostics ignore words that only resemble names', async () => {
    expect(await problemsOf(':80 {\n\tmap {path} {x} {\n\t\t/a @nope\n\t}\n}\n')).to.deep.equal([]);
  });

  it('the language server reports no diagnostics for an empty Caddyfile', async () => {
    expect(await problemsOf('\n')).to.deep.equal([]);
  });

  for (const [title, text, problem] of [
    ['an argument', ':80 {\n\tredir /a /b 999\n}\n', `error '999': Redir code not in the 3xx range or 401: '999'`],
    ['a directive', ':80 {\n\thandle {\n\t\troot\n\t}\n}\n', `error 'root': wrong argument count`],
    ['a matcher', ':80 {\n\trespond @nope hi\n}\n', `error '@nope': unrecognized matcher name: @nope`],
    ['a matcher module', ':80 {\n\t@a nope /x\n\trespond @a hi\n}\n', `error 'nope': getting matcher module 'nope'`],
    ['a duplicate matcher', ':80 {\n\t@a path /a\n\t@a path /b\n}\n', `error '@a': matcher is defined more`],
    ['a port', 'example.com:99999 {\n}\n', `error 'example.com:99999': parsing key: port 99999 is out of range`],
    ['a duplicate site', 'a.com {\n}\n\nb.com, a.com {\n}\n', `error 'a.com': ambiguous site definition: a.com`],
    ['a named route', ':80 {\n\tinvoke nope\n}\n', `error 'nope': cannot invoke named route 'nope'`],
    ['a brace', ':80 {\n\trespond hi\n}\n}\n', `error '}': `],
    [
      'a directive within a block',
      ':80 {\n\troute {\n\t\trespodn hi\n\t\tfile_server\n\t}\n}\n',
      `error 'respodn': unrecog`,
    ],
    [
      'an argument of a nested directive',
      ':80 {\n\troute {\n\t\thandle x y {\n\t\t}\n\t\tabort\n\t}\n}\n',
      `error 'x': wrong`,
    ],
    ['a quoted token', ':80 {\n\t"respnd" hi\n}\n', `error '"respnd"': unrecognized directive: respnd`],
    ['an argument on a continuation line', ':80 {\n\tredir /a \\\n\t\t/b 999\n}\n', `error '999': Redir code`],
  ] as const) {
    it(`diagnostics highlight ${title}`, async () => {
      const problems = await problemsOf(text);
      expect(problems[0]).to.satisfy((found: string) => found.startsWith(problem), problems.join('\n'));
      expect(problems.filter((each) => each.startsWith('error'))).to.have.length(1);
    });
  }

  it('diagnostics in text after an environment variable are reported at the original position', async () => {
    const [problem] = await problemsOf(':80 {\n\tredir {$NOTHING:/a} {$TARGET} 999\n}\n');
    expect(problem).to.contain(`error '999': Redir code`);
  });

  it('diagnostics report all unknown directives at once, each with a quick fix', async () => {
    await editor.open(uri, '{\n\tgrace_perod 1s\n}\n\n:80 {\n\trespodn hi\n\thandle {\n\t\tfile_sever\n\t}\n}\n');
    const found = await editor.diagnostics(uri);
    expect(await editor.problems(uri)).to.deep.equal([
      `error 'grace_perod': unrecognized global option: grace_perod - did you mean 'grace_period'?`,
      `error 'respodn': unrecognized directive: respodn - did you mean 'respond'?`,
      `error 'file_sever': unrecognized directive: file_sever - did you mean 'file_server'?`,
    ]);
    const edits: TextEdit[] = [];
    for (const diagnostic of found) {
      const [action] = await editor.ask<CodeAction[]>('codeAction', uri, {
        range: diagnostic.range,
        context: { diagnostics: [diagnostic] },
      });
      edits.push(...(action?.edit?.changes?.[uri] ?? []));
    }
    expect(editor.edited(uri, edits)).to.equal(
      '{\n\tgrace_period 1s\n}\n\n:80 {\n\trespond hi\n\thandle {\n\t\tfile_server\n\t}\n}\n',
    );
  });

  it('diagnostics offer to format a file that is not formatted', async () => {
    await editor.open(uri, ':80 {\n  respond hi\n}\n');
    const [diagnostic] = await editor.diagnostics(uri);
    expect(diagnostic).to.deep.include({ severity: 3, code: 'format' });
    const [action] = await editor.ask<CodeAction[]>('codeAction', uri, {
      range: diagnostic?.range,
      context: { diagnostics: [diagnostic] },
    });
    expect(editor.edited(uri, action?.edit?.changes?.[uri] ?? [])).to.equal(':80 {\n\trespond hi\n}\n');
  });

  it('diagnostics follow edits of the document, and only the latest version is reported', async () => {
    await editor.open(uri, ':80 {\n\trespodn hi\n}\n');
    expect(await editor.problems(uri)).to.have.length(1);
    const published: (number | undefined)[] = [];
    editor.onDiagnostics(({ version }) => published.push(version));
    const start = { line: 1, character: 1 };
    await editor.change(uri, { range: { start, end: { line: 1, character: 8 } }, text: 'respon' });
    await editor.change(uri, { range: { start, end: { line: 1, character: 7 } }, text: 'respond' });
    expect(await editor.problems(uri)).to.deep.equal([]);
    expect(published).to.deep.equal([3]);
  });

  it('diagnostics are removed when the document is closed', async () => {
    await editor.open(uri, ':80 {\n\trespodn hi\n}\n');
    await editor.problems(uri);
    const cleared = new Promise<Diagnostic[]>((resolve) =>
      editor.onDiagnostics(({ diagnostics }) => resolve(diagnostics)),
    );
    await editor.closeDocument(uri);
    expect(await cleared).to.deep.equal([]);
  });

  it('a problem in an imported file is reported at the import, and updated when the file is saved', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-lsp-'));
    try {
      writeFileSync(join(folder, 'common.conf'), 'encode gzip\nrespodn hi\n');
      const main = pathToFileURL(join(folder, 'Caddyfile')).href;
      await editor.open(main, ':80 {\n\timport common.conf\n}\n');
      const [diagnostic] = await editor.diagnostics(main);
      expect(editor.document(main).getText(diagnostic?.range)).to.equal('common.conf');
      expect(diagnostic?.message).to.contain('common.conf:2: unrecognized directive: respodn');
      expect(diagnostic?.relatedInformation?.[0]?.location).to.deep.include({
        uri: pathToFileURL(join(folder, 'common.conf')).href,
      });

      // Fixes the mistake in the imported file and saves the file.
      const common = pathToFileURL(join(folder, 'common.conf')).href;
      await editor.open(common, 'encode gzip\nrespond hi\n');
      writeFileSync(join(folder, 'common.conf'), 'encode gzip\nrespond hi\n');
      await editor.save(common);
      expect(await editor.problems(main, ({ length }) => length === 0)).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('language server diagnostics of a file of directives', () => {
  const fragment = 'file:///nowhere/common.caddyfile';
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: registers });
  });
  afterEach(() => editor.close());

  for (const [title, text, problems] of [
    ['nothing in a valid file', 'encode gzip\n@a path /x\nrespond @a hi\n', []],
    ['nothing that the importing file may define', 'respond @elsewhere hi\ninvoke elsewhere\nimport other\n', []],
    [
      'errors at their position',
      'encode gzip\nredir /a /b 999\n',
      [`error '999': Redir code not in the 3xx range or 401: '999'`],
    ],
    [
      'unknown directives',
      'encode gzip\nrespodn hi\n',
      [`error 'respodn': unrecognized directive: respodn - did you mean 'respond'?`],
    ],
    ['unformatted code', 'encode   gzip\n', [`information '': this file is not formatted`]],
  ] as const) {
    it(`diagnostics in a Caddyfile fragment highlight ${title}`, async () => {
      await editor.open(fragment, text);
      expect(await editor.problems(fragment)).to.deep.equal(problems);
    });
  }

  it('diagnostics report a directive outside of a site block if the file is named like a Caddyfile', async () => {
    await editor.open(uri, 'encode gzip\n');
    expect((await editor.problems(uri))[0]).to.contain(
      'it is a known directive; directives must appear in a site block',
    );
  });
});

describe('language server diagnostics from provisioning', () => {
  it('provisioning errors are reported at their source once adapter and option errors have been fixed', async () => {
    const rehearsed: unknown[] = [];
    const dial = 'apps.http.servers.srv0.routes[0].handle[0].upstreams[1].dial';
    const editor = await startEditor({
      register: registers,
      rehearse: (document) => {
        rehearsed.push(document);
        return Promise.resolve([{ check: 'odd', severity: 'warning' as const, path: dial, message: 'is odd' }]);
      },
    });
    try {
      await editor.open(uri, ':80 {\n\treverse_proxy one:1 two:2\n}\n');
      const found = await editor.problems(uri, ({ length }) => length > 0);
      expect(found).to.deep.equal([`warning 'two:2': is odd`]);
      expect(rehearsed).to.have.length(1);
    } finally {
      await editor.close();
    }
  });

  it('diagnostics link to the web page of the lint check if there is one', async () => {
    const odd = { check: 'odd', severity: 'warning', path: '' } as const;
    const findings = [
      { ...odd, code: 'MY001', message: 'one', page: 'https://my.example/MY001' },
      { ...odd, code: 'SL001', message: 'two', page: 'reference/lint/SL001.md' },
    ];
    const editor = await startEditor({ register: registers, rehearse: () => Promise.resolve(findings) });
    try {
      await editor.open(uri, ':80 {\n}\n');
      const found = await editor.diagnostics(uri, ({ length }) => length === 2);
      const links = found.map(({ code, codeDescription }) => [code, codeDescription?.href]);
      expect(links).to.deep.equal([
        ['MY001', 'https://my.example/MY001'],
        ['SL001', undefined],
      ]);
    } finally {
      await editor.close();
    }
  });

  it('diagnostics without a position are shown at the site address', async () => {
    const editor = await startEditor({ register: registers, rehearse: () => Promise.reject(new Error('is refused')) });
    try {
      await editor.open(uri, ':80 {\n}\n');
      const found = await editor.problems(uri, ({ length }) => length > 0);
      expect(found).to.deep.equal([`error ':80': is refused`]);
    } finally {
      await editor.close();
    }
  });
});
