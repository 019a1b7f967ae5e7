import { expect } from 'chai';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CompletionItem,
  type Diagnostic,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { Sandbox, until, type Started } from '../support/sandbox.ts';

/** A third-party package with a handler and a directive that describes itself. */
const greet = {
  'package.json': {
    name: 'greet',
    version: '1.0.0',
    type: 'module',
    sluice: {
      entry: './index.js',
      modules: {
        'http.handlers.greet': {
          help: 'Greets.',
          options: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    },
  },
  'index.js': `
import { defineModule, directives, httpHandlers, options, string } from '@sluice/module';
const module = defineModule(httpHandlers, {
  name: 'greet',
  help: 'Greets.',
  config: options({ name: string('Who is greeted.') }),
  provision: () => ({ handle: (exchange) => exchange.response.end('hello') }),
});
const describe = { syntax: ['greet [<matcher>] [<name>]'], summary: 'Greets who asks.', example: ':80 {\\n\\tgreet\\n}\\n' };
export function register(registry) {
  console.log('a module that writes to standard output must not disturb the protocol');
  registry.add(module);
  registry.contribute(directives, {
    name: 'greet',
    order: { before: 'respond' },
    load: async () => (await import('@sluice/module/directive')).handler('greet', {}).read,
    describe: async () => describe,
  });
}
`,
};

describe('sluice lsp', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let server: Started;
  let connection: ProtocolConnection;
  const published: PublishDiagnosticsParams[] = [];
  let wake = (): void => undefined;

  beforeEach(async () => {
    sandbox = new Sandbox();
    for (const [file, content] of Object.entries(greet)) {
      await sandbox.write(`config/sluice/modules/node_modules/greet/${file}`, content);
    }
    server = sandbox.start(['lsp', '--stdio'], { keepOpen: true });
    const { stdout, stdin } = server.child;
    if (stdout === null || stdin === null) return expect.fail('has no streams');
    connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    connection.onNotification('textDocument/publishDiagnostics', (found: PublishDiagnosticsParams) => {
      published.push(found);
      wake();
    });
    connection.listen();
    await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification('initialized', {});
  });
  afterEach(async () => {
    connection.dispose();
    published.length = 0;
    await sandbox.remove();
  });

  const open = (uri: string, languageId: string, text: string): Promise<void> =>
    connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  const diagnostics = async (uri: string, fits: (found: readonly Diagnostic[]) => boolean): Promise<Diagnostic[]> => {
    for (;;) {
      const found = published.findLast((each) => each.uri === uri)?.diagnostics;
      if (found !== undefined && fits(found)) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const complete = (uri: string, position: Position): Promise<CompletionItem[]> =>
    connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });

  it('sluice lsp responds to the first request before loading packages', async () => {
    // A request without a handler is rejected only after all earlier messages have been processed. The test uses this to wait.
    await connection.sendRequest('sluice/nothing').catch(() => undefined);
    expect(server.stderr()).to.not.contain('must not disturb');
    const uri = `file://${sandbox.path('Caddyfile')}`;
    await open(uri, 'caddyfile', ':80 {\n\tgret\n}\n');
    await diagnostics(uri, ({ length }) => length > 0);
    await until(() => server.stderr().includes('must not disturb'), 'a package that was loaded');
  });

  it('sluice lsp supports third-party directives and modules, and exits when the editor requests it', async () => {
    const uri = `file://${sandbox.path('Caddyfile')}`;
    await open(uri, 'caddyfile', ':80 {\n\tgreet\n\tgret\n}\n');
    const [found] = await diagnostics(uri, ({ length }) => length > 0);
    expect(found?.message).to.equal("unrecognized directive: gret - did you mean 'greet'?");
    const items = await complete(uri, { line: 2, character: 3 });
    expect(items.find(({ label }) => label === 'greet')?.detail).to.equal('greet [<matcher>] [<name>]');

    const json = `file://${sandbox.path('sluice.json')}`;
    const text =
      '{ "apps": { "http": { "servers": { "s": { "routes": [ { "handle": [ { "handler": "" } ] } ] } } } } }';
    await open(json, 'json', text);
    const names = await complete(json, { line: 0, character: text.indexOf('""') + 1 });
    expect(names.map(({ label }) => label)).to.include('greet');

    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    expect((await server.ended).code).to.equal(0);
  });

  it('sluice lsp shows validation findings: provisioning errors and ineffective settings', async () => {
    const uri = `file://${sandbox.path('sluice.json')}`;
    const route = (match: string): string =>
      `{ "apps": { "http": { "servers": { "s": { "routes": [ { "match": [ ${match} ] } ] } } } } }`;
    await open(uri, 'json', route('{ "path_regexp": { "pattern": "(" } }'));
    const [refused] = await diagnostics(uri, ({ length }) => length > 0);
    expect(refused).to.deep.include({ severity: 1 });
    expect(refused?.range.start.character).to.be.above(60);

    const proxy = `file://${sandbox.path('other/Caddyfile')}`;
    await open(proxy, 'caddyfile', ':80 {\n\troot /no/such/folder\n\tfile_server\n}\n');
    const [warning] = await diagnostics(proxy, ({ length }) => length > 0);
    expect(warning).to.deep.include({ severity: 2 });
    expect(warning?.message).to.contain('/no/such/folder');
  });

  it('sluice lsp exits when the editor exits', async () => {
    server.child.stdin?.end();
    expect((await server.ended).code).to.equal(0);
  });
});
