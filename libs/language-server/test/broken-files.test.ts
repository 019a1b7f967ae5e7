import { expect } from 'chai';
import fc from 'fast-check';
import type { TextEdit } from 'vscode-languageserver-protocol/node';
import { formatCaddyfile } from '@sluice/caddyfile';
import { startEditor, type TestEditor } from './support/test-editor.ts';
import { registers } from './support/registers.ts';

const caddyfile = `{
	debug
	log {
		output file /tmp/x
	}
}

(common) {
	@api path /api/*
	encode {args[0]} "gzip"
	{block}
}

&(shared) {
	respond <<TEXT
		{http.request.uri.path}
		TEXT 200
}

import sites/*.conf

a.example, b.example:8080 {
	import common zstd {
		log
	}
	handle @api {
		reverse_proxy localhost:1 \\
			localhost:2 {
			transport http {
				versions h2c
			}
		}
	}
	invoke @api shared # a comment
	respond \`raw {path}\` {$STATUS:200}
}
`;
const json = `{
	// JSON5 has these
	"apps": { "http": { "servers": { 's': { listen: [":80", 0x1F, +.5e3, null, true],
		"routes": [ { "match": [ { "path": ["/\\u00e9\\n"] } ], "handle": [ { "handler": "static_response", "body": "x" } ] } ],
	}, }, }, },
	/* and these */
}
`;
const methods = ['completion', 'hover', 'definition', 'references', 'documentSymbol', 'foldingRange', 'documentLink'];

describe('language server with broken files', () => {
  let editor: TestEditor;

  before(async () => {
    editor = await startEditor({ register: registers });
  });
  after(() => editor.close());

  let count = 0;
  /** Sends every kind of request for a position. Fails if a request fails or if no diagnostics arrive. */
  const askAll = async (language: string, text: string, at: number): Promise<void> => {
    const uri = `file:///nowhere/${++count}/${language === 'json' ? 'sluice.json5' : 'Caddyfile'}`;
    await editor.open(uri, text, language);
    const position = editor.document(uri).positionAt(at);
    const context = { includeDeclaration: true };
    await Promise.all(methods.map((method) => editor.ask(method, uri, { position, context })));
    const edits = await editor.ask<TextEdit[] | null>('formatting', uri, {
      options: { tabSize: 4, insertSpaces: false },
    });
    if (language === 'caddyfile') expect(editor.edited(uri, edits ?? [])).to.equal(formatCaddyfile(text));
    await editor.ask('prepareRename', uri, { position });
    const found = await editor.diagnostics(uri);
    expect(found.filter(({ message }) => String(message).includes('failed to check this file'))).to.deep.equal([]);
    await editor.closeDocument(uri);
  };

  for (const [language, whole] of [
    ['caddyfile', caddyfile],
    ['json', json],
  ] as const) {
    it(`the language server responds to requests for a ${language} file truncated at any position`, async () => {
      const cut = fc.tuple(fc.nat(whole.length), fc.nat(whole.length));
      await fc.assert(
        fc.asyncProperty(cut, ([length, at]) => askAll(language, whole.slice(0, length), Math.min(at, length))),
        { numRuns: 60 },
      );
    });

    it(`the language server responds to requests for a ${language} file with a missing or duplicate part`, async () => {
      const parts = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.nat(whole.length));
      await fc.assert(
        fc.asyncProperty(parts, ([from, to, at]) => askAll(language, whole.slice(0, from) + whole.slice(to), at)),
        { numRuns: 60 },
      );
    });
  }

  it('the language server responds to requests for arbitrary pieces of a Caddyfile in any order', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '(a)',
      '&(a)',
      '@a',
      'import',
      ' ',
      '\n',
      '"',
      '`',
      '<<E',
      '\\',
      '[',
      ']',
      ':',
      ',',
      "'",
      '/*',
      '#',
      'é',
      '{$A',
      '.',
    );
    const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('caddyfile', 'json'), fc.nat(40), (text, language, at) =>
        askAll(language, text, Math.min(at, text.length)),
      ),
      { numRuns: 100 },
    );
  });

  it('the language server responds to requests for a file whose nesting exceeds the stack depth', async () => {
    await askAll('caddyfile', 'a.example {\n' + 'handle {\n'.repeat(20_000), 12 + 9 * 20_000);
    await askAll('json', `{ "apps": ${'['.repeat(100_000)}`, 100);
    await askAll('json', `{ "apps": ${'{"a":'.repeat(100_000)}`, 100);
  });

  it('the language server does not loop endlessly if imports are circular', async () => {
    await askAll(
      'caddyfile',
      '(a) {\n\timport b\n}\n\n(b) {\n\timport a\n\trespond @x\n}\n\n:80 {\n\timport a\n}\n',
      40,
    );
  });
});
