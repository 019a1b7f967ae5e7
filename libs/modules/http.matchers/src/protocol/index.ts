/** `http.matchers.protocol`: matches the request's protocol. */
import { httpMatchers, type Exchange, type HttpMatcher } from '@sluice/http-app';
import { anything, defineModule } from '@sluice/registry';

type Test = (exchange: Exchange) => boolean;

const names = [
  'http',
  'https',
  'grpc',
  'http/1.0',
  'http/1.0+',
  'http/1.1',
  'http/1.1+',
  'http/2',
  'http/2+',
  'http/3',
  'http/3+',
];

export const protocolModule = defineModule(httpMatchers, {
  name: 'protocol',
  effect: 'pure',
  help: 'Matches by protocol.',
  config: anything({
    type: 'string',
    description:
      'Protocol to match: `http` = without TLS, `https` = with TLS, `grpc` = gRPC (detected by content type), `http/1.1` = exactly this version, `http/2+` = this version or later.',
    examples: names,
  }),
  provision: (config) => protocolMatcher(String(config)),
});

/** Matches requests by protocol name. An unknown name never matches, as in Caddy. */
export function protocolMatcher(name: string): HttpMatcher {
  return { match: testOf(name) };
}

function testOf(name: string): Test {
  if (name === 'http') return ({ connection }) => connection.tls === null;
  if (name === 'https') return ({ connection }) => connection.tls !== null;
  if (name === 'grpc') return ({ headers }) => headers.get('content-type')?.startsWith('application/grpc') === true;
  if (!names.includes(name)) return () => false;
  const [, version = '', plus] = /^http\/([\d.]+)(\+?)$/.exec(name) ?? [];
  const least = Number(version);
  if (plus === '+') return ({ proto }) => Number(proto.slice(5)) >= least;
  // Add a minor version of 0, because HTTP/2 and later have none.
  const exact = `HTTP/${version.includes('.') ? version : `${version}.0`}`;
  return ({ proto }) => proto === exact;
}
