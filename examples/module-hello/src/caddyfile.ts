/** `hello [matcher] [NAME] { name NAME }`: the directive for the handler. */
import type { GlobalOption } from '@sluice/module';
import { compact, handlerDirective, moduleObject, type DirectiveReader } from '@sluice/module/directive';

/** Parses the handler. The default name is the global option `hello_name`. */
export const hello = handlerDirective((reader: DirectiveReader) => {
  let name = reader.optionalArgument() ?? reader.options.get<string>('hello_name') ?? '';
  for (const option of reader.block()) {
    if (option !== 'name') throw reader.error(`unrecognized subdirective '${option}', expected name`);
    name = reader.onlyArgument();
  }
  return moduleObject('handler', 'hello', compact({ name }));
});

/** `hello_name NAME`, a global option. */
export const helloName: GlobalOption = (reader) => reader.onlyArgument();
