/** A file server as `file_server`. */
import { isObject, type Json } from '@sluice/base';
import { noWords, optionLines, words, written, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `file_server [browse] { … }`. Reading it hides the Caddyfile, also where the handler does not. */
export const fileServer: WriteDirective = (handler, { file }) => {
  const own = file.includes('/') ? file : `./${file}`;
  const hidden = words(handler['hide']);
  const others = hidden.filter((each) => each !== own);
  const { browse, precompressed_order: order } = handler;
  const block = [
    ...optionLines(handler, [
      ['fs', 'fs'],
      ['root', 'root'],
      ['index', 'index_names'],
      ['status', 'status_code'],
      ['disable_canonical_uris', 'canonical_uris', noWords],
      ['pass_thru', 'pass_thru', noWords],
      ['etag_file_extensions', 'etag_file_extensions'],
    ]),
    ...(others.length > 0 ? [{ words: ['hide', ...others] }] : []),
    ...(order === undefined ? [] : [{ words: ['precompressed', ...words(order)] }]),
  ];
  const bare = isObject(browse) && Object.keys(browse).length === 0;
  if (browse !== undefined && !bare) block.push(browseLine(browse));
  const line = written(bare ? ['browse'] : [], block);
  return hidden.includes(own) ? line : { ...line, instead: { ...handler, hide: [...hidden, own] } };
};

function browseLine(browse: Json): Line {
  const fields = isObject(browse) ? browse : {};
  const block = optionLines(fields, [
    ['reveal_symlinks', 'reveal_symlinks', noWords],
    ['sort', 'sort'],
    ['file_limit', 'file_limit'],
  ]);
  const inline = ['browse', ...words(fields['template_file'])];
  return block.length === 0 ? { words: inline } : { words: inline, block };
}
