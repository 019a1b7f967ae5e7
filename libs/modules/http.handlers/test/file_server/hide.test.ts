import { expect } from 'chai';
import { Site } from './site.ts';

describe('http.handlers.file_server hide', () => {
  let site: Site;
  before(() => {
    site = new Site({
      'index.html': 'root',
      'a.txt': 'a',
      'b.css': 'b',
      'dir/x.txt': 'x',
      'dir/sub/y.txt': 'y',
      '.git/config': 'git',
    });
  });
  after(() => site.remove());

  const cases: readonly [patterns: string[], hidden: string[], shown: string[]][] = [
    [['a.txt'], ['/a.txt'], ['/b.css']],
    [['.git'], ['/.git/config'], ['/a.txt']],
    [
      ['*.css', '.*'],
      ['/b.css', '/.git/config'],
      ['/a.txt', '/dir/x.txt'],
    ],
    [['x.?xt'], ['/dir/x.txt'], ['/a.txt']],
    [['{root}/a.txt', '{root}/dir'], ['/a.txt', '/dir/x.txt', '/dir/sub/y.txt'], ['/b.css']],
    [['{root}/*/x.txt'], ['/dir/x.txt'], ['/dir/sub/y.txt']],
    [['dir/x.txt', './a.txt'], [], ['/dir/x.txt', '/a.txt']],
    [['[', 'a[.txt'], [], ['/a.txt']],
    [['A.TXT'], [], ['/a.txt']],
    [['index.html'], ['/', '/index.html'], ['/a.txt']],
    [['{http.request.host}'], ['/a.txt'], ['/b.css']],
    [[''], [], ['/a.txt']],
  ];
  for (const [patterns, hidden, shown] of cases) {
    it(`file_server with hide ${patterns.join(' ')} hides ${hidden.join(' ') || 'nothing'}`, async () => {
      const server = await site.serve({ hide: patterns.map((pattern) => pattern.replace('{root}', site.root)) });
      const statusOf = async (path: string): Promise<number> => (await server.request({ path, host: 'a.txt' })).status;
      for (const path of hidden) expect(await statusOf(path), path).to.equal(404);
      for (const path of shown) expect(await statusOf(path), path).to.equal(200);
      await server.close();
    });
  }

  it('file_server expands placeholders in hide patterns for each request', async () => {
    const server = await site.serve({ hide: ['{http.request.host}'] });
    for (const host of ['a.txt', 'b.css', 'a.txt']) {
      expect((await server.request({ path: '/a.txt', host })).status).to.equal(host === 'a.txt' ? 404 : 200);
    }
    await server.close();
  });
});
