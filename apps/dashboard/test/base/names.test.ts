import { expect } from 'chai';
import { routeName, titleOf } from '../../src/page/base/names.ts';
import { shop } from '../support/shop.ts';

const demo = ['apps', 'http', 'servers', 'demo'];

describe('names of configuration values in the dashboard', () => {
  it('routeName uses the @id, or else the host and path, or else the index', () => {
    expect(routeName({ '@id': 'shop', match: [{ host: ['a'] }] }, 3)).to.equal('@shop');
    expect(routeName({ match: [{ host: ['a.example.com', 'b.example.com'] }] }, 3)).to.equal('a.example.com (+1)');
    expect(routeName({ match: [{ host: ['a.example.com'], path: ['/cart/*'] }] }, 3)).to.equal('a.example.com/cart/*');
    expect(routeName({ match: [{ path: ['/cart'] }] }, 3)).to.equal('/cart');
    for (const route of [{}, undefined, null, [], 'x', { match: [] }, { match: [{ host: 5 }] }, { match: {} }])
      expect(routeName(route, 3)).to.equal('routes[3]');
  });

  it('titleOf names routes at any depth', () => {
    const inner = [...demo, 'routes', 2, 'handle', 0, 'routes', 0, 'handle', 1, 'root'];
    expect(titleOf(shop, inner)).to.equal('demo › @blog › handle[0] › routes[0] › handle[1].root');
    expect(titleOf(shop, [...demo, 'routes', 3, 'handle', 0])).to.equal('demo › old.example.com › handle[0]');
    expect(titleOf(shop, [...demo, 'routes', 4])).to.equal('demo › routes[4]');
  });

  it('titleOf does not change paths that are not routes', () => {
    expect(titleOf(shop, [...demo, 'listen', 0])).to.equal('demo › listen[0]');
    expect(titleOf(shop, [...demo, 'routes'])).to.equal('demo › routes');
    expect(titleOf(shop, ['logging', 'logs', 'a.b'])).to.equal('logging.logs["a.b"]');
    expect(titleOf(undefined, [])).to.equal('');
  });
});
