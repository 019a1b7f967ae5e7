import fs from 'node:fs';
import { serve } from '@sluice/testing';
import { threadBusToken, ControlBus, silentLogger } from '@sluice/registry';
const pk = ['http.handlers','http.matchers','http.ip_sources','http.authentication.providers','http.authentication.hashes'];
const register=[]; for (const p of pk) register.push((await import('@sluice/'+p)).register);
const [file, only] = process.argv.slice(2);
const cases=JSON.parse(fs.readFileSync(`tools/conformance/cases/${file}.json`)); const rec=JSON.parse(fs.readFileSync(`tools/conformance/recorded/${file}.json`));
const IGN=new Set(['date','server','connection','keep-alive','alt-svc','transfer-encoding','content-length','via','trailer']);
const fill=(v,vars)=>typeof v==='string'?v.replace(/\$\{(.)\*(\d+)\}/g,(_,c,n)=>c.repeat(+n)).replace(/\$\{(\w+)\}/g,(a,k)=>k in vars?vars[k]:a):Array.isArray(v)?v.map(x=>fill(x,vars)):v&&typeof v==='object'?Object.fromEntries(Object.entries(v).map(([k,x])=>[fill(k,vars),fill(x,vars)])):v;
const nums=v=>typeof v==='string'&&/^#\d+$/.test(v)?+v.slice(1):Array.isArray(v)?v.map(nums):v&&typeof v==='object'?Object.fromEntries(Object.entries(v).map(([k,x])=>[k,nums(x)])):v;
let pass=0,fail=0,skip=0;
for (const c of cases) { if (only&&!c.name.includes(only)) continue; const r=rec[c.name]; if(!r||r.failed||c.differs||c.steps.some(s=>s.to&&s.to!=='http'||s.raw!==undefined||s.repeat||s.write||s.pause)){skip++;continue}
 const vars={PORT:'8080',DIR:'/tmp/yt/'+(globalThis.n=(globalThis.n??0)+1)}; fs.mkdirSync(vars.DIR,{recursive:true}); for(const [f,t] of Object.entries(c.files??{})){const q=vars.DIR+'/'+f;fs.mkdirSync(q.slice(0,q.lastIndexOf('/')),{recursive:true});fs.writeFileSync(q,fill(t,{}));fs.utimesSync(q,1600000000,1600000000)}; Object.assign(process.env,c.env); let s; const bad=[];
 try { const conf=nums(fill(c.config,vars)); delete conf.admin; const sv=conf.apps?.http?.servers; if(!sv){skip++;continue} for(const k in sv) delete sv[k].listen;
 s=await serve(conf,{register, services:new Map([[threadBusToken,new ControlBus(silentLogger)]])}); } catch(e){fail++;console.log('FAIL',c.name,'LOAD',e.message);continue}
 let i=0; for (const st0 of c.steps){ const st=fill(st0,vars); const x=st.must??r.steps[i++]; 
  const headers={...st.headers}; let body=st.body; if(st.json!==undefined){body=JSON.stringify(st.json);headers['Content-Type']??='application/json'} if(st.type)headers['Content-Type']=st.type; let host=st.host??headers.Host??'127.0.0.1:8080'; for(const k in headers) if(k.toLowerCase()==='host'){host=headers[k];delete headers[k]}
  const path=st.path??'/'; let y; try{ y=await s.request({method:st.method??'GET',path,host,headers,...(body===undefined?{}:{body})}); }catch(e){bad.push('threw '+e.stack);continue}
  let t=y.body.toString('latin1'); if(y.status&&(st.method==='HEAD'||y.status===204||y.status===304))t=''; let b=t.replaceAll(vars.DIR,'${DIR}').replaceAll(/(?<!\d)8080(?!\d)/g,'${PORT}').replaceAll(/127\.0\.0\.1:\d{4,5}/g,'127.0.0.1:<port>'); try{b=JSON.parse(b)}catch{} if(b&&typeof b==='object'&&typeof b.error==='string'&&b.error)b={...b,error:'<text>'};
  if('status'in x&&x.status!==y.status&&!(x.status===0&&y.status===0))bad.push(`status want ${x.status} got ${y.status}`);
  if('body'in x&&x.status!==0&&JSON.stringify(x.body)!==JSON.stringify(b))bad.push(`${path} body want ${JSON.stringify(x.body)?.slice(0,200)} got ${JSON.stringify(b)?.slice(0,200)}`);
  if(x.headers&&!st.must){const h={};for(const [k,v] of y.headers)if(!IGN.has(k)&&!(c.ignore??[]).includes(k))h[k]=h[k]===undefined?v:h[k]+', '+v; for(const k of new Set([...Object.keys(x.headers),...Object.keys(h)]))if((x.headers[k]??'').replaceAll('${PORT}','8080')!==(h[k]??''))bad.push(`${path} hdr ${k} want ${x.headers[k]} got ${h[k]}`)}
 } await s.close(); if(bad.length){fail++;console.log('FAIL',c.name,'\n    '+bad.slice(0,+(process.env.N??3)).join('\n    '))}else pass++; }
console.log(file,pass,'passed',fail,'failed',skip,'skipped');
