/** What the routes of explanations are for, in the description of the admin API. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const text = (description: string): JsonObject => ({ type: 'string', description });

const fields: JsonObject = {
  type: 'object',
  description: 'Header fields: a value, or several lines.',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

const upstream: JsonObject = {
  type: 'object',
  description: 'What an upstream is to respond. The first one that fits is taken, again and again.',
  additionalProperties: false,
  properties: {
    upstream: text('Dial address of the upstream. Default: any.'),
    path: text('Path of the handler that asks. Default: any.'),
    status: { type: 'integer', minimum: 100, maximum: 999, description: 'Default 200.' },
    headers: fields,
    body: text('Its body.'),
    error: { enum: ['refused', 'reset', 'timeout'], description: 'How it fails, in place of a response.' },
  },
};

const request: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: text('Absolute, as a client writes it; the path is taken as it stands.'),
    method: text('Default GET.'),
    headers: fields,
    body: {
      anyOf: [{ type: 'string' }, { type: 'object', required: ['base64'], properties: { base64: { type: 'string' } } }],
    },
    protocol: { enum: ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0'] },
    client: text('Address of the peer, with its port or without. Absent: unknown.'),
    tls: {
      description: 'Facts of TLS; `false`: none. Absent: as the URL says, with details unknown.',
      anyOf: [
        { type: 'boolean' },
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            version: text('Such as tls1.3.'),
            cipher_suite: text('Its name.'),
            server_name: text('Name of the handshake (SNI). Default: the host.'),
            protocol: text('Negotiated by ALPN.'),
            resumed: { type: 'boolean' },
            handshake_complete: { type: 'boolean' },
            client_certificate: { type: ['string', 'null'], description: 'PEM; `null`: none was shown.' },
          },
        },
      ],
    },
    server: text('Name of the server. Default: the one that listens on the port of the URL.'),
    time: { type: 'string', format: 'date-time', description: 'Absent: unknown.' },
    random: {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 1,
      description: 'What random choices are made with. Absent: unknown.',
    },
    responses: { type: 'array', items: upstream },
  },
  examples: [{ url: 'https://example.com/x', headers: { Accept: 'text/html' }, client: '192.0.2.7' }],
};

const step: JsonObject = {
  type: 'object',
  properties: {
    path: text('In the configuration: `apps.http.servers.s.routes[0].handle[1]`.'),
    id: text('Id of the module; empty for what is not one.'),
    source: {
      type: ['object', 'null'],
      description: 'Where it was written.',
      properties: { file: { type: 'string' }, line: { type: 'integer' } },
    },
    kind: { enum: ['route', 'matcher', 'handler', 'index', 'group', 'redirect', 'error', 'upstream'] },
    verdict: {
      description:
        'A matcher: what it said; a route: whether it was reached; a handler: whether it passed the request on.',
      enum: [true, false, 'unknown', null],
    },
    known: { enum: ['evaluated', 'given', 'assumed', 'opaque'] },
    wanted: { description: 'What the configuration asks for.' },
    got: { description: 'The values that were looked at.' },
    changed: { type: ['object', 'null'], description: 'What was changed of the request: before and after.' },
    ns: { type: 'integer', description: 'Nanoseconds, without what came after it.' },
    steps: { type: 'array', items: { type: 'object' }, description: 'Steps within it, of the same form.' },
  },
};

const outcome: JsonObject = {
  type: 'object',
  properties: {
    kind: { enum: ['response', 'error', 'outward', 'abort', 'opaque', 'unknown'] },
    status: { type: 'integer', description: '0 where it is not known.' },
    headers: { type: 'object' },
    body: { type: ['string', 'null'], description: 'The beginning of a body of text.' },
    size: { type: 'integer' },
    route: { type: ['string', 'null'], description: 'The route whose handler ended it.' },
    routes: { type: 'array', items: { type: 'string' }, description: 'All that were reached, in order.' },
    handler: { type: ['string', 'null'] },
    handler_id: { type: ['string', 'null'] },
    upstream: {
      type: ['object', 'null'],
      properties: {
        address: { type: ['string', 'null'] },
        known: { enum: ['evaluated', 'unknown'] },
        candidates: { type: 'array', items: { type: 'object' } },
      },
    },
    sends: { type: ['object', 'null'], description: 'What would be sent to the upstream.' },
    error: { type: ['object', 'null'], properties: { status: { type: 'integer' }, message: { type: 'string' } } },
    depends_on: {
      type: 'array',
      items: { type: 'string' },
      description: 'Unknown facts that the response depends on, though not the way to it.',
    },
  },
};

const explanation: JsonObject = {
  type: 'object',
  properties: {
    request: { type: 'object' },
    outcome,
    unknown: { type: 'array', items: { type: 'string' }, description: 'Facts that would decide between the paths.' },
    paths: {
      type: 'array',
      maxItems: 8,
      items: {
        type: 'object',
        properties: {
          assumed: { type: 'array', items: { type: 'object' } },
          outcome,
          steps: { type: 'array', items: step },
        },
      },
    },
    more_paths: { type: 'boolean' },
    truncated: { enum: ['steps', 'time', null] },
    disagreement: { type: 'array', items: { type: 'string' } },
    ms: { type: 'number' },
  },
};

/** By method and path. */
export const operations: AdminOperations = {
  'POST /explain': {
    summary: 'Explain what becomes of a request',
    description:
      'Runs a request through the routes in force, in the control thread, and tells each step. Nothing is sent, counted or logged. What is not given of the client, TLS, time and chance is unknown: then both ways are followed, eight at most.',
    query: {
      last: {
        type: 'integer',
        minimum: 0,
        maximum: 200,
        description:
          'Explain this many of the most recently recorded requests. Excludes a body. The response is `{"requests": […]}`, of each its `request`, `outcome` and `unknown`.',
      },
    },
    bodyIsOptional: true,
    body: { 'application/json': request },
    responses: { '200': { description: 'The explanation.', content: { 'application/json': explanation } } },
  },
  'POST /explain/test': {
    summary: 'Make a test of a request',
    description:
      'Makes a case for `sluice test` of a request as it would be explained, or of requests that were recorded: what it expects is what the configuration in force does. Where that is not known, as a fact is missing, there is none.',
    query: {
      last: {
        type: 'integer',
        minimum: 0,
        maximum: 200,
        description: 'Use this many of the most recently recorded requests. Excludes a body.',
      },
    },
    bodyIsOptional: true,
    body: {
      'application/json': {
        anyOf: [
          request,
          {
            type: 'object',
            required: ['trace'],
            properties: {
              trace: {
                type: 'object',
                required: ['server', 'request'],
                properties: { server: { type: 'string' }, request: { type: 'object' } },
                description: 'A trace, as `GET /traces` returns it.',
              },
            },
          },
        ],
        examples: [{ url: 'https://example.com/x', client: '192.0.2.7' }],
      },
    },
    responses: {
      '200': {
        description: 'The cases, and the requests of which none can be made.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              cases: { type: 'array', items: { type: 'object' } },
              left_out: {
                type: 'array',
                items: { type: 'object', properties: { url: { type: 'string' }, why: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
  },
  'POST /explain/plan': {
    summary: 'Tell which requests would go elsewhere with another configuration',
    description:
      'Builds a configuration without putting it in force, explains each request with it and with the one in force, and tells those that another handler would end, that would get another status, or go to another upstream.',
    body: {
      'application/json': {
        type: 'object',
        required: ['config'],
        properties: {
          config: { $ref: '#/components/schemas/Configuration' },
          requests: { type: 'array', maxItems: 200, items: request },
          last: {
            type: 'integer',
            minimum: 0,
            maximum: 200,
            description: 'Also so many of the requests that were recorded last.',
          },
        },
        examples: [
          {
            config: { apps: { http: { servers: { site: { listen: [':80'] } } } } },
            requests: [{ url: 'http://example.com/x', client: '192.0.2.7' }],
          },
        ],
      },
    },
    responses: {
      '200': {
        description: 'The requests that would go elsewhere.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              compared: { type: 'integer' },
              unknown: { type: 'integer', description: 'Requests of which is not known where they go.' },
              elsewhere: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    request: { type: 'object' },
                    before: outcome,
                    after: outcome,
                    what: { type: 'array', items: { enum: ['kind', 'route', 'status', 'upstream'] } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
