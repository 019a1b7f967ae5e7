import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { DocumentLink, Location, Position, Range, WorkspaceEdit } from 'vscode-languageserver-protocol/node';
import { startEditor, type TestEditor } from '../support/test-editor.ts';

const text = `(common) {
	@api path /api/*
	encode gzip
}

(other) {
	@api path /other
}

&(shared) {
	respond @api hi
}

a.example {
	import common
	import "common"
	reverse_proxy @api localhost:1
	handle @mine {
		respond @api one
		@mine path /inner
		respond @mine two
	}
	@mine path /mine
	invoke @mine shared
}

b.example {
	@api path /b
	reverse_proxy @api localhost:2
	import other @api
}
`;

describe('language server navigation in a Caddyfile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lsp-'));
  const uri = pathToFileURL(join(folder, 'Caddyfile')).href;
  let editor: TestEditor;

  before(() => {
    writeFileSync(join(folder, 'sites.conf'), '(fromfile) {\n\t@far path /far\n}\n');
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    editor = await startEditor();
  });
  afterEach(() => editor.close());

  /** Returns the position of a match of a text. `occurrence` counts from 0. */
  const placeOf = (what: string, occurrence = 0): Position => {
    let at = text.indexOf(what);
    for (let count = 0; count < occurrence; count++) at = text.indexOf(what, at + 1);
    return editor.document(uri).positionAt(at + 1);
  };
  const lines = (found: readonly Location[]): number[] =>
    found.map(({ range }) => range.start.line + 1).sort((a, b) => a - b);

  for (const [title, what, occurrence, defined, all] of [
    ['a snippet', 'import common', 0, [1], [1, 15, 16]],
    ['a matcher in a snippet', 'reverse_proxy @api', 0, [2], [2, 17, 19]],
    ['a matcher used within a block', 'respond @api one', 0, [2], [2, 17, 19]],
    ['a matcher in a nested block', 'respond @mine', 0, [20], [20, 21]],
    ['a matcher in the site', '@mine shared', 0, [23], [18, 23, 24]],
    ['a matcher in another site', 'reverse_proxy @api', 1, [28], [28, 29, 30]],
    ['a named route', ' shared', 0, [10], [10, 24]],
  ] as const) {
    it(`navigation leads from ${title} to its definition and all references`, async () => {
      await editor.open(uri, text);
      const start = placeOf(what, occurrence);
      const inName = what.startsWith('@') || what.startsWith(' ') ? 1 : what.indexOf(' ') + 1;
      const position = { line: start.line, character: start.character + inName };
      const definitions = await editor.ask<Location[]>('definition', uri, { position });
      expect(lines(definitions)).to.deep.equal(defined);
      const context = { includeDeclaration: true };
      const references = await editor.ask<Location[]>('references', uri, { position, context });
      expect(lines(references)).to.deep.equal(all);
    });
  }

  it('renaming changes all occurrences of a name, and leaves the delimiters unchanged', async () => {
    await editor.open(uri, text);
    const position = placeOf('@api path /b');
    const prepared = await editor.ask<{ placeholder: string; range: Range }>('prepareRename', uri, { position });
    expect(prepared.placeholder).to.equal('api');
    const edit = await editor.ask<WorkspaceEdit>('rename', uri, { position, newName: '@backend' });
    const renamed = editor.edited(uri, edit.changes?.[uri] ?? []);
    expect(renamed).to.contain('@backend path /b\n\treverse_proxy @backend localhost:2\n\timport other @backend');
    expect(renamed).to.contain('reverse_proxy @api localhost:1');
  });

  it('renaming supports names in quotes and parentheses', async () => {
    await editor.open(uri, text);
    const edit = await editor.ask<WorkspaceEdit>('rename', uri, { position: placeOf('common'), newName: 'basics' });
    const renamed = editor.edited(uri, edit.changes?.[uri] ?? []);
    expect(renamed).to.contain('(basics) {').and.to.contain('import basics\n\timport "basics"\n');
  });

  it('renaming rejects an invalid new name', async () => {
    await editor.open(uri, text);
    const refused = editor.ask('rename', uri, { position: placeOf('common'), newName: 'two words' });
    const error = await refused.then(
      () => null,
      (problem: Error) => problem.message,
    );
    expect(error).to.contain('"two words" is not a valid name');
  });

  it('navigation finds names in imported files, and links imports to files', async () => {
    const main = 'import sites.conf\n\n:80 {\n\timport fromfile\n\trespond @far hi\n\timport none.conf\n}\n';
    await editor.open(uri, main);
    const position = { line: 4, character: 11 };
    const [found] = await editor.ask<Location[]>('definition', uri, { position });
    expect(found?.uri).to.equal(pathToFileURL(join(folder, 'sites.conf')).href);
    expect(found?.range.start).to.deep.equal({ line: 1, character: 2 });
    const links = await editor.ask<DocumentLink[]>('documentLink', uri);
    expect(links.map(({ range, target }) => [range.start.line, target])).to.deep.equal([
      [0, pathToFileURL(join(folder, 'sites.conf')).href],
    ]);
    const [file] = await editor.ask<Location[]>('definition', uri, { position: { line: 0, character: 9 } });
    expect(file?.uri).to.equal(links[0]?.target);
  });

  it('navigation uses the text of open files instead of the files on disk', async () => {
    await editor.open(pathToFileURL(join(folder, 'sites.conf')).href, '\n\n(fromfile) {\n}\n');
    await editor.open(uri, 'import sites.conf\n\n:80 {\n\timport fromfile\n}\n');
    const [found] = await editor.ask<Location[]>('definition', uri, { position: { line: 3, character: 10 } });
    expect(found?.range.start).to.deep.equal({ line: 2, character: 1 });
  });
});
