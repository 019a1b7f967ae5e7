import { expect } from 'chai';
import type { CompletionItem, Hover } from 'vscode-languageserver-protocol/node';
import { directives, globalOptions, moduleSyntaxes, type Description, type Directive } from '@sluice/caddyfile';
import type { Registry } from '@sluice/registry';
import { startEditor, type TestEditor } from '../support/test-editor.ts';
import { registers } from '../support/registers.ts';

const uri = 'file:///nowhere/Caddyfile';

const example = ':80 {\n}\n';
const load = (): Promise<Directive> => Promise.resolve(() => []);
const greet: Description = {
  syntax: ['greet [<matcher>] [loud|quiet]'],
  summary: 'Greets who asks.',
  options: [
    { syntax: 'name <name>', summary: 'Who is greeted.' },
    {
      syntax: 'voice <voice> …',
      summary: 'How it sounds.',
      module: 'greet.voices',
      options: [{ syntax: 'pitch <hertz>', summary: 'How high.' }],
    },
    { syntax: 'when', summary: 'For which requests.', block: 'matchers' },
    { syntax: 'else', summary: 'What runs otherwise.', block: 'directives' },
  ],
  example,
};
const tenor: Description = {
  syntax: ['tenor'],
  summary: 'A high voice.',
  options: [{ syntax: 'vibrato', summary: 'It trembles.' }],
  example,
};

/** A third-party package. */
function registerGreeting(registry: Registry): void {
  registry.contribute(directives, { name: 'greet', load, describe: () => Promise.resolve(greet) });
  registry.contribute(globalOptions, { name: 'greeting', load: () => Promise.resolve(() => null) });
  registry.contribute(moduleSyntaxes, {
    name: 'greet.voices.tenor',
    load: () => Promise.resolve(() => ({})),
    describe: () => Promise.resolve(tenor),
  });
}

describe('language server completion within a Caddyfile', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: [...registers, registerGreeting], environment: { MY_PORT: '1' } });
  });
  afterEach(() => editor.close());

  const itemsOf = async (text: string): Promise<CompletionItem[]> => {
    const position = await editor.open(uri, text);
    return editor.ask<CompletionItem[]>('completion', uri, { position });
  };
  const labelsOf = async (text: string): Promise<string[]> => (await itemsOf(text)).map(({ label }) => label);

  for (const [title, text, some, none] of [
    [
      'directives in a site',
      'a.example {\n\t‸\n}\n',
      ['respond', 'handle', 'greet', 'import'],
      ['greeting', 'path', 'name'],
    ],
    ['directives in a site without braces', 'a.example\n\nfile_server\n‸', ['respond', 'greet'], ['greeting']],
    ['directives within handle', 'a.example {\n\thandle {\n\t\trou‸\n\t}\n}\n', ['route', 'respond'], ['greeting']],
    ['directives within route in a named route', '&(r) {\n\troute {\n\t\t‸\n\t}\n}\n', ['respond'], ['greeting']],
    ['directives in an unclosed block', 'a.example {\n\thandle {\n\t\t‸', ['respond'], ['greeting']],
    ['global options', '{\n\t‸\n}\n\na.example {\n}\n', ['greeting', 'grace_period'], ['respond']],
    [
      'sub-directives',
      'a.example {\n\tgreet {\n\t\t‸\n\t}\n}\n',
      ['name', 'voice', 'when'],
      ['respond', 'grace_period'],
    ],
    [
      'matchers in a block that contains matchers',
      'a.example {\n\tgreet {\n\t\twhen {\n\t\t\t‸\n\t\t}\n\t}\n}\n',
      ['path', 'header'],
      ['respond', 'name'],
    ],
    [
      'directives in a block that contains directives',
      'a.example {\n\tgreet {\n\t\telse {\n\t\t\t‸\n\t\t}\n\t}\n}\n',
      ['greet'],
      ['name'],
    ],
    [
      'the options of the selected module',
      'a.example {\n\tgreet {\n\t\tvoice tenor {\n\t\t\t‸\n\t\t}\n\t}\n}\n',
      ['vibrato', 'pitch'],
      ['name'],
    ],
    ['modules where a module name is expected', 'a.example {\n\tgreet {\n\t\tvoice te‸\n\t}\n}\n', ['tenor'], ['name']],
    ['the keywords of a syntax', 'a.example {\n\tgreet l‸\n}\n', ['loud', 'quiet'], ['greet', 'matcher']],
    ['matchers in a definition', 'a.example {\n\t@a p‸\n}\n', ['path', 'path_regexp', 'not'], ['respond']],
    ['matchers in a definition block', 'a.example {\n\t@a {\n\t\t‸\n\t}\n}\n', ['path'], ['respond']],
    [
      'named matchers',
      'a.example {\n\t@one path /\n\trespond @‸\n}\n\nb.example {\n\t@two path /\n}\n',
      ['@one'],
      ['@two', 'respond'],
    ],
    [
      'named matchers of an imported snippet',
      '(s) {\n\t@three path /\n}\n\na.example {\n\timport s\n\trespond @‸\n}\n',
      ['@three'],
      [],
    ],
    ['snippets after import', '(one) {\n}\n\na.example {\n\timport ‸\n}\n', ['one'], ['respond']],
    ['snippets after a top-level import', '(one) {\n}\n\nimport o‸\n', ['one'], []],
    ['named routes after invoke', '&(one) {\n}\n\na.example {\n\tinvoke ‸\n}\n', ['one'], []],
    ['placeholders', 'a.example {\n\trespond "{‸"\n}\n', ['{path}', '{http.', '{header.'].slice(0, 1), ['respond']],
    [
      'placeholders that start with the typed text',
      'a.example {\n\trespond {header.‸}\n}\n',
      ['{header.', '{method}'],
      ['{args[0]}'],
    ],
    ['arguments within a snippet', '(one) {\n\trespond {‸\n}\n', ['{args[0]}', '{block}'], []],
    ['environment variables', 'a.example {\n\treverse_proxy :{$MY‸}\n}\n', ['{$MY_PORT}'], ['{path}']],
    ['nothing in a comment', 'a.example {\n\t# resp‸\n}\n', [], ['respond', 'import']],
    ['import at the top level', '‸\n\na.example {\n}\n', ['import'], ['respond']],
    ['import within an empty snippet', '(one) {\n\t‸\n}\n', ['import', 'respond'], []],
  ] as const) {
    it(`Caddyfile completion offers ${title}`, async () => {
      const labels = await labelsOf(text);
      for (const label of some) expect(labels).to.include(label);
      for (const label of none) expect(labels).not.to.include(label);
    });
  }

  it('Caddyfile completion shows descriptions of built-in directives', async () => {
    const labels = await labelsOf('a.example {\n\tencode {\n\t\t‸\n\t}\n}\n');
    expect(labels).to.include.members(['minimum_length', 'match']).and.not.include('respond');
    const item = (await itemsOf('a.example {\n\tenc‸\n}\n')).find(({ label }) => label === 'encode');
    expect(item?.detail).to.match(/^encode \[<matcher>\]/);
  });

  it('Caddyfile completion offers options and matchers in rate_limit', async () => {
    const within = (lines: string): string => `a.example {\n\trate_limit {\n${lines}\n\t}\n}\n`;
    expect(await labelsOf(within('‸'))).to.include.members(['zone', 'distributed', 'log_key']);
    expect(await labelsOf(within('zone a {\n‸\n}'))).to.include.members(['key', 'window', 'events', 'ipv6_prefix']);
    expect(await labelsOf(within('zone a {\nmatch {\n‸\n}\n}'))).to.include.members(['path', 'header']);
  });

  it('Caddyfile completion offers directives in a file that contains no site blocks', async () => {
    const fragment = 'file:///nowhere/common.caddyfile';
    const position = await editor.open(fragment, 'encode gzip\nhandle {\n\t‸\n}\n');
    const items = await editor.ask<CompletionItem[]>('completion', fragment, { position });
    expect(items.map(({ label }) => label)).to.include('respond');
  });

  it('Caddyfile completion replaces the typed word, and shows the description of the completion', async () => {
    const items = await itemsOf('a.example {\n\tgre‸x hi\n}\n');
    const item = items.find(({ label }) => label === 'greet');
    expect(item?.detail).to.equal('greet [<matcher>] [loud|quiet]');
    expect(JSON.stringify(item?.documentation)).to.contain('Greets who asks.').and.to.contain('Who is greeted.');
    if (item?.textEdit === undefined || !('range' in item.textEdit)) return expect.fail('has no edit');
    expect(editor.edited(uri, [item.textEdit])).to.equal('a.example {\n\tgreet hi\n}\n');
  });

  it('Caddyfile completion replaces a placeholder including its braces', async () => {
    const items = await itemsOf('a.example {\n\trespond "at {pa‸} now"\n}\n');
    const item = items.find(({ label }) => label === '{path}');
    if (item?.textEdit === undefined || !('range' in item.textEdit)) return expect.fail('has no edit');
    expect(editor.edited(uri, [item.textEdit])).to.equal('a.example {\n\trespond "at {path} now"\n}\n');
  });

  // The CPU time includes the time of the client. Elapsed time would depend on the machine load.
  it('Caddyfile completion takes less than 200 ms in a file with 10,000 lines', async () => {
    const site = (at: number): string =>
      `site${at}.example {\n\t@api path /api/*\n\thandle @api {\n\t\trespond hi\n\t}\n}\n\n`;
    const sites = Array.from({ length: 1_400 }, (_, at) => site(at)).join('');
    const last = '(common) {\n}\n\nlast.example {\n\t@mine path /\n\timport common\n\trespond @‸\n}\n';
    const position = await editor.open(uri, sites + last);
    expect(position.line).to.be.above(9_800);
    await editor.diagnostics(uri);
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const range = { start: position, end: position };
      await editor.change(uri, { range, text: 'm' });
      const began = process.threadCpuUsage();
      const items = await editor.ask<CompletionItem[]>('completion', uri, {
        position: { ...position, character: position.character + 1 },
      });
      const { user, system } = process.threadCpuUsage(began);
      times.push((user + system) / 1_000);
      expect(items.map(({ label }) => label)).to.include('@mine');
    }
    expect(times.sort((a, b) => a - b)[3]).to.be.below(200);
  });
});

describe('language server hover in a Caddyfile', () => {
  let editor: TestEditor;

  beforeEach(async () => {
    editor = await startEditor({ register: [...registers, registerGreeting] });
  });
  afterEach(() => editor.close());

  const hoverOf = async (text: string): Promise<string> => {
    const position = await editor.open(uri, text);
    const hover = await editor.ask<Hover | null>('hover', uri, { position });
    return hover === null ? '' : JSON.stringify(hover.contents);
  };

  for (const [title, text, shown] of [
    ['a directive', 'a.example {\n\tgre‸et\n}\n', 'Greets who asks.'],
    ['a directive without a description', 'a.example {\n\tvars‸ a b\n}\n', 'vars'],
    ['a sub-directive', 'a.example {\n\tgreet {\n\t\tna‸me x\n\t}\n}\n', 'Who is greeted.'],
    ['a module', 'a.example {\n\tgreet {\n\t\tvoice te‸nor\n\t}\n}\n', 'A high voice.'],
    [
      'an option that only Sluice has',
      'a.example {\n\trate_limit {\n\t\tzone a {\n\t\t\tipv6‸_prefix 64\n\t\t}\n\t}\n}\n',
      'used to group IPv6 addresses in the key',
    ],
    ['a matcher', 'a.example {\n\t@a pa‸th /x\n}\n', 'path'],
    ['a named matcher', 'a.example {\n\t@a path /some\n\trespond @‸a hi\n}\n', '@a path /some'],
    ['a snippet', '(one) {\n\trespond here\n}\n\na.example {\n\timport o‸ne\n}\n', 'respond here'],
    ['a placeholder', 'a.example {\n\trespond "at {pa‸th}"\n}\n', '{http.request.uri.path}'],
    ['a placeholder with a field name', 'a.example {\n\trespond {head‸er.X-Y}\n}\n', '{http.request.header.X-Y}'],
    ['import', 'a.example {\n\timp‸ort x\n}\n', 'snippet'],
    ['nothing between words', 'a.example {\n\n‸\n}\n', ''],
    ['nothing for an unknown name', 'a.example {\n\tunk‸nown\n}\n', ''],
  ] as const) {
    it(`Caddyfile hover shows ${title}`, async () => {
      const found = await hoverOf(text);
      if (shown === '') expect(found).to.equal('');
      else expect(found).to.contain(shown);
    });
  }
});
