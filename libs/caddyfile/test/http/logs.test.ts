import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { documentOf, problemOf } from '../language.ts';

/** Returns the logs of a Caddyfile's document, and the log settings of its first server. */
async function logsOf(text: string): Promise<{ logs: Json | undefined; server: Json | undefined }> {
  const { logging, apps } = (await documentOf(text)) as {
    logging?: { logs: Json };
    apps?: { http: { servers: { srv0: { logs?: Json } } } };
  };
  return { logs: logging?.logs, server: apps?.http.servers.srv0.logs };
}

describe('logs in a Caddyfile', () => {
  it('a Caddyfile without log directives does not configure any logs', async () => {
    expect(await logsOf(':80 {\n}\n')).to.deep.equal({ logs: undefined, server: undefined });
  });

  it('the debug global option applies to all logs without a level', async () => {
    expect((await logsOf('{\n\tdebug\n}\n')).logs).to.deep.equal({ default: { level: 'DEBUG' } });
    const { logs } = await logsOf(
      '{\n\tdebug\n\tlog a {\n\t\tlevel ERROR\n\t}\n\tlog b {\n\t\tinclude x\n\t\toutput stderr\n\t}\n}\n',
    );
    expect(logs).to.deep.equal({
      a: { level: 'ERROR' },
      b: { level: 'DEBUG', writer: { output: 'stderr' }, include: ['x'] },
      default: { level: 'DEBUG', exclude: ['x'] },
    });
  });

  it('the log global option applies to the default log', async () => {
    const block =
      'output file /a\n\t\tformat console\n\t\tcore mock\n\t\tlevel WARN\n\t\tinclude a b\n\t\texclude a.c\n\t\tsampling {\n\t\t\tinterval 5s\n\t\t\tfirst 10\n\t\t\tthereafter 3\n\t\t}';
    expect((await logsOf(`{\n\tlog {\n\t\t${block}\n\t}\n}\n`)).logs).to.deep.equal({
      default: {
        writer: { name: '/a', output: 'file' },
        encoder: { format: 'console' },
        core: { module: 'mock' },
        level: 'WARN',
        sampling: { interval: 5_000_000_000, first: 10, thereafter: 3 },
        include: ['a', 'b'],
        exclude: ['a.c'],
      },
    });
  });

  it('site logs are numbered and excluded from the default log', async () => {
    const { logs, server } = await logsOf(
      'a.test {\n\tlog {\n\t\toutput file /a\n\t}\n}\nb.test {\n\tlog own {\n\t\tformat json\n\t}\n\tlog\n}\nc.test {\n}\n',
    );
    expect(logs).to.deep.equal({
      default: { exclude: ['http.log.access.log0', 'http.log.access.own'] },
      log0: { writer: { name: '/a', output: 'file' }, include: ['http.log.access.log0'] },
      own: { encoder: { format: 'json' }, include: ['http.log.access.own'] },
    });
    expect(server).to.deep.equal({
      logger_names: { 'a.test': ['log0'], 'b.test': ['own', ''] },
      skip_hosts: ['c.test'],
    });
  });

  it('access logs can be limited to certain hosts or to all known hosts, or not assigned to any host', async () => {
    const { server } = await logsOf(
      ':80 {\n\tlog all {\n\t\tlevel INFO\n\t}\n\tlog some {\n\t\thostnames x.test y.test\n\t\tlevel INFO\n\t}\n\tlog none {\n\t\tno_hostname\n\t\tlevel INFO\n\t}\n}\n',
    );
    expect(server).to.deep.equal({
      default_logger_name: 'all',
      logger_names: { 'x.test': ['some'], 'y.test': ['some'] },
    });
    const skipping = await logsOf('http://a.test:9000 {\n\tlog\n}\n:9000 {\n}\n');
    expect(skipping.server).to.deep.equal({ logger_names: { 'a.test': [''] }, skip_unmapped_hosts: true });
  });

  for (const [what, text, problem] of [
    [
      'a duplicate name',
      '{\n\tlog {\n\t\tlevel INFO\n\t}\n\tlog default {\n\t\tlevel INFO\n\t}\n}\n',
      'duplicate global log option for: default',
    ],
    [
      'a duplicate option',
      ':80 {\n\tlog {\n\t\tlevel INFO\n\t\tlevel WARN\n\t}\n}\n',
      "'level' subdirective specified more than once",
    ],
    [
      'hostnames in a global log',
      '{\n\tlog {\n\t\thostnames a\n\t}\n}\n',
      'hostnames is not allowed in the log global options',
    ],
    [
      'no_hostname in a global log',
      '{\n\tlog {\n\t\tno_hostname\n\t}\n}\n',
      'no_hostname is not allowed in the log global options',
    ],
    ['include in a site log', ':80 {\n\tlog {\n\t\tinclude a\n\t}\n}\n', 'include is not allowed'],
    ['exclude in a site log', ':80 {\n\tlog {\n\t\texclude a\n\t}\n}\n', 'exclude is not allowed'],
    ['an unknown option', ':80 {\n\tlog {\n\t\tcolor red\n\t}\n}\n', 'unrecognized subdirective: color'],
    [
      'an unknown writer',
      ':80 {\n\tlog {\n\t\toutput nope\n\t}\n}\n',
      'module not registered: caddy.logging.writers.nope',
    ],
    ['an invalid count', ':80 {\n\tlog {\n\t\tsampling {\n\t\t\tfirst x\n\t\t}\n\t}\n}\n', 'x'],
  ] as const)
    it(`log directives reject ${what}`, async () => {
      expect(await problemOf(text)).to.contain(problem);
    });
});

describe('global options in a Caddyfile', () => {
  for (const [what, text, document] of [
    ['a disabled admin API', 'admin off', { admin: { disabled: true } }],
    ['the admin API address', 'admin :2020', { admin: { listen: ':2020' } }],
    [
      'the admin API origins',
      'admin {\n\t\torigins a b\n\t\tenforce_origin\n\t}',
      { admin: { listen: 'localhost:2019', enforce_origin: true, origins: ['a', 'b'] } },
    ],
    ['disabled persistence', 'persist_config off', { admin: { config: { persist: false } } }],
    [
      'a disabled admin API and disabled persistence',
      'admin off\n\tpersist_config off',
      { admin: { disabled: true, config: { persist: false } } },
    ],
    ['the storage', 'storage file_system /data', { storage: { name: '/data', module: 'file_system' } }],
  ] as const)
    it(`a global option configures ${what}`, async () => {
      expect(await documentOf(`{\n\t${text}\n}\n`)).to.deep.equal(document);
    });

  for (const [text, problem] of [
    ['persist_config on', "persist_config must be 'off'"],
    ['admin {\n\t\tcolor red\n\t}', "unrecognized parameter 'color'"],
    ['storage nope', 'module not registered: caddy.storage.nope'],
  ] as const)
    it(`global options reject ${JSON.stringify(text)}`, async () => {
      expect(await problemOf(`{\n\t${text}\n}\n`)).to.contain(problem);
    });
});
