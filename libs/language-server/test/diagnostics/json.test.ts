import { expect } from 'chai';
import { configError } from '@sluice/base';
import type { CodeAction } from 'vscode-languageserver-protocol/node';
import { startEditor, type TestEditor } from '../support/test-editor.ts';
import { registers } from '../support/registers.ts';

const uri = 'file:///nowhere/sluice.json';
const other = 'file:///nowhere/package.json';
const withRoute = (route: string): string =>
  `{ "apps": { "http": { "servers": { "s": { "routes": [ ${route} ] } } } } }`;

describe('language server diagnostics of a JSON configuration', () => {
  let editor: TestEditor;

  afterEach(() => editor.close());

  const problemsOf = async (text: string, at = uri): Promise<string[]> => {
    editor = await startEditor({ register: registers });
    await editor.open(at, text, 'json');
    return editor.problems(at);
  };

  for (const [title, text, problems] of [
    [
      'nothing in a valid configuration',
      withRoute('{ "handle": [ { "handler": "static_response", "body": "hi" } ] }'),
      [],
    ],
    [
      'an unknown handler',
      withRoute('{ "handle": [ { "handler": "static_respose" } ] }'),
      [`error '"static_respose"': unknown module http.handlers.static_respose - did you mean 'static_response'?`],
    ],
    [
      'an unknown matcher and an unknown app',
      `{ "apps": { "http": { "servers": { "s": { "routes": [ { "match": [ { "pth": ["/"] } ] } ] } } }, "htp": {} } }`,
      [
        `error '"pth"': unknown module http.matchers.pth - did you mean 'path'?`,
        `error '"htp"': unknown module htp - did you mean 'http'?`,
      ],
    ],
    [
      'an unknown section',
      '{ "apps": {}, "loging": {} }',
      [`error '"loging"': unknown key "loging" - did you mean 'logging'?`],
    ],
    [
      'invalid option values of several modules',
      withRoute(
        '{ "handle": [ { "handler": "static_response", "body": 1 }, { "handler": "encode", "minimum_length": "x" } ] }',
      ),
      [`error '1': must be string, but is a number (1)`, `error '"x"': must be integer, but is a string ("x")`],
    ],
    [
      'a duplicate key',
      '{ "apps": {}, "apps": {} }',
      [`warning '"apps"': duplicate key "apps": only the last value is used`],
    ],
    [
      'JSON5 syntax in a JSON file',
      "{ apps: {}, // here\n 'logging': {}, }",
      [
        `error 'apps': an unquoted key is allowed only in JSON5, not in JSON; rename the file to *.json5`,
        `error '// here': a comment is allowed only in JSON5, not in JSON; rename the file to *.json5`,
        `error ''logging'': a single-quoted string is allowed only in JSON5, not in JSON; rename the file to *.json5`,
        `error ',': a trailing comma is allowed only in JSON5, not in JSON; rename the file to *.json5`,
      ],
    ],
    [
      'missing values',
      '{ "apps": { "http": }, "logging" }',
      [`error ':': expected a value`, `error '"logging"': expected a colon and a value after "logging"`],
    ],
  ] as const) {
    it(`JSON diagnostics highlight ${title}`, async () => {
      expect(await problemsOf(text)).to.deep.equal(problems);
    });
  }

  it('diagnostics ignore JSON files that are not Sluice configurations', async () => {
    expect(await problemsOf('{ "name": "package", "version": 1, }', other)).to.deep.equal([]);
  });

  it('diagnostics accept JSON5 features in JSON5 files', async () => {
    const text = "{ apps: { 'http': { http_port: 0x50, }, }, /* all */ }";
    expect(await problemsOf(text, 'file:///nowhere/sluice.json5')).to.deep.equal([]);
  });

  it('JSON diagnostics highlight an unknown key and offer to rename it', async () => {
    const problems = await problemsOf(withRoute('{ "handle": [ { "handler": "static_response", "bdy": "hi" } ] }'));
    expect(problems[0]).to.match(
      /^error '"bdy"': unknown key "bdy" of http\.handlers\.static_response.*did you mean 'body'\?$/,
    );
    const [diagnostic] = await editor.diagnostics(uri);
    const [action] = await editor.ask<CodeAction[]>('codeAction', uri, {
      range: diagnostic?.range,
      context: { diagnostics: [diagnostic] },
    });
    expect(editor.edited(uri, action?.edit?.changes?.[uri] ?? [])).to.contain('"body": "hi"');
  });

  it('JSON diagnostics highlight options that a module rejects', async () => {
    const rehearse = () => Promise.reject(configError('apps.http.servers.s.routes[0].match[0].path[0]', 'is refused'));
    editor = await startEditor({ register: registers, rehearse });
    await editor.open(uri, withRoute('{ "match": [ { "path": ["/x"] } ] }'), 'json');
    expect(await editor.problems(uri, ({ length }) => length > 0)).to.deep.equal([`error '"/x"': is refused`]);
  });

  it('JSON diagnostics contain lint findings', async () => {
    const rehearse = () =>
      Promise.resolve([
        { check: 'odd', severity: 'warning' as const, path: 'apps.http.servers["a.b"].listen[1]', message: 'is odd' },
      ]);
    editor = await startEditor({ register: registers, rehearse });
    await editor.open(uri, '{ "apps": { "http": { "servers": { "a.b": { "listen": [":1", ":2"] } } } } }', 'json');
    expect(await editor.problems(uri, ({ length }) => length > 0)).to.deep.equal([`warning '":2"': is odd`]);
  });
});
