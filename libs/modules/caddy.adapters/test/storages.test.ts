import { expect } from 'chai';
import { adaptCaddyfile, convertDocument } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { standardRegistry } from './standard-registry.ts';

const registry = standardRegistry();

async function storageOf(lines: string): Promise<Json> {
  const { config } = await adaptCaddyfile(`{\n\tstorage ${lines}\n}\n`, registry, {
    file: 'Caddyfile',
    environment: {},
  });
  return (config as { storage: Json }).storage;
}

describe('storage options in a Caddyfile', () => {
  const cases: [lines: string, storage: object][] = [
    ['etcd a:2379 b:2379', { endpoints: ['a:2379', 'b:2379'] }],
    ['etcd {\n endpoints a:2379\n prefix /x\n}', { endpoints: ['a:2379'], prefix: '/x' }],
    ['redis {\n address a:1 b:2\n db 3\n tls_enabled\n}', { address: ['a:1', 'b:2'], db: 3, tls_enabled: true }],
    ['redis {\n host a\n port 6380\n tls_insecure false\n}', { host: ['a'], port: ['6380'], tls_insecure: false }],
    ['postgres {\n host h\n port 5433\n sslmode require\n}', { host: 'h', port: 5433, sslmode: 'require' }],
    ['s3 {\n bucket b\n host h\n insecure true\n}', { bucket: 'b', host: 'h', insecure: true }],
  ];
  for (const [lines, options] of cases)
    it(`the storage option ${lines.replaceAll(/\s+/g, ' ')} is adapted and converted back`, async () => {
      const storage = { module: lines.split(' ')[0] as string, ...options } as Json;
      expect(await storageOf(lines)).to.deep.equal(storage);
      const { verdict } = await convertDocument({ storage }, registry, 'Caddyfile');
      expect(verdict).to.equal('identical');
    });

  it('invalid storage options are rejected, and the error names the line', async () => {
    const refusal = (lines: string): Promise<string> => storageOf(lines).then(String, String);
    expect(await refusal('redis {\n adress a\n}')).to.contain("unrecognized parameter 'adress', at Caddyfile:3");
    expect(await refusal('redis a')).to.contain('wrong argument count');
    expect(await refusal('redis {\n db x\n}')).to.contain("bad db value 'x'");
    expect(await refusal('s3 {\n insecure yes\n}')).to.contain("insecure must be true or false, not 'yes'");
    expect(await refusal('s3 {\n bucket a b\n}')).to.contain('wrong argument count');
  });
});
