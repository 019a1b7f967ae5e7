/** What the directives `bind` and `log` say of themselves. */
import type { Description } from '@sluice/caddyfile/contribute';

export const bind: Description = {
  syntax: ['bind <address>…'],
  summary: 'Addresses or network interfaces to listen on. Default: all.',
  options: [{ syntax: 'protocols <name>…', summary: 'Protocols to enable.' }],
  example: `:8080 {
	bind 127.0.0.1 [::1]
	respond hi
}
`,
};

export const log: Description = {
  syntax: ['log [<name>]'],
  summary: 'Writes an access log for the site.',
  options: [
    { syntax: 'output <writer> …', summary: 'Log writer.', module: 'caddy.logging.writers' },
    { syntax: 'format <encoder> …', summary: 'Log format.', module: 'caddy.logging.encoders' },
    { syntax: 'level <level>', summary: 'Minimum log level.' },
    { syntax: 'hostnames <name>…', summary: 'Hosts whose requests are logged.' },
    { syntax: 'no_hostname', summary: 'Restricts the log to requests selected with `log_name`.' },
    {
      syntax: 'sampling',
      summary: 'Limits the number of repeated entries.',
      options: [
        { syntax: 'interval <time>', summary: 'Length of the sampling interval.' },
        { syntax: 'first <count>', summary: 'Number of entries logged per interval.' },
        { syntax: 'thereafter <count>', summary: 'After them, logs every Nth entry.' },
      ],
    },
  ],
  example: `:8080 {
	log {
		output file /var/log/site.log
		format console
	}
	respond hi
}
`,
};
