/** The listing page as a customizable template; see the `template_file` option. */
import { iconShapes } from './page-icons.ts';
import { extensionsOf } from './page-kinds.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** Returns a template condition that is true for files in a category. */
function isOf(kind: string): string {
  return `.HasExt ${(extensionsOf[kind] ?? []).map((extension) => JSON.stringify(extension)).join(' ')}`;
}

const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; img-src 'self'; script-src 'nonce-%s'; style-src 'nonce-%s'";

/** Generates a template for `browse.template_file` that produces the built-in listing page. */
export function listingPageTemplate(): string {
  const others = Object.keys(extensionsOf)
    .filter((kind) => kind !== 'picture')
    .map((kind) => `{{else if ${isOf(kind)}}}{{template "icon" "${kind}"}}`)
    .join('');
  return `{{- /* The page of a listing. Its data and functions: those of templates, and of the listing (.Items, .Sort, …). */ -}}
${definitions()}
{{- $nonce := uuidv4 -}}
{{- .RespHeader.Set "Content-Security-Policy" (printf "${policy}" $nonce $nonce) -}}
{{- $grid := eq .Layout "grid" -}}
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{html .Path}}</title>
<style nonce="{{$nonce}}">${pageStyle}</style>
</head>
<body>
<header>
<nav aria-label="Path">{{range $at, $crumb := .Breadcrumbs}}{{if $at}}<i>/</i>{{end}}{{if eq .Link ""}}<b aria-current="page">{{template "crumb" .Text}}</b>{{else}}<a href="{{.Link}}">{{template "crumb" .Text}}</a>{{end}}{{end}}</nav>
<p>{{template "count" (dict "number" .NumDirs "noun" "folder")}}, {{template "count" (dict "number" .NumFiles "noun" "file")}}, {{.HumanTotalFileSize}}{{if ne .TotalFileSize .TotalFileSizeFollowingSymlinks}} ({{.HumanTotalFileSizeFollowingSymlinks}} including link targets){{end}}</p>
<div class="tools"><input id="filter" type="search" placeholder="Filter" aria-label="Filter by name" hidden><a class="layout" href="{{template "address" (dict "list" . "sort" .Sort "order" .Order "offset" .Offset "layout" (ternary "" "grid" $grid))}}">{{ternary "List" "Grid" $grid}}</a></div>
</header>
<main>
<nav class="sort" aria-label="Sort">{{template "sort" (dict "list" . "key" "namedirfirst" "text" "Name" "current" (or (eq .Sort "namedirfirst") (eq .Sort "name")))}}{{template "sort" (dict "list" . "key" "size" "text" "Size" "current" (eq .Sort "size"))}}{{template "sort" (dict "list" . "key" "time" "text" "Modified" "current" (eq .Sort "time"))}}</nav>
<ul class="{{ternary "grid" "rows" $grid}}">
{{if .CanGoUp}}<li class="up"><a href="../"><span class="name">{{template "icon" "up"}}..</span></a></li>
{{end}}{{range $at, $item := .Items}}{{if $at}}
{{end}}{{$picture := and (not .IsDir) (${isOf('picture')})}}<li><a href="{{html .URL}}" title="{{html (trimSuffix "/" .Name)}}"><span class="name">{{if and $grid $picture}}<img loading="lazy" alt="" src="{{html .URL}}">{{else if .IsDir}}{{template "icon" "folder"}}{{else if $picture}}{{template "icon" "picture"}}${others}{{else}}{{template "icon" "file"}}{{end}}<span>{{html .Name}}{{if .SymlinkPath}}<span class="target">→ {{html .SymlinkPath}}</span>{{end}}</span></span><span class="size">{{if not .IsDir}}{{.HumanSize}}{{end}}</span><time datetime="{{.HumanModTime "2006-01-02T15:04:05Z07:00"}}">{{date "January 2, 2006 at 15:04:05" .ModTime}}</time></a></li>{{end}}
</ul>
{{if not .Items}}<p class="empty">Nothing here.</p>
{{end}}{{template "pager" .}}</main>
<script nonce="{{$nonce}}">${pageScript}</script>
</body>
</html>
`;
}

/** Returns the template definitions that the page uses. */
function definitions(): string {
  const icons = Object.entries(iconShapes).map(([name, path]) => `if eq . "${name}"}}${path}`);
  return `{{- define "icon"}}<svg class="{{.}}" viewBox="0 0 24 24" aria-hidden="true"><path d="{{${icons.join('{{else ')}{{end}}"/></svg>{{end -}}
{{- define "crumb"}}{{if eq . "/"}}{{template "icon" "home"}}<span class="hidden">top</span>{{else}}{{html .}}{{end}}{{end -}}
{{- define "count"}}{{.number}} {{.noun}}{{if ne .number 1}}s{{end}}{{end -}}
{{- define "address"}}./?sort={{urlquery .sort}}&amp;order={{urlquery .order}}{{if .list.Limit}}&amp;limit={{.list.Limit}}{{end}}{{if .offset}}&amp;offset={{.offset}}{{end}}{{if .layout}}&amp;layout={{.layout}}{{end}}{{end -}}
{{- define "sort"}}<a class="{{.key}}"{{if .current}} aria-current="true"{{end}} href="{{template "address" (dict "list" .list "sort" .key "order" (ternary "desc" "asc" (and .current (eq .list.Order "asc"))) "offset" 0 "layout" .list.Layout)}}">{{.text}}{{if .current}}{{ternary " ↑" " ↓" (eq .list.Order "asc")}}{{end}}</a>{{end -}}
{{- define "pager"}}{{if or .Limit .Offset}}{{$total := add .NumDirs .NumFiles}}{{$shown := len .Items}}{{$last := add .Offset $shown}}<nav class="pager" aria-label="Pages">{{if .Offset}}<a href="{{template "address" (dict "list" . "sort" .Sort "order" .Order "offset" (ternary 0 (max 0 (sub (min .Offset $total) .Limit)) (eq .Limit 0)) "layout" .Layout)}}">← Previous</a>{{end}}<span>{{if $shown}}{{add1 .Offset}}–{{$last}}{{else}}0{{end}} of {{$total}}</span>{{if and $shown (lt $last $total)}}<a href="{{template "address" (dict "list" . "sort" .Sort "order" .Order "offset" $last "layout" .Layout)}}">Next →</a>{{end}}</nav>
{{end}}{{end -}}`;
}
