/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  console: {
    syntax: ['console'],
    summary: 'Writes human-readable lines: time, level, logger, message, and the fields as JSON.',
    options: [
      { syntax: 'message_key <name>', summary: 'Key of the message. Default: `msg`.' },
      { syntax: 'level_key <name>', summary: 'Key of the level.' },
      { syntax: 'time_key <name>', summary: 'Key of the time.' },
      { syntax: 'name_key <name>', summary: 'Key of the logger name.' },
      { syntax: 'caller_key <name>', summary: 'Accepted and kept in the JSON; entries have no caller.' },
      { syntax: 'stacktrace_key <name>', summary: 'Key of the stack trace.' },
      { syntax: 'line_ending <text>', summary: 'Line ending.' },
      { syntax: 'time_format <format>', summary: 'Time format, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Uses local time.' },
      {
        syntax: 'duration_format <format>',
        summary: 'Duration format: `ms`, `ns` or `string`. Default: seconds.',
      },
      { syntax: 'level_format <format>', summary: 'Level format: `lower`, `upper` or `color`.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format console {
			time_local
		}
	}
}
`,
  },
  json: {
    syntax: ['json'],
    summary: 'Writes entries as JSON, one per line.',
    options: [
      { syntax: 'message_key <name>', summary: 'Key of the message. Default: `msg`.' },
      { syntax: 'level_key <name>', summary: 'Key of the level.' },
      { syntax: 'time_key <name>', summary: 'Key of the time.' },
      { syntax: 'name_key <name>', summary: 'Key of the logger name.' },
      { syntax: 'caller_key <name>', summary: 'Accepted and kept in the JSON; entries have no caller.' },
      { syntax: 'stacktrace_key <name>', summary: 'Key of the stack trace.' },
      { syntax: 'line_ending <text>', summary: 'Line ending.' },
      { syntax: 'time_format <format>', summary: 'Time format, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Uses local time.' },
      {
        syntax: 'duration_format <format>',
        summary: 'Duration format: `ms`, `ns` or `string`. Default: seconds.',
      },
      { syntax: 'level_format <format>', summary: 'Level format: `lower`, `upper` or `color`.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format json {
			time_format iso8601
		}
	}
}
`,
  },
  logfmt: {
    syntax: ['logfmt'],
    summary: 'Writes entries as key-value pairs: `level=info msg="handled request"`. Not available in Caddy.',
    options: [
      { syntax: 'message_key <name>', summary: 'Key of the message. Default: `msg`.' },
      { syntax: 'level_key <name>', summary: 'Key of the level.' },
      { syntax: 'time_key <name>', summary: 'Key of the time.' },
      { syntax: 'name_key <name>', summary: 'Key of the logger name.' },
      { syntax: 'caller_key <name>', summary: 'Accepted and kept in the JSON; entries have no caller.' },
      { syntax: 'stacktrace_key <name>', summary: 'Key of the stack trace.' },
      { syntax: 'line_ending <text>', summary: 'Line ending.' },
      { syntax: 'time_format <format>', summary: 'Time format, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Uses local time.' },
      {
        syntax: 'duration_format <format>',
        summary: 'Duration format: `ms`, `ns` or `string`. Default: seconds.',
      },
      { syntax: 'level_format <format>', summary: 'Level format: `lower`, `upper` or `color`.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format logfmt
	}
}
`,
  },
  filter: {
    syntax: ['filter'],
    summary: 'Changes fields of entries before another encoder writes them.',
    options: [
      { syntax: 'wrap <encoder> …', summary: 'Encoder for the entry.', module: 'caddy.logging.encoders' },
      { syntax: 'fields', summary: 'Field filters, one per line; `>` separates nested names.' },
      {
        syntax: '<field> <filter> …',
        summary: 'The same, without the `fields` block.',
        module: 'caddy.logging.encoders.filter',
      },
    ],
    example: `:8080 {
	log {
		output stdout
		format filter {
			wrap json
			request>headers>Cookie delete
		}
	}
}
`,
  },
  append: {
    syntax: ['append'],
    summary: 'Adds fields to entries before another encoder writes them.',
    options: [
      { syntax: 'wrap <encoder> …', summary: 'Encoder for the entry.', module: 'caddy.logging.encoders' },
      { syntax: 'fields', summary: 'Fields to add: one name and value per line.' },
      { syntax: '<name> <value>', summary: 'The same, without the `fields` block.' },
    ],
    example: `:8080 {
	log {
		output stdout
		format append {
			wrap json
			server eu-1
		}
	}
}
`,
  },
  journald: {
    syntax: ['journald'],
    summary: 'Prefixes each line with a journald priority.',
    options: [{ syntax: 'wrap <encoder> …', summary: 'Encoder for the entry.', module: 'caddy.logging.encoders' }],
    example: `:8080 {
	log {
		output stdout
		format journald {
			wrap console
		}
	}
}
`,
  },
  single_field: {
    syntax: ['single_field <field>'],
    summary: 'Writes a single field of an entry as a string. Not available in Caddy.',
    options: [
      {
        syntax: 'fallback <encoder> …',
        summary: 'Encoder for entries without the field.',
        module: 'caddy.logging.encoders',
      },
    ],
    example: `:8080 {
	log {
		output stdout
		format single_field request>uri {
			fallback json
		}
	}
}
`,
  },
};
