/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'http.authentication.providers.jwt': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              routes: [
                {
                  handle: [
                    {
                      handler: 'authentication',
                      providers: {
                        jwt: {
                          jwk_url: 'https://id.example.com/keys',
                          sign_alg: 'RS256',
                          issuer_whitelist: ['https://id.example.com'],
                          audience_whitelist: ['api'],
                          meta_claims: { 'settings.plan': 'plan' },
                        },
                      },
                    },
                    { handler: 'static_response', body: 'hello {http.auth.user.id}' },
                  ],
                },
              ],
            },
          },
        },
      },
    },
    'http.authentication.providers.oidc': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              routes: [
                {
                  handle: [
                    {
                      handler: 'authentication',
                      providers: {
                        oidc: {
                          issuer: 'https://id.example.com',
                          client_id: 'app',
                          client_secret: '{env.OIDC_SECRET}',
                          claim_headers: { 'Remote-Email': 'email' },
                          allowed_groups: ['staff'],
                        },
                      },
                    },
                    { handler: 'static_response', body: 'hello {http.auth.user.email}' },
                  ],
                },
              ],
            },
          },
        },
      },
    },
    'http.authentication.providers.http_basic': {
      apps: {
        http: {
          servers: {
            example: {
              listen: [':8080'],
              routes: [
                {
                  handle: [
                    {
                      handler: 'authentication',
                      providers: {
                        http_basic: {
                          realm: 'Staff',
                          accounts: [
                            {
                              username: 'ada',
                              password: '$2b$10$yq2I4wNzKQZlBjO3c7UcSe9C1OVjn6HVwP8.Tql6ZzS1IIlPPcoXK',
                            },
                          ],
                          hash_cache: {},
                        },
                      },
                    },
                    { handler: 'static_response', body: 'hello' },
                  ],
                },
              ],
            },
          },
        },
      },
    },
  },
};
