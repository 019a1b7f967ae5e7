/** A minimal OpenID provider that signs in every user as `ada`. It uses the nonce of a sign-in as the authorization code. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestResponse, TestServer } from './server.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts a provider for the client `app`. Returns the provider's server and issuer URL. */
export async function startOpenIdProvider(): Promise<{ readonly server: Server; readonly issuer: string }> {
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const value = responseTo(incoming.url ?? '', new URLSearchParams(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function responseTo(path: string, form: URLSearchParams): object {
    if (path === '/jwks')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256', use: 'sig' }] };
    if (path === '/token')
      return { access_token: 'x', token_type: 'bearer', expires_in: 3600, id_token: idToken(form.get('code') ?? '') };
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  function idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'app', sub: 'ada', iat: now, exp: now + 3600, nonce };
    const signed = `${encoded({ alg: 'ES256', kid: 'a' })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  return { server, issuer };
}

/** Signs in at a protected path. Returns the `Cookie` header of the session. */
export async function signIn(server: TestServer, path: string, callbackPath: string): Promise<string> {
  const started = await server.http(path, { headers: { accept: 'text/html' } });
  const sent = new URL(String(started.headers['location'])).searchParams;
  const query = new URLSearchParams({ code: sent.get('nonce') ?? '', state: sent.get('state') ?? '' });
  const headers = { cookie: cookiesOf(started) };
  return cookiesOf(await server.http(`${callbackPath}?${query.toString()}`, { headers }));
}

function cookiesOf({ headers }: TestResponse): string {
  const kept = [headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
  return kept.map((line) => line.slice(0, line.indexOf(';'))).join('; ');
}
