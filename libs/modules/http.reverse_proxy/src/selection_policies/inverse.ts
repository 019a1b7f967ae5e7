/** Policies that need words as `lb_policy`. */
import { isObject, type Json } from '@sluice/base';
import { durationWord, optionLines, words, written, type Line, type WriteModule, type Writer } from '@sluice/caddyfile';

/** `NAME WORD…`: the fields that are words in this order. */
function policy(...fields: readonly string[]): WriteModule {
  return async (options, writer) => {
    if (!isObject(options)) return null;
    const block = [
      ...optionLines(options, [['max_age', 'max_age', durationWord]]),
      ...(await fallbackLines(options['fallback'], writer)),
    ];
    return [
      written(
        fields.flatMap((field) => words(options[field])),
        block,
      ),
    ];
  };
}

/** A fallback that is written at all is not the usual one. */
async function fallbackLines(value: Json | undefined, writer: Writer): Promise<Line[]> {
  if (!isObject(value)) return [];
  const { policy: name, ...options } = value;
  const lines = (await writer.module(`http.reverse_proxy.selection_policies.${words(name).join('')}`, options)) ?? [];
  return lines.map((line) => ({ ...line, words: ['fallback', ...line.words] }));
}

export const writeCookie: WriteModule = policy('name', 'secret');
export const writeHeader: WriteModule = policy('field');
export const writeQuery: WriteModule = policy('key');
export const writeRandomChoose: WriteModule = policy('choose');
export const writeWeights: WriteModule = policy('weights');
