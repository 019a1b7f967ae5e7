import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adapterOf } from '../adapting.ts';

const { adapt } = adapterOf('nginx');
const guide = readFileSync(new URL('../../../../../docs/guide/from-nginx.md', import.meta.url), 'utf8');

describe('docs/guide/from-nginx.md', () => {
  for (const [, example = ''] of guide.matchAll(/```nginx\n([\s\S]*?)```/g)) {
    it(`the example for ${/server_name (.*);/.exec(example)?.[1] ?? ''} in docs/guide/from-nginx.md adapts without a warning`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'));
      try {
        writeFileSync(join(folder, 'fastcgi_params'), 'fastcgi_param QUERY_STRING $query_string;');
        writeFileSync(join(folder, 'users'), 'ann:$2y$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui\n');
        const { config, warnings } = await adapt(`http {\n${example}\n}`, join(folder, 'nginx.conf'));
        expect(warnings).to.deep.equal([]);
        expect(JSON.stringify(config)).to.contain('"listen":["tcp4/0.0.0.0:80"]');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
