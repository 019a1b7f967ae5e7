/** What the modules of this package say of their syntax in the Caddyfile. */
import type { Description } from '@sluice/caddyfile/contribute';

/** By the name of the module. */
export const descriptions: Readonly<Record<string, Description>> = {
  console: {
    syntax: ['console'],
    summary: 'Entries as lines that people read: time, level, logger, message, and the fields as JSON.',
    options: [
      { syntax: 'message_key <name>', summary: 'The field of the message; `msg` if nothing is said.' },
      { syntax: 'level_key <name>', summary: 'The field of the level.' },
      { syntax: 'time_key <name>', summary: 'The field of the time.' },
      { syntax: 'name_key <name>', summary: "The field of the logger's name." },
      { syntax: 'caller_key <name>', summary: 'Kept in the JSON; entries have no caller here.' },
      { syntax: 'stacktrace_key <name>', summary: 'The field of stack traces.' },
      { syntax: 'line_ending <text>', summary: 'What ends a line.' },
      { syntax: 'time_format <format>', summary: 'How times are written, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Times are those of the local zone.' },
      {
        syntax: 'duration_format <format>',
        summary: 'How durations are written: `ms`, `ns`, `string` or, usually, seconds.',
      },
      { syntax: 'level_format <format>', summary: 'How levels are written: `lower`, `upper` or `color`.' },
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
    summary: 'Entries as JSON, one a line.',
    options: [
      { syntax: 'message_key <name>', summary: 'The field of the message; `msg` if nothing is said.' },
      { syntax: 'level_key <name>', summary: 'The field of the level.' },
      { syntax: 'time_key <name>', summary: 'The field of the time.' },
      { syntax: 'name_key <name>', summary: "The field of the logger's name." },
      { syntax: 'caller_key <name>', summary: 'Kept in the JSON; entries have no caller here.' },
      { syntax: 'stacktrace_key <name>', summary: 'The field of stack traces.' },
      { syntax: 'line_ending <text>', summary: 'What ends a line.' },
      { syntax: 'time_format <format>', summary: 'How times are written, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Times are those of the local zone.' },
      {
        syntax: 'duration_format <format>',
        summary: 'How durations are written: `ms`, `ns`, `string` or, usually, seconds.',
      },
      { syntax: 'level_format <format>', summary: 'How levels are written: `lower`, `upper` or `color`.' },
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
    summary:
      'Entries as pairs of names and values: `level=info msg="handled request"`. The reference does not have it.',
    options: [
      { syntax: 'message_key <name>', summary: 'The field of the message; `msg` if nothing is said.' },
      { syntax: 'level_key <name>', summary: 'The field of the level.' },
      { syntax: 'time_key <name>', summary: 'The field of the time.' },
      { syntax: 'name_key <name>', summary: "The field of the logger's name." },
      { syntax: 'caller_key <name>', summary: 'Kept in the JSON; entries have no caller here.' },
      { syntax: 'stacktrace_key <name>', summary: 'The field of stack traces.' },
      { syntax: 'line_ending <text>', summary: 'What ends a line.' },
      { syntax: 'time_format <format>', summary: 'How times are written, such as `iso8601` or `rfc3339`.' },
      { syntax: 'time_local', summary: 'Times are those of the local zone.' },
      {
        syntax: 'duration_format <format>',
        summary: 'How durations are written: `ms`, `ns`, `string` or, usually, seconds.',
      },
      { syntax: 'level_format <format>', summary: 'How levels are written: `lower`, `upper` or `color`.' },
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
      { syntax: 'wrap <encoder> …', summary: 'How the entry is written otherwise.', module: 'caddy.logging.encoders' },
      { syntax: 'fields', summary: 'Filters of fields, one a line; `>` leads into objects.' },
      {
        syntax: '<field> <filter> …',
        summary: 'The same, without `fields` around it.',
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
      { syntax: 'wrap <encoder> …', summary: 'How the entry is written otherwise.', module: 'caddy.logging.encoders' },
      { syntax: 'fields', summary: 'Fields that are added: a name and a value a line.' },
      { syntax: '<name> <value>', summary: 'The same, without `fields` around it.' },
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
    summary: 'Puts the priority that journald knows in front of each line.',
    options: [
      { syntax: 'wrap <encoder> …', summary: 'How the entry is written otherwise.', module: 'caddy.logging.encoders' },
    ],
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
    summary: 'Writes one field of an entry, as a text. The reference does not have it.',
    options: [
      {
        syntax: 'fallback <encoder> …',
        summary: 'Writes entries that do not have the field.',
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
