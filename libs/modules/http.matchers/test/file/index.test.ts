import { expect } from 'chai';
import { disk, type FileSystem } from '@sluice/http-app';
import type { Json } from '@sluice/base';
import { makeExchange, type TestRequest } from '@sluice/testing';
import { fileMatcher } from '../../src/file/index.ts';
import { expectResponses, expectMatches, refusal, serveSet } from '../matching.ts';
import { makeFolder, touch } from './folder.ts';

const body = '{http.matchers.file.relative} {http.matchers.file.type} {http.matchers.file.remainder}';

describe('http.matchers.file', () => {
  const folder = makeFolder({
    'a.txt': 'A',
    'big.txt': 'xxxxxxxxxx',
    'mid.txt': 'xxxxx',
    'd/index.html': 'I',
    'd/x.php': 'P',
    'd/y.php': 'PP',
    'x.txt.php': 'q',
    'scripts.php.d/run.php': 'R',
    '\u0130.php.txt/x.php': 'U',
    'sp ace.txt': 'S',
    'é.txt': 'E',
    '.hid': 'H',
    '[b].txt': 'B',
    'star*.txt': '*',
    '=404': '=',
    'e/': '',
    link: '->a.txt',
    broken: '->nowhere',
  });
  const { root } = folder;
  touch(root, 'a.txt', 1e9);
  touch(root, 'mid.txt', 1.5e9);
  touch(root, 'big.txt', 1.2e9);
  after(folder.remove);

  type Responses = readonly (readonly [request: TestRequest | string, response: string | number])[];
  const table: [title: string, options: Record<string, Json>, responses: Responses][] = [
    [
      'looks up the request path by default',
      {},
      [
        ['/a.txt', '/a.txt file '],
        ['/d/x.php', '/d/x.php file '],
        ['/sp%20ace.txt', '/sp ace.txt file '],
        ['/%C3%A9.txt', '/é.txt file '],
        ['/.hid', '/.hid file '],
        ['/link', '/link file '],
        ['/[b].txt', '/[b].txt file '],
        ['/star%2A.txt', '/star*.txt file '],
        ['/*.txt', 'no'],
        ['/none', 'no'],
        ['/d', 'no'],
        ['/d/', 'no'],
        ['/', 'no'],
        ['/a.txt/', 'no'],
        ['/broken', 'no'],
        ['/a.txt%00', 'no'],
        ['/../../a.txt', '/a.txt file '],
        ['/%2e%2e/d/..%2fa.txt', '/a.txt file '],
      ],
    ],
    [
      'tries paths in order',
      { try_files: ['{http.request.uri.path}.txt', '{http.request.uri.path}', null, '/a.txt'] },
      [
        ['/mid', '/mid.txt file '],
        ['/d/x.php', '/d/x.php file '],
        ['/none', '/a.txt file '],
      ],
    ],
    [
      'requires a directory for a path with a trailing slash',
      { try_files: ['{http.request.uri.path}/'] },
      [
        ['/d', '/d/ directory '],
        ['/d/', '/d/ directory '],
        ['/e', '/e/ directory '],
        ['/a.txt', 'no'],
        ['/', 'no'],
      ],
    ],
    ['matches the root as a directory', { try_files: ['./'] }, [['/', '/ directory ']]],
    ['never leaves the root', { try_files: ['../../a.txt'] }, [['/', '/a.txt file ']]],
    ['matches nothing if try_files is empty', { try_files: [] }, [['/a.txt', 'no']]],
    [
      'looks up the request path if try_files is null',
      { try_files: null, try_policy: '' },
      [['/a.txt', '/a.txt file ']],
    ],
    ['fails with 404 for the entry =404', { try_files: ['nope', '=404'] }, [['/', 404]]],
    ['fails with 404 only if no earlier entry exists', { try_files: ['a.txt', '=404'] }, [['/', '/a.txt file ']]],
    [
      'treats other entries that start with = as files',
      { try_files: ['=99', '=1000', '=x', '={http.request.uri.query.s}'] },
      [['/?s=404', '/=404 file ']],
    ],
    ['expands wildcards in file names', { try_files: ['/*.txt'] }, [['/', '/[b].txt file ']]],
    [
      'expands wildcards in directory names',
      { try_files: ['*/{http.request.uri.path.file}'] },
      [
        ['/x.php', '/d/x.php file '],
        ['/*.php', 'no'],
      ],
    ],
    [
      'treats a character after a backslash literally',
      { try_files: ['\\[b].txt', 'star\\*.*'] },
      [['/', '/[b].txt file ']],
    ],
    ['finds nothing for an invalid glob', { try_files: ['['] }, [['/', 'no']]],
    [
      'selects the smallest file',
      { try_policy: 'smallest_size', try_files: ['big.txt', 'mid.txt', 'a.txt', 'none'] },
      [['/', '/a.txt file ']],
    ],
    [
      'selects the largest file',
      { try_policy: 'largest_size', try_files: ['a.txt', '?i?.txt'] },
      [['/', '/big.txt file ']],
    ],
    [
      'selects the most recently modified file',
      { try_policy: 'most_recently_modified', try_files: ['a.txt', 'mid.txt', 'big.txt', 'none'] },
      [['/', '/mid.txt file ']],
    ],
    ['matches nothing if no candidate exists', { try_policy: 'largest_size', try_files: ['none'] }, [['/', 'no']]],
    [
      'falls back to the last entry even if it does not exist',
      { try_policy: 'first_exist_fallback', try_files: ['none', '/f.php?{http.request.uri.query}'] },
      [['/?q=1', '/f.php?q=1 file ']],
    ],
    [
      'uses no fallback if an earlier entry exists',
      { try_policy: 'first_exist_fallback', try_files: ['a.txt', '/f.php'] },
      [['/', '/a.txt file ']],
    ],
    [
      'expands a glob in the fallback',
      { try_policy: 'first_exist_fallback', try_files: ['none', 'm*.txt'] },
      [['/', '/mid.txt file ']],
    ],
    [
      'uses a fallback glob without matches literally',
      { try_policy: 'first_exist_fallback', try_files: ['f*.x'] },
      [['/', '/f*.x file ']],
    ],
    [
      'splits paths at a split_path suffix',
      { split_path: ['.php'] },
      [
        ['/d/x.php/more/info', '/d/x.php file /more/info'],
        ['/d/x.php', '/d/x.php file '],
        ['/d/x.php/', '/d/x.php file /'],
        ['/d/x.php/y.php/z', '/d/x.php file /y.php/z'],
        ['/x.txt.php/z', '/x.txt.php file /z'],
        ['/d/x.phpx/a', 'no'],
        ['/d/x.PHP/y', 'no'],
        ['/a.txt', '/a.txt file '],
        ['/scripts.php.d/run.php', '/scripts.php.d/run.php file '],
        ['/scripts.php.d/run.php/info', 'no'],
        ['/%C4%B0.php.txt/x.php', '/\u0130.php.txt/x.php file '],
        ['/%C4%B0.php.txt/x.php/info', 'no'],
      ],
    ],
    [
      'supports several split_path suffixes',
      { split_path: ['.txt', '.PHP'] },
      [
        ['/a.txt/b.php/c', '/a.txt file /b.php/c'],
        ['/d/x.php/z.txt', '/d/x.php file /z.txt'],
      ],
    ],
    [
      'splits paths that contain globs',
      { split_path: ['.php'], try_files: ['d/*.php/foo'] },
      [['/', '/d/x.php file /foo']],
    ],
  ];
  for (const [title, options, responses] of table)
    it(`the file matcher ${title}`, () => expectResponses({ file: { root, ...options } }, responses, { body }));

  it('the file matcher expands placeholders in the root', async () => {
    await expectResponses(
      { file: { root: `${root}/{http.request.host}` } },
      [
        [{ host: 'd', path: '/x.php' }, '/x.php file '],
        [{ host: 'e', path: '/x.php' }, 'no'],
      ],
      { body },
    );
    const before = [{ handler: 'vars', root }];
    await expectResponses({ file: {} }, [['/a.txt', '/a.txt file ']], { body, before });
    await expectResponses({ file: {} }, [['/package.json', `package.json file `]], { body });
  });

  it('the file matcher sets placeholders for the absolute path', () =>
    expectResponses({ file: { root: `${root}//` } }, [['/d/../a.txt', `${root}/a.txt`]], {
      body: '{http.matchers.file.absolute}',
    }));

  it('the file matcher sets no placeholders if it does not match', async () => {
    await expectResponses({ not: [{ file: { root } }] }, [['/none', '{http.matchers.file.relative}']], {
      body: '{http.matchers.file.relative}',
    });
  });

  it('the file matcher queries named file systems asynchronously', async () => {
    const asked: string[] = [];
    const slow: FileSystem = {
      ...disk,
      async stat(path) {
        asked.push(path);
        if (path.endsWith('secret')) throw Object.assign(new Error('no'), { code: 'EACCES' });
        return Promise.resolve(path === '/r/b' ? disk.stat(`${root}/a.txt`) : null);
      },
    };
    const named = { find: (name: string) => (name === 'slow' ? slow : undefined) };
    const matcher = fileMatcher({ fs: '{http.request.host}', root: '/r', try_files: ['secret', 'a', 'b', 'c'] }, named);
    expect(await matcher.match(makeExchange({ host: 'slow' }))).to.equal(true);
    expect(asked).to.deep.equal(['/r/secret', '/r/a', '/r/b']);
    expect(matcher.match(makeExchange({ host: 'none' }))).to.equal(false);
    expect(fileMatcher({ fs: 'default', root, try_files: ['a.txt'] }, null).match(makeExchange())).to.equal(true);
  });

  it('the file matcher reads the disk synchronously, except for listings', () => {
    expect(fileMatcher({ root, try_files: ['none', 'a.txt'] }, null).match(makeExchange())).to.equal(true);
    expect(fileMatcher({ root, try_files: ['*'] }, null).match(makeExchange())).to.be.instanceOf(Promise);
  });

  it('the file matcher treats an unknown file system as empty', () =>
    expectMatches({ file: { fs: 'nope', root } }, [], ['/a.txt']));

  it('the file matcher rejects unknown policies and options', async () => {
    expect(await refusal({ file: { try_policy: 'nope' } })).to.include('file.try_policy: must be one of');
    expect(await refusal({ file: { files: [] } })).to.include('"files"');
    const server = await serveSet({ file: { try_policy: null } });
    await server.close();
  });
});
