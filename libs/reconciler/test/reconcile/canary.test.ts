import { expect } from 'chai';
import {
  apps,
  defineModule,
  namespace,
  options,
  Registry,
  string,
  inlineModules,
  type CanaryTraffic,
} from '@sluice/registry';
import { createLogger, type Json } from '@sluice/base';
import { Reconciler, Runtime, noThreads, epochsToken, type Canary } from '@sluice/reconciler';

interface Part {
  readonly name: string;
}

const parts = namespace<Part>('test.parts');

/** Creates a server whose `http` app records the events of its parts. */
function setUp() {
  const events: string[] = [];
  const problems: string[] = [];
  const log = createLogger({ enabled: () => true, write: ({ message }) => void problems.push(message) });
  const registry = new Registry();
  registry.add(
    defineModule(parts, {
      name: 'part',
      help: 'A part.',
      config: options({ value: string('Its name.') }),
      provision(config, context) {
        const name = config.value ?? '';
        if (name === 'bad' || (name === 'bad canary' && context.isCanary)) throw context.error('refused');
        events.push(`+${name}`);
        context.onCommit(() => void events.push(`commit ${name}`));
        context.onTakeOver(() => void events.push(`take over ${name}`));
        context.onCanary((traffic: CanaryTraffic) => {
          events.push(`canary ${name} ${traffic.share}`);
          return () => void events.push(`end ${name} ${traffic.share}`);
        });
        context.onRetire((reason) => void events.push(`~${name} ${reason}`));
        context.onDispose(() => void events.push(`-${name}`));
        return { name };
      },
    }),
  );
  registry.add(
    defineModule(apps, {
      name: 'http',
      help: 'Parts.',
      config: options({ parts: inlineModules('Parts.', parts, 'part') }),
      async provision(config, context) {
        return context.loadInlineList(parts, (config.parts ?? []) as Json[], 'part', 'parts');
      },
    }),
  );
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log });
  const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log });
  const since = (): string[] => events.splice(0);
  return { reconciler, runtime, since, problems };
}

const withParts = (...values: string[]): Json => ({
  apps: { http: { parts: values.map((value) => ({ part: 'part', value })) } },
});

const settings = { id: 'r', key: { of: 'connection' as const }, share: 0.1 };

function replacing(index: number, value: string, ends: string[] = []): Canary {
  return {
    edit: (document) => {
      const all = (document as { apps: { http: { parts: Json[] } } }).apps.http.parts;
      if (index >= all.length) throw new Error('no such part');
      return { apps: { http: { parts: all.map((part, i) => (i === index ? { part: 'part', value } : part)) } } };
    },
    settings,
    onEnd: (reason) => void ends.push(reason),
  };
}

describe('Reconciler with a canary', () => {
  it('a canary provisions only the difference, and does not replace the active configuration', async () => {
    const { reconciler, since } = setUp();
    await reconciler.load(withParts('a', 'b'));
    since();
    await reconciler.startCanary(replacing(1, 'b2'));
    expect(since()).to.deep.equal(['+b2', 'commit b2', 'canary b2 0.1']);
    expect(reconciler.document).to.deep.equal(withParts('a', 'b'));
    expect(reconciler.revision).to.equal(1);
    await reconciler.close();
  });

  it('a canary that ends is withdrawn, and is disposed of after its requests complete', async () => {
    const { reconciler, runtime, since } = setUp();
    await reconciler.load(withParts('a', 'b'));
    await reconciler.startCanary(replacing(1, 'b2'));
    const epoch = runtime.epochs.current;
    epoch.enter();
    since();
    await reconciler.shareCanary('r', 0.5);
    await reconciler.endCanary('r');
    await runtime.settled();
    expect(since()).to.deep.equal(['end b2 0.5', '~b2 withdrawn']);
    epoch.leave();
    await runtime.settled();
    expect(since()).to.deep.equal(['-b2']);
    expect(runtime.service(epochsToken)).to.equal(runtime.epochs);
    await reconciler.close();
    expect(since()).to.have.members(['~a replaced', '~b replaced', '-a', '-b']);
  });

  it('another change replaces the canary with a new canary that is based on the new document and shares its components', async () => {
    const { reconciler, runtime, since } = setUp();
    await reconciler.load(withParts('a', 'b'));
    await reconciler.startCanary(replacing(1, 'b2'));
    await reconciler.shareCanary('r', 0.5);
    since();
    await reconciler.load(withParts('a2', 'b'));
    await runtime.settled();
    expect(since()).to.deep.equal([
      '+a2',
      '+b2',
      'end b2 0.5',
      'commit a2',
      'take over a2',
      'commit b2',
      'canary b2 0.5',
      '~b2 withdrawn',
      '~a replaced',
      '-b2',
      '-a',
    ]);
    await reconciler.endCanary('r');
    await runtime.settled();
    expect(since()).to.deep.equal(['end b2 0.5', '~b2 withdrawn', '-b2']);
    await reconciler.close();
  });

  it('a component removed by a change remains until the canary requests that use it have completed', async () => {
    const { reconciler, runtime, since } = setUp();
    await reconciler.load(withParts('a', 'b'));
    await reconciler.startCanary(replacing(1, 'b2'));
    const epoch = runtime.epochs.current;
    epoch.enter();
    await reconciler.load(withParts('a2', 'b'));
    await runtime.settled();
    expect(since().filter((event) => event.startsWith('-'))).to.deep.equal([]);
    epoch.leave();
    await runtime.settled();
    expect(since()).to.deep.equal(['-b2', '-a']);
    await reconciler.close();
  });

  for (const [title, document, edit, reason] of [
    ['no longer applies', withParts('a'), replacing(1, 'b2'), 'no such part'],
    ['is already made', withParts('a', 'b2'), replacing(1, 'b2'), 'does not affect requests'],
  ] as const)
    it(`a change ends the canary if its edit ${title}`, async () => {
      const { reconciler, since } = setUp();
      const ends: string[] = [];
      await reconciler.load(withParts('a', 'b'));
      await reconciler.startCanary({ ...edit, onEnd: (why) => void ends.push(why) });
      since();
      await reconciler.load(document);
      expect(since()).to.include('end b2 0.1');
      expect(reconciler.document).to.deep.equal(document);
      expect(ends).to.have.length(1);
      expect(ends[0]).to.include(reason);
      await reconciler.close();
    });

  it('a change ends the canary and is applied if the canary cannot be provisioned with the change', async () => {
    const { reconciler, since } = setUp();
    const ends: string[] = [];
    await reconciler.load(withParts('a', 'b'));
    let value = 'b2';
    const canary = replacing(1, '', ends);
    const edit = (document: Json): Json => replacing(1, value).edit(document);
    await reconciler.startCanary({ ...canary, edit });
    value = 'bad canary';
    since();
    await reconciler.load(withParts('a2', 'b'));
    expect(ends).to.have.length(1);
    expect(ends[0]).to.include('refused');
    expect(reconciler.document).to.deep.equal(withParts('a2', 'b'));
    await reconciler.close();
  });

  it('a rejected change leaves the canary unchanged', async () => {
    const { reconciler, since } = setUp();
    const ends: string[] = [];
    await reconciler.load(withParts('a', 'b'));
    await reconciler.startCanary(replacing(1, 'b2', ends));
    since();
    let message = '';
    await reconciler.load(withParts('bad', 'b')).catch((error: Error) => (message = error.message));
    expect(message).to.include('refused');
    expect(since().filter((event) => event.startsWith('end'))).to.deep.equal([]);
    await reconciler.shareCanary('r', 1);
    await reconciler.endCanary('r');
    expect(since()).to.include('end b2 1');
    expect(ends).to.deep.equal([]);
    await reconciler.close();
  });

  it('applying the change of a canary replaces the active configuration in one step', async () => {
    const { reconciler, runtime, since } = setUp();
    await reconciler.load(withParts('a', 'b'));
    const canary = replacing(1, 'b2');
    await reconciler.startCanary(canary);
    since();
    await reconciler.change(canary.edit, { endsCanary: true });
    await runtime.settled();
    const events = since();
    expect(events).to.include.members(['end b2 0.1', 'take over b2', '~b2 withdrawn', '~b replaced', '-b2', '-b']);
    expect(events.indexOf('end b2 0.1')).to.be.lessThan(events.indexOf('take over b2'));
    await reconciler.startCanary(replacing(0, 'a2'));
    await reconciler.close();
  });

  it('a canary cannot start if it would not affect requests, or while another canary is active', async () => {
    const { reconciler } = setUp();
    await reconciler.load(withParts('a', 'b'));
    const failure = async (canary: Canary): Promise<unknown> => reconciler.startCanary(canary).catch((error) => error);
    expect(
      await failure({ ...replacing(0, ''), edit: (document) => ({ ...(document as object), '@id': 'x' }) }),
    ).to.include({
      code: 'ERR_ROLLOUT',
      status: 409,
    });
    await reconciler.startCanary(replacing(0, 'a2'));
    expect(await failure(replacing(1, 'b2'))).to.include({ code: 'ERR_ROLLOUT', status: 409 });
    await reconciler.close();
  });
});
