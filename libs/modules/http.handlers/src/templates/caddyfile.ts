/** The directive `templates [matcher] { mime TYPE…; between OPEN CLOSE; root PATH; extensions { NAME … } }`. */
import { isObject, type Json } from '@sluice/base';
import { compact, handler, list, text, type Line, type Term } from '@sluice/caddyfile';

const namespace = 'http.handlers.templates.functions';

const extensions: Term = {
  shown: '',
  field: 'match',
  read(reader, draft) {
    if (draft.get(['match']) !== undefined) throw reader.error('extensions already specified');
    const functions: Record<string, Json> = {};
    for (const name of reader.block()) functions[name] = reader.module(`${namespace}.${name}`);
    draft.put(['match'], functions, true);
  },
  async write(option, { match }, writer) {
    const functions: Line[] = [];
    for (const [name, options] of Object.entries(isObject(match) ? match : {}))
      functions.push(...((await writer.module(`${namespace}.${name}`, options)) ?? []));
    return functions.length === 0 ? [] : [{ words: [option], block: functions }];
  },
};

export const templates = handler('templates', {
  block: {
    mime: list('<type>…', { field: 'mime_types' }),
    between: list('<open> <close>', {
      field: 'delimiters',
      help: 'Opening and closing delimiters of actions. Default: `{{` and `}}`.',
      all(reader, words) {
        if (words.length === 2) return words;
        throw reader.argumentError();
      },
    }),
    root: text('<path>', { field: 'file_root', takes: 'more' }),
    extensions,
  },
  // Other options are ignored, as in Caddy.
  others: { shown: '', field: '', read: () => undefined, write: () => [] },
  finish: (fields) => compact(fields),
  help: 'Executes response bodies as Go templates, with functions for files, requests and Markdown.',
  example: 'root /srv/www\ntemplates\nfile_server',
});
