import { expect } from 'chai';
import fc from 'fast-check';
import {
  isEqual,
  isList,
  isObject,
  own,
  valueAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../src/page/base/json.ts';
import { beginning, SchemaReader } from '../../src/page/base/schema.ts';
import { formOf, withField } from '../../src/page/views/config/fields.ts';
import { startServer } from '../support/server.ts';
import { shop } from '../support/shop.ts';

/** Prefix for keys that no schema contains. */
const unknown = 'x-unknown';

/** Returns a copy of the document with an unknown key inserted into every object. */
function planted(value: Json, count: { made: number }): Json {
  if (isList(value)) return value.map((item) => planted(item, count));
  if (!isObject(value)) return value;
  count.made += 1;
  const inside = Object.entries(value).map(([key, item]) => [key, planted(item, count)] as const);
  return { ...Object.fromEntries(inside), [`${unknown}-${count.made}`]: { deep: [count.made, null, 'kept'] } };
}

/** Returns all unknown keys with their values, by JSON path. */
function plantsIn(value: Json | undefined, path: Path = []): Map<string, Json> {
  const found = new Map<string, Json>();
  const entries = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [key, item] of entries) {
    if (String(key).startsWith(unknown)) found.set([...path, key].join('/'), item);
    else for (const [at, plant] of plantsIn(item, [...path, key])) found.set(at, plant);
  }
  return found;
}

function objectsIn(value: Json | undefined, path: Path = []): Path[] {
  const entries = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  const below = entries
    .filter(([key]) => !String(key).startsWith(unknown))
    .flatMap(([key, item]) => objectsIn(item, [...path, key]));
  return isObject(value) ? [path, ...below] : below;
}

describe('dashboard.views.config.form', () => {
  let schema: JsonObject;
  before(async () => {
    const server = await startServer(shop);
    schema = (await (
      await fetch(`${server.origin}/schema`, { headers: { Origin: server.origin } })
    ).json()) as JsonObject;
    await server.close();
  });

  it('the configuration form preserves unknown keys through 1,000 random edits', () => {
    const reader = new SchemaReader(schema);
    const count = { made: 0 };
    let document = planted(shop, count);
    const random = fc.sample(fc.tuple(fc.nat(), fc.nat(), fc.nat()), 1000);
    for (const [where, which, how] of random) {
      const objects = objectsIn(document);
      const path = objects[where % objects.length] ?? [];
      const value = valueAt(document, path);
      const form = formOf(reader, reader.shape(reader.at(document, path) ?? {}, value), value);
      const before = plantsIn(document);
      const known = form.fields.filter(({ key }) => !key.startsWith(unknown));
      const field = known[which % Math.max(known.length, 1)];
      const free = form.free[which % Math.max(form.free.length, 1)];
      if (how % 3 === 0 && free !== undefined) document = withField(document, path, free.key, beginning(free.shape));
      else if (how % 3 === 1 && field !== undefined && typeof field.value !== 'object')
        document = withField(
          document,
          path,
          field.key,
          typeof field.value === 'string' ? `${field.value}!` : field.value,
        );
      else if (field !== undefined && typeof field.value !== 'object')
        document = withField(document, path, field.key, undefined);
      expect(isEqual(Object.fromEntries(plantsIn(document)), Object.fromEntries(before))).to.equal(true);
    }
    expect(plantsIn(document).size).to.equal(count.made);
  });

  it('the configuration form lets the user edit unknown keys', () => {
    const reader = new SchemaReader(schema);
    const value: Json = { handler: 'static_response', body: 'x', 'x-unknown': [1] };
    const document: Json = { apps: { http: { servers: { s: { routes: [{ handle: [value] }] } } } } };
    const path = ['apps', 'http', 'servers', 's', 'routes', 0, 'handle', 0];
    const form = formOf(reader, reader.shape(reader.at(document, path) ?? {}, value), value);
    expect(form.fields.map(({ key, shape }) => [key, shape?.kind ?? null])).to.deep.equal([
      ['handler', 'choice'],
      ['body', 'text'],
      ['x-unknown', null],
    ]);
    expect(form.free.map(({ key }) => key)).to.include.members(['status_code', 'headers', 'close', 'abort']);
  });

  it('the configuration form has a field for every handler option in the schema', () => {
    const reader = new SchemaReader(schema);
    const handlers = own(own(schema['$defs'], 'http.handlers-handler'), 'properties');
    const names = own(own(handlers, 'handler'), 'enum') as readonly string[];
    expect(names.length).to.be.above(20);
    for (const handler of names) {
      const document: Json = { apps: { http: { servers: { s: { routes: [{ handle: [{ handler }] }] } } } } };
      const path = ['apps', 'http', 'servers', 's', 'routes', 0, 'handle', 0];
      const shape = reader.shape(reader.at(document, path) ?? {}, { handler });
      expect([handler, shape.description]).to.not.deep.equal([handler, '']);
    }
  });
});
