import { expect } from 'chai';
import { register as registerFilters } from '@sluice/caddy.logging.encoders.filter';
import { register } from '@sluice/caddy.logging.encoders';
import { inlineModule, defineModule, namespace, options, Registry, runChecks } from '@sluice/registry';
import { logEncoders, type LogEncoder } from '@sluice/contracts';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type JsonObject, type LogEntry } from '@sluice/base';

/** Provisions a log encoder in the same way as the logging section. */
async function encoder(config: JsonObject): Promise<LogEncoder> {
  let loaded: LogEncoder | null = null;
  const registry = new Registry().use(register).use(registerFilters);
  registry.addSection(
    defineModule(namespace<object>(''), {
      name: 'test',
      help: 'Loads an encoder.',
      config: options({ encoder: inlineModule('It.', logEncoders, 'format') }),
      provision: async (section, context) => {
        if (section.encoder) loaded = await context.loadInline(logEncoders, section.encoder, 'format', 'encoder');
        return {};
      },
    }),
  );
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
  runtime.commit(await runtime.prepare({ test: { encoder: config } }));
  if (loaded === null) throw new Error('nothing was loaded');
  return loaded;
}

const entry: LogEntry = {
  time: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  level: 'warn',
  logger: 'http.log.access',
  message: 'handled "it"\n',
  fields: {
    duration: 1.5,
    request: {
      uri: '/p?token=t&x=1',
      remote_ip: '192.0.2.77',
      headers: { Cookie: ['a=1; b=2'], Authorization: ['secret'] },
    },
    resp_headers: { 'Set-Cookie': ['a=1; Path=/', 'b=2'] },
  },
};
const small: LogEntry = { ...entry, message: 'm', fields: { n: 1, t: 'two words', o: { a: true } } };

const table: readonly [config: JsonObject, entry: LogEntry, line: string][] = [
  [
    { format: 'json' },
    small,
    '{"level":"warn","ts":1767323045.678,"logger":"http.log.access","msg":"m","n":1,"t":"two words","o":{"a":true}}\n',
  ],
  [
    {
      format: 'json',
      message_key: 'message',
      level_key: '',
      name_key: '',
      time_key: 'at',
      time_format: 'rfc3339_nano',
      line_ending: '\r\n',
    },
    small,
    '{"at":"2026-01-02T03:04:05.678Z","message":"m","n":1,"t":"two words","o":{"a":true}}\r\n',
  ],
  [
    { format: 'json', duration_format: 'string', level_format: 'upper' },
    { ...small, fields: { duration: 1.5 } },
    '{"level":"WARN","ts":1767323045.678,"logger":"http.log.access","msg":"m","duration":"1.5ms"}\n',
  ],
  [
    { format: 'json' },
    { ...small, time: 1_767_323_045_000, fields: {} },
    '{"level":"warn","ts":1767323045.0,"logger":"http.log.access","msg":"m"}\n',
  ],
  [
    { format: 'json' },
    { ...small, fields: {} },
    '{"level":"warn","ts":1767323045.678,"logger":"http.log.access","msg":"m"}\n',
  ],
  [
    { format: 'console' },
    small,
    '2026/01/02 03:04:05.678\t\u001b[33mWARN\u001b[0m\thttp.log.access\tm\t{"n": 1, "t": "two words", "o": {"a": true}}\n',
  ],
  [
    { format: 'console', level_format: 'upper' },
    { ...small, message: 'a\u001b[31m\nb', fields: {} },
    '2026/01/02 03:04:05.678\tWARN\thttp.log.access\ta\\x1b[31m\\x0ab\n',
  ],
  [
    { format: 'logfmt' },
    small,
    'level=warn ts=1767323045.678 logger=http.log.access msg=m n=1 t="two words" o.a=true\n',
  ],
  [{ format: 'single_field', field: 't' }, small, 'two words\n'],
  [{ format: 'single_field', field: 'request>uri' }, entry, '/p?token=t&x=1\n'],
  [{ format: 'single_field', field: 'none', fallback: { format: 'single_field', field: 'msg' } }, small, 'm\n'],
  [{ format: 'journald', wrap: { format: 'single_field', field: 'msg' } }, small, '<4>m\n'],
  [
    { format: 'append', wrap: { format: 'json' }, fields: { site: 'a', n: 2 } },
    { ...small, fields: { n: 1 } },
    '{"level":"warn","ts":1767323045.678,"logger":"http.log.access","msg":"m","n":2,"site":"a"}\n',
  ],
];

const request: LogEntry = {
  ...entry,
  fields: {
    request: {
      remote_ip: '127.0.0.1',
      method: 'GET',
      uri: '/p?b="<',
      proto: 'HTTP/1.1',
      headers: { 'X-A': ['one', 'two'], 'X-C': ['a\\"b\\'] },
    },
    user_id: '',
    size: 5,
    status: 201,
    q: 'say "hi"\\ a\n\tb',
    b: null,
    'dot.ted': 'dots',
  },
};

/** Log lines that Caddy wrote with the plugin. */
const templates: readonly [template: string, line: string, options?: JsonObject][] = [
  ['{common_log}', '127.0.0.1 - - [02/Jan/2026:03:04:05 +0000] "GET /p?b="< HTTP/1.1" 201 5'],
  ['x {common_log}', 'x -'],
  ['{request>remote_ip} {request>headers>X-A>[1]} {request>headers>X-A}', '127.0.0.1 two ["one","two"]'],
  ['{request>headers>X-A>[2]}|{request>headers>X-A>[-1]}|{request>headers>X-A>[01]}|{status>[0]}', '-|-|two|-'],
  [
    '{request>headers>X-A>[+1]}|{request>headers>X-A>[ 1]}|{request>headers>X-A>[0]>x}|{>status}|{status>}',
    'two|-|-|-|-',
  ],
  [
    '{common_log}',
    '127.0.0.1 - - [02/Jan/2026:03:04:05 +0000] "GET /p?b="< HTTP/1.1" 201 5',
    { time_format: 'rfc3339' },
  ],
  ['{common_log}', '127.0.0.1 - none [none] "GET /p?b="< HTTP/1.1" 201 5', { time_key: 't', placeholder: 'none' }],
  ['{none:status}|{none:none2}|{status:none}|{a:b:c:status}|{:status}|{none : status}', '201|-|201|null|201|-'],
  ['{user_id:status}|{none}|{dot.ted}', 'none|none|dots', { placeholder: 'none' }],
  ['{q}|{request>headers>X-C}|{request>headers>X-C>[0]}', 'say "hi"\\\\ a\\n\\tb|["a\\\\"b\\"]|a\\\\"b\\\\'],
  ['{q}|{request>headers>X-C>[0]}', 'say "hi"\\ a\n\tb|a"b\\', { unescape_strings: true }],
  ['\\{status\\}|{{status}}|{status}}|\\\\{status}|{|{}', '{status}|-}|201}|\\{status}|-'],
  ['{ts}|{none:env.HOME}|{toString}', '2026-01-02T03:04:05Z|-|-', { time_format: 'rfc3339' }],
  ['{level}|{ts}|{x}', 'WARN|-|1767323045.678', { level_format: 'upper', time_key: 'x' }],
];

const field = (path: string, filter: JsonObject): JsonObject => ({
  format: 'filter',
  wrap: { format: 'single_field', field: path.replace('NEW', ''), fallback: { format: 'single_field', field: 'msg' } },
  fields: { [path]: filter },
});

const filters: readonly [path: string, filter: JsonObject, line: string][] = [
  ['request>headers>Authorization', { filter: 'delete' }, 'handled "it"\\n\n'],
  ['request>headers>Authorization', { filter: 'replace', value: 'gone' }, 'gone\n'],
  ['request>headers>Authorization', { filter: 'hash' }, '["2bb80d53"]\n'],
  ['request>remote_ip', { filter: 'ip_mask', ipv4_cidr: 24, ipv6_cidr: 64 }, '192.0.2.0\n'],
  ['request>uri', { filter: 'regexp', regexp: 'x=(\\d)', value: 'y=$1' }, '/p?token=t&y=1\n'],
  [
    'request>uri',
    {
      filter: 'multi_regexp',
      operations: [
        { regexp: 'token=\\w', value: 'T' },
        { regexp: 'T', value: 'U' },
      ],
    },
    '/p?U&x=1\n',
  ],
  [
    'request>uri',
    {
      filter: 'query',
      actions: [
        { type: 'replace', parameter: 'token', value: 'R' },
        { type: 'delete', parameter: 'x' },
      ],
    },
    '/p?token=R\n',
  ],
  [
    'request>headers>Cookie',
    {
      filter: 'cookie',
      actions: [
        { type: 'delete', name: 'a' },
        { type: 'replace', name: 'b', value: 'R' },
      ],
    },
    '["b=R"]\n',
  ],
  [
    'resp_headers>Set-Cookie',
    {
      filter: 'set_cookie',
      actions: [
        { type: 'replace', name: 'a', value: 'R' },
        { type: 'delete', name: 'b' },
      ],
    },
    '["a=R; Path=/"]\n',
  ],
];

describe('caddy.logging.encoders', () => {
  for (const [config, of, line] of table) {
    it(`the encoder ${JSON.stringify(config)} writes ${JSON.stringify(line)}`, async () => {
      expect((await encoder(config)).encode(of)).to.equal(line);
    });
  }

  for (const [template, line, config] of templates) {
    it(`the transform encoder writes ${JSON.stringify(line)} for ${JSON.stringify(template)}`, async () => {
      const transform = await encoder({ format: 'transform', template, ...config });
      expect(transform.encode(request)).to.equal(`${line}\n`);
    });
  }

  it('the formatted encoder is an alias of the transform encoder', async () => {
    const formatted = await encoder({ format: 'formatted', template: '{status} {none}' });
    expect(formatted.encode(request)).to.equal('201 -\n');
  });

  for (const template of ['', null]) {
    it(`the transform encoder rejects the template ${JSON.stringify(template)}`, async () => {
      const error = await encoder({ format: 'transform', template }).catch((reason: unknown) => reason);
      expect(String(error)).to.contain('template is missing');
    });
  }

  it('the transform encoder lint check reports {common_log} only if it is combined with other text', async () => {
    const id = 'caddy.logging.encoders.transform';
    const templates = ['{common_log}', '{common_log} {status}', '{status}'];
    const modules = templates.map((template, index) => ({
      id,
      path: [`log${index}`],
      node: { format: 'transform', template },
    }));
    const findings = await runChecks(new Registry().use(register).checks(), modules, {}, silentLogger);
    expect(findings.map(({ check, path }) => `${check} ${path}`)).to.deep.equal([
      'common-log-placeholder log1.template',
    ]);
  });

  for (const [path, filter, line] of filters) {
    it(`the log filter ${JSON.stringify(filter)} changes ${path}`, async () => {
      expect((await encoder(field(path, filter))).encode(entry)).to.equal(line);
    });
  }

  it('the rename log filter renames a field', async () => {
    const config = {
      format: 'filter',
      wrap: { format: 'single_field', field: 'request>where' },
      fields: { 'request>uri': { filter: 'rename', name: 'where' } },
    };
    expect((await encoder(config)).encode(entry)).to.equal('/p?token=t&x=1\n');
  });
});
