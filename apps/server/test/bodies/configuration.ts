/** A configuration whose paths select a producer and a filter. Caddy accepts the same configuration. */
import { filters, producers, sizes, bodyOf, type Filter, type Producer } from './combinations.ts';
import type { Upstreams } from './upstreams.ts';

/** Addresses, directories and certificates that a configuration uses. */
export interface Places {
  readonly admin: number;
  readonly plain: number;
  readonly secure: number;
  /** Directory with the files `SIZE.txt` and `body.php`. */
  readonly files: string;
  /** Path of the PHP-FPM socket, or `null` if PHP-FPM is not installed. */
  readonly php: string | null;
  readonly certificate: { readonly cert: string; readonly key: string };
  readonly upstreams: Upstreams;
}

export function configurationOf(places: Places): object {
  const routes = producers.flatMap((producer) =>
    filters.map((filter) => ({
      match: [{ path: [`/${producer}/${filter}/*`] }],
      handle: [...filterOf(filter), ...handlersOf(producer, places, filter === 'buffers')],
    })),
  );
  const sentinel = { match: [{ path: ['/sentinel'] }], handle: [{ handler: 'static_response', body: 'sentinel' }] };
  const server = { automatic_https: { disable: true }, routes: [sentinel, ...routes], protocols: ['h1', 'h2', 'h2c'] };
  return {
    admin: { listen: `127.0.0.1:${places.admin}` },
    logging: { logs: { default: { level: 'ERROR' } } },
    apps: {
      http: {
        servers: {
          plain: { ...server, listen: [`127.0.0.1:${places.plain}`] },
          secure: { ...server, listen: [`127.0.0.1:${places.secure}`], tls_connection_policies: [{}] },
        },
      },
      tls: {
        certificates: { load_pem: [{ certificate: places.certificate.cert, key: places.certificate.key }] },
        automation: { policies: [] },
      },
    },
  };
}

function encode(encoding: string): object {
  return { handler: 'encode', encodings: { [encoding]: {} }, minimum_length: 1 };
}

const headers = { handler: 'headers', response: { deferred: true, set: { 'X-Filter': ['headers'] } } };
const templates = { handler: 'templates', mime_types: ['text/plain'] };

function filterOf(filter: Filter): object[] {
  switch (filter) {
    case 'none':
    case 'buffers':
      return [];
    case 'headers':
      return [headers];
    case 'templates':
      return [templates];
    case 'intercept':
      return [{ handler: 'intercept', handle_response: [{ match: { status_code: [200] }, status_code: '203' }] }];
    case 'templates+gzip':
      return [encode('gzip'), templates];
    case 'headers+zstd':
      return [headers, encode('zstd')];
    default:
      return [encode(filter)];
  }
}

function handlersOf(producer: Producer, places: Places, buffers: boolean): object[] {
  const { upstreams, files } = places;
  const proxy = (dial: string, transport?: object): object[] => [
    {
      handler: 'reverse_proxy',
      upstreams: [{ dial }],
      ...(transport === undefined ? {} : { transport }),
      ...(buffers ? { response_buffers: 65_536 } : {}),
    },
  ];
  const insecure = { insecure_skip_verify: true };
  switch (producer) {
    case 'static':
      return [
        {
          handler: 'subroute',
          routes: sizes.map((size) => ({
            match: [{ query: { size: [String(size)] } }],
            handle: [
              {
                handler: 'static_response',
                headers: { 'Content-Type': ['text/plain; charset=utf-8'] },
                body: bodyOf(size).toString('latin1'),
              },
            ],
          })),
        },
      ];
    case 'file':
    case 'range':
      return [
        { handler: 'rewrite', uri: '/{http.request.uri.query.size}.txt' },
        { handler: 'file_server', root: files },
      ];
    case 'php':
      return [
        { handler: 'rewrite', uri: '/body.php?{http.request.uri.query}' },
        ...proxy(places.php === null ? '127.0.0.1:1' : `unix/${places.php}`, {
          protocol: 'fastcgi',
          root: files,
          split_path: ['.php'],
        }),
      ];
    case 'fastcgi':
      return proxy(upstreams.dial.fastcgi, { protocol: 'fastcgi', root: files, split_path: ['.php'] });
    case 'gunzip':
      return proxy(upstreams.dial.http);
    case 'https':
      return proxy(upstreams.dial.https, { protocol: 'http', tls: insecure, versions: ['1.1'] });
    case 'h2':
      return proxy(upstreams.dial.h2, { protocol: 'http', tls: insecure, versions: ['2'] });
    case 'h2c':
      return proxy(upstreams.dial.h2c, { protocol: 'http', versions: ['h2c'] });
    default:
      return proxy(upstreams.dial[producer]);
  }
}
