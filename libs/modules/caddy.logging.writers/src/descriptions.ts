/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  net: {
    syntax: ['net <address>'],
    summary: 'Sends entries to a network address, such as `udp/10.0.0.9:514`.',
    options: [
      { syntax: 'dial_timeout <time>', summary: 'Connect timeout.' },
      { syntax: 'soft_start', summary: 'Starts even if the address is unreachable.' },
    ],
    example: `:8080 {
	log {
		output net 10.0.0.9:9000 {
			soft_start
		}
	}
}
`,
  },
  file: {
    syntax: ['file <path>'],
    summary: 'Writes to a file, which is rotated when it gets large.',
    options: [
      { syntax: 'mode <octal>', summary: 'File permissions. Default: `0600`.' },
      { syntax: 'dir_mode <octal>|inherit|from_file', summary: 'Permissions of created directories.' },
      { syntax: 'direct', summary: 'Bypasses the page cache for large writes.' },
      { syntax: 'roll_disabled', summary: 'Disables rotation.' },
      { syntax: 'roll_size <size>', summary: 'File size at which to rotate. Default: 100 MiB.' },
      { syntax: 'roll_interval <time>', summary: 'Rotation interval.' },
      { syntax: 'roll_minutes <minute>…', summary: 'Minutes of each hour at which to rotate.' },
      { syntax: 'roll_at <hh:mm>…', summary: 'Times of day at which to rotate.' },
      { syntax: 'roll_local_time', summary: 'Uses local time in the names of rotated files.' },
      { syntax: 'roll_uncompressed', summary: 'Disables compression of rotated files.' },
      { syntax: 'roll_compression none|gzip|zstd', summary: 'Compression of rotated files.' },
      { syntax: 'roll_keep <count>', summary: 'Number of rotated files to keep. Default: 10.' },
      { syntax: 'roll_keep_for <time>', summary: 'Time for which rotated files are kept. Default: 90 days.' },
      { syntax: 'backup_time_format <format>', summary: 'Time format in the names of rotated files.' },
    ],
    example: `:8080 {
	log {
		output file /var/log/site.log {
			roll_size 50MiB
			roll_keep 5
		}
	}
}
`,
  },
  pino: {
    syntax: ['pino <target>'],
    summary: 'Sends entries to a pino transport, an npm package. Not available in Caddy.',
    options: [
      { syntax: 'option <name> <value>', summary: 'Option of the transport; JSON values are parsed.' },
      { syntax: 'max_queue <size>', summary: 'Maximum size of the queue for the transport.' },
    ],
    example: `:8080 {
	log {
		output pino pino-loki {
			option host http://loki:3100
		}
	}
}
`,
  },
  discard: {
    syntax: ['discard'],
    summary: 'Discards all entries.',
    example: `:8080 {
	log {
		output discard
	}
}
`,
  },
  stderr: {
    syntax: ['stderr'],
    summary: 'Writes to standard error.',
    example: `:8080 {
	log {
		output stderr
	}
}
`,
  },
  stdout: {
    syntax: ['stdout'],
    summary: 'Writes to standard output.',
    example: `:8080 {
	log {
		output stdout
	}
}
`,
  },
};
