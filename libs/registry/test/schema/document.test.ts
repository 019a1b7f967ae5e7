import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  apps,
  boolean,
  choice,
  configSchema,
  defineModule,
  duration,
  headerMap,
  inlineModule,
  inlineModules,
  json,
  list,
  map,
  moduleMap,
  moduleSets,
  namespace,
  options,
  Registry,
  string,
  strings,
  structure,
} from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { Type } from 'typebox';

const handlers = namespace<object>('http.handlers');
const matchers = namespace<object>('http.matchers');
const storage = namespace<object>('caddy.storage');
const empty = namespace<object>('test.empty');

const route = options({
  match: moduleSets('Which requests.', matchers),
  handle: inlineModules('What to do.', handlers, 'handler'),
  terminal: boolean('Whether it ends there.'),
});

const http = options({
  grace_period: duration('How long.'),
  servers: map('By name.', options({ listen: strings('Addresses.'), routes: list('Routes.', route) })),
  spare: inlineModule('Nothing yet.', empty, 'kind'),
});

const provision = (): object => ({});

function makeRegistry(): Registry {
  return new Registry()
    .add(defineModule(apps, { name: 'http', help: 'Serves HTTP.', config: http, provision }))
    .add(
      defineModule(handlers, {
        name: 'static_response',
        help: 'Responds.',
        config: options({
          body: string('The body.', { default: '' }),
          headers: headerMap('Fields.'),
          close: choice('When.', ['now', 'later']),
        }),
        provision,
      }),
    )
    .add(
      defineModule(handlers, {
        name: 'subroute',
        help: 'Nests.',
        config: options({ routes: list('Routes.', route) }),
        provision,
      }),
    )
    .add(
      defineModule(handlers, {
        name: 'vars',
        help: 'Sets anything.',
        config: Type.Record(Type.String(), json('Any.')),
        provision,
      }),
    )
    .add(defineModule(matchers, { name: 'host', help: 'Hosts.', config: Type.Array(Type.String()), provision }))
    .add(
      defineModule(matchers, {
        name: 'not',
        help: 'Inverts.',
        config: options({ sets: moduleSets('Sets.', matchers) }),
        provision,
      }),
    )
    .add(defineModule(storage, { name: 'odd/~name', help: 'A name to escape.', config: options({}), provision }))
    .addSection(
      defineModule(apps, {
        name: 'admin',
        help: 'The endpoint.',
        config: options({ listen: string('Where.') }),
        provision,
      }),
    )
    .addSection(
      defineModule(apps, {
        name: 'storage',
        help: 'Where things are kept.',
        config: options({
          at: inlineModule('It.', storage, 'module'),
          more: moduleMap('More.', storage),
          inner: structure('In.', options({})),
        }),
        provision,
      }),
    );
}

describe('configSchema', () => {
  const schema = configSchema(makeRegistry());
  let validate: ValidateFunction;

  before(() => {
    validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema);
  });

  const http1 = (routes: unknown): unknown => ({ apps: { http: { servers: { s: { routes } } } } });
  const handle = (...modules: unknown[]): unknown => http1([{ handle: modules }]);

  it('configSchema describes each module location with the help of its option, if any', () => {
    const texts: string[] = [];
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'description') texts.push(String(value));
      return value;
    });
    expect(texts).to.include.members(['Which requests.', 'What to do.', 'Nothing yet.', 'It.', 'More.', 'Sets.']);
    expect(texts.filter((text) => text === '' || text === 'undefined')).to.deep.equal([]);
    expect(Object.keys(schema['$defs'] as JsonObject)).to.deep.equal(Object.keys(schema['$defs'] as JsonObject).sort());
  });

  const accepted: unknown[] = [
    {},
    { '@id': 'root', apps: {} },
    { admin: { listen: ':2019' } },
    { apps: { http: { grace_period: '5s', servers: { 'any name': { '@id': 7, listen: [':80'] } } } } },
    { apps: { http: { grace_period: 5 } } },
    { apps: { http: { spare: { kind: 'whatever' } } } },
    handle(
      { handler: 'static_response', body: 'hi', headers: { A: ['b'] }, '@id': 'x' },
      { handler: 'vars', any: { thing: 1 } },
    ),
    handle({ handler: 'subroute', routes: [{ '@id': 'deep', handle: [{ handler: 'subroute' }] }] }),
    http1([{ match: [{ host: ['a'], '@id': 'm' }, { not: { sets: [{ host: [] }] } }], terminal: true }]),
    { storage: { at: { module: 'odd/~name' }, more: { 'odd/~name': {} }, inner: { '@id': 's' } } },
  ];
  for (const document of accepted) {
    it(`configSchema accepts ${JSON.stringify(document)}`, () => {
      expect(validate(document), JSON.stringify(validate.errors)).to.equal(true);
    });
  }

  const refused: unknown[] = [
    [],
    { nope: 1 },
    { apps: { nope: {} } },
    { admin: { lisen: ':2019' } },
    { apps: { http: { grace_period: true } } },
    { apps: { http: { servers: { s: { lisen: [] } } } } },
    handle({ handler: 'nope' }),
    handle({ body: 'hi' }),
    handle('static_response'),
    handle({ handler: 'static_response', body: 1 }),
    handle({ handler: 'static_response', boddy: 'hi' }),
    handle({ handler: 'static_response', close: 'never' }),
    handle({ handler: 'subroute', routes: [{ handle: [{ handler: 'static_response', body: 1 }] }] }),
    http1([{ match: { host: ['a'] } }]),
    http1([{ match: [{ host: 'a' }] }]),
    http1([{ match: [{ hots: ['a'] }] }]),
    http1([{ '@id': [] }]),
  ];
  for (const document of refused) {
    it(`configSchema rejects ${JSON.stringify(document)}`, () => expect(validate(document)).to.equal(false));
  }

  it('configSchema conforms to the meta-schema of JSON Schema draft 2020-12', () => {
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true);
    expect(schema.$schema).to.equal('https://json-schema.org/draft/2020-12/schema');
  });

  it('configSchema contains help, defaults and IDs, but neither null nor custom keywords', () => {
    const definition = (schema.$defs as JsonObject)['http.handlers.static_response'] as JsonObject;
    expect(definition).to.include({ title: 'http.handlers.static_response', description: 'Responds.' });
    expect((definition.properties as JsonObject).body).to.deep.equal({
      type: 'string',
      description: 'The body.',
      default: '',
    });
    expect(JSON.stringify(schema)).to.not.match(/x-module|"null"/);
  });

  it('configSchema is deterministic', () => {
    expect(configSchema(makeRegistry())).to.deep.equal(schema);
  });
});
