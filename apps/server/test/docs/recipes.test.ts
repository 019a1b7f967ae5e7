/**
 * Tests guides with configurations to copy. Both the Caddyfile and the JSON form must work as shown. One server loads the configurations
 * one after another.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { readRecipes, type Recipe } from '../support/guide.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const pages = globSync('*.md', { cwd: folder })
  .sort()
  .map((name) => ({ name, text: readFileSync(`${folder}${name}`, 'utf8') }))
  .filter(({ text }) => text.includes('<!-- adapted -->'));

/** Returns the path of an installed program, or `null` if it is not installed. */
function pathOf(program: RegExp): string | null {
  for (const each of [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']) {
    const found = existsSync(each) ? readdirSync(each).find((name) => program.test(name)) : undefined;
    if (found !== undefined) return join(each, found);
  }
  return null;
}

const phpFpm = pathOf(/^php-fpm[\d.]*$/);

describe('guides with a configuration', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let application: Server;
  /** Additional upstreams for guides that need several. */
  const others: (Server | Http2Server)[] = [];
  /** Ports in the guides, with the ports that replace them in the test. */
  const ports = new Map<number, number>();

  before(async function () {
    if (pathOf(/^curl$/) === null || pathOf(/^openssl$/) === null) this.skip();
    sandbox = new Sandbox();
    for (const port of [80, 443, 8080, 8443]) ports.set(port, await freePort());
    application = createServer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end(`${request.method} ${request.url}`);
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    application.on('upgrade', (_request, socket) => {
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
      );
    });
    ports.set(9000, (application.address() as { port: number }).port);
    for (const [port, name] of [
      [9001, 'blue'],
      [9002, 'green'],
    ] as const)
      await listen(
        port,
        createServer((request, response) => response.end(`${name} ${request.method} ${request.url}`)),
      );
    const grpc = createHttp2Server();
    grpc.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.resume().on('end', () => stream.end());
    });
    await listen(9003, grpc);
    const admin = await freePort();
    const secrets = {
      CF_API_TOKEN: 'token',
      TSIG_KEY: 'a2V5',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      OIDC_SECRET: 'secret',
    };
    const env = { SERVER_ADMIN: `127.0.0.1:${admin}`, MACHINE: 'one', ...secrets };
    server = await TestServer.start(
      sandbox.with({ env }),
      ['--workers', '1', '--config', await sandbox.write('empty.json', {})],
      admin,
      0,
    );
  });
  after(async () => {
    application?.close();
    for (const each of others) each.close();
    await server?.stop();
    await sandbox?.remove();
  });

  async function listen(port: number, upstream: Server | Http2Server): Promise<void> {
    others.push(upstream);
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    ports.set(port, (upstream.address() as { port: number }).port);
  }

  /** Replaces the paths and ports in a text with those of the test. */
  function placed(text: string): string {
    const paths = text.replaceAll(/(?<![\w.])\/(?:srv|etc\/sluice|run\/php)\//g, (path) => `${sandbox.folder}${path}`);
    const numbers = paths
      .replaceAll(/localhost:(900\d)/g, (_, port: string) => `127.0.0.1:${ports.get(Number(port))}`)
      .replaceAll(/(?<=(?:^|["\s]):)(80|443|8080|8443)(?=["\s])/gm, (port) => String(ports.get(Number(port))));
    return numbers.replaceAll(
      /((?:http|https)_port"?:? )(\d+)/g,
      (_, option: string, port: string) => `${option}${ports.get(Number(port))}`,
    );
  }

  /** Returns the Caddyfile, changed to use internal certificates. */
  function caddyfileOf({ caddyfile }: Recipe): string {
    const standard = caddyfile.includes('http_port')
      ? ''
      : `http_port ${ports.get(80)}\nhttps_port ${ports.get(443)}\n`;
    const options = `{\n${standard}local_certs\nskip_install_trust\n`;
    // Replaces issuers configured in a site, because they would contact a public CA.
    const text = placed(caddyfile).replaceAll(
      /^\ttls \{\n(?:\t\t.*\n)*?\t\tdns [^]*?^\t\}\n|^\ttls \{\n\t\tissuer acme[^]*?^\t\}\n/gm,
      '\ttls internal\n',
    );
    return text.startsWith('{\n') ? options + text.slice(2) : `${options}}\n${text}`;
  }

  /** Returns the JSON document with the same replacements as in the Caddyfile. */
  function jsonOf({ json }: Recipe): string {
    const { apps, ...rest } = JSON.parse(placed(json)) as { apps: { http: object; tls?: { automation?: object } } };
    const policies = json.includes('"internal"') ? {} : { policies: [{ issuers: [{ module: 'internal' }] }] };
    const tls = { ...apps.tls, automation: { ...apps.tls?.automation, ...policies } };
    const standard = { http_port: ports.get(80), https_port: ports.get(443) };
    return JSON.stringify({ ...rest, apps: { ...apps, http: { ...standard, ...apps.http }, tls } });
  }

  /** Maps the ports of a guide to the test's ports for curl, including ports in redirects. */
  async function leadPorts([http = 80, https = 443]: readonly number[]): Promise<void> {
    const led = new Map([...ports, [80, ports.get(http)], [443, ports.get(https)]]);
    const mapped = [...led].map(([from, to]) => `connect-to = ":${from}:127.0.0.1:${to}"`);
    await sandbox.write('.curlrc', ['insecure', 'max-time = 20', ...mapped].join('\n'));
  }

  async function follow({ steps }: Recipe): Promise<void> {
    const env = {
      ...process.env,
      CURL_HOME: sandbox.folder,
      HOME: sandbox.folder,
      ADMIN: `http://127.0.0.1:${server.adminPort}`,
      FOLDER: sandbox.folder,
    };
    for (const { command, shown } of steps) {
      const { stdout } = await run('bash', ['-c', placed(command)], { env });
      if (shown !== null) expect(stdout.trim().slice(0, shown.length), command).to.equal(shown);
    }
  }

  it('the guides contain recipes', () => {
    expect(pages.length).to.be.greaterThan(15);
  });

  for (const { name, text } of pages) {
    it(`the recipes in docs/guide/${name} behave as described`, async function () {
      const { files, certificates, ports: led, php, recipes } = readRecipes(text);
      await leadPorts(led);
      expect(recipes.length, name).to.be.greaterThan(0);
      for (const [path, content] of files) await sandbox.write(path.slice(1), content);
      for (const pair of certificates)
        makeCertificate(await sandbox.write(pair[0].slice(1), ''), sandbox.folder + pair[1]);
      if (php !== null && phpFpm === null) this.skip();
      const scripts = php === null || phpFpm === null ? null : await startPhp(phpFpm, sandbox, php);
      try {
        for (const recipe of recipes) {
          expect(recipe.steps.length, name).to.be.greaterThan(0);
          for (const [type, config] of [
            ['text/caddyfile', caddyfileOf(recipe)],
            ['application/json', jsonOf(recipe)],
          ] as const) {
            const { status, text: response } = await server.admin('/load', {
              method: 'POST',
              headers: { 'Content-Type': type },
              text: config,
            });
            expect(status, `${response}\n${config}`).to.equal(200);
            await follow(recipe);
          }
        }
      } finally {
        scripts?.kill();
      }
    });
  }
});

function makeCertificate(certificate: string, key: string): void {
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:example.com'];
  execFileSync('openssl', [...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
}

/** Starts PHP-FPM with a Unix socket in the sandbox. */
async function startPhp(command: string, sandbox: Sandbox, socket: string): Promise<ChildProcess> {
  await sandbox.write(socket.slice(1), '');
  const config = [
    ...['[global]', `error_log = ${sandbox.path('php.log')}`, 'daemonize = no'],
    ...['[www]', `listen = ${sandbox.folder}${socket}`, 'pm = static', 'pm.max_children = 1'],
  ];
  const root = process.getuid?.() === 0;
  const file = await sandbox.write('php-fpm.conf', `${[...config, ...(root ? ['user = root'] : [])].join('\n')}\n`);
  const process_ = spawn(command, ['-F', '-n', '-y', file, ...(root ? ['-R'] : [])], { stdio: 'ignore' });
  await until(() => {
    const log = readFileSync(sandbox.path('php.log'), { encoding: 'utf8', flag: 'a+' });
    return log.includes('ready to handle connections');
  }, 'PHP-FPM');
  return process_;
}
