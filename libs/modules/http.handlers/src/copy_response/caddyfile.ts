/** The directive `copy_response [matcher] [STATUS] { status STATUS }`. */
import { alias, Draft, handler, readBlock, weak } from '@sluice/caddyfile';

const line = weak('[<status>]', { field: 'status_code' });
const block = { status: { ...alias(line, 'Response status code.'), shown: '<status>' } };

export const copyResponse = handler(
  'copy_response',
  {
    line,
    block,
    help: "Writes the upstream response, optionally with a different status code. Only valid in a proxy's `handle_response` block.",
    example:
      'reverse_proxy localhost:9000 {\n\t@missing status 404\n\thandle_response @missing {\n\t\tcopy_response 410\n\t}\n}',
  },
  {
    /** A numeric status on the first line takes precedence. As in Caddy, the block is then not parsed. A non-numeric status has no effect. */
    read(reader) {
      const draft = new Draft();
      const found = reader.remaining();
      if (found.length === 1 && /^\+?0*[1-9]\d*$/.test(found[0] ?? '')) {
        if (reader.opensBlock)
          reader.modules.warn(reader.token, 'copy_response: the block has no effect, because a status code is given');
        return { status_code: Number(found[0]) };
      }
      if (found.length > 0) reader.modules.warn(reader.token, 'copy_response: a non-numeric status code has no effect');
      readBlock(reader, draft, { block });
      return draft.fields;
    },
  },
);
