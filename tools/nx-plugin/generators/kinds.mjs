/**
 * Templates for new modules by namespace, each with a working body and a passing test. All sources import `options` and `defineModule`, and
 * all tests import `expect` and `register`.
 */

/** @typedef {import('./names.mjs').ModuleNames} ModuleNames */

/**
 * A kind of modules.
 * @typedef {object} Kind
 * @property {string[]} builders Option builders that the source uses.
 * @property {string[]} [types] Types of the contract that the source uses in addition to its instance interface.
 * @property {string} config The options.
 * @property {string} [option] The option that its Caddyfile syntax sets, if it has a syntax.
 * @property {(instance: string) => string} body The function `provision`, as a property.
 * @property {string[]} helpers Imports of the test from `@sluice/testing`.
 * @property {[string, string][]} [nodeImports] Imports of the test from Node: pairs of module and name.
 * @property {boolean} [token] Set if the test imports the namespace token.
 * @property {string} title Title of the test.
 * @property {(names: ModuleNames, token: string) => string} test Statements of the test.
 */

/** @type {Kind} */
const handler = {
  builders: ['string'],
  option: 'text',
  config: `{ text: string('The body of the response.', { default: 'It works.' }) }`,
  body: (instance) => `  provision({ text }): ${instance} {
    const body = \`\${text ?? 'It works.'}\\n\`;
    return {
      handle({ response }) {
        response.headers.set('content-type', 'text/plain; charset=utf-8');
        response.end(body);
      },
    };
  },`,
  helpers: ['request', 'withRoutes'],
  title: 'responds with its text',
  test: ({ name }) => `    const config = withRoutes([{ handle: [{ handler: '${name}', text: 'Hello.' }] }]);
    expect(await request(config, '/', { register: [register] })).to.include({ status: 200, text: 'Hello.\\n' });`,
};

/** @type {Kind} */
const matcher = {
  builders: ['string'],
  option: 'path',
  config: `{ path: string('The path that matches.', { default: '/' }) }`,
  body: (instance) => `  provision({ path }): ${instance} {
    const wanted = path ?? '/';
    return { match: (exchange) => exchange.path === wanted };
  },`,
  helpers: ['makeExchange', 'provisionNamed'],
  token: true,
  title: 'matches only its path',
  test: (
    { name },
    token,
  ) => `    const { instance, close } = await provisionNamed(${token}, '${name}', { path: '/here' }, { register: [register] });
    expect(instance.match(makeExchange({ path: '/here' }))).to.equal(true);
    expect(instance.match(makeExchange({ path: '/there' }))).to.equal(false);
    await close();`,
};

/** @type {Kind} */
const eventHandler = {
  builders: ['string'],
  config: `{ note: string('What is added to the data of the event.', { default: 'seen' }) }`,
  body: (instance) => `  provision({ note }): ${instance} {
    const text = note ?? 'seen';
    return {
      handle(event) {
        event.data['note'] = text;
      },
    };
  },`,
  helpers: ['provisionNamed'],
  token: true,
  title: 'adds its note to an event',
  test: (
    { name },
    token,
  ) => `    const { instance, close } = await provisionNamed(${token}, '${name}', { note: 'here' }, { register: [register] });
    const event = Event.of('test', 'happened', {});
    await instance.handle(event);
    expect(event.data).to.deep.equal({ note: 'here' });
    await close();`,
};

/**
 * Returns a test that provisions the module by name. @param {string} title @param {string} options @param {string} lines @returns
 * {Pick<Kind, 'helpers' | 'token' | 'title' | 'test'>}
 */
const provisioned = (title, options, lines) => ({
  helpers: ['provisionNamed'],
  token: true,
  title,
  test: (
    { name },
    token,
  ) => `    const { instance, close } = await provisionNamed(${token}, '${name}', ${options}, { register: [register] });
${lines}
    await close();`,
});

/** @type {Kind} */
const ipSource = {
  builders: ['list', 'string'],
  config: `{ addresses: list('Addresses of trusted proxies.', string('An IP address.')) }`,
  body: (instance) => `  provision({ addresses }): ${instance} {
    const known = new Set(addresses);
    return { contains: (address) => known.has(address) };
  },`,
  ...provisioned(
    'contains its addresses alone',
    `{ addresses: ['192.0.2.1'] }`,
    `    expect(instance.contains('192.0.2.1')).to.equal(true);
    expect(instance.contains('192.0.2.2')).to.equal(false);`,
  ),
};

/** @type {Kind} */
const dnsProvider = {
  builders: ['string'],
  types: ['DnsRecord'],
  config: `{ endpoint: string('URL of the API of the provider.', { default: 'http://localhost' }) }`,
  body: (instance) => `  provision({ endpoint }): ${instance} {
    const change = async (method: string, zone: string, records: readonly DnsRecord[], signal: AbortSignal) => {
      const url = new URL(\`/zones/\${zone}/records\`, endpoint ?? 'http://localhost');
      const response = await fetch(url, { method, body: JSON.stringify(records), signal });
      if (!response.ok) throw new Error(\`the DNS provider responded with status \${response.status}\`);
    };
    return {
      append: (zone, records, signal) => change('POST', zone, records, signal),
      remove: (zone, records, signal) => change('DELETE', zone, records, signal),
    };
  },`,
  ...provisioned(
    'sends records to its endpoint',
    `{ endpoint }`,
    `    const record = { name: '_acme-challenge', type: 'TXT', value: 'x', ttl: 0 };
    await instance.append('example.com.', [record], AbortSignal.timeout(5000));
    expect(seen).to.deep.equal([['POST', '/zones/example.com./records', [record]]]);`,
  ),
};
dnsProvider.test = ({ name }, token) => `    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push([request.method, request.url, JSON.parse(body)]);
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
    const options = { register: [register] };
    const { instance, close } = await provisionNamed(${token}, '${name}', { endpoint }, options);
    const record = { name: '_acme-challenge', type: 'TXT', value: 'x', ttl: 0 };
    await instance.append('example.com.', [record], AbortSignal.timeout(5000));
    expect(seen).to.deep.equal([['POST', '/zones/example.com./records', [record]]]);
    await close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');`;
dnsProvider.nodeImports = [
  ['node:events', 'once'],
  ['node:http', 'createServer'],
  ['node:net', 'type AddressInfo'],
];

/** @type {Kind} */
const permission = {
  builders: ['string'],
  config: `{ domain: string('Domain whose names may have a certificate.', { default: 'example.com' }) }`,
  body: (instance) => `  provision({ domain }): ${instance} {
    const suffix = \`.\${domain ?? 'example.com'}\`;
    return { allows: async (name) => name.endsWith(suffix) };
  },`,
  ...provisioned(
    'allows names of its domain alone',
    `{ domain: 'example.org' }`,
    `    expect(await instance.allows('a.example.org', AbortSignal.timeout(5000))).to.equal(true);
    expect(await instance.allows('a.example.com', AbortSignal.timeout(5000))).to.equal(false);`,
  ),
};

/** @type {Kind} */
const selectionPolicy = {
  builders: [],
  config: '{}',
  body: (instance) => `  provision(): ${instance} {
    return { select: (upstreams) => upstreams.find(({ available }) => available) ?? null };
  },`,
  ...provisioned(
    'selects the first available upstream',
    '{}',
    `    const upstreams = [
      { address: 'a:80', available: false, requests: 0 },
      { address: 'b:80', available: true, requests: 0 },
    ];
    expect(instance.select(upstreams, makeExchange({}))).to.equal(upstreams[1]);`,
  ),
};
selectionPolicy.helpers = ['makeExchange', 'provisionNamed'];

/** @type {Kind} */
const upstreamSource = {
  builders: ['list', 'string'],
  config: `{ addresses: list('Addresses of upstreams.', string('Host and port.')) }`,
  body: (instance) => `  provision({ addresses }): ${instance} {
    // Returns the same array until the addresses change.
    const found = (addresses ?? []).filter((each) => each !== null);
    return { upstreams: () => found };
  },`,
  ...provisioned(
    'finds its upstreams',
    `{ addresses: ['a:80'] }`,
    `    expect(await instance.upstreams(makeExchange({}))).to.deep.equal(['a:80']);`,
  ),
};
upstreamSource.helpers = ['makeExchange', 'provisionNamed'];

/** @type {Kind} */
const authenticationProvider = {
  builders: ['string'],
  config: `{ field: string('Request header field that contains the user.', { default: 'x-user' }) }`,
  body: (instance) => `  provision({ field }): ${instance} {
    const name = (field ?? 'x-user').toLowerCase();
    return {
      authenticate({ headers }) {
        const id = headers.get(name);
        return id === undefined ? null : { id, metadata: {} };
      },
    };
  },`,
  ...provisioned(
    'takes the user from its field',
    '{}',
    `    expect(await instance.authenticate(makeExchange({ headers: { 'x-user': 'ada' } }))).to.include({ id: 'ada' });
    expect(await instance.authenticate(makeExchange({}))).to.equal(null);`,
  ),
};
authenticationProvider.helpers = ['makeExchange', 'provisionNamed'];

/** @type {Kind} */
const templateFunctions = {
  builders: ['string'],
  config: `{ greeting: string('First word of the greeting.', { default: 'Hello' }) }`,
  body: (instance) => `  provision({ greeting }): ${instance} {
    return { functions: { greet: (name: string) => \`\${greeting ?? 'Hello'}, \${name}!\` } };
  },`,
  ...provisioned('adds its functions', '{}', `    expect(Object.keys(instance.functions)).to.deep.equal(['greet']);`),
};

/** @type {Kind} An app. Its instance is an object that other modules get with `context.app`. */
const app = {
  builders: ['string'],
  config: `{ greeting: string('Text that other modules may use.', { default: 'Hello' }) }`,
  body: () => `  provision({ greeting }, context) {
    context.onStart(() => context.log.info('started'));
    return { greeting: greeting ?? 'Hello' };
  },`,
  helpers: ['serve'],
  title: 'runs beside the app http',
  test: ({ name }) => `    const http = { servers: {} };
    const server = await serve({ apps: { http, ${name}: { greeting: 'Welcome' } } }, { register: [register] });
    const wrong = { apps: { http, ${name}: { greting: 'Welcome' } } };
    const error = await server.engine.load(wrong).catch((reason: unknown) => reason);
    expect(String(error)).to.include('unknown key "greting" of ${name}');
    await server.close();`,
};

/** @type {Kind} All other namespaces: validated options, and a place for the code. */
const other = {
  builders: [],
  config: '{}',
  body: (instance) => `  provision(_config, context): ${instance} {
    throw context.error('it has no code yet');
  },`,
  helpers: ['provisionNamed'],
  token: true,
  title: 'is found by its name',
  test: ({ name }, token) => `    const provisioned = provisionNamed(${token}, '${name}', {}, { register: [register] });
    const error = await provisioned.catch((reason: unknown) => reason);
    expect(String(error)).to.include('apps.host.module').and.include('it has no code yet');`,
};

/** @type {Readonly<Record<string, Kind>>} */
const kinds = {
  '': app,
  'dns.providers': dnsProvider,
  'events.handlers': eventHandler,
  'http.authentication.providers': authenticationProvider,
  'http.handlers': handler,
  'http.handlers.templates.functions': templateFunctions,
  'http.ip_sources': ipSource,
  'http.matchers': matcher,
  'http.reverse_proxy.selection_policies': selectionPolicy,
  'http.reverse_proxy.upstreams': upstreamSource,
  'tls.permission': permission,
};

/** Returns the kind for the modules of a namespace. @param {string} namespace @returns {Kind} */
export function kindOf(namespace) {
  return kinds[namespace] ?? other;
}

/** Returns additional imports for a kind's test, by package. @param {string} namespace @returns {readonly string[]} */
export function extraTestImports(namespace) {
  return namespace === 'events.handlers' ? ['Event'] : [];
}
