import { expect } from 'chai';
import { asHttpRoute } from '../../src/kubernetes/gateway/grpc-route.ts';
import type { GrpcMatch } from '../../src/kubernetes/objects.ts';

describe('conversion of GRPCRoutes to HTTPRoutes', () => {
  const pathFor = (method: GrpcMatch['method'] & object): object | undefined =>
    asHttpRoute({ metadata: { name: 'r' }, spec: { rules: [{ matches: [{ method }] }] } }).spec.rules?.[0]?.matches?.[0]
      ?.path;

  for (const [title, method, path] of [
    ['service and method', { service: 'a.B', method: 'C' }, { type: 'Exact', value: '/a.B/C' }],
    ['service', { service: 'a.B' }, { type: 'PathPrefix', value: '/a.B' }],
    ['method', { method: 'C.' }, { type: 'RegularExpression', value: String.raw`/[^/]+/C\.` }],
    [
      'regular expression for a service',
      { type: 'RegularExpression', service: 'a|b' },
      { type: 'RegularExpression', value: '/(?:a|b)/(?:[^/]+)' },
    ],
  ] as const)
    it(`httpRouteOf converts a match by ${title} to a path match`, () => {
      expect(pathFor(method)).to.deep.equal(path);
    });

  it('httpRouteOf converts a rule without matches to a rule that matches all requests, and keeps its name and backends', () => {
    const rule = { name: 'all', backendRefs: [{ name: 'app', port: 80 }] };
    const { spec } = asHttpRoute({ metadata: { name: 'r' }, spec: { hostnames: ['a.test'], rules: [rule] } });
    expect(spec).to.deep.equal({ hostnames: ['a.test'], rules: [{ ...rule, matches: [{}] }] });
  });
});
