/** `caddy.adapters.yaml`: YAML 1.2 (https://yaml.org/spec/1.2.2), as far as it has what JSON has. */
import { configAdapters, type ConfigAdapter } from '@sluice/contracts';
import { defineModule, options } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';

/**
 * How often anchors may be repeated, counted through those within each other, so that a few lines can't make millions of
 * values.
 */
const maxAliasCount = 1_000;

/**
 * Reads one YAML document. Errors name line and column; what the parser could only guess at, such as an unknown tag, is a
 * warning. Anchors and `<<` are replaced by what they stand for; a date is the text that it is written as; a key that
 * stands twice in one mapping, or that is a collection itself, is refused.
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
      refuseOddKeys(document, lines);
      const warnings = document.warnings.map(({ message, pos: [at] }) => ({
        file,
        line: lines.linePos(at).line,
        message,
      }));
      return { config: valueOf(document), warnings };
    },
  }),
});

/** Anchors are resolved here: what repeats too much, or itself, is refused. */
function valueOf(document: Document.Parsed): Json {
  try {
    return (document.toJS({ maxAliasCount }) ?? null) as Json;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SyntaxError('nested too deeply, or an anchor contains itself', { cause: error });
  }
}

/** Keys of JSON are texts. Numbers and the like have one; a list or a mapping has none. */
function refuseOddKeys(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) || key === null) return;
      const at = (key as { readonly range?: readonly number[] | null }).range?.[0] ?? 0;
      throw located('keys must be strings or numbers, not collections or aliases', at, lines);
    },
  });
}

/** The parser goes down into what is nested until there is no stack left, and reports that as it reports others. */
function problemOf({ message }: Error): string {
  return message.includes('call stack') ? 'nested too deeply' : message;
}

function located(message: string, at: number, lines: LineCounter, cause?: unknown): SyntaxError {
  const { line, col } = lines.linePos(at);
  return new SyntaxError(`line ${line}, column ${col}: ${message}`, { cause });
}
