import type { AdminOperations } from '@sluice/registry';

const seconds = { type: 'integer', description: 'For how many seconds it holds.' };

/** Operations by method and path. */
export const dashboardOperations: AdminOperations = {
  'GET /ui/{*file}': {
    summary: 'The dashboard, and the files that it is made of',
    description: 'They carry no secret, so no token is needed: the page asks for one. Switched off by `admin.ui`.',
    path: { file: 'Name of a file; without one, the page.' },
    responses: { '200': { description: 'The file.', content: { 'text/html': { type: 'string' } } } },
  },
  'GET /session': {
    summary: 'Who asks, and what they may do',
    description: 'Every known client may ask.',
    responses: {
      '200': {
        description: 'Who it is.',
        content: {
          'application/json': {
            type: 'object',
            required: ['name', 'permissions'],
            properties: {
              name: { type: ['string', 'null'], description: 'Name of the token; `null` where none is needed.' },
              permissions: {
                type: ['array', 'null'],
                items: { type: 'object' },
                description: 'As in `admin.tokens`; `null` for everything.',
              },
              watched_file: {
                type: 'string',
                description: 'The file that is put in force whenever it changes: with `--watch` alone.',
              },
              fleet: { type: 'boolean', description: 'True where the server is in a fleet.' },
            },
          },
        },
      },
    },
  },
  'POST /session': {
    summary: 'Gives a session for a code',
    description: 'The session may do what the token may that the code was made with, as long as there is that token.',
    body: {
      'application/json': {
        type: 'object',
        required: ['code'],
        properties: {
          code: { type: 'string', minLength: 1, description: 'From `POST /session/code`. Can be used once.' },
        },
      },
    },
    responses: {
      '200': {
        description: 'The session: a bearer token.',
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
    summary: 'Ends the session that it is asked with',
    responses: { '200': { description: 'It has ended.' } },
  },
  'POST /session/code': {
    summary: 'Makes a code that opens the dashboard, once and within a minute',
    description: 'Where no token is needed the path has no code. `sluice ui` asks for it.',
    responses: {
      '200': {
        description: 'What to open in a browser.',
        content: {
          'application/json': {
            type: 'object',
            required: ['path'],
            properties: { path: { type: 'string', description: 'Such as `/ui/#code=…`.' }, expires_in: seconds },
          },
        },
      },
    },
  },
};
