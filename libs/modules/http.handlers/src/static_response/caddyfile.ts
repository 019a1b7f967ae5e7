/** `respond`, `redir` and `abort`. */
import { compact, handlerDirective, moduleObject, weakField, type DirectiveReader } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const name = 'static_response';

/** `respond [matcher] STATUS | BODY [STATUS] { body TEXT; close }` */
export const respond = handlerDirective((reader) => {
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
export const redir = handlerDirective((reader) => {
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
export const abort = handlerDirective((reader) => {
  reader.nothingMore();
  return moduleObject('handler', name, { abort: true });
});
