import { isArray, isObject, listAt, own, type ConfigPath, type Json } from '@sluice/base';
import { caddyfile, defineLint, type LintedConfiguration } from '@sluice/registry';
import { dialsOf, proxiesIn, type PlacedProxy } from '../reverse_proxy/lint/proxies.ts';

export const ineffectiveMirror = defineLint({
  code: 'SL065',
  name: 'ineffective-mirror',
  severity: 'warning',
  summary: 'A mirror copies no requests, or sends the copies to a server that also receives the original requests.',
  details: `If a mirror sends copies to its own server, the server mirrors the copies again, in an endless loop. An upstream that receives both a request and its copy processes each request twice: for example, an order is placed twice. Set the address of the server that you want to test. A mirror whose share is 0, or that has no upstreams, has no effect.`,
  bad: caddyfile(`:8080 {
	mirror 127.0.0.1:9001
	reverse_proxy 127.0.0.1:9001
}
`),
  good: caddyfile(`:8080 {
	mirror 127.0.0.1:9002
	reverse_proxy 127.0.0.1:9001
}
`),
  check(configuration, report) {
    const proxies = proxiesIn(configuration);
    for (const mirror of mirrorsIn(configuration)) {
      const { node, path } = mirror;
      const upstreams = own(node, 'upstreams');
      if (own(node, 'share') === 0)
        report([...path, 'share'], 'copies no requests: increase the share, or remove the mirror');
      if (!isArray(upstreams) || upstreams.length === 0)
        report(path, 'has no upstreams, so it copies no requests: add the address of the server to test');
      // A copy that is modified may intentionally go to the same server.
      if (own(node, 'rewrite') !== undefined || own(node, 'headers') !== undefined) continue;
      const list = listOf(path);
      const listen = listenAddressesOf(configuration, path);
      for (const { dial, at } of dialsOf(mirror)) {
        if (isOwnAddress(dial, listen))
          report(
            at(),
            'is an address of this server, which would copy the copies again in an endless loop: set a different address',
          );
        const proxy = proxies.find(
          (each) => isBelow(each.path, list) && dialsOf(each).some((own) => own.dial === dial),
        );
        if (proxy !== undefined)
          report(at(), 'also receives the original requests, so it handles each one twice: set a different address', {
            related: [{ path: proxy.path, message: 'the proxy to the same address' }],
          });
      }
    }
  },
});

function mirrorsIn(configuration: LintedConfiguration): readonly PlacedProxy[] {
  return configuration
    .modulesOf('http.handlers.mirror')
    .filter((module): module is typeof module & PlacedProxy => isObject(module.node));
}

/** Returns the listen addresses of the server that contains a handler. */
function listenAddressesOf(configuration: LintedConfiguration, path: ConfigPath): readonly Json[] {
  return listAt(configuration.valueAt(path.slice(0, path.indexOf('servers') + 2)), ['listen']);
}

/** Reports whether an upstream is an address of the server itself, such as `localhost:80` for `:80`. */
function isOwnAddress(dial: string, listen: readonly Json[]): boolean {
  const [, port] = /^(?:localhost|127\.[\d.]+|\[::1\]):(\d+)$/.exec(dial) ?? [];
  return port !== undefined && listen.some((address) => address === `:${port}` || address === dial);
}

/** Returns the path of the route list that contains a handler, such as `….routes` for `….routes[0].handle[0]`. */
function listOf(path: ConfigPath): ConfigPath {
  return path.slice(0, path.lastIndexOf('routes') + 1);
}

function isBelow(path: ConfigPath, list: ConfigPath): boolean {
  return list.every((segment, index) => path[index] === segment);
}
