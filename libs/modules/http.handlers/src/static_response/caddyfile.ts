/** `respond`, `redir` and `abort`. */
import { isObject, type Json } from '@sluice/base';
import {
  compact,
  type DirectiveReader,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  note,
  weakField,
  words,
  type WriteDirective,
  written,
} from '@sluice/caddyfile';

const name = 'static_response';

/** `respond [matcher] STATUS | BODY [STATUS] { body TEXT; close }` */
const readRespond = handlerDirective((reader) => {
  const words = reader.remaining();
  if (words.length < 1 || words.length > 2) throw reader.argumentError();
  const [first, second] = words;
  const onlyStatus = second === undefined && first !== undefined && /^\d{3}$/.test(first);
  let body = first === undefined || onlyStatus ? '' : first;
  const status = onlyStatus ? first : (second ?? '');
  let close = false;
  for (const option of reader.block()) {
    if (option === 'body') {
      if (body !== '') throw reader.error('body already specified');
      body = reader.onlyArgument();
    } else if (option === 'close') {
      if (close) throw reader.error('close already specified');
      close = true;
    } else {
      throw reader.error(`unrecognized subdirective '${option}'`);
    }
  }
  return moduleObject('handler', name, { ...compact({ body, close }), ...weakField('status_code', status) });
});

const page = (to: string): string => `<!DOCTYPE html>
<html>
	<head>
		<title>Redirecting...</title>
		<script>window.location.replace("${to}");</script>
		<meta http-equiv="refresh" content="0; URL='${to}'">
	</head>
	<body>Redirecting to <a href="${to}">${to}</a>...</body>
</html>
`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => escapes[each] ?? each);
}

/** `redir [matcher] TO [STATUS | permanent | temporary | html]` */
const readRedir = handlerDirective((reader) => {
  const to = reader.argument();
  const code = reader.nextArgument() ? reader.value : 'temporary';
  if (code === 'html') return redirectPage(to);
  return moduleObject('handler', name, { headers: { Location: [to] }, status_code: redirectStatus(code, reader) });
});

function redirectPage(to: string): Json {
  return moduleObject('handler', name, {
    body: page(escapeHtml(to)),
    headers: { 'Content-Type': ['text/html; charset=utf-8'] },
    status_code: 200,
  });
}

function redirectStatus(code: string, reader: DirectiveReader): Json {
  if (code === 'permanent') return 301;
  if (code === 'temporary' || code === '') return 302;
  if (code.startsWith('{')) return code;
  if (!/^[+-]?\d+$/.test(code)) throw reader.error(`Not a supported redir code type or not valid integer: '${code}'`);
  const status = Number(code);
  if (status === 401 || (status >= 300 && status <= 399)) return status;
  throw reader.error(`Redir code not in the 3xx range or 401: '${status}'`);
}

/** `abort [matcher]` */
const readAbort = handlerDirective((reader) => {
  reader.nothingMore();
  return moduleObject('handler', name, { abort: true });
});

/** `respond [BODY] [STATUS] { close }` */
const writeRespond: WriteDirective = ({ body, status_code: status, close, headers, abort }) => {
  if (headers !== undefined || abort !== undefined) return null;
  const block: Line[] = close === true ? [{ words: ['close'] }] : [];
  const [code] = words(status);
  if (body === undefined && code !== undefined && /^\d{3}$/.test(code)) return written([code], block);
  return written([...(body === undefined ? [''] : words(body)), ...words(status)], block);
};

/** `redir TO [STATUS]` */
const writeRedir: WriteDirective = ({ headers, status_code: status, body }) => {
  if (!isObject(headers)) return null;
  if (body !== undefined) {
    const [to] = /(?<=content="0; URL=')[^']*/.exec(String(body)) ?? [];
    return to === undefined ? null : { words: [to, 'html'] };
  }
  const code = status === 302 ? [] : status === 301 ? ['permanent'] : words(status);
  return { words: [...words(headers['Location']), ...code] };
};

/** `abort` */
const writeAbort: WriteDirective = (handler) => (handler['abort'] === true ? {} : null);

export const respond = handler(
  'static_response',
  {
    shown: ['<status>', '<body> [<status>]'],
    help: 'Writes a fixed response. The body and status may contain placeholders. Default status: 200.',
    block: {
      body: note('<text>', 'Response body, for strings that are easier to read on separate lines.'),
      close: note('', 'Closes the connection after the response.'),
    },
    example: 'respond /health 204\nrespond <<HTML\n\t<h1>{host}</h1>\n\tHTML 200',
  },
  { directive: readRespond, write: writeRespond },
);

export const redir = handler(
  'static_response',
  {
    shown: ['<to> [<status>|permanent|temporary|html]'],
    help: 'Redirects to another URI. Default status: 302. `html` writes a page that redirects in the browser, with a status that clients do not follow.',
    example: 'redir /old /new permanent\nredir /docs https://docs.example.com{uri}',
  },
  { directive: readRedir, write: writeRedir },
);

export const abort = handler(
  'static_response',
  {
    help: 'Closes the connection without a response.',
    example: '@scanners path *.asp *.cgi\nabort @scanners',
  },
  { directive: readAbort, write: writeAbort },
);
