/** An OpenID provider that responds like an attacker or a faulty provider. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, UnsecuredJWT } from 'jose';

export interface FakeProvider {
  readonly issuer: string;
  /** Claims that override those of subsequent ID tokens. */
  claims: Readonly<Record<string, unknown>>;
  /** Members that override those of token responses. */
  tokens: Readonly<Record<string, unknown>>;
  /** Members that override those of the provider metadata. */
  metadata: Readonly<Record<string, unknown>>;
  /** Signature of ID tokens: with the correct key, with an unknown key, or unsigned. */
  signature: 'right' | 'wrong' | 'none';
  /** Status and error that token responses return. */
  failure: { readonly status: number; readonly error: string } | null;
  /** Requests by path. */
  readonly requests: Map<string, number>;
  /** Parameters of the most recent token request. */
  sent: URLSearchParams;
  close(): Promise<void>;
  /** Listens on the same port again after `close`. */
  reopen(): Promise<void>;
}

export async function startFake(): Promise<FakeProvider> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' };

  const idToken = async (nonce: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: fake.issuer, aud: 'app', sub: 'ada', iat: now, exp: now + 300, nonce, ...fake.claims };
    if (fake.signature === 'none') return new UnsecuredJWT(claims).encode();
    const key = fake.signature === 'right' ? pair.privateKey : other.privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'a' }).sign(key);
  };

  const respond = async (path: string, body: string): Promise<readonly [number, unknown]> => {
    if (path === '/.well-known/openid-configuration')
      return [
        200,
        {
          issuer: fake.issuer,
          authorization_endpoint: `${fake.issuer}/auth`,
          token_endpoint: `${fake.issuer}/token`,
          jwks_uri: `${fake.issuer}/jwks`,
          response_types_supported: ['code'],
          id_token_signing_alg_values_supported: ['ES256', 'none'],
          authorization_response_iss_parameter_supported: true,
          ...fake.metadata,
        },
      ];
    if (path === '/jwks') return [200, { keys: [jwk] }];
    if (path !== '/token') return [404, {}];
    fake.sent = new URLSearchParams(body);
    if (fake.failure !== null) return [fake.failure.status, { error: fake.failure.error }];
    const nonce = fake.sent.get('code') ?? '';
    const id = fake.sent.get('grant_type') === 'refresh_token' ? {} : { id_token: await idToken(nonce) };
    return [200, { access_token: 'x', token_type: 'bearer', expires_in: 300, ...id, ...fake.tokens }];
  };

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    fake.requests.set(path, (fake.requests.get(path) ?? 0) + 1);
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      void respond(path, body).then(([status, value]) =>
        response
          .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
          .end(JSON.stringify(value)),
      );
    });
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const fake: FakeProvider = {
    issuer: `http://127.0.0.1:${port}`,
    claims: {},
    tokens: {},
    metadata: {},
    signature: 'right',
    failure: null,
    requests: new Map(),
    sent: new URLSearchParams(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reopen: () => listen(port),
  };
  return fake;
}

/** Returns the callback URL for a redirect to the simulated provider. The authorization code is the nonce, which the ID token also contains. */
export function callbackFor(location: string, change: Readonly<Record<string, string>> = {}): string {
  const { searchParams, origin } = new URL(location);
  const query = new URLSearchParams({
    code: searchParams.get('nonce') ?? '',
    state: searchParams.get('state') ?? '',
    iss: origin,
    ...change,
  });
  return `/oauth2/callback?${query}`;
}
