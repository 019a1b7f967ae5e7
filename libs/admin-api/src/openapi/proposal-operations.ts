/** OpenAPI descriptions of the routes for proposals. */
import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';
import { anyJson, changed, changeQuery, configuration, conflict } from './shapes.ts';

const id = { id: 'Number of the proposal.' } as const;

const head: Readonly<Record<string, JsonObject>> = {
  id: { type: 'integer' },
  title: { type: 'string' },
  state: { enum: ['open', 'rolling_out', 'applied', 'withdrawn'] },
  by: { type: ['string', 'null'], description: "Name of the author's token." },
  at: { type: 'string', format: 'date-time' },
  closed_by: { type: 'string', description: 'Name of the token that approved or withdrew the proposal.' },
  changes: { type: 'integer', description: 'Number of operations in the patch.' },
};

const proposal: JsonObject = {
  type: 'object',
  properties: {
    ...head,
    reason: { type: 'string' },
    report: { type: 'object', description: 'Result of the dry run, as for `?dry_run=behavior`.' },
  },
};

const one = { description: 'The proposal.', content: { 'application/json': proposal } };
const absent = { description: 'The proposal does not exist.' };

/** OpenAPI operations, keyed by method and path. */
export const proposalOperations: AdminOperations = {
  'POST /proposals': {
    summary: 'Proposes a change',
    description:
      'Tests a change with `?dry_run=behavior`, and stores the change and the result without applying the change. The client must be allowed to read the whole configuration. At most 50 proposals can be open. Proposals survive restarts.',
    query: {
      dry_run: { type: 'string', description: 'Return only the test result, without storing the proposal.' },
      shadow: {
        type: 'string',
        description:
          'Also compare real responses, as with `?dry_run=shadow`, with the same parameters `requests`, `seconds`, `live` and `unsafe`.',
      },
    },
    body: {
      'application/json': {
        type: 'object',
        required: ['title'],
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200 },
          reason: { type: 'string', maxLength: 10_000 },
          patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch (RFC 6902).' },
          config: { ...configuration, description: 'Complete new configuration, as an alternative to `patch`.' },
        },
        examples: [
          { title: 'add a site', patch: [{ op: 'add', path: '/apps/http/servers/a', value: { listen: [':8081'] } }] },
        ],
      },
    },
    responses: { '201': one, '422': { description: 'The change is invalid, or changes nothing.' } },
  },
  'POST /explain/tests': {
    summary: 'Runs test cases with a proposed configuration',
    description:
      'Tests a change without applying it. A separate thread runs the requests of the test cases through the new configuration, with stubs instead of upstreams. If `patch` and `config` are omitted, the active configuration is tested. At most 1000 cases and 20 seconds. The client must be allowed to read the whole configuration, and a permission must name this path exactly. Files and environment variables are available only to clients that are allowed to read them (`admin.external_reads`).',
    body: {
      'application/json': {
        type: 'object',
        required: ['tests'],
        additionalProperties: false,
        properties: {
          tests: {
            type: 'object',
            description: 'Content of a file for `sluice test`: `cases` and `upstreams`. `config` is ignored.',
          },
          patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch (RFC 6902).' },
          config: { ...configuration, description: 'Complete new configuration, as an alternative to `patch`.' },
        },
        examples: [
          { tests: { cases: [{ request: { url: 'http://a.test/', server: 'a' }, expect: { status: 200 } }] } },
        ],
      },
    },
    responses: {
      '200': {
        description: 'The results.',
        content: {
          'application/json': {
            type: 'object',
            properties: {
              ...Object.fromEntries(
                ['files', 'cases', 'passed', 'failed', 'skipped'].map((name) => [name, { type: 'integer' }]),
              ),
              failures: {
                type: 'array',
                description: 'The first failures, with their differences.',
                items: { type: 'object' },
              },
              error: { type: ['string', 'null'], description: 'Reason why tests could not run.' },
              ms: { type: 'integer', description: 'Duration in milliseconds.' },
            },
          },
        },
      },
      '400': { description: 'A test case is invalid.' },
      '422': { description: 'The change is invalid.' },
      '503': { description: 'Too many tests are waiting.' },
      '504': { description: 'The tests did not complete in time.' },
    },
  },
  'GET /proposals': {
    summary: 'Returns all proposals, newest first',
    responses: {
      '200': {
        description: 'The proposals, without their reports.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: head } } },
      },
    },
  },
  'GET /proposals/:id': {
    summary: 'Returns a proposal with its report',
    path: id,
    responses: { '200': one, '404': absent },
  },
  'GET /proposals/:id/report': {
    summary: 'Returns the signed report for a proposal',
    description:
      'The report contains the change, its author, the predicted effects and the decision. With `format=jws`, the report is a JSON Web Signature (RFC 7515) with EdDSA. With `format=html`, it is a page that contains the signature. `GET /reports/key` returns the public key.',
    path: id,
    query: { format: { enum: ['jws', 'html'], default: 'jws', description: 'Format.' } },
    responses: {
      '200': {
        description: 'The report.',
        content: { 'application/jose': { type: 'string' }, 'text/html': { type: 'string' } },
      },
      '404': absent,
    },
  },
  'GET /reports/key': {
    summary: 'Returns the public key that verifies reports',
    description: 'A JSON Web Key (RFC 7517). The private key is in the data directory of the server.',
    responses: {
      '200': {
        description: 'The key.',
        content: {
          'application/json': {
            type: 'object',
            properties: { kty: { const: 'OKP' }, crv: { const: 'Ed25519' }, x: { type: 'string' } },
          },
        },
      },
      '404': { description: 'The server does not sign reports.' },
    },
  },
  'DELETE /proposals/:id': {
    summary: 'Withdraws a proposal',
    path: id,
    responses: {
      '200': { description: 'The proposal is withdrawn.' },
      '404': absent,
      '409': { description: 'The proposal is no longer open.' },
    },
  },
  'POST /approvals/:id': {
    summary: 'Applies a proposed change',
    description:
      'The author cannot approve the proposal. The status is 409 if a value that the proposal changes has been modified in the meantime. The request body is ignored.',
    path: id,
    query: changeQuery,
    bodyIsOptional: true,
    body: { 'application/json': anyJson },
    responses: { '200': changed, '404': absent, '409': conflict },
  },
};
