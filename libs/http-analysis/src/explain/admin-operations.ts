/** OpenAPI descriptions of the explanation routes. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const text = (description: string): JsonObject => ({ type: 'string', description });

const fields: JsonObject = {
  type: 'object',
  description: 'Header fields: a value, or a list of values.',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};

const upstream: JsonObject = {
  type: 'object',
  description:
    'Simulated upstream responses. The first matching response is used. A response can be used any number of times.',
  additionalProperties: false,
  properties: {
    upstream: text('Dial address of the upstream. Default: any.'),
    path: text('Path of the handler that sends the request. Default: any.'),
    status: { type: 'integer', minimum: 100, maximum: 999, description: 'Default: 200.' },
    headers: fields,
    body: text('Response body.'),
    error: { enum: ['refused', 'reset', 'timeout'], description: 'Failure to simulate instead of a response.' },
  },
};

const request: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: text('Absolute URL, as sent by a client; the path is used verbatim.'),
    method: text('Default GET.'),
    headers: fields,
    body: {
      anyOf: [{ type: 'string' }, { type: 'object', required: ['base64'], properties: { base64: { type: 'string' } } }],
    },
    protocol: { enum: ['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0'] },
    client: text('Client address, with an optional port. Default: unknown.'),
    tls: {
      description: 'TLS properties; `false` = no TLS. Default: derived from the URL; all other details are unknown.',
      anyOf: [
        { type: 'boolean' },
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            version: text('TLS version, such as tls1.3.'),
            cipher_suite: text('Cipher suite name.'),
            server_name: text('Server name in the handshake (SNI). Default: the host.'),
            protocol: text('Protocol negotiated with ALPN.'),
            resumed: { type: 'boolean' },
            handshake_complete: { type: 'boolean' },
            client_certificate: {
              type: ['string', 'null'],
              description: 'Certificate in PEM format; `null` = none presented.',
            },
          },
        },
      ],
    },
    server: text('Server name. Default: the server that listens on the port of the URL.'),
    port: {
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      description: 'Port on which the request arrives. Default: the port of the URL.',
    },
    time: { type: 'string', format: 'date-time', description: 'Default: unknown.' },
    random: {
      type: 'number',
      minimum: 0,
      exclusiveMaximum: 1,
      description: 'Seed for random choices. Default: unknown.',
    },
    responses: { type: 'array', items: upstream },
  },
  examples: [{ url: 'https://example.com/x', headers: { Accept: 'text/html' }, client: '192.0.2.7' }],
};

const step: JsonObject = {
  type: 'object',
  properties: {
    path: text('Configuration path, such as `apps.http.servers.s.routes[0].handle[1]`.'),
    id: text('Module ID; empty if the step is not a module.'),
    source: {
      type: ['object', 'null'],
      description: 'Source position.',
      properties: { file: { type: 'string' }, line: { type: 'integer' } },
    },
    kind: { enum: ['route', 'matcher', 'handler', 'index', 'group', 'redirect', 'error', 'upstream'] },
    verdict: {
      description:
        'For a matcher: its result. For a route: whether it was reached. For a handler: whether it called the next handler.',
      enum: [true, false, 'unknown', null],
    },
    known: { enum: ['evaluated', 'given', 'assumed', 'opaque'] },
    wanted: { description: 'Configured value.' },
    got: { description: 'Values used in the evaluation.' },
    changed: { type: ['object', 'null'], description: 'Changes to the request, with the values before and after.' },
    ns: { type: 'integer', description: 'Duration in nanoseconds, excluding the steps that follow.' },
    steps: { type: 'array', items: { type: 'object' }, description: 'Nested steps with the same structure.' },
  },
};

const outcome: JsonObject = {
  type: 'object',
  properties: {
    kind: { enum: ['response', 'error', 'outward', 'abort', 'refused', 'opaque', 'unknown'] },
    status: { type: 'integer', description: '0 if unknown.' },
    headers: {
      type: 'object',
      description: 'Header fields as the client receives them, without Date and connection fields. `null` = unknown.',
    },
    body: { type: ['string', 'null'], description: 'Beginning of a text body. `null` if there is none.' },
    size: { type: ['integer', 'null'], description: 'Size of the body in bytes. `null` if unknown.' },
    route: { type: ['string', 'null'], description: 'Route whose handler sent the response.' },
    routes: { type: 'array', items: { type: 'string' }, description: 'All routes that were reached, in order.' },
    handler: { type: ['string', 'null'] },
    handler_id: { type: ['string', 'null'] },
    upstream: {
      type: ['object', 'null'],
      properties: {
        address: { type: ['string', 'null'] },
        known: {
          enum: ['evaluated', 'assumed', 'unknown'],
          description:
            '`assumed`: the selection policy may also select another upstream, which is reported in a separate path. `unknown`: the paths have different upstreams.',
        },
        candidates: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              address: { type: 'string' },
              chosen: { type: 'boolean' },
              possible: { type: 'boolean', description: '`true` if the policy may select this upstream.' },
              why: { type: 'string' },
              state: { enum: ['healthy', 'unhealthy', 'degraded', 'unknown'] },
              reason: { type: 'string', description: 'Reason why the upstream is in this state.' },
              since: {
                type: 'string',
                format: 'date-time',
                description: 'Time at which the upstream entered this state.',
              },
            },
          },
        },
      },
    },
    sends: {
      type: ['object', 'null'],
      description:
        'Request that would be sent to the upstream, with the fields that the transport adds. `null` members are unknown.',
    },
    error: { type: ['object', 'null'], properties: { status: { type: 'integer' }, message: { type: 'string' } } },
    depends_on: {
      type: 'array',
      items: { type: 'string' },
      description: 'Unknown facts that affect the response but do not determine which outcome applies.',
    },
  },
};

const explanation: JsonObject = {
  type: 'object',
  properties: {
    request: { type: 'object' },
    outcome,
    unknown: {
      type: 'array',
      items: { type: 'string' },
      description: 'Unknown facts that determine which outcome applies.',
    },
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

export const operations: AdminOperations = {
  'POST /explain': {
    summary: 'Explains how a request is handled',
    description:
      'Runs a request through the current routes in the control thread, and reports each step. Nothing is sent, counted or logged. If facts about the client, TLS, time or randomness are missing, both outcomes are followed, up to eight paths.',
    query: {
      last: {
        type: 'integer',
        minimum: 0,
        maximum: 200,
        description:
          'Number of most recently recorded requests to explain. Cannot be combined with a body. The response is `{"requests": […]}`, each with `request`, `outcome` and `unknown`.',
      },
    },
    bodyIsOptional: true,
    body: { 'application/json': request },
    responses: { '200': { description: 'The explanation.', content: { 'application/json': explanation } } },
  },
  'POST /explain/test': {
    summary: 'Generates a test for a request',
    description:
      'Generates a test case for `sluice test` from a request to explain, or from recorded requests. The test case expects the current behavior. If the outcome is unknown because a fact is missing, no case is generated.',
    query: {
      last: {
        type: 'integer',
        minimum: 0,
        maximum: 200,
        description: 'Number of recorded requests to use, newest first. Cannot be combined with a body.',
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
                description: 'A trace, as returned by `GET /traces`.',
              },
            },
          },
        ],
        examples: [{ url: 'https://example.com/x', client: '192.0.2.7' }],
      },
    },
    responses: {
      '200': {
        description: 'The test cases, and the requests for which none can be generated.',
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
    summary: 'Reports requests that a different configuration would route differently',
    description:
      'Builds a configuration without applying it, and explains each request with this configuration and the current one. Reports requests whose final handler, status or upstream would differ.',
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
            description: 'Number of recently recorded requests to include.',
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
        description: 'Requests that would be routed differently.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              compared: { type: 'integer' },
              unknown: { type: 'integer', description: 'Number of requests whose routing is unknown.' },
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
