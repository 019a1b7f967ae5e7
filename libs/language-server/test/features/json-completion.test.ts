import { expect } from 'chai';
import type { CompletionItem, Hover } from 'vscode-languageserver-protocol/node';
import { startEditor, type TestEditor } from '../support/test-editor.ts';
import { registers } from '../support/registers.ts';

const uri = 'file:///nowhere/sluice.json';
const inServer = (text: string): string => `{ "apps": { "http": { "servers": { "s": { ${text} } } } } }`;

describe('language server completion within JSON', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: registers });
  });
  afterEach(() => editor.close());

  const itemsOf = async (text: string, at = uri): Promise<CompletionItem[]> => {
    const position = await editor.open(at, text, 'json');
    return editor.ask<CompletionItem[]>('completion', at, { position });
  };

  for (const [title, text, some, none] of [
    ['sections', '{ "apps": {}, ‸ }', ['logging'], ['apps', 'http']],
    ['sections in an empty document', '{ ‸ }', ['apps', 'logging'], []],
    ['apps', '{ "apps": { "‸" } }', ['http', 'tls', 'pki'], ['logging']],
    ['options of an app', '{ "apps": { "http": { ‸ } } }', ['servers', 'http_port'], ['routes', '@id']],
    ['options of a server', inServer('"listen": [], "ro‸"'), ['routes'], ['listen']],
    ['the key that selects a handler', inServer('"routes": [ { "handle": [ { ‸ } ] } ]'), ['handler'], ['body']],
    [
      'handler names',
      inServer('"routes": [ { "handle": [ { "handler": "‸" } ] } ]'),
      ['static_response', 'reverse_proxy'],
      ['path'],
    ],
    [
      'handler names without quotes',
      inServer('"routes": [ { "handle": [ { "handler": ‸ } ] } ]'),
      ['static_response'],
      [],
    ],
    [
      'options of a handler',
      inServer('"routes": [ { "handle": [ { "handler": "static_response", ‸ } ] } ]'),
      ['body', 'status_code'],
      ['handler'],
    ],
    ['matchers', inServer('"routes": [ { "match": [ { "‸" } ] } ]'), ['path', 'host'], ['static_response']],
    ['boolean values', inServer('"automatic_https": { "disable": ‸ }'), ['true', 'false'], []],
    [
      'options in an unclosed list',
      '{ "apps": { "http": { "servers": { "s": { "routes": [ { "ter‸',
      ['terminal', 'handle'],
      [],
    ],
    ['nothing in other JSON', '{ "name": ‸ }', [], ['apps']],
  ] as const) {
    it(`JSON completion offers ${title}`, async () => {
      const at = title === 'nothing in other JSON' ? 'file:///nowhere/package.json' : uri;
      const labels = ((await itemsOf(text, at)) ?? []).map(({ label }) => label);
      for (const label of some) expect(labels).to.include(label);
      for (const label of none) expect(labels).not.to.include(label);
    });
  }

  for (const [title, text, label, after] of [
    ['a key with its colon', '{ "apps": { "ht‸" } }', 'http', '{ "apps": { "http":  } }'],
    ['a key before an existing colon', '{ "apps": { "ht‸": {} } }', 'http', '{ "apps": { "http": {} } }'],
    [
      'a quoted name',
      inServer('"routes": [ { "handle": [ { "handler": "sta‸" } ] } ]'),
      'static_response',
      inServer('"routes": [ { "handle": [ { "handler": "static_response" } ] } ]'),
    ],
  ] as const) {
    it(`JSON completion inserts ${title}`, async () => {
      const item = (await itemsOf(text)).find((each) => each.label === label);
      if (item?.textEdit === undefined || !('range' in item.textEdit)) return expect.fail('has no edit');
      expect(editor.edited(uri, [item.textEdit])).to.equal(after);
    });
  }

  it('JSON completion inserts unquoted keys in a JSON5 file that uses unquoted keys', async () => {
    const at = 'file:///nowhere/sluice.json5';
    const item = (await itemsOf('{ apps: { ht‸ } }', at)).find(({ label }) => label === 'http');
    if (item?.textEdit === undefined || !('range' in item.textEdit)) return expect.fail('has no edit');
    expect(editor.edited(at, [item.textEdit])).to.equal('{ apps: { http:  } }');
  });

  it('JSON completion shows the description of options', async () => {
    const [item] = (await itemsOf(inServer('"routes": [ { "ter‸" } ]'))).filter(({ label }) => label === 'terminal');
    expect(item?.detail).to.equal('boolean');
    expect(item?.documentation).to.not.equal(undefined);
  });

  // The CPU time includes the time of the client. Elapsed time would depend on the machine load.
  it('JSON completion takes less than 200 ms in a file with 10,000 lines', async () => {
    const route = '{\n"match": [\n{ "path": ["/x"] }\n],\n"handle": [\n{ "handler": "static_response" }\n]\n}';
    const routes = Array.from({ length: 1_250 }, () => route).join(',\n');
    const position = await editor.open(
      uri,
      inServer(`"routes": [ ${routes}, { "handle": [ { "handler": "‸" } ] } ]`),
      'json',
    );
    expect(position.line).to.be.above(9_900);
    await editor.diagnostics(uri);
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      await editor.change(uri, { range: { start: position, end: position }, text: 's' });
      const began = process.threadCpuUsage();
      const items = await editor.ask<CompletionItem[]>('completion', uri, { position });
      const { user, system } = process.threadCpuUsage(began);
      times.push((user + system) / 1_000);
      expect(items.map(({ label }) => label)).to.include('static_response');
    }
    expect(times.sort((a, b) => a - b)[3]).to.be.below(200);
  });
});

describe('language server hover in JSON', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: registers });
  });
  afterEach(() => editor.close());

  for (const [title, text, shown] of [
    ['a section', '{ "apps": {}, "log‸ging": {} }', 'Log outputs'],
    ['an app', '{ "apps": { "ht‸tp": {} } }', '`http`'],
    ['an option', inServer('"rou‸tes": []'), '`routes`: array'],
    [
      'a handler',
      inServer('"routes": [ { "handle": [ { "handler": "static_‸response" } ] } ]'),
      '`http.handlers.static_response`',
    ],
    [
      'an option of a handler',
      inServer('"routes": [ { "handle": [ { "handler": "static_response", "bo‸dy": "x" } ] } ]'),
      '`body`: string',
    ],
    ['nothing for an unknown key', inServer('"nothing‸": 1'), ''],
  ] as const) {
    it(`JSON hover shows ${title}`, async () => {
      const position = await editor.open(uri, text, 'json');
      const hover = await editor.ask<Hover | null>('hover', uri, { position });
      if (shown === '') expect(hover).to.equal(null);
      else expect(JSON.stringify(hover?.contents ?? '')).to.contain(shown);
    });
  }
});
