/** Tests Gateways and Ingresses that share a port. */
import { expect } from 'chai';
import { serve } from '@sluice/testing';
import { ChunkedList, compareText, type JsonObject } from '@sluice/base';
import { mergeFragments } from '@sluice/providers-app';
import type { Fragment } from '@sluice/providers-app/contract';
import { register as handlers } from '@sluice/http.handlers';
import { register as matchers } from '@sluice/http.matchers';
import { register as proxy } from '@sluice/http.reverse_proxy';
import { translateManifests } from '../../src/kubernetes/ingress/convert/offline.ts';
import { defaultSettings, type IngressSettings } from '../../src/kubernetes/ingress/settings.ts';
import type { FakeObject } from './fake-api-server.ts';
import { ingress } from './ingress/objects.ts';
import { Upstream } from './ingress/upstream.ts';
import { backend, gateway, httpListener, pathMatch, route } from './objects.ts';
import { translate } from './translate.ts';

describe('Gateways and Ingresses on one port', () => {
  let one: Upstream;
  let two: Upstream;

  before(async () => {
    one = await new Upstream('one').listen();
    two = await new Upstream('two').listen();
  });

  after(async () => {
    await one.close();
    await two.close();
  });

  const gateways = (listeners: readonly object[]): ReadonlyMap<string, Fragment> =>
    translate({
      gateways: [gateway('gateway', listeners)],
      routes: [route('one', [{ matches: [pathMatch('/gateway')], backendRefs: [backend('one')] }])],
      ...one.objects,
    }).fragments;
  const ingresses = async (
    objects: readonly FakeObject[],
    settings: Partial<IngressSettings> = {},
  ): Promise<ReadonlyMap<string, Fragment>> => {
    const manifests = { classes: [], ingresses: objects as never, secrets: [], configMaps: [] };
    const { fragments } = await translateManifests(
      { ...manifests, services: two.objects.services as never, slices: two.objects.slices },
      {
        settings: { ...defaultSettings, ...settings },
        controllerName: null,
        adaptNginx: () => Promise.reject(new Error('not used')),
      },
    );
    return new Map(fragments);
  };
  const merged = (...providers: readonly ReadonlyMap<string, Fragment>[]): JsonObject => {
    const sets = providers.map((fragments, i) => ({
      provider: `p${i}`,
      fragments: ChunkedList.of([...fragments].sort(([a, x], [b, y]) => compareText(x.rank ?? a, y.rank ?? b))),
    }));
    return mergeFragments({}, sets).document;
  };
  /** Returns the Services that respond to requests for `HOST/PATH`, or the response status. */
  const responses = async (document: JsonObject, targets: readonly string[]): Promise<readonly string[]> => {
    const { http } = document['apps'] as { http: { servers: Record<string, JsonObject> } };
    const [name = '', ...others] = Object.keys(http.servers).filter((each) => http.servers[each]?.['listen'] as never);
    expect(others.filter((each) => !each.includes('https'))).to.deep.equal([]);
    const { listen: _listen, ...server } = http.servers[name] ?? {};
    const config = { apps: { http: { servers: { [name]: server } } } };
    const running = await serve(config, { register: [handlers, matchers, proxy] });
    try {
      const found: string[] = [];
      for (const target of targets) {
        const [host = '', path = ''] = target.split('/');
        const { status, text } = await running.request({ path: `/${path}`, host, server: name });
        found.push(status === 200 ? (JSON.parse(text) as { readonly name: string }).name : String(status));
      }
      return found;
    } finally {
      await running.close();
    }
  };
  const targets = ['g.test/gateway', 'i.test/ingress', 'i.test/other', 'other.test/'];

  for (const [order, isReversed] of [
    ['Gateways first', false],
    ['Ingresses first', true],
  ] as const)
    it(`Gateways and Ingresses on one port are both served, and unmatched requests get a 404, with ${order}`, async () => {
      const paths = [{ path: '/ingress', service: 'two' }];
      const all = [gateways([httpListener('http')]), await ingresses([ingress('two', { host: 'i.test', paths })])];
      const document = merged(...(isReversed ? all.toReversed() : all));
      expect(await responses(document, targets)).to.deep.equal(['one', 'two', '404', '404']);
    });

  it('Gateways and Ingresses on one port send unmatched requests to the default backend of Ingresses', async () => {
    const document = merged(
      gateways([httpListener('http'), httpListener('named', { hostname: 'named.test' })]),
      await ingresses([], { defaultBackend: 'web/two' }),
    );
    const found = await responses(document, ['g.test/gateway', 'g.test/', 'named.test/']);
    expect(found).to.deep.equal(['one', 'two', '404']);
  });

  it('an Ingress with a default backend and no rules does not hide a Gateway', async () => {
    const defaultBackend = { service: { name: 'two', port: { number: 80 } } };
    const other = { ...ingress('default'), spec: { ingressClassName: 'sluice', defaultBackend } };
    const document = merged(await ingresses([other]), gateways([httpListener('http')]));
    expect(await responses(document, ['g.test/gateway', 'g.test/'])).to.deep.equal(['one', 'two']);
  });
});
