/** `hello [matcher] [NAME] { name NAME }`: the directive of the handler. */
import type { GlobalOption } from '@sluice/module';
import { compact, handlerDirective, moduleObject, type DirectiveReader } from '@sluice/module/directive';

/** Makes the handler; without a name the one of the global option `hello_name` holds. */
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
