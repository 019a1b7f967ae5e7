import { expect } from 'chai';
import {
  appToken,
  apps,
  defineModule,
  inlineModules,
  list,
  namespace,
  options,
  Registry,
  ResourcePool,
  string,
  token,
  type Context,
} from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, withKey, type Json, type JsonArray, type JsonObject } from '@sluice/base';

interface Part {
  readonly label: string;
}

const parts = namespace<Part>('test.parts');
const color = token<string>('color');
const paint = appToken<{ color: string }>('paint');

/** Recorded module events: `+a` for provisioned, `!a` for committed, `~a` for retired, and `-a` for disposed of. */
let events: string[] = [];

function track(label: string, context: Context): void {
  events.push(`+${label}`);
  context.onCommit(() => events.push(`!${label}`));
  context.onRetire(() => events.push(`~${label}`));
  context.onDispose(() => void events.push(`-${label}`));
}

const partOptions = options({
  label: string('Its name.'),
  mode: string('How it behaves.'),
  parts: list('Inner parts.', options({ label: string('Its name.') })),
});

const part = defineModule(parts, {
  name: 'part',
  help: 'A part.',
  config: partOptions,
  provision(config, context) {
    const label = config.label ?? '';
    if (config.mode === 'fail') throw new Error('refused');
    if (config.mode === 'painted') track(`${label}:${context.use(color)}`, context);
    else track(label, context);
    if (config.mode === 'late') throw new Error('failed after it acquired');
    return { label };
  },
});

async function element(node: JsonObject, context: Context): Promise<Part> {
  const label = String(node['label']);
  track(label, context);
  if (label === 'broken') throw new Error('refused');
  return { label };
}

interface Box {
  readonly parts: readonly Part[];
  readonly items: readonly Part[];
}

const box = appToken<Box>('box');
const boxModule = defineModule(apps, {
  name: 'box',
  help: 'Hosts parts.',
  config: options({
    color: string('For painted parts.'),
    paint: string('If set, the paint app is asked.'),
    parts: inlineModules('Parts.', parts, 'kind'),
    items: list('Plain items.', options({ label: string('Its name.') }, {})),
  }),
  async provision(config, context): Promise<Box> {
    track('box', context);
    if (config.color) context.provide(color, config.color);
    if (config.paint) context.provide(color, (await context.app(paint)).color);
    const loaded = await context.loadInlineList(parts, (config.parts ?? []) as JsonArray, 'kind', 'parts');
    const items = await context.list((config.items ?? []) as JsonArray, element, 'items');
    return { parts: loaded, items: items.items.toArray() };
  },
});

const paintModule = defineModule(apps, {
  name: 'paint',
  help: 'Has a color.',
  config: options({ color: string('The color.') }),
  provision: (config, context) => {
    track('paint', context);
    return { color: config.color ?? 'none' };
  },
});

const circleA = appToken<object>('circle_a');
const circleB = appToken<object>('circle_b');

function makeRuntime(): Runtime {
  const registry = new Registry().add(part).add(boxModule).add(paintModule);
  registry.add(
    defineModule(apps, {
      name: 'circle_a',
      help: 'Needs b.',
      config: options({}),
      provision: (_, context) => context.app(circleB),
    }),
  );
  registry.add(
    defineModule(apps, {
      name: 'circle_b',
      help: 'Needs a.',
      config: options({}),
      provision: (_, context) => context.app(circleA),
    }),
  );
  registry.add(
    defineModule(apps, {
      name: 'asker',
      help: 'Asks for paint if there is any.',
      config: options({}),
      provision: async (_, context) => {
        track('asker', context);
        return { paint: await context.appIfConfigured(paint) };
      },
    }),
  );
  registry.add(defineModule(apps, { name: 'idle', help: 'Does nothing.', config: options({}), provision: () => ({}) }));
  return new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
}

const boxOf = (content: JsonObject): Json => ({ apps: { box: content } });
const painted = (label: string): JsonObject => ({ kind: 'part', label, mode: 'painted' });
const plain = (label: string): JsonObject => ({ kind: 'part', label });

async function apply(runtime: Runtime, config: Json): Promise<string[]> {
  events = [];
  runtime.commit(await runtime.prepare(config));
  await runtime.settled();
  return events;
}

describe('Runtime', () => {
  let runtime: Runtime;

  beforeEach(() => {
    runtime = makeRuntime();
    events = [];
  });

  afterEach(async () => {
    await runtime.close();
  });

  it('Runtime provisions and commits modules, and disposes of them in reverse order', async () => {
    expect(await apply(runtime, boxOf({ parts: [plain('a'), plain('b')], items: [{ label: 'i' }] }))).to.deep.equal([
      '+box',
      '+a',
      '+b',
      '+i',
      '!box',
      '!a',
      '!b',
      '!i',
    ]);
    events = [];
    await runtime.close();
    expect(events.filter((event) => event.startsWith('-'))).to.deep.equal(['-i', '-b', '-a', '-box']);
  });

  it('Runtime keeps a module with an identical node and recreates its changed sibling', async () => {
    const a = plain('a');
    await apply(runtime, boxOf({ parts: [a, plain('b')] }));
    const before = runtime.app(box)?.parts[0];
    expect(await apply(runtime, boxOf({ parts: [a, plain('c')] }))).to.deep.equal([
      '+box',
      '+c',
      '!box',
      '!c',
      '~b',
      '~box',
      '-b',
      '-box',
    ]);
    expect(runtime.app(box)?.parts[0]).to.equal(before);
  });

  it('Runtime keeps an app that a change does not affect', async () => {
    const content = { items: [{ label: 'i' }] };
    await apply(runtime, { apps: { box: content, paint: { color: 'red' } } });
    expect(await apply(runtime, { apps: { box: content, paint: { color: 'blue' } } })).to.deep.equal([
      '+paint',
      '!paint',
      '~paint',
      '-paint',
    ]);
  });

  it('Runtime keeps list elements when other elements are inserted, removed or moved', async () => {
    const items = ['a', 'b', 'c', 'd'].map((label): JsonObject => ({ label }));
    await apply(runtime, boxOf({ items }));
    const [a, b, c, d] = items as [JsonObject, JsonObject, JsonObject, JsonObject];
    const only = (list: string[]): string[] => list.filter((event) => !event.includes('box'));
    expect(only(await apply(runtime, boxOf({ items: [a, { label: 'x' }, b, c, d] })))).to.deep.equal(['+x', '!x']);
    expect(only(await apply(runtime, boxOf({ items: [a, b, c, d] })))).to.deep.equal(['~x', '-x']);
    expect(only(await apply(runtime, boxOf({ items: [d, a, b] })))).to.deep.equal(['~c', '-c']);
    expect(runtime.app(box)?.items.map((item) => item.label)).to.deep.equal(['d', 'a', 'b']);
    expect(only(await apply(runtime, boxOf({})))).to.deep.equal(['~d', '~a', '~b', '-b', '-a', '-d']);
  });

  it('Runtime provisions the same node twice at two list positions', async () => {
    const same: JsonObject = { label: 'same' };
    expect(await apply(runtime, boxOf({ items: [same, same] }))).to.include.members(['+same']);
    const [first, second] = runtime.app(box)?.items ?? [];
    expect(first).to.not.equal(second);
  });

  it('Runtime recreates only modules that use a changed value of an enclosing module', async () => {
    const content = { parts: [painted('p'), plain('q')] };
    await apply(runtime, boxOf({ ...content, color: 'red' }));
    expect(
      (await apply(runtime, boxOf({ ...content, color: 'blue' }))).filter((event) => event.startsWith('+')),
    ).to.deep.equal(['+box', '+p:blue']);
    expect(
      (await apply(runtime, boxOf({ ...content, color: 'blue', items: [] }))).filter((event) => event.startsWith('+')),
    ).to.deep.equal(['+box']);
  });

  it('Runtime recreates an app if one of its dependencies changed', async () => {
    const content = { paint: 'yes', parts: [painted('p')] };
    await apply(runtime, { apps: { box: content, paint: { color: 'red' } } });
    const again = await apply(runtime, { apps: { box: content, paint: { color: 'blue' } } });
    expect(again.filter((event) => event.startsWith('+'))).to.have.members(['+paint', '+box', '+p:blue']);
  });

  it('Runtime provisions an app on demand, and drops the app when no module uses it anymore', async () => {
    expect(await apply(runtime, boxOf({ paint: 'yes', parts: [painted('p')] }))).to.include.members([
      '+paint',
      '+p:none',
    ]);
    expect(await apply(runtime, boxOf({}))).to.include('-paint');
  });

  it('Runtime keeps both an app and the app that was created on demand for it', async () => {
    const content = { paint: 'yes', parts: [painted('p')] };
    await apply(runtime, boxOf(content));
    const [before, itsPaint] = [runtime.app(box), runtime.app(paint)];
    expect(await apply(runtime, { apps: { box: content, idle: {} } })).to.deep.equal([]);
    expect([runtime.app(box), runtime.app(paint)]).to.deep.equal([before, itsPaint]);
    expect(runtime.app(paint)).to.equal(itsPaint).and.not.equal(null);
  });

  it('Runtime keeps an app that depends on a missing app, and recreates it when the missing app is added', async () => {
    const content = {};
    await apply(runtime, { apps: { asker: content } });
    expect(await apply(runtime, { apps: { asker: content, idle: {} } })).to.deep.equal([]);
    expect(runtime.app(paint)).to.equal(null);
    const made = await apply(runtime, { apps: { asker: content, paint: {} } });
    expect(made.filter((event) => event.startsWith('+'))).to.have.members(['+asker', '+paint']);
  });

  it('Runtime rejects circular dependencies between apps', async () => {
    const error = await runtime.prepare({ apps: { circle_a: {} } }).then(() => null, String);
    expect(error).to.match(/apps\.circle_[ab].*which also depends on apps\.circle_[ab]/);
  });

  for (const mode of ['fail', 'late']) {
    it(`Runtime releases everything if a part fails (${mode}), and keeps the previous configuration`, async () => {
      const a = plain('a');
      await apply(runtime, boxOf({ parts: [a], items: [{ label: 'i' }] }));
      const before = runtime.app(box);
      events = [];
      const attempt = runtime.prepare(boxOf({ parts: [a, plain('b'), { kind: 'part', label: 'x', mode }], items: [] }));
      const error = (await attempt.then(
        () => null,
        (reason: unknown) => reason,
      )) as Error;
      expect(error.message).to.match(/^apps\.box\.parts\[2\]: /);
      const made = events.filter((event) => event.startsWith('+')).map((event) => event.slice(1));
      const disposed = events.filter((event) => event.startsWith('-')).map((event) => event.slice(1));
      expect(disposed).to.deep.equal(made.toReversed());
      expect(runtime.app(box)).to.equal(before);
    });
  }

  it('Runtime releases a partially created list', async () => {
    await apply(runtime, boxOf({ items: [{ label: 'a' }] }));
    events = [];
    await runtime.prepare(boxOf({ items: [{ label: 'b' }, { label: 'broken' }] })).then(
      () => expect.fail('was applied'),
      () => undefined,
    );
    expect(events).to.deep.equal(['+box', '+b', '+broken', '-broken', '-b', '-box']);
  });

  it('Runtime.abort disposes only of components that the candidate created', async () => {
    const a: JsonObject = { label: 'a' };
    await apply(runtime, boxOf({ items: [a] }));
    events = [];
    await runtime.abort(await runtime.prepare(boxOf({ items: [a, { label: 'b' }] })));
    expect(events).to.deep.equal(['+box', '+b', '-b', '-box']);
    expect(await apply(runtime, boxOf({ items: [a] }))).to.deep.equal(['+box', '!box', '~box', '-box']);
  });

  it('Runtime disposes of a dropped module after the requests of its epoch have completed', async () => {
    await apply(runtime, boxOf({ items: [{ label: 'a' }] }));
    const epoch = runtime.epochs.current;
    epoch.enter();
    expect(await apply(runtime, boxOf({ items: [{ label: 'b' }] })))
      .to.include('~a')
      .and.not.include('-a');
    const later = await apply(runtime, boxOf({ items: [] }));
    expect(later).to.include('-b');
    epoch.leave();
    await runtime.settled();
    expect(events).to.include('-a');
    expect(runtime.retiring).to.equal(0);
  });

  it('Runtime.rehearse reports kept, rebuilt, started and stopped modules, and changes nothing', async () => {
    const a = plain('a');
    await apply(runtime, boxOf({ parts: [a, plain('b')] }));
    const before = runtime.app(box);
    const report = await runtime.rehearse({ apps: { box: { parts: [a, plain('c'), plain('d')] }, paint: {} } });
    const short = (list: readonly { path: string }[]): string[] => list.map((module) => module.path);
    expect(short(report.kept)).to.deep.equal(['apps.box.parts[0]']);
    expect(short(report.rebuilt)).to.deep.equal(['apps.box', 'apps.box.parts[1]']);
    expect(short(report.started)).to.deep.equal(['apps.box.parts[2]', 'apps.paint']);
    expect(report.stopped).to.deep.equal([]);
    expect(runtime.app(box)).to.equal(before);
  });

  it('Runtime.rehearse provisions modules without a role, so nothing is bound or opened', async () => {
    const seen: [control: boolean, traffic: boolean][] = [];
    const registry = new Registry().add(
      defineModule(apps, {
        name: 'open',
        help: 'Looks at its roles.',
        config: options({}),
        provision: (_, { roles }) => {
          seen.push([roles.control, roles.traffic]);
          return {};
        },
      }),
    );
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    await runtime.rehearse({ apps: { open: {} } });
    await apply(runtime, { apps: { open: {} } });
    expect(seen).to.deep.equal([
      [false, false],
      [true, true],
    ]);
  });

  it('Runtime does not treat an @id in the apps object as an app', async () => {
    expect(await apply(makeRuntime(), { apps: { '@id': 'all', paint: {} } })).to.include('+paint');
  });

  const refused: readonly [name: string, config: Json, message: RegExp][] = [
    ['an unknown app', { apps: { nope: {} } }, /^apps\.nope: unknown module: nope; apps are asker, box,/],
    [
      'an unknown module',
      boxOf({ parts: [{ kind: 'nope' }] }),
      /^apps\.box\.parts\[0\]: unknown module: test\.parts\.nope; test\.parts has part/,
    ],
    [
      'a module without a name',
      boxOf({ parts: [{}] }),
      /^apps\.box\.parts\[0\]: module name of test\.parts is missing/,
    ],
    [
      'an unknown key',
      boxOf({ parts: [{ kind: 'part', lable: 'x' }] }),
      /^apps\.box\.parts\[0\]: unknown key "lable" of test\.parts\.part; it has label, mode, parts/,
    ],
    [
      'a value of the wrong type',
      boxOf({ parts: [{ kind: 'part', label: 5 }] }),
      /^apps\.box\.parts\[0\]\.label: must be string, but is a number \(5\)/,
    ],
    ['an unknown top-level key', { app: {} }, /^app: unknown key/],
    ['a document that is not an object', [], /must be an object, not an array/],
    ['an app that is null', { apps: { box: null } }, /^apps\.box: null is not a valid app configuration/],
  ];
  for (const [name, config, message] of refused) {
    it(`Runtime rejects ${name} and reports the path`, async () => {
      const error = (await runtime.prepare(config).then(
        () => null,
        (reason: unknown) => reason,
      )) as Error;
      expect(error?.message).to.match(message);
      expect(error).to.include({ status: 400 });
    });
  }

  it('Runtime accepts null as an absent option, and accepts @id anywhere', async () => {
    await apply(runtime, boxOf(withKey({ parts: [{ kind: 'part', label: null, '@id': 'one' }] }, '@id', 'two')));
    expect(runtime.app(box)?.parts).to.deep.equal([{ label: '' }]);
  });
});

describe('ResourcePool', () => {
  it('ResourcePool shares resources by key, retires a resource when its last active user releases it, and closes the resource when no users remain', async () => {
    const log: string[] = [];
    const pool = new ResourcePool<{ retire(): void; close(): void }>();
    const create = (name: string) => () => ({
      retire: () => void log.push(`retire ${name}`),
      close: () => void log.push(`close ${name}`),
    });
    const one = await pool.acquire('k', create('first'));
    const two = await pool.acquire('k', create('second'));
    expect(two.value).to.equal(one.value);
    one.retire();
    two.retire();
    expect(log).to.deep.equal(['retire first']);
    const three = await pool.acquire('k', create('third'));
    expect(three.value).to.not.equal(one.value);
    await one.release();
    await two.release();
    await two.release();
    expect(log).to.deep.equal(['retire first', 'close first']);
    await three.release();
    expect(log.slice(2)).to.deep.equal(['retire third', 'close third']);
    expect([...pool]).to.deep.equal([]);
  });

  it('ResourcePool forgets a resource that could not be created', async () => {
    const pool = new ResourcePool<{ close(): void }>();
    await pool
      .acquire('k', () => Promise.reject(new Error('taken')))
      .then(
        () => expect.fail('made'),
        (error: unknown) => expect(String(error)).to.include('taken'),
      );
    const lease = await pool.acquire('k', () => ({ close: () => {} }));
    await lease.release();
  });
});
