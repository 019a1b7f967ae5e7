/** `tracing [matcher] { span NAME; span_attributes { NAME VALUE… } }` */
import { dictionary, handlerDirective, moduleObject } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `tracing`. */
export const tracing = handlerDirective((reader) => {
  reader.noArguments();
  const fields: Record<string, Json> = { span: '' };
  for (const option of reader.block()) {
    if (option === 'span') {
      fields['span'] = reader.onlyArgument();
    } else if (option === 'span_attributes') {
      const attributes = dictionary();
      for (const name of reader.block()) attributes[name] = reader.onlyArgument();
      if (Object.keys(attributes).length > 0) fields['span_attributes'] = attributes;
    } else {
      throw reader.argumentError();
    }
  }
  return moduleObject('handler', 'tracing', fields);
});
