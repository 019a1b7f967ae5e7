/** Caddyfile syntax: `tracing [matcher] { span NAME; span_attributes { NAME VALUE… } }` */
import { entries, handler, none, text } from '@sluice/caddyfile';

export const tracing = handler('tracing', {
  line: none,
  block: {
    span: text('<name>'),
    span_attributes: entries('', { adds: true, value: (reader) => reader.onlyArgument() }),
  },
  unknown: null,
  unset: { span: '' },
  help: 'Creates an OpenTelemetry span for each request and propagates the trace context.',
  example: 'tracing {\n\tspan web\n}\nreverse_proxy localhost:9000',
});
