import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

const site = `example.com {
	@in remote_ip 10.0.0.0/8
	handle /api/* {
		uri strip_prefix /api
		reverse_proxy 10.0.0.1:80 10.0.0.2:80 {
			lb_policy first
		}
	}
	respond @in "in"
	respond "out" 403
}
`;

describe('sluice explain', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  let file: string;
  before(async () => {
    sandbox = new Sandbox();
    file = await sandbox.write('Caddyfile', site);
  });
  after(() => sandbox.remove());

  it('sluice explain prints the request processing as a tree with source lines', async () => {
    const { code, stdout } = await sandbox.run(['explain', 'https://example.com/api/x', '-H', 'A: b', '-c', file]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^GET https:\/\/example\.com\/api\/x {2}server srv0\n/);
    expect(stdout).to.match(/✓ host expects \["example\.com"\], got host "example\.com"\n/);
    expect(stdout).to.match(/rewrite: path "\/api\/x" → "\/x" .*Caddyfile:4\n/);
    expect(stdout).to.match(/=> would be sent to 10\.0\.0\.1:80 by http\.handlers\.reverse_proxy/);
    expect(stdout).to.include('sends GET /x, Host example.com');
    expect(stdout).to.not.include('\u001b');
  });

  it('sluice explain shows the redirects of automatic HTTPS', async () => {
    const { code, stdout } = await sandbox.run(['explain', 'http://example.com/x', '-c', file]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^GET http:\/\/example\.com\/x {2}server remaining_auto_https_redirects\n/);
    expect(stdout).to.match(/=> 308, /);
  });

  it('sluice explain names the missing information and exits with 1', async () => {
    const { code, stdout } = await sandbox.run(['explain', 'https://example.com/', '-c', file]);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^Path 2: if .*remote_ip is true$/m);
    expect(stdout).to.match(/\nUnknown: client address\n$/);
  });

  it('sluice explain prints each upstream that a random policy may select, and exits with 1', async () => {
    const random = await sandbox.write(
      'random/Caddyfile',
      'example.com {\n\treverse_proxy 10.0.0.1:80 10.0.0.2:80\n}\n',
    );
    const { code, stdout } = await sandbox.run(['explain', 'https://example.com/', '-c', random]);
    expect(code).to.equal(1);
    for (const address of ['10.0.0.1:80', '10.0.0.2:80']) {
      expect(stdout).to.match(new RegExp(`^Path \\d: if .* selects ${address} \\(depends on random\\)$`, 'm'));
      expect(stdout).to.include(`would be sent to ${address}`);
      expect(stdout).to.include(`* ${address}: the policy may select this upstream`);
    }
    expect(stdout).to.match(/\nUnknown: random\n$/);
  });

  it('sluice explain includes Alt-Svc for an HTTP/3 server even though no server is running', async () => {
    const server = {
      listen: [':443'],
      protocols: ['h1', 'h2', 'h3'],
      routes: [{ handle: [{ handler: 'static_response' }] }],
    };
    const h3 = await sandbox.write('h3.json', { apps: { http: { servers: { s: server } } } });
    const { stdout } = await sandbox.run(['explain', 'https://example.com/', '-c', h3, '--json']);
    expect(JSON.parse(stdout)).to.deep.nested.include({ 'outcome.headers.alt-svc': ['h3=":443"; ma=2592000'] });
    const plain = await sandbox.run(['explain', 'http://example.com:443/', '-c', h3]);
    expect(plain.stdout).to.match(/=> 400, 48 bytes/);
  });

  it('sluice explain prints JSON that includes declared upstream responses', async () => {
    const responses = '[{"status":404,"body":"gone"}]';
    const { code, stdout } = await sandbox.run([
      'explain',
      'https://example.com/api/x',
      '-c',
      file,
      '--json',
      '--responses',
      responses,
      '-X',
      'PUT',
    ]);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.nested.include({
      'outcome.status': 404,
      'outcome.body': 'gone',
      'request.method': 'PUT',
    });
  });

  it('sluice explain rejects an invalid URL or header field', async () => {
    const [none, field] = await Promise.all([
      sandbox.run(['explain', '-c', file]),
      sandbox.run(['explain', 'https://example.com/', '-H', 'nothing', '-c', file]),
    ]);
    expect([none.code, field.code]).to.deep.equal([1, 1]);
    expect(none.stderr).to.include('explain requires a URL');
    expect(field.stderr).to.include('Name: value');
  });
});
