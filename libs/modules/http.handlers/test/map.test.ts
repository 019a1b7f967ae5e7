import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { show, through } from './support.ts';

describe('http.handlers.map', () => {
  const mapOf = (options: JsonObject): JsonObject => ({
    handler: 'map',
    source: '{http.request.uri.query.s}',
    destinations: ['{m.x}', '{m.y}'],
    ...options,
  });
  const responses = async (options: JsonObject, source: string): Promise<string> =>
    (await through([mapOf(options), show('{m.x},{m.y}')], `/?s=${source}`)).text;

  const mappings = [
    { input: 'a', outputs: ['exact', '{http.request.method}'] },
    { input_regexp: '^(b)(?P<rest>.*)$', outputs: ['$1', '${rest}$$'] },
    { input_regexp: 'b', outputs: ['too late', 'too late'] },
    { input: 'typed', outputs: [[1, '{x}'], { k: true }] },
  ];
  const table: readonly [source: string, response: string][] = [
    ['a', 'exact,GET'],
    ['bcd', 'b,cd$'],
    ['ab', 'too late,too late'],
    ['typed', '[1 {x}],map[k:true]'],
    ['none', ','],
    ['', ','],
  ];
  for (const [source, response] of table) {
    it(`the map handler maps ${JSON.stringify(source)} to ${response}`, async () => {
      expect(await responses({ mappings }, source)).to.equal(response);
    });
  }

  it('the map handler can use the previous value of its destination placeholder', async () => {
    const own = mapOf({ source: '{m.x}', defaults: ['{m.x}', 'y'] });
    const response = await through([own, mapOf({ mappings }), show('fine')], '/?s=a');
    expect([response.status, response.text]).to.deep.equal([200, 'fine']);
  });

  it('the map handler uses the default if no mapping matches, or no matching mapping has an output', async () => {
    const defaults = ['{http.request.method}', 'y'];
    expect(await responses({ mappings, defaults }, 'none')).to.equal('GET,y');
    expect(await responses({ mappings: [{ input: 'a', outputs: [null, '1'] }], defaults }, 'a')).to.equal('GET,1');
  });

  it('the map handler uses later mappings for outputs that a matching mapping leaves undefined', async () => {
    const some = [
      { input: 'a', outputs: [null, '1'] },
      { input_regexp: 'a', outputs: ['2', '2'] },
    ];
    expect(await responses({ mappings: some }, 'a')).to.equal('2,1');
  });

  it('the map handler does not expand placeholders in client input', async () => {
    process.env['SLUICE_TEST_SECRET'] = 'secret';
    const outputs = ['$1', 'got $1'];
    const captured = await responses({ mappings: [{ input_regexp: '(.*)', outputs }] }, '%7Benv.SLUICE_TEST_SECRET%7D');
    delete process.env['SLUICE_TEST_SECRET'];
    expect(captured).to.equal('{env.SLUICE_TEST_SECRET},got {env.SLUICE_TEST_SECRET}');
  });

  it('the map handler keeps the value set by the first of several map handlers', async () => {
    const first = mapOf({ mappings: [{ input: 'a', outputs: ['1', null] }] });
    const second = mapOf({ destinations: ['{m.x}', '{m.z}'], mappings: [{ input: 'a', outputs: ['2', '2'] }] });
    expect((await through([first, second, show('{m.x},{m.y},{m.z}')], '/?s=a')).text).to.equal('1,,2');
  });

  it('the map handler returns 500 if an output refers to itself', async () => {
    const itself = mapOf({ mappings: [{ input: 'a', outputs: ['{m.x}', ''] }] });
    expect(await through([itself, show('{m.x}')], '/?s=a')).to.include({ status: 500 });
  });

  const wrong: readonly [options: JsonObject, message: RegExp][] = [
    [{ destinations: ['x'] }, /destinations\[0\]: "x" is not a placeholder/],
    [{ destinations: ['{a}{b}'] }, /destinations\[0\]/],
    [{ defaults: ['1'] }, /defaults: there are 2 destinations and 1 defaults/],
    [{ mappings: [{ input: 'a', outputs: ['1'] }] }, /mappings\[0\]\.outputs: has 1 outputs for 2/],
    [{ mappings: [{ input: 'a', input_regexp: 'a', outputs: ['', ''] }] }, /mappings\[0\]: has both/],
    [{ mappings: [{ input_regexp: '(', outputs: ['', ''] }] }, /mappings\[0\]\.input_regexp: /],
    [
      {
        mappings: [
          { input: 'a', outputs: ['', ''] },
          { input: 'a', outputs: ['', ''] },
        ],
      },
      /mappings\[1\]\.input: duplicate mapping of input "a"/,
    ],
    [
      {
        mappings: [
          { input_regexp: 'a+', outputs: ['', ''] },
          { input: 'a+', outputs: ['', ''] },
          { input_regexp: 'a+', outputs: [null, 'x'] },
        ],
      },
      /mappings\[2\]\.input_regexp: duplicate mapping of "a\+"/,
    ],
  ];
  for (const [options, message] of wrong) {
    it(`the map handler rejects ${JSON.stringify(options)}`, async () => {
      expect(await through([mapOf(options)]).then(() => null, String)).to.match(message);
    });
  }
});
