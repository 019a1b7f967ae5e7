export const pageStyle = `
:root{--ink:#1d2733;--soft:#66737f;--line:#e3e8ed;--back:#f6f8fa;--card:#fff;--hover:#eef5ff;--link:#0b62c4;--folder:#e0a22c}
@media(prefers-color-scheme:dark){:root{--ink:#e4e9ee;--soft:#93a1ae;--line:#2b343d;--back:#12171c;--card:#1a2128;--hover:#222d39;--link:#7db7ff;--folder:#e6b450}}
*{box-sizing:border-box;margin:0}
body{background:var(--back);color:var(--ink);font:16px/1.4 system-ui,sans-serif;padding:0 0 2rem}
header,main{max-width:62rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.25rem;padding-bottom:.75rem}
header nav{font-size:1.2rem;overflow-wrap:anywhere;display:flex;flex-wrap:wrap;align-items:center}
header i{color:var(--soft);padding:0 .35rem;font-style:normal}
header p{color:var(--soft);font-size:.875rem;margin-top:.25rem}
a{color:var(--link);text-decoration:none}
a:focus-visible{outline:2px solid var(--link);outline-offset:-2px;border-radius:.4rem}
main ul{list-style:none;padding:0;background:var(--card);border:1px solid var(--line);border-radius:0 0 .6rem .6rem}
.tools{display:flex;gap:1rem;align-items:center;justify-content:space-between;margin-top:.75rem}
.tools .layout{margin-left:auto}
input{width:min(100%,18rem);padding:.4rem .7rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:var(--ink);font:inherit}
[hidden]{display:none!important}
.sort{display:grid;grid-template-columns:minmax(0,1fr) 6rem 15rem;gap:0 1rem;padding:0 .9rem;background:var(--card);border:1px solid var(--line);border-bottom:0;border-radius:.6rem .6rem 0 0;font-size:.875rem}
.sort a{padding:.7rem 0;color:var(--soft)}
.sort .size,.sort .time{text-align:right;font-size:inherit}
.sort a[aria-current]{color:var(--ink);font-weight:600}
.rows li+li{border-top:1px solid var(--line)}
.rows a{display:grid;grid-template-columns:minmax(0,1fr) 6rem 15rem;gap:0 1rem;align-items:center;min-height:3rem;padding:.4rem .9rem;color:var(--ink)}
li a:hover{background:var(--hover)}
.name{display:flex;gap:.7rem;align-items:center;min-width:0}
.rows .name>span{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.grid .name>span{display:-webkit-box;max-width:100%;overflow:hidden;overflow-wrap:anywhere;-webkit-box-orient:vertical;-webkit-line-clamp:3}
.target{color:var(--soft);padding-left:.5rem}
.size,time{color:var(--soft);font-size:.875rem;font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
svg{width:1.35rem;height:1.35rem;flex:none;fill:none;stroke:var(--soft);stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}
svg.folder{fill:var(--folder);stroke:var(--folder)}
header svg{display:block;stroke:currentColor}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem;padding:.75rem!important}
.grid a{display:flex;flex-direction:column;gap:.3rem;height:100%;padding:.75rem;border-radius:.5rem;color:var(--ink);text-align:center}
.grid .name{flex-direction:column}
.grid svg{width:5rem;height:5rem;stroke-width:1}
.grid img{width:100%;height:7rem;object-fit:contain}
.grid .size{text-align:center}
.grid time{display:none}
.empty{color:var(--soft);padding:2rem;text-align:center}
.pager{display:flex;justify-content:space-between;padding:1rem 0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media(max-width:40rem){header,main{padding-left:.6rem;padding-right:.6rem}.sort{grid-template-columns:1fr auto auto}.rows a{grid-template-columns:minmax(0,1fr) auto;min-height:3.4rem}.rows .name{grid-column:1/-1}.rows .size{grid-column:1;text-align:left;padding-left:2.05rem}.rows time{grid-column:2}.rows .up .name{grid-row:1}}
`;
