/** The module `caddy.adapters.yaml`, which adapts YAML 1.2 (https://yaml.org/spec/1.2.2). It supports everything that JSON can represent. */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';

/** Maximum number of alias expansions, including nested ones. The limit prevents a few lines from producing millions of values. */
const maxAliasCount = 1_000;

/**
 * Adapts a single YAML document. Errors contain the line and column. Ambiguities, such as an unknown tag, cause a warning. Anchors and `<<`
 * are expanded. Dates remain strings. Duplicate keys and collections as keys are rejected.
 */
export const yaml = defineModule(configAdapters, {
  name: 'yaml',
  help: 'Reads YAML 1.2: a single document, with anchors and merge keys.',
  config: options({}),
  provision: (): ConfigAdapter => ({
    adapt(body, { file = '' }) {
      const text = typeof body === 'string' ? body : body.toString('utf8');
      const lines = new LineCounter();
      const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'error' });
      const [error] = document.errors;
      if (error !== undefined) throw located(problemOf(error), error.pos[0], lines, error);
      rejectInvalidKeys(document, lines);
      const warnings = document.warnings.map(({ message, pos: [at] }) => ({
        file,
        line: lines.linePos(at).line,
        message,
      }));
      return { config: valueOf(document), warnings };
    },
  }),
});

/** Expands aliases. Throws if there are too many expansions or if an alias is circular. */
function valueOf(document: Document.Parsed): Json {
  try {
    return (document.toJS({ maxAliasCount }) ?? null) as Json;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError('the document is nested too deeply, or an anchor refers to itself', { cause: error });
  }
}

/** Checks all mapping keys. JSON keys are strings, so numbers are converted, but arrays and mappings are rejected. */
function rejectInvalidKeys(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) || key === null) return;
      const at = (key as { readonly range?: readonly number[] | null }).range?.[0] ?? 0;
      throw located('keys must be strings or numbers, not collections or aliases', at, lines);
    },
  });
}

/** Returns a message for a parser error. For deeply nested input, the parser overflows the stack, and reports this like any other error. */
function problemOf({ message }: Error): string {
  return message.includes('call stack') ? 'nested too deeply' : message;
}

function located(message: string, at: number, lines: LineCounter, cause?: unknown): SyntaxError {
  const { line, col } = lines.linePos(at);
  return new SyntaxError(`line ${line}, column ${col}: ${message}`, { cause });
}
