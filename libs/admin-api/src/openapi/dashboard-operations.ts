import type { AdminOperations } from '@sluice/registry';

const seconds = { type: 'integer', description: 'Lifetime, in seconds.' };

export const dashboardOperations: AdminOperations = {
  'GET /ui/{*file}': {
    summary: 'Returns the dashboard and its files',
    description:
      'The files do not contain secrets and do not require a token. The page asks for a token. `admin.ui` can disable the dashboard.',
    path: { file: 'Name of a file. If omitted, the page is returned.' },
    responses: { '200': { description: 'The file.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /session': {
    summary: "Returns the client's identity and permissions",
    description: 'Available to every authenticated client.',
    responses: {
      '200': {
        description: 'Name and permissions of the client.',
        content: {
          'application/json': {
            type: 'object',
            required: ['name', 'permissions'],
            properties: {
              name: { type: ['string', 'null'], description: 'Name of the token; `null` if none is required.' },
              permissions: {
                type: ['array', 'null'],
                items: { type: 'object' },
                description: 'Permissions, as in `admin.tokens`. `null` = unrestricted.',
              },
              watched_file: {
                type: 'string',
                description: 'Configuration file that is reloaded whenever it changes. Present only with `--watch`.',
              },
              fleet: { type: 'boolean', description: 'True if the server is a fleet member.' },
            },
          },
        },
      },
    },
  },
  'POST /session': {
    summary: 'Exchanges a code for a session',
    description:
      'The session has the permissions of the token that created the code, and is valid only while that token exists.',
    body: {
      'application/json': {
        type: 'object',
        required: ['code'],
        properties: {
          code: { type: 'string', minLength: 1, description: 'Code from `POST /session/code`. Can be used once.' },
        },
      },
    },
    responses: {
      '200': {
        description: 'Session token, sent as a bearer token.',
        content: {
          'application/json': {
            type: 'object',
            required: ['token', 'expires_in'],
            properties: { token: { type: 'string' }, expires_in: seconds },
          },
        },
      },
    },
  },
  'DELETE /session': {
    summary: 'Ends the session that sends this request',
    responses: { '200': { description: 'The session was ended.' } },
  },
  'POST /session/code': {
    summary: 'Creates a one-time code that opens the dashboard, valid for one minute',
    description: 'If no token is required, the path contains no code. Used by `sluice ui`.',
    responses: {
      '200': {
        description: 'Path to open in a browser.',
        content: {
          'application/json': {
            type: 'object',
            required: ['path'],
            properties: { path: { type: 'string', description: 'For example, `/ui/#code=…`.' }, expires_in: seconds },
          },
        },
      },
    },
  },
};
