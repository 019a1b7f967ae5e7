/** Grammar terms for response matchers and response handlers. */
import type { Json } from '@sluice/base';
import type { DirectiveReader } from '../http/directive-reader.ts';
import { words } from '../inverse/values.ts';
import type { Line, Writer } from '../inverse/written.ts';
import { objectsIn } from './blocks.ts';
import { ResponseHandlers } from './response-handlers.ts';
import { readResponseMatcher, responseMatcherLine, responseMatcherOptions } from './response-matchers.ts';
import { note, type Block, type Term } from './term.ts';

/**
 * Declares the `match` option for responses. The help text describes the responses that match. `once` is the error message for a second
 * `match`.
 */
export function responseMatch(help: string, once?: string): Term {
  return {
    ...note('[header <field> [<value>]|status <code>…]', help),
    block: responseMatcherOptions,
    read(reader, draft) {
      if (once !== undefined && draft.get(['match']) !== undefined) throw reader.error(once);
      draft.put(['match'], readResponseMatcher(reader), true);
    },
    write: (option, { match }) => (match === undefined ? [] : [responseMatcherLine(option, match)]),
  };
}

const handlers = new WeakMap<object, ResponseHandlers>();

/** Returns the response handlers that {@link responseOptions} stored in a draft's fields. */
export function responseHandlers(fields: object): ResponseHandlers {
  const found = handlers.get(fields) ?? new ResponseHandlers();
  handlers.set(fields, found);
  return found;
}

function option(shown: string, help: string, more: Partial<Term> = {}): Term {
  return {
    ...note(shown, help),
    read(reader, draft, name) {
      if (!responseHandlers(draft.fields).read(name, reader as DirectiveReader))
        throw reader.error(`unrecognized subdirective ${name}`);
    },
    ...more,
  };
}

export const responseMatchers = option('', '');

/** Options that handle responses, and the definitions of the matchers for these options. */
export const responseOptions: Block = {
  replace_status: option('[@<matcher>] <status>', 'Changes the status code of matching responses.'),
  handle_response: option('[@<matcher>]', 'Handles matching responses with the directives in the block.', {
    content: 'directives',
    write: (_option, { handle_response: found }, writer) => responseLines(found, writer),
  }),
};

/** Writes the `handle_response` and `replace_status` lines, with definitions of the matchers that they use. */
async function responseLines(value: Json | undefined, writer: Writer): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [at, { match, status_code: status, routes }] of objectsIn(value).entries()) {
    const name = match === undefined ? [] : [`@response${at === 0 ? '' : at + 1}`];
    if (match !== undefined) lines.push(responseMatcherLine(name.join(''), match));
    if (status === undefined)
      lines.push({ words: ['handle_response', ...name], block: await writer.routes(routes, true) });
    else lines.push({ words: ['replace_status', ...name, ...words(status)] });
  }
  return lines;
}
