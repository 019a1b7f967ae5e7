/** Tracing as `tracing`. */
import { keyedLines, words, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `tracing { span NAME; span_attributes { … } }` */
export const tracing: WriteDirective = ({ span, span_attributes: attributes }) => {
  const block: Line[] = span === '' ? [] : [{ words: ['span', ...words(span)] }];
  if (attributes !== undefined) block.push({ words: ['span_attributes'], block: keyedLines(attributes) });
  return block.length === 0 ? {} : { block };
};
