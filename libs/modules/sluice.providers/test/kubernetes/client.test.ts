import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { KubeClient } from '../../src/kubernetes/api/client.ts';
import { Election } from '../../src/kubernetes/api/lease.ts';
import { Reflector } from '../../src/kubernetes/api/reflector.ts';
import { StatusWriter } from '../../src/kubernetes/api/status-writer.ts';
import { slim } from '../../src/kubernetes/objects.ts';
import { FakeApiServer, paths } from './fake-api-server.ts';
import { until } from './until.ts';

describe('Kubernetes client', () => {
  let api: FakeApiServer;
  let client: KubeClient;
  let stop: AbortController;

  beforeEach(async () => {
    api = new FakeApiServer();
    stop = new AbortController();
    client = new KubeClient({ server: await api.listen(), namespace: 'web', tls: {}, token: () => 'secret' });
  });

  afterEach(async () => {
    stop.abort();
    client.close();
    await api.close();
  });

  const reflect = (): { reflector: Reflector<ReturnType<typeof slim>>; events: string[]; errors: unknown[] } => {
    const events: string[] = [];
    const errors: unknown[] = [];
    const reflector = new Reflector(client, {
      path: paths.services,
      keep: slim,
      onChange: (key, object) => events.push(`${object === null ? '-' : '+'}${key}`),
      onState: (error) => errors.push(error),
    });
    return { reflector, events, errors };
  };
  const put = (name: string): unknown => api.put(paths.services, { metadata: { name, namespace: 'web' } });

  it('KubeClient lists objects page by page', async () => {
    for (let i = 0; i < 1200; i++) put(`s${i}`);
    const names: string[] = [];
    await client.list(paths.services, ({ metadata }) => names.push(metadata.name), stop.signal);
    expect(new Set(names).size).to.equal(1200);
    expect(api.requests.length).to.equal(3);
  });

  it('KubeClient reports the message of an error response', async () => {
    const error = await client.json('GET', '/apis/none', stop.signal).catch((reason: unknown) => reason as Error);
    expect(error).to.match(/GET \/apis\/none: 404 the server could not find the resource/);
  });

  it('Reflector reports additions and deletions of objects', async () => {
    put('a');
    const { reflector, events } = reflect();
    await reflector.start(stop.signal);
    put('b');
    api.remove(paths.services, 'web/a');
    await until(() => events.length === 3);
    expect(events).to.deep.equal(['+web/a', '+web/b', '-web/a']);
  });

  it('Reflector resumes a broken watch without listing objects again', async () => {
    const { reflector, events } = reflect();
    await reflector.start(stop.signal);
    await until(() => api.watchCount === 1);
    put('a');
    await until(() => events.length === 1);
    api.endWatches();
    put('b');
    await until(() => events.length === 2);
    expect(api.requests.filter((each) => each.includes('limit=')).length).to.equal(1);
    expect(events).to.deep.equal(['+web/a', '+web/b']);
  });

  it('Reflector lists objects again after status 410, and detects deletions', async () => {
    put('a');
    const { reflector, events } = reflect();
    await reflector.start(stop.signal);
    await until(() => api.watchCount === 1);
    api.fail = () => 503;
    api.endWatches();
    api.remove(paths.services, 'web/a');
    put('b');
    api.compact();
    api.fail = () => null;
    await until(() => events.includes('+web/b'));
    expect(events.toSorted()).to.deep.equal(['+web/a', '+web/b', '-web/a']);
    expect(api.requests.filter((each) => each.includes('limit=')).length).to.equal(2);
  });

  it('Reflector resets its retry delay after a watch has been open for a while', async () => {
    const { reflector, errors } = reflect();
    await reflector.start(stop.signal);
    await until(() => api.watchCount === 1);
    api.fail = () => 503;
    api.endWatches();
    await until(() => errors.length > 3);
    api.fail = () => null;
    await until(() => api.watchCount === 1, 4_000);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    api.endWatches();
    await until(() => api.watchCount === 0);
    await until(() => api.watchCount === 1, 500);
  }).timeout(10_000);

  it('Reflector resumes from the version of a bookmark', async () => {
    const { reflector } = reflect();
    await reflector.start(stop.signal);
    await until(() => api.watchCount === 1);
    api.put(paths.slices, { metadata: { name: 'x', namespace: 'web' } });
    api.sendBookmarks();
    await new Promise((resolve) => setTimeout(resolve, 20));
    api.endWatches();
    await until(() => api.watchCount === 1);
    const watches = api.requests.filter((each) => each.includes('watch=1'));
    expect(watches.map((each) => each.split('resourceVersion=')[1])).to.deep.equal(['100', '101']);
  });

  it('Reflector reports when the API server becomes unavailable and when it becomes available again', async () => {
    const { reflector, errors } = reflect();
    await reflector.start(stop.signal);
    await until(() => api.watchCount === 1);
    api.fail = () => 500;
    api.endWatches();
    await until(() => errors.some((each) => each !== null));
    api.fail = () => null;
    await until(() => errors.at(-1) === null && api.watchCount === 1);
  });

  it('StatusWriter retries failed patches, and limits the number of patches in flight', async () => {
    const writer = new StatusWriter(client, silentLogger, () => true, stop.signal);
    for (let i = 0; i < 40; i++) api.put(paths.routes, { metadata: { name: `r${i}`, namespace: 'web' } });
    let failures = 0;
    api.fail = (method) => (method === 'PATCH' && failures++ < 5 ? 503 : null);
    for (let i = 0; i < 40; i++)
      writer.write(`/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/r${i}/status`, () => ({
        status: { written: i },
      }));
    const written = (): number =>
      [...(api.collections.get(paths.routes)?.values() ?? [])].filter((each) => each['status'] !== undefined).length;
    await until(() => written() === 40);
    expect(api.maxInFlight).to.be.at.most(8);
  });

  it('StatusWriter writes the status of an object after many failures, and writes other objects in the meantime', async () => {
    const writer = new StatusWriter(client, silentLogger, () => true, stop.signal);
    const path = (name: string): string =>
      `/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/${name}/status`;
    const names = Array.from({ length: 10 }, (_, i) => `r${i}`);
    for (const name of [...names, 'other']) api.put(paths.routes, { metadata: { name, namespace: 'web' } });
    let isFailing = true;
    api.fail = (method, requested) => (method === 'PATCH' && !requested.includes('other') && isFailing ? 503 : null);
    for (const name of names) writer.write(path(name), () => ({ status: { name } }));
    writer.write(path('other'), () => ({ status: { name: 'other' } }));
    const isWritten = (name: string): boolean => api.get(paths.routes, `web/${name}`)?.['status'] !== undefined;
    await until(() => isWritten('other'));
    isFailing = false;
    await until(() => names.every(isWritten));
  });

  for (const status of [401, 403, 404])
    it(`StatusWriter retries after a starting API server has responded with ${status}`, async () => {
      const writer = new StatusWriter(client, silentLogger, () => true, stop.signal);
      api.put(paths.routes, { metadata: { name: 'r', namespace: 'web' } });
      let failures = 0;
      api.fail = (method) => (method === 'PATCH' && failures++ < 2 ? status : null);
      writer.write('/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/r/status', () => ({ status: {} }));
      await until(() => api.get(paths.routes, 'web/r')?.['status'] !== undefined);
    });

  it('StatusWriter does not repeat an invalid patch', async () => {
    const writer = new StatusWriter(client, silentLogger, () => true, stop.signal);
    api.put(paths.routes, { metadata: { name: 'r', namespace: 'web' } });
    api.fail = (method) => (method === 'PATCH' ? 422 : null);
    writer.write('/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/r/status', () => ({ status: {} }));
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(api.requests.length).to.equal(1);
  });

  it('StatusWriter discards patches after another replica has become the leader', async () => {
    let isLeader = true;
    const writer = new StatusWriter(client, silentLogger, () => isLeader, stop.signal);
    api.put(paths.routes, { metadata: { name: 'r', namespace: 'web' } });
    const path = '/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/r/status';
    let asked = 0;
    api.fail = (method) => (method === 'PATCH' ? 503 : null);
    writer.write(path, () => ({ status: { asked: ++asked } }));
    await until(() => api.requests.length === 1);
    isLeader = false;
    api.fail = () => null;
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(asked).to.equal(1);
  });

  it('StatusWriter sends only the latest patch of an object', async () => {
    const writer = new StatusWriter(client, silentLogger, () => true, stop.signal);
    api.put(paths.routes, { metadata: { name: 'r', namespace: 'web' } });
    const path = '/apis/gateway.networking.k8s.io/v1/namespaces/web/httproutes/r/status';
    for (let i = 0; i < 20; i++) writer.write(path, () => ({ status: { i } }));
    await until(() => (api.get(paths.routes, 'web/r')?.['status'] as { i?: number } | undefined)?.i === 19);
    expect(api.requests.filter((each) => each.startsWith('PATCH')).length).to.be.at.most(2);
  });

  it('Election elects one leader, and elects another replica after the leader stops', async () => {
    const options = { namespace: 'web', name: 'lease' };
    const leaders: string[] = [];
    const elect = (identity: string): { election: Election; stop: AbortController; done: Promise<void> } => {
      const own = new AbortController();
      const election = new Election(client, { ...options, identity }, silentLogger);
      return { election, stop: own, done: election.run(() => leaders.push(identity), own.signal, 20) };
    };
    const one = elect('one');
    await until(() => one.election.isLeader);
    const two = elect('two');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([one.election.isLeader, two.election.isLeader]).to.deep.equal([true, false]);
    one.stop.abort();
    await one.done;
    await until(() => two.election.isLeader);
    expect(leaders).to.deep.equal(['one', 'two']);
    two.stop.abort();
    await two.done;
  });

  it('Election elects a leader again if the lease expires during its renewal', async () => {
    const election = new Election(
      client,
      { namespace: 'web', name: 'lease', identity: 'one', seconds: 1 },
      silentLogger,
    );
    const json = client.json.bind(client);
    let isSlow = false;
    client.json = async (...request) => {
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 750));
      isSlow = false;
      return json(...request);
    };
    let count = 0;
    const running = election.run(() => count++, stop.signal, 20);
    await until(() => count === 1);
    isSlow = true;
    await until(() => !election.isLeader);
    await until(() => election.isLeader);
    expect(count).to.equal(2);
    stop.abort();
    await running;
  });
});
