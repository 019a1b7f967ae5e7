import { expect } from 'chai';
import { IngressIndex } from '../../../src/kubernetes/ingress/index-of-ingresses.ts';
import type { Ingress } from '../../../src/kubernetes/ingress/objects.ts';
import { ingress, type IngressOptions } from './objects.ts';

describe('IngressIndex', () => {
  const set = (
    index: IngressIndex,
    name: string,
    options: IngressOptions = {},
  ): { targets: string[]; hosts: string[] } => {
    const { targets, hosts } = index.set(`web/${name}`, ingress(name, options) as unknown as Ingress);
    return { targets: [...targets], hosts: [...hosts] };
  };

  it('IngressIndex.set reports a host only when the first Ingress of the host is added or its last Ingress is removed', () => {
    const index = new IngressIndex('nginx.ingress.kubernetes.io');
    expect(set(index, 'one', { paths: [{ path: '/1' }] })).to.deep.equal({
      targets: ['claim/a.test ^/1', 'host/a.test'],
      hosts: ['a.test'],
    });
    expect(set(index, 'two', { paths: [{ path: '/2' }] })).to.deep.equal({ targets: ['claim/a.test ^/2'], hosts: [] });
    expect([...index.set('web/one', null).hosts]).to.deep.equal([]);
    expect([...index.set('web/two', null).hosts]).to.deep.equal(['a.test']);
  });

  it('IngressIndex.set reports the hosts of TLS entries and host annotations', () => {
    const index = new IngressIndex('nginx.ingress.kubernetes.io');
    set(index, 'one');
    expect(set(index, 'two', { spec: { tls: [{ hosts: ['a.test'], secretName: 's' }] } }).hosts).to.deep.equal([
      'a.test',
    ]);
    expect(set(index, 'two', { annotations: { 'from-to-www-redirect': 'true' } }).hosts).to.deep.equal(['a.test']);
    expect(set(index, 'two').hosts).to.deep.equal(['a.test']);
    expect(set(index, 'two', { annotations: { 'proxy-read-timeout': '7' } }).hosts).to.deep.equal([]);
  });

  it('IngressIndex.set reports all paths of a host as affected when the host gets its first regular expression', () => {
    const index = new IngressIndex('nginx.ingress.kubernetes.io');
    set(index, 'one');
    expect(index.usesExpressions('a.test')).to.equal(false);
    expect(set(index, 'two', { annotations: { 'use-regex': 'true' } }).targets).to.include('host/a.test');
    expect(index.usesExpressions('a.test')).to.equal(true);
    expect(set(index, 'three', { annotations: { 'use-regex': 'true' } }).targets).not.to.include('host/a.test');
  });
});
