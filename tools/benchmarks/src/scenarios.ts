import { hosts, nginxHosts, nginxTwentyRoutes, plain, twentyRoutes } from './configs.ts';
import { pageOf } from './files.ts';
import type { NginxConfig } from './servers.ts';
import { byHttp3Handshakes, overHttp3 } from './http3/ways.ts';
import { byHandshakes, overHttp2, overKeptTls } from './tls/ways.ts';
import type { Way } from './way.ts';

export interface Scenario {
  readonly name: string;
  readonly routes: readonly unknown[];
  readonly path: string;
  readonly headers?: readonly string[];
  /** Equivalent nginx configuration, if there is one. */
  readonly nginx?: NginxConfig;
  readonly connections?: number;
  readonly streams?: number;
  /** Options of the `http` app whose cost is measured. For comparison, Sluice also runs without them. */
  readonly http?: object;
  readonly way?: Way;
  /** True if the routes use modules that Caddy lacks. */
  readonly isOwn?: boolean;
  /** True if the scenario is part of the table in the history. Other scenarios are measured only when selected by name. */
  readonly inTable?: boolean;
}

const nginxPlain = 'location / { default_type text/plain; return 200 "Hello, world!"; }';

/** Returns all scenarios except those of the reverse proxy. `folder` contains the files to serve. */
export function scenarios(folder: string): Scenario[] {
  return [...responses(), ...hostsOfMany(), ...files(folder), ...compressed(folder), ...secure(), ...quic(folder)];
}

function responses(): Scenario[] {
  return [
    { name: 'plain response', routes: plain, path: '/', nginx: { server: nginxPlain }, inTable: true },
    { name: 'plain response with metrics', routes: plain, path: '/', http: { metrics: {} } },
    {
      name: 'plain response with metrics per host',
      routes: hosts(100),
      path: '/',
      headers: ['Host: h0.example.test'],
      http: { metrics: { per_host: true } },
    },
    {
      name: '20 routes, matchers, placeholders, headers',
      routes: twentyRoutes,
      path: '/api/v1/users/someone?x=1',
      headers: ['Host: a.b.example.test'],
      nginx: { server: nginxTwentyRoutes },
      inTable: true,
    },
  ];
}

function hostsOfMany(): Scenario[] {
  const asked = (wanted: number, count: number): Scenario => ({
    name: `host ${wanted.toLocaleString('en')} of ${count.toLocaleString('en')}`,
    routes: hosts(count),
    path: '/',
    headers: [`Host: h${wanted - 1}.example.test`],
    nginx: nginxHosts(count, wanted - 1),
    inTable: wanted === count || count === 100,
  });
  return [asked(1, 100), asked(1, 10_000), asked(10_000, 10_000)];
}

function files(folder: string): Scenario[] {
  const routes = [{ handle: [{ handler: 'file_server', root: folder }] }];
  const nginx = { server: `root ${folder};` };
  const file = (size: string, path: string, connections: number): Scenario => ({
    name: `file of ${size}`,
    routes,
    path,
    nginx,
    connections,
    inTable: true,
  });
  return [
    file('1 KiB', '/1k.txt', 64),
    file('100 KiB', '/100k.txt', 64),
    file('10 MiB', '/10m.txt', 8),
    file('64 MiB', '/64m.txt', 4),
  ];
}

/** Returns the scenarios with compressed pages: one with the same page for all requests, and one with a different page for each request. */
function compressed(folder: string): Scenario[] {
  const encode = (encoding: string): object => ({ handler: 'encode', encodings: { [encoding]: {} } });
  const another = {
    handler: 'static_response',
    headers: { 'Content-Type': ['text/html'] },
    body: `${pageOf(20_480)}{http.request.uuid}`,
  };
  const each = (encoding: string, accepted: string): Scenario => ({
    name: `${encoding} of a page of 20 KiB, another for each request`,
    routes: [{ handle: [encode(encoding), another] }],
    path: '/',
    headers: [`Accept-Encoding: ${accepted}`],
    inTable: encoding === 'gzip',
  });
  return [
    {
      name: 'gzip of a page of 20 KiB',
      routes: [{ handle: [encode('gzip'), { handler: 'file_server', root: folder }] }],
      path: '/page.html',
      headers: ['Accept-Encoding: gzip'],
      nginx: { server: `root ${folder}; gzip on; gzip_min_length 512; gzip_types *;` },
      inTable: true,
    },
    each('gzip', 'gzip'),
    each('zstd', 'zstd'),
  ];
}

function secure(): Scenario[] {
  const shared = { routes: plain, path: '/', inTable: true } as const;
  const http1 = { server: nginxPlain, listen: 'ssl' } as const;
  const http2 = { server: nginxPlain, listen: 'ssl http2' } as const;
  return [
    { ...shared, name: 'TLS 1.3 on kept connections', nginx: http1, way: overKeptTls },
    { ...shared, name: 'HTTP/2 over TLS, 16 streams', nginx: http2, way: overHttp2, connections: 16, streams: 16 },
    { ...shared, name: 'HTTP/2 over TLS, one stream', nginx: http2, way: overHttp2, connections: 16 },
    { ...shared, name: 'full handshakes, ECDSA', nginx: http1, way: byHandshakes('p256'), connections: 32 },
    { ...shared, name: 'full handshakes, RSA', way: byHandshakes('rsa2048'), connections: 32, inTable: false },
  ];
}

function quic(folder: string): Scenario[] {
  const nginx = { server: nginxPlain, listen: 'quic' } as const;
  const shared = { routes: plain, path: '/', way: overHttp3, nginx } as const;
  const file = {
    routes: [{ handle: [{ handler: 'file_server', root: folder }] }],
    path: '/1m.txt',
    nginx: { server: `root ${folder};`, listen: 'quic' },
  } as const;
  return [
    { ...shared, name: 'HTTP/3, 4 connections of 16 streams', connections: 4, streams: 16 },
    { ...shared, name: 'HTTP/3, one request per connection', connections: 16 },
    { ...shared, ...file, name: 'HTTP/3, body of 1 MiB', connections: 4, streams: 2 },
    { ...shared, name: 'HTTP/3, full handshakes, ECDSA', way: byHttp3Handshakes, connections: 16 },
  ];
}
