/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  net: {
    syntax: ['net <address>'],
    summary: 'Sends entries to an address, such as `udp/10.0.0.9:514`.',
    options: [
      { syntax: 'dial_timeout <time>', summary: 'How long connecting may take.' },
      { syntax: 'soft_start', summary: 'Starts also while the address can not be reached.' },
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
    summary: 'Writes to a file, which is rolled when it gets large.',
    options: [
      { syntax: 'mode <octal>', summary: 'Permissions of the file; `0600` if nothing is said.' },
      { syntax: 'dir_mode <octal>|inherit|from_file', summary: 'Permissions of folders that are made for it.' },
      { syntax: 'direct', summary: 'Writes each entry at once.' },
      { syntax: 'roll_disabled', summary: 'The file is never rolled.' },
      { syntax: 'roll_size <size>', summary: 'Rolls a file of this size; 100 MiB if nothing is said.' },
      { syntax: 'roll_interval <time>', summary: 'Rolls after this time.' },
      { syntax: 'roll_minutes <minute>…', summary: 'Rolls at these minutes of each hour.' },
      { syntax: 'roll_at <hh:mm>…', summary: 'Rolls at these times of the day.' },
      { syntax: 'roll_local_time', summary: 'Names of rolled files have the local time.' },
      { syntax: 'roll_uncompressed', summary: 'Rolled files are not compressed.' },
      { syntax: 'roll_compression none|gzip|zstd', summary: 'How rolled files are compressed.' },
      { syntax: 'roll_keep <count>', summary: 'How many rolled files are kept; 10 if nothing is said.' },
      { syntax: 'roll_keep_for <time>', summary: 'How long rolled files are kept; 90 days if nothing is said.' },
      { syntax: 'backup_time_format <format>', summary: 'How names of rolled files say the time.' },
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
    summary: 'Hands entries to a transport of pino, a package of npm. The reference does not have it.',
    options: [
      { syntax: 'option <name> <value>', summary: 'An option of the transport; JSON is taken as such.' },
      { syntax: 'max_queue <size>', summary: 'How much may wait for the transport.' },
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
    summary: 'Writes nothing.',
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
