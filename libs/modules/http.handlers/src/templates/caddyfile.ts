/** `templates [matcher] { mime TYPE…; between OPEN CLOSE; root PATH; extensions { NAME … } }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `templates`. */
export const templates = handlerDirective((reader) => {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    switch (option) {
      case 'mime':
        fields['mime_types'] = reader.arguments();
        break;
      case 'between':
        fields['delimiters'] = reader.remaining();
        if ((fields['delimiters'] as readonly string[]).length !== 2) throw reader.argumentError();
        break;
      case 'root':
        fields['file_root'] = reader.argument();
        break;
      case 'extensions': {
        if (fields['match'] !== undefined) throw reader.error('extensions already specified');
        const functions: Record<string, Json> = {};
        for (const name of reader.block()) functions[name] = reader.module(`http.handlers.templates.functions.${name}`);
        fields['match'] = functions;
        break;
      }
    }
  }
  return moduleObject('handler', 'templates', compact(fields));
});
