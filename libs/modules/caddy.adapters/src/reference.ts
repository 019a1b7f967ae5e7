/** Reference documentation of this package. */
import type { PackageReference } from '@sluice/registry';

export const reference: PackageReference = {
  sources: {
    'caddy.adapters.caddyfile': { language: 'caddyfile', text: ':8080 {\n\tfile_server\n}\n' },
    'caddy.adapters.json5': {
      language: 'json5',
      text: "{\n  // The admin API alone.\n  admin: { listen: 'localhost:2019' },\n}\n",
    },
    'caddy.adapters.nginx': {
      language: 'nginx',
      text: 'http {\n  server {\n    listen 8080;\n    return 200 "hello";\n  }\n}\n',
    },
    'caddy.adapters.toml': { language: 'toml', text: '[admin]\nlisten = "localhost:2019"\n' },
    'caddy.adapters.yaml': { language: 'yaml', text: 'admin:\n  listen: localhost:2019\n' },
  },
};
