/**
 * What a new module looks like, by namespace: a body that works and a test that passes, to be changed into what is
 * wanted. Sources import `options` and `defineModule` anyway, tests `expect` and `register`.
 */

/** @typedef {import('./names.mjs').ModuleNames} ModuleNames */

/**
 * A kind of modules.
 * @typedef {object} Kind
 * @property {string[]} builders Builders of options that the source uses.
 * @property {string} config The options.
 * @property {(instance: string) => string} body The function `provision`, as a property.
 * @property {string[]} helpers What the test imports from `@sluice/testing`.
 * @property {string[]} [registry] What the test imports from the registry.
 * @property {boolean} [token] Whether the test imports the token of the namespace.
 * @property {string} title What the test shows.
 * @property {(names: ModuleNames, token: string) => string} test Statements of the test.
 */

/** @type {Kind} */
const handler = {
  builders: ['string'],
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
  config: `{ path: string('The path that matches.', { default: '/' }) }`,
  body: (instance) => `  provision({ path }): ${instance} {
    const wanted = path ?? '/';
    return { match: (exchange) => exchange.path === wanted };
  },`,
  helpers: ['makeExchange', 'provisionNamed'],
  token: true,
  title: 'matches its path alone',
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

/** @type {Kind} For all other namespaces: options that are checked, and a place for the code. */
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
const kinds = { 'http.handlers': handler, 'http.matchers': matcher, 'events.handlers': eventHandler };

/** The kind of the modules of a namespace. @param {string} namespace @returns {Kind} */
export function kindOf(namespace) {
  return kinds[namespace] ?? other;
}

/** Further imports of the test of a kind, by package. @param {string} namespace @returns {readonly string[]} */
export function extraTestImports(namespace) {
  return namespace === 'events.handlers' ? ['Event'] : [];
}
