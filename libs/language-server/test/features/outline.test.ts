import { expect } from 'chai';
import type { DocumentSymbol, FoldingRange, TextEdit } from 'vscode-languageserver-protocol/node';
import { startEditor, type TestEditor } from '../support/test-editor.ts';

const uri = 'file:///nowhere/Caddyfile';
const text = `# One
# and two
{
	debug
}

(common) {
	encode gzip
}

&(shared) {
	respond hi
}

import sites/*

a.example, b.example {
	@api path /api/*
	handle @api {
		reverse_proxy localhost:1 {
			lb_policy first
		}
	}
	respond <<TEXT
		one
		TEXT
}
`;

describe('language server outline of a Caddyfile', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor();
    await editor.open(uri, text);
  });
  afterEach(() => editor.close());

  it('the outline of a Caddyfile contains sections, matchers and directives with a block', async () => {
    const shown = (symbols: readonly DocumentSymbol[]): unknown[] =>
      symbols.map(({ name, children = [] }) => (children.length === 0 ? name : [name, ...shown(children)]));
    expect(shown(await editor.ask<DocumentSymbol[]>('documentSymbol', uri))).to.deep.equal([
      'global options',
      '(common)',
      '&(shared)',
      ['a.example, b.example', '@api', ['handle @api', 'reverse_proxy localhost:1']],
    ]);
  });

  it('the language server folds blocks, heredocs and comments', async () => {
    const folds = await editor.ask<FoldingRange[]>('foldingRange', uri);
    expect(folds.map(({ startLine, endLine, kind }) => [startLine, endLine, kind])).to.deep.equal([
      [2, 3, undefined],
      [6, 7, undefined],
      [10, 11, undefined],
      [16, 25, undefined],
      [18, 21, undefined],
      [19, 20, undefined],
      [23, 25, undefined],
      [0, 1, 'comment'],
    ]);
  });
});

describe('language server formatting of a Caddyfile', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor();
  });
  afterEach(() => editor.close());

  const format = async (before: string): Promise<{ after: string; edits: TextEdit[] }> => {
    await editor.open(uri, before);
    const edits = await editor.ask<TextEdit[]>('formatting', uri, { options: { tabSize: 4, insertSpaces: true } });
    return { after: editor.edited(uri, edits), edits };
  };

  it('formatting a Caddyfile edits only the part that differs', async () => {
    const { after, edits } = await format('a.example {\n  respond hi\n}\n\nb.example {\n\trespond hi\n}\n');
    expect(after).to.equal('a.example {\n\trespond hi\n}\n\nb.example {\n\trespond hi\n}\n');
    expect(edits).to.deep.equal([
      { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 2 } }, newText: '\t' },
    ]);
  });

  it('formatting a Caddyfile preserves the line endings of the document', async () => {
    const { after } = await format('a.example {\r\n  respond hi\r\n}\r\n\r\n\r\n\r\nb.example\r\n');
    expect(after).to.equal('a.example {\r\n\trespond hi\r\n}\r\n\r\nb.example\r\n');
  });

  it('formatting a Caddyfile does not change a formatted file', async () => {
    expect((await format('a.example {\n\trespond hi\n}\n')).edits).to.deep.equal([]);
  });
});
