/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example `logging` configuration with a filter for one field. */
const filtered = (field: string, filter: JsonObject): JsonObject => ({
  logging: {
    logs: { default: { encoder: { format: 'filter', wrap: { format: 'json' }, fields: { [field]: filter } } } },
  },
});

export const reference: PackageReference = {
  examples: {
    'caddy.logging.encoders.filter.cookie': filtered('request>headers>Cookie', {
      filter: 'cookie',
      actions: [{ type: 'hash', name: 'session' }],
    }),
    'caddy.logging.encoders.filter.delete': filtered('request>headers>Authorization', { filter: 'delete' }),
    'caddy.logging.encoders.filter.hash': filtered('user_id', { filter: 'hash' }),
    'caddy.logging.encoders.filter.ip_mask': filtered('request>remote_ip', {
      filter: 'ip_mask',
      ipv4_cidr: 24,
      ipv6_cidr: 64,
    }),
    'caddy.logging.encoders.filter.multi_regexp': filtered('request>uri', {
      filter: 'multi_regexp',
      operations: [
        { regexp: 'token=[^&]*', value: 'token=…' },
        { regexp: 'key=[^&]*', value: 'key=…' },
      ],
    }),
    'caddy.logging.encoders.filter.query': filtered('request>uri', {
      filter: 'query',
      actions: [{ type: 'replace', parameter: 'token', value: '…' }],
    }),
    'caddy.logging.encoders.filter.regexp': filtered('request>uri', {
      filter: 'regexp',
      regexp: '[0-9]{6,}',
      value: '…',
    }),
    'caddy.logging.encoders.filter.rename': filtered('request>remote_ip', { filter: 'rename', name: 'ip' }),
    'caddy.logging.encoders.filter.replace': filtered('request>remote_port', { filter: 'replace', value: '0' }),
    'caddy.logging.encoders.filter.set_cookie': filtered('resp_headers>Set-Cookie', {
      filter: 'set_cookie',
      actions: [{ type: 'delete', name: 'session' }],
    }),
  },
};
