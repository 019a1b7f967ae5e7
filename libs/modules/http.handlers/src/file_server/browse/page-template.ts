/** The page of a listing as a template, for those who want to change it: see the option `template_file`. */
import { iconShapes } from './page-icons.ts';
import { pageStyle } from './page-style.ts';

/** Extensions of pictures that browsers show. */
const pictures = ['.avif', '.bmp', '.gif', '.ico', '.jpg', '.jpeg', '.png', '.svg', '.webp'];

const policy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; img-src 'self'; style-src 'nonce-%s'";

/** Makes the same page as the one that is built in, for `browse.template_file`. */
export function listingPageTemplate(): string {
  return `{{- /* The page of a listing. Its data and functions: those of templates, and of the listing (.Items, .Sort, …). */ -}}
${definitions()}
{{- $nonce := uuidv4 -}}
{{- .RespHeader.Set "Content-Security-Policy" (printf "${policy}" $nonce) -}}
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
<p>{{template "count" (dict "number" .NumDirs "noun" "folder")}}, {{template "count" (dict "number" .NumFiles "noun" "file")}}, {{.HumanTotalFileSize}}{{if ne .TotalFileSize .TotalFileSizeFollowingSymlinks}} ({{.HumanTotalFileSizeFollowingSymlinks}} with what links lead to){{end}}</p>
</header>
<main>
<nav class="sort" aria-label="Sort">{{template "sort" (dict "list" . "key" "namedirfirst" "text" "Name" "current" (or (eq .Sort "namedirfirst") (eq .Sort "name")))}}{{template "sort" (dict "list" . "key" "size" "text" "Size" "current" (eq .Sort "size"))}}{{template "sort" (dict "list" . "key" "time" "text" "Modified" "current" (eq .Sort "time"))}}<a class="layout" href="{{template "address" (dict "list" . "sort" .Sort "order" .Order "offset" .Offset "layout" (ternary "" "grid" $grid))}}">{{ternary "List" "Grid" $grid}}</a></nav>
<ul class="{{ternary "grid" "rows" $grid}}">
{{if .CanGoUp}}<li class="up"><a href="../"><span class="name">{{template "icon" "up"}}..</span></a></li>
{{end}}{{range $at, $item := .Items}}{{if $at}}
{{end}}{{$picture := and (not .IsDir) (.HasExt ${pictures.map((extension) => JSON.stringify(extension)).join(' ')})}}<li><a href="{{html .URL}}"><span class="name">{{if and $grid $picture}}<img loading="lazy" alt="" src="{{html .URL}}">{{else if .IsDir}}{{template "icon" "folder"}}{{else if $picture}}{{template "icon" "picture"}}{{else}}{{template "icon" "file"}}{{end}}<span>{{html .Name}}{{if .SymlinkPath}}<span class="target">→ {{html .SymlinkPath}}</span>{{end}}</span></span><span class="size">{{if not .IsDir}}{{.HumanSize}}{{end}}</span><time datetime="{{.HumanModTime "2006-01-02T15:04:05Z07:00"}}">{{date "January 2, 2006 at 15:04:05" .ModTime}}</time></a></li>{{end}}
</ul>
{{if not .Items}}<p class="empty">Nothing here.</p>
{{end}}{{template "pager" .}}</main>
</body>
</html>
`;
}

/** Templates that the page calls. */
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
