/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  examples: {
    'http.authentication.hashes.bcrypt': {
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
                          hash: { algorithm: 'bcrypt' },
                          accounts: [
                            {
                              username: 'ada',
                              password: '$2b$10$yq2I4wNzKQZlBjO3c7UcSe9C1OVjn6HVwP8.Tql6ZzS1IIlPPcoXK',
                            },
                          ],
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
    'http.authentication.hashes.argon2id': {
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
                          hash: { algorithm: 'argon2id' },
                          accounts: [
                            {
                              username: 'ada',
                              password:
                                '$argon2id$v=19$m=47104,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$9AQ8WmMYn1LZ8bLSqW4GO5DD1bM1G8hMzrb6nRZ9EBE',
                            },
                          ],
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
    'http.authentication.hashes.htpasswd': {
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
                          hash: { algorithm: 'htpasswd' },
                          accounts: [
                            {
                              username: 'ada',
                              password: '$apr1$lZL6V/ci$PR6QJXkRFUzdUuaYcwrI//',
                            },
                          ],
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
