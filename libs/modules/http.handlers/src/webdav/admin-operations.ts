import type { JsonObject } from '@sluice/base';
import type { AdminOperations } from '@sluice/registry';

const lock: JsonObject = {
  token: { type: 'string', description: 'Lock token, for DELETE.' },
  path: { type: 'string', description: 'Path of the locked file or directory.' },
  href: { type: 'string', description: 'URL path of the locked resource.' },
  depth: {
    type: 'string',
    enum: ['0', 'infinity'],
    description: 'Depth of the lock: `infinity` if the members of the directory are locked as well, otherwise `0`.',
  },
  exclusive: { type: 'boolean', description: '`false` for a shared lock.' },
  user: { type: 'string', description: 'User who created the lock. Empty if the user was not authenticated.' },
  expires_in: { type: 'number', description: 'Time until the lock expires, in seconds.' },
};

/** Descriptions of the WebDAV admin API operations, keyed by method and path. */
export const operations: AdminOperations = {
  'GET /webdav/locks': {
    summary: 'Lists WebDAV locks, at most 1,000',
    query: { search: { type: 'string', description: 'Filter by substring of the path or user.' } },
    responses: {
      '200': {
        description: 'The locks.',
        content: { 'application/json': { type: 'array', items: { type: 'object', properties: lock } } },
      },
    },
  },
  'DELETE /webdav/locks/:token': {
    summary: "Removes any user's WebDAV lock",
    path: { token: 'The lock token, percent-encoded.' },
    responses: {
      '200': {
        description: 'The lock was removed.',
        content: { 'application/json': { type: 'object', properties: { token: { type: 'string' } } } },
      },
    },
  },
};
