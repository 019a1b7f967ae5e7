/** Caddyfile syntax of the client certificate loaders. */
import { list, syntax, type Grammar, type Syntax } from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'client_auth', 'mode require_and_verify\n\t\t\tverifier leaf %'];

const loader = (shown: string, field: string, example: Grammar): Syntax =>
  syntax({ line: list(shown, { field, empty: true }), within, ...example });

export const syntaxes = {
  file: loader('<path>…', 'files', { example: 'file /etc/clients/ada.pem' }),
  folder: loader('<path>…', 'folders', { example: 'folder /etc/clients' }),
  pem: loader('<certificate>…', 'certificates', { example: 'pem "{file./etc/clients/ada.pem}"' }),
};
