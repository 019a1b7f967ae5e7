/** What the directive `log_append` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const logAppend: Description = {
  syntax: ['log_append [<matcher>] [<]<key> <value>'],
  summary:
    'Adds a field to the access log entry of the request. With `<` before the key, the value is evaluated before the request is handled.',
  example: `:8080 {
	log
	log_append tenant {header.X-Tenant}
	respond hi
}
`,
};
