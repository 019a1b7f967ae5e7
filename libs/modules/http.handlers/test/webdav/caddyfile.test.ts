import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const handlerOf = (document: Json): Json =>
  (document as { apps: { http: { servers: { srv0: Json } } } }).apps.http.servers.srv0;

const last = '{\n\torder webdav last\n}\n';

const errorOf = (text: string): Promise<string> =>
  fromCaddyfile(text).then(
    () => expect.fail('accepted it'),
    ({ message }: Error) => message,
  );

// Caddy 2.11 with mholt/caddy-webdav created the expected JSON.
describe('webdav directive', () => {
  it('webdav adapts root and prefix as the Caddy plugin does', async () => {
    const text =
      '{\n\torder webdav before file_server\n}\n:80 {\n\twebdav /x* {\n\t\tprefix /x\n\t\troot /srv\n\t}\n}\n';
    expect(handlerOf(await fromCaddyfile(text))).to.deep.equal({
      listen: [':80'],
      routes: [{ match: [{ path: ['/x*'] }], handle: [{ handler: 'webdav', prefix: '/x', root: '/srv' }] }],
    });
  });

  it('webdav has no default directive order, so it requires the order option or a route block', async () => {
    expect(await errorOf(':80 {\n\twebdav\n}\n')).to.contain("directive 'webdav' is not an ordered HTTP handler");
    expect(handlerOf(await fromCaddyfile(':80 {\n\troute {\n\t\twebdav\n\t}\n}\n'))).to.deep.equal({
      listen: [':80'],
      routes: [{ handle: [{ handler: 'subroute', routes: [{ handle: [{ handler: 'webdav' }] }] }] }],
    });
  });

  it('webdav rejects the same lines as the Caddy plugin does', async () => {
    const within = (lines: string): Promise<string> => errorOf(`${last}:80 {\n\twebdav {\n${lines}\n\t}\n}\n`);
    expect(await errorOf(`${last}:80 {\n\twebdav a\n}\n`)).to.contain('wrong argument count');
    expect(await within('root')).to.contain('wrong argument count');
    expect(await within('root a\nroot b')).to.contain('root path already specified');
    expect(await within('prefix a\nprefix b')).to.contain('prefix already specified');
    expect(await within('foo')).to.contain('unrecognized subdirective: foo');
  });

  it('webdav is converted back to a Caddyfile with all options', async () => {
    const text = `${last}
:80 {
	webdav /dav/* {
		root /srv
		prefix /dav
		hide .git *.tmp
		properties /var/lib/webdav
		max_entries 100
		max_locks 50
		max_lock_timeout 10m
	}
}
`;
    const document = await fromCaddyfile(text);
    const { text: written, ...rest } = await asCaddyfile(document);
    expect(written).to.contain('max_lock_timeout 10m');
    expect(await fromCaddyfile(written), JSON.stringify(rest)).to.deep.equal(document);
  });
});
