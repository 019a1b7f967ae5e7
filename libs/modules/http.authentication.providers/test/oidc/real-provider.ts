/** The OpenID provider of the npm package `oidc-provider`, running on a loopback port. Its sign-in page accepts any name and password. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Account, type LoadGrant } from 'oidc-provider';

export interface RealProvider {
  readonly issuer: string;
  /** Returns the number of requests to the token endpoint. */
  readonly tokenRequests: () => number;
  close(): Promise<void>;
}

export interface RealOptions {
  readonly redirectUris: readonly string[];
  readonly signedOutUris?: readonly string[];
  /** Returns the claims of a user by name. */
  readonly claims?: (name: string) => Readonly<Record<string, unknown>>;
  /** Lifetime of access tokens, in seconds. */
  readonly lifetime?: number;
}

export const clientId = 'app';
export const clientSecret = 'a secret that only the test knows';

const defaultClaims = (name: string): Readonly<Record<string, unknown>> => ({
  email: `${name}@example.com`,
  email_verified: true,
  name: name.toUpperCase(),
  groups: ['staff', 'ops'],
});

const keyOf = (): Record<string, unknown> => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  kid: 'first',
});

/** Grants all requested scopes so that no consent page is needed. */
const loadExistingGrant: LoadGrant = async ({ oidc }) => {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope(oidc.params.scope);
  await grant.save();
  return grant;
};

export async function startProvider(options: RealOptions): Promise<RealProvider> {
  const { redirectUris, signedOutUris = [], claims = defaultClaims, lifetime = 3600 } = options;
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: signedOutUris,
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'], openid: ['sub'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['cookies of the test provider'] },
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_context: unknown, name: string): Account => ({
      accountId: name,
      claims: () => ({ ...claims(name), sub: name }),
    }),
    issueRefreshToken: async () => true,
    jwks: { keys: [keyOf()] },
    loadExistingGrant,
    ttl: { AccessToken: lifetime, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  });
  const handle = provider.callback();
  let count = 0;
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/token') === true && request.method === 'POST') count++;
    handle(request, response);
  });
  return {
    issuer,
    tokenRequests: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs in on the provider's page. Returns the callback URL of the redirect. */
export async function signInAt(location: string, name: string): Promise<string> {
  const { origin } = new URL(location);
  const cookies = new Map<string, string>();
  let url = location;
  let form: URLSearchParams | null = null;
  for (let i = 0; i < 10; i++) {
    const response: Response = await fetch(url, {
      method: form === null ? 'GET' : 'POST',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(key);
      else cookies.set(key, value);
    }
    const text = await response.text();
    form = null;
    const next = response.headers.get('location');
    if (next !== null) {
      url = new URL(next, url).href;
      if (!url.startsWith(`${origin}/`)) return url;
    } else if (text.includes('name="login"')) {
      form = new URLSearchParams({ prompt: 'login', login: name, password: 'x' });
    } else throw new Error(`the provider responded with ${response.status}: ${text.slice(0, 500)}`);
  }
  throw new Error('the provider redirects endlessly');
}
