import { expect } from 'chai';
import { makeExchange, sampleTls, type TestRequest } from '@sluice/testing';
import { compileExpression } from '../../src/expression/compile.ts';
import { makeFolder } from '../file/folder.ts';
import { expectResponses, expectMatches, having, refusal, to } from '../matching.ts';

/** Returns a request over TLS that arrives before or after the handshake is complete. */
const overTls = (handshakeComplete: boolean): TestRequest => ({
  connection: { tls: { ...sampleTls, handshakeComplete } },
});

describe('http.matchers.expression', () => {
  const before = [{ handler: 'vars', n: 5, b: true, f: 1.5, s: 'x', l: [1, 2], o: { a: 'y' } }];
  const request: TestRequest = { host: 'a.test:81', path: '/p/q.txt?a=1&b=x', headers: { 'X-A': 'v', cookie: 'c=1' } };

  /** Expressions that are true for the sample request, grouped by feature. */
  const truths: Readonly<Record<string, readonly string[]>> = {
    literals: [
      'true',
      '1.5e3 == 1500.0 && 0x10 == 16 && 5u == uint(5)',
      "b'a' == bytes('a') && r'\\d' == '\\\\d'",
      "'''a''' == 'a' && '\\u00e9' == 'é'",
      'true // why',
    ],
    operators: [
      '1 + 2 * 3 == 7 && 7 % 4 == 3',
      "(true ? 'a' : 'b') == 'a'",
      '!(3 in [1, 2])',
      "'a' + 'b' == 'ab'",
      "'a' in {'a': 1}",
    ],
    'escapes in strings': [
      String.raw`'\\d\x41\u0042\U00000043\104\n\'\"\?' == r'\d' + "ABCD\n'\"?"`,
      String.raw`r"\d\{" == '\\d\\{' && br'\q' == bytes('\\q') && '''it's \\''' == "it's \\"`,
      String.raw`'a' == 'a' // \d '\d`,
      String.raw`'\{name}' == '{na' + 'me}'`,
    ],
    'field names in backticks': [
      "{'content-type': 'x'}.`content-type` == 'x' && has({'a b': 1}.`a b`) && !has({'a': 1}.`a.b/c`)",
      "{'a': {'in': 1}}.`a` . `in` == 1 && [{'x-y': 1}].exists(m, m.`x-y` == 1)",
      "'.`a-b`' + r'.`c`' == '.`a-b`.`c`' // .`d-e`",
      "{http.vars.o}.`a` == 'y'",
    ],
    'string formatting': [
      "'%f %e %.2f'.format([1, 1234567u, -3]) == '1.000000 1.234567e+06 -3.00'",
      "'%.20f %.0f %.0f'.format([0.1, 0.5, 1.5]) == '0.10000000000000000555 0 2'",
      "'%e %.0e %e %e'.format([0, 2.5, 1e-5, 1e100]) == '0.000000e+00 2e+00 1.000000e-05 1.000000e+100'",
      "'%s %s %s %d'.format([1e21, 1e-7, -0.0, 1.5]) == '1000000000000000000000 0.0000001 -0 1.5'",
      "'%f %s'.format([9223372036854775807, double('NaN')]) == '9223372036854775808.000000 NaN'",
      "'%x %X %b %o%%'.format([-255, b'\\xff', true, 8u]) == '-ff FF 1 10%'",
      "'%s'.format([{'b': [1, null], 'B': duration('1.5s')}]) == '{B: 1.5s, b: [1, null]}'",
      "'%s'.format([timestamp('2020-01-01T00:00:00.120Z')]) == '2020-01-01T00:00:00.12Z'",
    ],
    'string indexes': [
      "'abc'.indexOf('c', 3) == -1 && 'abc'.indexOf('', 9) == 3 && 'abc'.indexOf('c', 2) == 2",
      "'abc'.lastIndexOf('a', 3) == -1 && 'abc'.lastIndexOf('', 9) == 3 && 'abcabc'.lastIndexOf('abc', 4) == 3",
      "'😀x'.indexOf('x') == 1 && '😀x'.charAt(0) == '😀' && '😀x'.substring(1) == 'x'",
      "'aaa'.replace('a', '$&', 2) == '$&$&a' && 'ab'.replace('', '-') == '-a-b-' && 'aa'.replace('a', 'b', -1) == 'bb'",
      "'a,b,c'.split(',', 2) == ['a', 'b,c'] && '😀x'.split('') == ['😀', 'x'] && 'a'.split(',', 0) == []",
    ],
    'string placeholders': [
      "{http.request.method} == 'GET'",
      "ph(req, 'http.request.' + 'method') == 'GET'",
      "{http.request.header.X-A} == 'v' && {http.request.cookie.c} == '1'",
      "{http.request.uri.query.none} == '' && {http.request.header.None} == '' && {http.request.uri.path.7} == ''",
      "{time.now.unix}.matches('^\\\\d+$')",
    ],
    'typed placeholders': [
      '{http.request.port} == 81 && {http.request.remote.port} > 0',
      '!{http.shutting_down}',
      '{time.now} > timestamp("2020-01-01T00:00:00Z")',
      "{http.request.duration} >= duration('0s') && {http.request.duration_ms} >= 0.0",
      '{nope.nope} == null && {http.vars.none} == null && {http.request.tls.version} == null && {http.time_until_shutdown} == null',
      "{http.vars.n} == 5 && {http.vars.n} == 5.0 && {http.vars.b} == true && {http.vars.s} == 'x' && {http.vars.l}.size() == 2 && {http.vars.o}.a == 'y'",
    ],
    strings: [
      "{http.request.host}.startsWith('a') && {http.request.host}.endsWith('test') && size('aé') == 2",
      "'a,b'.split(',')[1] == 'b' && 'X'.lowerAscii() == 'x' && 'aXb'.replace('X', '-') == 'a-b' && ' x '.trim() == 'x'",
      "'abc'.substring(1, 2) == 'b' && 'abc'.indexOf('c') == 2 && 'abc'.charAt(1) == 'b' && ['a', 'b'].join('-') == 'a-b'",
      "'abc'.reverse() == 'cba' && strings.quote('a') == '\"a\"' && '%s-%d-%.2f-%x'.format(['s', 5, 1.5, 255]) == 's-5-1.50-ff'",
      "{http.request.uri.path}.matches('^/p/[a-z]+') && matches('x', '.')",
    ],
    lists: [
      '[1, 2, 3].exists(x, x > 2) && [1, 2].all(x, x > 0) && [1].exists_one(x, x == 1)',
      '[1, 2, 3].filter(x, x > 1) == [2, 3] && [1, 2].map(x, x * 2) == [2, 4]',
      'lists.range(3) == [0, 1, 2] && [1, 2, 3].slice(0, 2) == [1, 2] && [1, [2, [3]]].flatten() == [1, 2, [3]]',
      "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'a'].sort() == ['a', 'b'] && [1, 1].distinct() == [1] && [1, 2].reverse() == [2, 1]",
      "[{'a': 2}, {'a': 1}].sortBy(x, x.a)[0].a == 1 && [1, [2, [3]]].flatten(2) == [1, 2, 3]",
    ],
    maps: ["{'a': 1}.a == 1 && {'a': {'b': [5]}}['a'].b[0] == 5 && has({'a': 1}.a) && !has({'a': 1}.b)"],
    'math functions': [
      'math.greatest(1, 2, 3) == 3 && math.least([4, 5]) == 4 && math.greatest({http.request.port}, 1) == 81',
      'math.abs(-1) == 1 && math.ceil(1.2) == 2.0 && math.round(-1.5) == -2.0 && math.sign(-3) == -1 && math.sqrt(4) == 2.0',
      'math.bitAnd(5, 3) == 1 && math.bitOr(5, 3) == 7 && math.bitXor(5, 3) == 6 && math.bitNot(1) == -2',
      'math.bitShiftLeft(1, 3) == 8 && math.bitShiftRight(8, 3) == 1 && math.bitShiftRight(-1, 63) == 1',
      'math.isNaN(0.0 / 0.0) && math.isInf(1.0 / 0.0) && math.isFinite(1.0)',
    ],
    'local bindings': ['cel.bind(x, 5, x * x == 25)', "cel.bind(x, 'a', cel.bind(y, x + 'b', y == 'ab' && x == 'a'))"],
    'type conversions': [
      "int('5') == 5 && int('-5') == -5 && string(5) == '5' && double('1.5') == 1.5 && bool('true') && int(1.9) == 1",
      'type(1) == int && dyn(1) == 1.0 && type({http.request.method}) == string',
      "timestamp('2024-02-03T04:05:06Z').getHours('+02:00') == 6 && duration('1h30m').getMinutes() == 90",
    ],
  };
  for (const [what, expressions] of Object.entries(truths)) {
    it(`an expression supports ${what}`, async () => {
      for (const expression of expressions) await expectMatches({ expression }, [request], [], { before });
    });
  }

  const matchers: [expression: string, yes: (TestRequest | string)[], no: (TestRequest | string)[]][] = [
    ["host('a.test', '*.b.test')", [to('a.test'), to('x.b.test')], [to('b.test')]],
    ["path('/a/*', '*.php') && !path('/a/no')", ['/a/x', '/x.php'], ['/a/no', '/b']],
    ["path('/' + 'a*', {http.request.header.x})", ['/a', { path: '/q', headers: { x: '/q' } }], ['/q']],
    ["method({http.request.header.x}) || !method('GET')", [having({ x: 'GET' }), { method: 'POST' }], ['/']],
    ["header({'X-A': ['1', '2*'], 'X-B': '*'})", [having({ 'X-A': '2x', 'X-B': '' })], [having({ 'X-A': '1' })]],
    ["header({{http.request.header.k}: 'v'})", [having({ k: 'x', x: 'v' })], [having({ k: 'x' })]],
    ["header({'X-A': []})", [having({ 'x-a': '' })], ['/']],
    [
      "query({'a': {http.request.header.X-V}, 'b': '*'})",
      [{ path: '/?a=1&b', headers: { 'X-V': '1' } }],
      ['/?a=1', '/?b'],
    ],
    [
      "remote_ip('127.0.0.0/8') && !remote_ip({http.request.header.x})",
      [having({ x: '::1' })],
      [having({ x: '127.0.0.1' })],
    ],
    ["client_ip('127.0.0.1')", ['/'], [{ connection: { remoteAddress: '::1' } }]],
    ["tls('any') && tls('complete') && !tls('early_data')", [overTls(true)], ['/']],
    ["tls('any') && tls('early_data') && !tls('complete')", [overTls(false)], ['/', overTls(true)]],
    ["protocol('http') && protocol('http/1.1') && !protocol('https')", ['/'], [{ proto: 'HTTP/2.0' }]],
    [
      "!tls() && url_pattern('/p/*') && !url_pattern('http://a.test/p/*')",
      ['/p/1'],
      ['/q', { host: 'a.test', path: '/p/1' }],
    ],
    ["url_pattern('p/*', 'http://a.test/')", [{ host: 'a.test', path: '/p/1' }], ['/p/1']],
    ["vars({'n': '5'}) && vars({'s': ['a', 'x']}) && !vars({'s': 'y'})", ['/'], []],
    ["path('/p') == true && [path('/p')].all(x, x) && cel.bind(x, 'p', path('/p'))", ['/p'], ['/q']],
  ];
  for (const [expression, yes, no] of matchers)
    it(`an expression evaluates ${expression}`, () => expectMatches({ expression }, yes, no, { before }));

  it('an expression stores captures under the configured name', async () => {
    const body = '{http.regexp.n.1} {http.regexp.1}';
    await expectResponses(
      { expression: "path_regexp('n', '^/(x|\\\\d{2})$')" },
      [
        ['/12', '12 12'],
        ['/1', 'no'],
      ],
      { body },
    );
    await expectResponses({ expression: "path_regexp('^/(x)$')" }, [['/x', '{http.regexp.n.1} x']], { body });
    await expectResponses({ expression: { expr: "path_regexp('^/(x)$')", name: 'n' } }, [['/x', 'x x']], { body });
    await expectResponses(
      { expression: { expr: 'path_regexp({http.request.header.x})', name: 'n' } },
      [[{ path: '/x', headers: { x: '(x)' } }, 'x x']],
      { body },
    );
    await expectResponses(
      { expression: "header_regexp('n', 'X-A', '^v(.+)$') || header_regexp('X-B', '(z)')" },
      [
        [having({ 'X-A': 'v1' }), '1 1'],
        [having({ 'X-B': 'az' }), '{http.regexp.n.1} z'],
      ],
      { body },
    );
    await expectResponses({ expression: "vars_regexp('n', 's', '(.)')" }, [['/', 'x x']], { body, before });
  });

  it('an expression treats a quoted placeholder as a string, as Caddy does', async () => {
    await expectMatches({ expression: "'{http.request.method}' == 'GET'" }, [], ['/']);
    await expectMatches({ expression: "'\\{http.request.method}' == '\\{http.request.method}'" }, ['/'], []);
  });

  describe('http.matchers.expression: file()', () => {
    const folder = makeFolder({ 'www/x': '1', 'www/fall': '22', 'www/d/a.txt': 'a' });
    const root = `${folder.root}/www`;
    const body = '{http.matchers.file.relative}';
    const rooted = { body, before: [{ handler: 'vars', root }] };
    after(folder.remove);

    it('file() can be called without arguments, with strings or with a map', async () => {
      await expectResponses(
        { expression: 'file()' },
        [
          ['/x', '/x'],
          ['/z', 'no'],
        ],
        rooted,
      );
      await expectResponses(
        { expression: "file('/z', {http.request.uri.path})" },
        [
          ['/x', '/x'],
          ['/y', 'no'],
        ],
        rooted,
      );
      await expectResponses(
        { expression: `file({'root': '${root}', 'try_files': [{http.request.uri.path}, '/fall']})` },
        [
          ['/x', '/x'],
          ['/y', '/fall'],
        ],
        { body },
      );
      await expectResponses(
        { expression: `file({'root': '${root}', 'try_files': ['x', 'fall'], 'try_policy': 'largest_size'})` },
        [['/', '/fall']],
        { body },
      );
      await expectResponses(
        { expression: `file({'root': '${root}', 'split_path': ['.txt']})` },
        [['/d/a.txt/b', '/d/a.txt']],
        { body },
      );
    });

    it('file() waits for asynchronous file systems', async () => {
      const glob = `file({'root': '${root}', 'try_files': ['*/*.txt']})`;
      const none = `file({'root': '${root}', 'try_files': ['*.none']})`;
      await expectResponses({ expression: glob }, [['/', '/d/a.txt']], { body });
      await expectResponses({ expression: none }, [['/', 'no']], { body });
      await expectResponses(
        { expression: `${none} || (path('/p') && ${glob})` },
        [
          ['/p', '/d/a.txt'],
          ['/q', 'no'],
        ],
        { body },
      );
      await expectResponses({ expression: `true || ${glob}` }, [['/', '{http.matchers.file.relative}']], { body });
    });

    it('file() fails with the status in an entry such as =404, even asynchronously', async () => {
      await expectResponses({ expression: `file({'root': '${root}', 'try_files': ['none', '=404']})` }, [['/', 404]]);
      await expectResponses(
        { expression: `file({'root': '${root}', 'try_files': ['*.none', '=410']}) || path('/p')` },
        [
          ['/', 410],
          ['/p', 200],
        ],
      );
    });
  });

  it('a failing expression returns 500 if the result depends on the failing part', async () => {
    await expectResponses({ expression: 'int({http.request.uri.query.n}) > 3' }, [
      ['/?n=5', 'yes'],
      ['/?n=1', 'no'],
      ['/?n=x', 500],
      ['/', 500],
    ]);
    await expectResponses({ expression: '{http.request.uri.query.n} > 3' }, [['/?n=5', 500]]);
    await expectResponses({ expression: '1 / int({http.request.uri.query.n}) == 1' }, [
      ['/?n=1', 'yes'],
      ['/?n=0', 500],
    ]);
    await expectResponses({ expression: "path('/a') || int({http.request.uri.query.n}) > 3" }, [
      ['/a', 'yes'],
      ['/b?n=4', 'yes'],
      ['/b', 500],
    ]);
    await expectResponses({ expression: "int({http.request.uri.query.n}) > 3 && path('/a')" }, [
      ['/b', 'no'],
      ['/a', 500],
    ]);
    await expectResponses({ expression: 'path_regexp({http.request.header.x})' }, [[having({ x: '(' }), 500]]);
    await expectResponses({ expression: '{http.request.host}.matches({http.request.header.x})' }, [
      [having({ x: '(' }), 500],
    ]);
  });

  it('an expression evaluates patterns without catastrophic backtracking', () => {
    const matcher = compileExpression("{http.request.uri.path}.matches('^/(a+)+$')", '');
    expect(matcher.match(makeExchange({ path: `/${'a'.repeat(40)}b` }))).to.equal(false);
  });

  const refused: [expression: string, message: string][] = [
    ["'a'", 'must evaluate to a bool, but evaluates to a string'],
    ['5', 'evaluates to a int'],
    ['{http.shutting_down}', 'evaluates to any type'],
    ['dyn(true)', 'evaluates to any type'],
    ['path(', 'cannot parse the expression'],
    ['', 'cannot parse the expression'],
    [String.raw`'\d' == 'd'`, String.raw`unknown escape \d`],
    [String.raw`path('\{')`, String.raw`unknown escape \{`],
    [String.raw`header({'A': '\\{foobar}'})`, String.raw`unknown escape \{`],
    [String.raw`"""a"\w""" == "" // '`, String.raw`unknown escape \w`],
    [String.raw`'\400' == ''`, String.raw`unknown escape \4`],
    [String.raw`'\x4' == ''`, String.raw`unknown escape \x`],
    ['"{http.request.method}" == "GET"', 'cannot parse the expression'],
    ["nope('a')", 'unknown function nope'],
    ["'a'.foo()", 'unknown function foo'],
    ['foo == 1', 'unknown variable or type foo'],
    ['foo.bar == 1', 'unknown variable or type foo'],
    ["req.method == 'GET'", 'has no field method'],
    ['Foo{} == Foo{}', 'Foo'],
    ["'a' == 1", '== cannot be applied to (string, int)'],
    ["[1] == ['a']", '(list(int), list(string))'],
    ["{'a': 1} == {'a': 'b'}", '(map(string, int), map(string, string))'],
    ['1 < 2.0', '< cannot be applied to (int, double)'],
    ["'a' + 1 == 'a1'", '+ cannot be applied'],
    ['true && 1', 'an operand of && must be a bool'],
    ["true ? 1 : 'a'", 'cannot be applied'],
    ["1 in ['a']", 'in cannot be applied'],
    ["[1]['a'] == 1", '[] cannot be applied'],
    ["'a'.b == 2", 'a string has no field b'],
    ['!1', '! cannot be applied'],
    ["'a'.startsWith(1)", 'startsWith cannot be applied to (string, int)'],
    ['[1].map(x, y) == [1]', 'unknown variable or type y'],
    ['[1].all(x, 1)', 'must be a bool'],
    ["'a'.all(x, true)", 'cannot iterate over'],
    ["int('x') == 1", 'int("x")'],
    ["duration('x') == duration('1s')", 'duration("x")'],
    ["'a'.matches('[')", 'regular expression "["'],
    ['99999999999999999999 == 1', 'out of range'],
    ["'%d'.format(['x']) == ''", '%d requires a number'],
    ["'%f'.format(['NaN']) == ''", '%f requires a number'],
    ["'%s %s'.format(['x']) == ''", '2 clauses but 1 values'],
    ["'%z'.format([1]) == ''", 'unknown clause %z'],
    ["'%.f'.format([1.0]) == ''", 'unknown clause %.'],
    ["'50%'.format([]) == ''", 'incomplete formatting clause'],
    ["{'a': 1}.`a!` == 1", 'cannot parse the expression'],
    ['math.greatest() == 1', 'math.greatest(…) requires numbers'],
    ["[1].sortBy('x', 1) == []", 'sortBy'],
    ['cel.bind(1, 2, true)', 'cel.bind'],
    ['path()', 'path(…) requires one or more strings'],
    ['path(1)', 'path(…) requires'],
    ["cel.bind(p, '/p', path(p))", 'path(…) requires'],
    ["method(['GET'])", 'method(…) requires'],
    ["tls('foo')", "tls(…) requires no argument, 'complete', 'early_data' or 'any'"],
    ["tls('')", 'tls(…) requires'],
    ["tls('complete', 'any')", 'tls(…) requires'],
    ["tls(['complete'])", 'tls(…) requires'],
    ["query('a')", 'query(…) requires a map'],
    ["header({'A': null})", 'header(…) requires a map'],
    ["protocol('http', 'https')", 'protocol(…) requires a string'],
    ["path_regexp('(')", 'path_regexp(…): regular expression'],
    ["remote_ip('x')", 'remote_ip(…): [0]:'],
    ["host('a', 'A')", 'host(…): "A" is the same host'],
    ["file({'root': '/', 'try_policy': 'nope'})", 'file(…) requires'],
    ["url_pattern('/((')", 'url_pattern(…):'],
    ["not({'path': ['/']})", 'unknown function not'],
  ];
  for (const [expression, message] of refused) {
    it(`the expression ${expression} is rejected`, async () => {
      expect(await refusal({ expression }))
        .to.include('expression: ')
        .and.include(message);
    });
  }

  it('an expression rejects invalid options', async () => {
    for (const expression of [5, [], null, { name: 'n' }, { expr: 'true', foo: 1 }]) {
      expect(await refusal({ expression })).to.include('expression');
    }
    await expectMatches({ expression: { expr: 'true', name: null } }, ['/'], []);
  });
});
