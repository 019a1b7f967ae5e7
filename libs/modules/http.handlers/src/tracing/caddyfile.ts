/** `tracing [matcher] { span NAME; span_attributes { NAME VALUE… } }` */
import { entries, handler, none, word, words } from '@sluice/caddyfile';

export const tracing = handler('tracing', {
  line: none,
  block: {
    span: word('<name>', { words: (span) => (span === '' ? null : words(span)) }),
    span_attributes: entries('', { adds: true, value: (reader) => reader.onlyArgument() }),
  },
  unknown: null,
  finish: (fields) => ({ span: '', ...fields }),
  help: 'Propagates trace context, and creates a span for each request.',
  example: 'tracing {\n\tspan web\n}\nreverse_proxy localhost:9000',
});
