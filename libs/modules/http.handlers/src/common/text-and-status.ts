/** Arguments of directives that send a response: `<status>`, or `<text> [<status>]`. */
import { weakField, words, type Term } from '@sluice/caddyfile';

const isStatus = (word: string): boolean => /^\d{3}$/.test(word);

/** `field` is the JSON field that contains the text. */
export function textAndStatus(field: string): Term {
  return {
    shown: '',
    field: '',
    read(reader, draft) {
      const found = reader.remaining();
      if (found.length < 1 || found.length > 2) throw reader.argumentError();
      const [first = '', second] = found;
      const only = second === undefined && isStatus(first);
      draft.put([field], only ? '' : first);
      for (const [name, value] of Object.entries(weakField('status_code', only ? first : (second ?? ''))))
        draft.put([name], value, true);
    },
    write(option, { [field]: text, status_code: code }) {
      const [status] = words(code);
      const only = text === undefined && status !== undefined && isStatus(status);
      return [{ words: [option, ...(only ? [] : text === undefined ? [''] : words(text)), ...words(code)] }];
    },
  };
}
