/** The module `http.authentication.providers.oidc`, which signs users in with an OpenID provider. */
import { createHash } from 'node:crypto';
import { authenticationProviders, upstreamStandIn, type AuthenticationProvider } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { sharedMemoryToken } from '@sluice/threads';
import { loadKeys } from './keys.ts';
import { oidcOptions } from './options.ts';
import { OidcProvider } from './provider.ts';
import { claimBytes, RefreshClaims } from './refresh-claims.ts';
import { RelyingParty, relyingParties } from './relying-party.ts';
import { readSettings } from './settings.ts';
import { TestSessions } from './test-sessions.ts';
import { UserRules } from './user-rules.ts';

export const oidcModule = defineModule(authenticationProviders, {
  name: 'oidc',
  help: 'Signs users in with an OpenID provider (OpenID Connect, authorization code flow with PKCE). Sessions are stored in encrypted cookies. Browsers are redirected to the provider; other clients get status code 401. The route must also match the callback and sign-out paths.',
  config: oidcOptions,
  async provision(config, context): Promise<AuthenticationProvider> {
    const settings = readSettings(config, context);
    const rules = new UserRules(config, context);
    const { log } = context;
    if (context.find(upstreamStandIn) !== undefined)
      return new OidcProvider(
        { settings, party: RelyingParty.forTests(settings, log), rules, log },
        new TestSessions(rules),
      );
    const { issuer, clientId, clientSecret, userInfo, clockTolerance } = settings;
    const used = JSON.stringify([issuer.href, clientId, clientSecret, userInfo, clockTolerance]);
    const key = createHash('sha256').update(used).digest('base64');
    const memory = await context.find(sharedMemoryToken)?.acquire('oidc refresh claims', claimBytes, context);
    const claims = new RefreshClaims(memory ?? new SharedArrayBuffer(claimBytes));
    const party = await context.acquire(relyingParties, key, () => new RelyingParty(settings, log, claims));
    return new OidcProvider({ settings, party, rules, log }, await loadKeys(config, context));
  },
});
