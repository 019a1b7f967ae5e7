import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { ConnectionComparison } from '../../src/behavior/connection-differences.ts';
import type { ExplainRequest } from '../../src/explain/types.ts';

const request = (version: string, protocol = 'HTTP/1.1'): ExplainRequest => ({
  url: 'https://shop.test/',
  protocol,
  tls: { version, server_name: 'shop.test', protocol: '' },
});

describe('ConnectionComparison', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    for (const name of ['shop.test', 'other.test', '*.test']) {
      const file = join(folder, `${name}.crt`);
      const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
      const named = [
        '-subj',
        '/CN=x',
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-keyout',
        join(folder, 'key'),
        '-out',
        file,
      ];
      execFileSync('openssl', ['req', ...options, ...named], { stdio: 'ignore' });
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const configured = (server: JsonObject, certificate = 'shop.test'): Json => ({
    apps: {
      http: { servers: { s: server } },
      tls: { certificates: { load_files: [{ certificate: join(folder, `${certificate}.crt`), key: 'key' }] } },
    },
  });
  const policy = (options: JsonObject): JsonObject => ({ tls_connection_policies: [options] });
  const plain = policy({});

  /** Returns the names and values of the connection properties that differ. */
  const found = (asked: ExplainRequest, before: Json, after: Json): unknown[] =>
    new ConnectionComparison()
      .differences(asked, { document: before, server: 's' }, { document: after, server: 's' })
      .map(({ name, before: was, after: is }) => [name, was, is]);

  it('ConnectionComparison reports a TLS version that is no longer accepted', () => {
    const after = configured(policy({ protocol_min: 'tls1.3' }));
    expect(found(request('tls1.2'), configured(plain), after)).to.deep.equal([['version', 'tls1.2', null]]);
    expect(found(request('tls1.3'), configured(plain), after)).to.deep.equal([]);
  });

  it('ConnectionComparison reports an HTTP version that is no longer accepted', () => {
    const after = configured({ ...plain, protocols: ['h2'] });
    expect(found(request('tls1.3'), configured(plain), after)).to.deep.equal([['protocol', 'HTTP/1.1', null]]);
    expect(found(request('tls1.3', 'HTTP/2.0'), configured(plain), after)).to.deep.equal([]);
  });

  it('ConnectionComparison reports that client certificates are now required', () => {
    const required = configured(policy({ client_authentication: { mode: 'require' } }));
    expect(found(request('tls1.3'), configured(plain), required)).to.deep.equal([
      ['client certificate', null, 'require'],
    ]);
    const requested = configured(policy({ client_authentication: { mode: 'request' } }));
    expect(found(request('tls1.3'), configured(plain), requested)).to.deep.equal([]);
  });

  it('ConnectionComparison reports a certificate for different names', () => {
    expect(found(request('tls1.3'), configured(plain), configured(plain, 'other.test'))).to.deep.equal([
      ['certificate', 'shop.test', null],
    ]);
    expect(found(request('tls1.3'), configured(plain), configured(plain, '*.test'))).to.deep.equal([
      ['certificate', 'shop.test', '*.test'],
    ]);
  });

  it('ConnectionComparison uses the first policy that matches the server name, unless the policy has other matchers', () => {
    const strict = { protocol_min: 'tls1.3' };
    const after = (match: JsonObject): Json => configured({ tls_connection_policies: [{ match, ...strict }, {}] });
    expect(found(request('tls1.2'), configured(plain), after({ sni: ['*.test'] }))).to.have.length(1);
    expect(found(request('tls1.2'), configured(plain), after({ sni: ['other.test'] }))).to.deep.equal([]);
    expect(found(request('tls1.2'), configured(plain), after({ remote_ip: { ranges: ['10.0.0.0/8'] } }))).to.deep.equal(
      [],
    );
  });
});
