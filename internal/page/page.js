// Made by go generate ./internal/page.
"use strict";
(()=>{var y=JSON.parse(document.getElementById("data").textContent);function m(e,t={},...o){let n=document.createElement(e);for(let[r,s]of Object.entries(t))r in n?n[r]=s:n.setAttribute(r,
s);return n.append(...o),n}function C(e){let t={};for(let o of e.elements)o.type==="checkbox"?(t[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(t[o.name]=o.value);return t}function S(e,t,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",e);for(let[r,s]of Object.entries(t))n.setAttribute(r,s);return n.append(...o),
n}var D=({style:e})=>S("svg",{class:`swatch c${e%y.colors} d${e%y.dashes.length}`,"aria-hidden":"true"},S("path",{d:"M0 \
4h24"})),W=e=>`--c${e%y.colors}`,ae=e=>y.dashes[e%y.dashes.length];function _e(e,t,o){let n=(r,s)=>m("tr",{},...s.map((l,a)=>r===
"th"||a===0?m("th",{scope:r==="th"?"col":"row"},l):m("td",{},l)));return m("table",{},m("caption",{},e),m("thead",{},n("\
th",t)),m("tbody",{},...o.map(r=>n("td",r))))}var We=e=>document.getElementById("say").textContent=e;function Ve(e,t){let o=Math.abs(e)<1e9?Number(Math.abs(e).toPrecision(12)):Math.abs(e),n=o.toFixed(t);return o*2**(t+1)%
2===1&&n.at(-1)%2===1?n.slice(0,-1)+(n.at(-1)-1):n}function j(e,t){if(e==null||!Number.isFinite(e))return"–";let o=Math.
abs(e);if(o>=1e15||o!==0&&o<1e-9)return(e<0?"−":"")+Number(o.toPrecision(4)).toExponential();let n=Ve(e,t);if(Number(n)===
0)return"0";let[r,...s]=n.split("."),l=[];for(let a=r.length;a>0;a-=3)l.unshift(r.slice(Math.max(a-3,0),a));return(e<0?"\
−":"")+[l.join(","),...s].join(".")}var le=e=>Number(e.toExponential(9).split("e")[1]);function He(e){let t=Math.abs(e);
return!Number.isFinite(e)||t===0||t>=99.95?0:Math.min(2-le(t),12)}var N=e=>j(e,e==null?0:He(e));function De(e,t){let o=Math.
max(0,-le(t));return e===0?0 .toFixed(Math.min(o,9)):j(e,o)}var St=e=>e==null||!Number.isFinite(e)?"–":j(e,1)+" %",Xe=(e,t)=>t<=
1e-12*Math.abs(e),ie=(e,t)=>t>0&&Number.isFinite(t)&&!Xe(e,t)?Math.min(Math.max(1-le(t),0),12):He(e);function te(e){return e==
null||Number.isNaN(e)?"–":e<.001?"< 0.001":e>.999?"1":Ve(e,3)}var k=e=>j(e,0);function ce(e,t,o=17){if(e==null||t==null||
!Number.isFinite(t))return[N(e)];let n=Math.min(ie(e,t),Math.max(o-1-le(e),0));return[j(e,n),"± "+j(Xe(e,t)?0:t,n)]}var O=(e,t)=>`${k(
e)} ${t}${e===1?"":"s"}`,xe=e=>St(e==null?e:100*e);var V=document.documentElement,$e=new Set,be=document.body.appendChild(document.createElement("span"));be.hidden=!0;var he=new Map,
X=!1;function ye(e){return he.has(e)||(be.style.color=`var(${e})`,he.set(e,getComputedStyle(be).color.match(/[\d.]+/g).slice(
0,3).map(Number))),he.get(e)}var $=(e,t=1)=>`rgb(${ye(e).join(" ")} / ${t})`;function Ue(e,t,o){let n=ye(t);return`rgb(${ye(
e).map((r,s)=>Math.round(r+(n[s]-r)*o)).join(" ")})`}var Ge=matchMedia("(prefers-color-scheme: dark)"),Ke=()=>V.dataset.
theme?V.dataset.theme==="dark":Ge.matches;function Ze(){let e=document.getElementById("theme"),t=()=>{e.textContent=Ke()?
"Light":"Dark",e.setAttribute("aria-label",`${e.textContent} colors`),he=new Map;for(let n of $e)n.draw()};e.addEventListener(
"click",()=>{V.dataset.theme=Ke()?"light":"dark",t()}),Ge.addEventListener("change",t);let o=n=>{X=n,V.classList.toggle(
"printing",n),t()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),t()}var ve=1e-6;function Nt(e){let t=Math.min(Math.max(1-Math.log10(Math.max(e,ve))/Math.log10(ve),0),1);return Ue("--paper",
"--heat",t)}function Lt(e){if(e.length===1)return[e[0]-.5,e[0]+.5];let t=e.slice(1).map((o,n)=>(o+e[n])/2);return[2*e[0]-
t[0],...t,2*e[e.length-1]-t[t.length-1]]}function Et(e,t,o){let n=Lt(t.rounds).map(l=>Math.round(e.valToPos(l,"x",!0))),
r=t.values[0].length,s=Array.from({length:r+1},(l,a)=>Math.round(e.valToPos(a+.5,"y",!0)));t.values.forEach((l,a)=>l.forEach(
(i,c)=>{o(n[a],s[c+1],n[a+1]-n[a]+1,s[c]-s[c+1]+1,Nt(i))}))}function Je(e,t){let{left:o,top:n,width:r,height:s}=e.bbox;e.
ctx.save(),e.ctx.beginPath(),e.ctx.rect(o,n,r,s),e.ctx.clip(),t(e,(l,a,i,c,d)=>{e.ctx.fillStyle=d,e.ctx.fillRect(l,a,i,c)}),
e.ctx.restore()}function Ye(e,t,o,n){let r=t.values[0].length,s=Array.from({length:r},(d,u)=>u+1),l=t.values.map(d=>1+d.
indexOf(Math.max(...d))),a=d=>{let u=t.values[d];return{x:s,at:h=>`bin ${h+1}`,label:`θ in round ${k(t.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:N,log:!0,lines:[{name:"θ",values:u.map(h=>h>=ve?h:null),shown:u,color:"--accent",fill:0}],
title:`θ in round ${k(t.rounds[d])}`}},i=d=>{let u=a(d);n.figure.querySelector("h3").textContent=u.title,n.show(u)},c=t.
rounds.length-1;return i(c),{x:t.rounds,at:d=>`round ${k(t.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:e.xLabel,height:240,format:N,lines:[{name:"heaviest bin",values:l,color:"--alert",width:1.25}],range:[.5,
r+.5],under:(d,u)=>Et(d,t,u),sync:null,cursor:(d,u)=>{let h=d??t.rounds.length-1;h!==c&&i(c=h);let p=d==null?null:Math.round(
u.posToVal(u.cursor.top,"y")),w=p>=1&&p<=r?t.values[h][p-1]:null;o.textContent=w==null?"The line is the bin of the large\
st share.":`Round ${k(t.rounds[h])}, bin ${p}: ${N(w)}`}}}function K(e,t){let o=1;for(let n=0;n<t;n++)o+=e.lines[n].low?3:1;return e.lines[t].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var ke=(e,t)=>e.lines.find((o,n)=>K(e,n).mean===t);function Me(e,t){let{values:o,low:n,high:r}=e.
lines[t];if(!e.log)return{values:o,low:n,high:r};let s=l=>l?.map((a,i)=>o[i]>0?Math.max(a,o[i]/1e6):null);return{values:s(
o),low:s(n),high:s(r)}}function Qe(e){let t=[e.x];return e.lines.forEach((o,n)=>{let{values:r,low:s,high:l}=Me(e,n);t.push(
...s?[l,s,r]:[r])}),t}function et(e){let t=e.spec,o=X?2:1,n=[{}],r=[];return t.lines.forEach((s,l)=>{let a=K(t,l),i={show:!s.
hidden,points:{show:!1},spanGaps:!1};s.low&&(n.push({...i},{...i,auto:!t.log}),r.push({series:[a.high,a.low],fill:$(s.color,
t.lines.length>3?.12:.18)})),s.over!=null&&r.push({series:[a.mean,K(t,s.over).mean],fill:$(s.color,s.fill)}),n.push({...i,
stroke:$(s.color),width:(s.width??1.75)*o,dash:(s.dash??[]).map(c=>c*o),fill:s.fill&&s.over==null?$(s.color,s.fill):void 0,
points:{show:t.x.length<3,size:5*o,fill:$(s.color)}})}),{width:e.plot.clientWidth*o,height:t.height*o,series:n,bands:r,padding:[
20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:t.logX?3:1,range:(s,l,a)=>It(t,l,a)},y:{distr:t.log?
3:1,range:(s,l,a)=>qt(e,l,a)}},focus:{alpha:.15},axes:Ct(t,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(s,l)=>ke(
t,l)&&m("div"),size:8,width:2,fill:$("--paper"),stroke:(s,l)=>ke(t,l)&&$(ke(t,l).color)},...t.sync&&{sync:{key:t.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[s=>t.under&&Je(s,t.under)],drawSeries:[],draw:[s=>zt(s,t,o)],setCursor:[s=>t.cursor?.(
s.cursor.idx??null,s)],setScale:[(s,l)=>l==="x"&&e.u===s&&e.showZoom()]}}}function Ct(e,t){let o=`${12*t}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!e.under,stroke:$("--rule"),width:t},r={stroke:$("--faded"),font:o,labelFont:o,gap:6*
t,grid:n,ticks:{show:!1},border:{show:!1},filter:(i,c)=>c},s=(i,c,d,u)=>U(d,u,c===0?e.logX:e.log,(c===0?i.bbox.width:i.bbox.
height)/devicePixelRatio/t,c===0?80:40),l={...r,splits:s,label:e.xLabel,labelSize:20*t,size:30*t,values:(i,c)=>c.map(Se)},
a={...r,splits:s,size:At,values:(i,c)=>oe(e,c,i.scales.y)};return[l,a]}var Se=e=>Number.isInteger(e)?k(e):"",tt=(e,t,o)=>o&&
t/e>=10;function oe(e,t,{min:o,max:n}){if(e.tick)return t.map(e.tick);let r=Math.min(...t.slice(1).map((s,l)=>s-t[l]));return t.
map(s=>De(s,tt(o,n,e.log)||!Number.isFinite(r)?Math.abs(s)||1:r))}function U(e,t,o,n,r){let s=Math.max(Math.floor(n/r),2),
l=[];if(tt(e,t,o)){let d=Math.log10(t/e),u=Math.ceil(d/s),h=d*3<=s?[1,2,5]:[1];for(let p=Math.floor(Math.log10(e));p<=Math.
log10(t);p++)if(p%u===0)for(let w of h){let v=+`${w}e${p}`;v>=e*.999&&v<=t*1.001&&l.push(v)}return l}let a=(t-e)/s,i=10**
Math.floor(Math.log10(a)),c=[1,2,5,10].map(d=>d*i).find(d=>d>=a*.999);for(let d=Math.ceil(e/c-1e-9);d*c<=t+c*1e-9;d++)l.
push(Number((d*c).toPrecision(12)));return l}function At(e,t,o){let n=(t??[]).reduce((s,l)=>l.length>s.length?l:s,"");e.
ctx.save(),e.ctx.font=e.axes[o].font[0];let r=e.ctx.measureText(n).width/devicePixelRatio;return e.ctx.restore(),Math.ceil(
r)+e.axes[o].gap+4}function It(e,t,o){return t==null?e.logX?[1,10]:[0,1]:t===o?e.logX?[t/2,o*2]:[t-.5,o+.5]:[t,o]}function qt(e,t,o){
let{spec:n}=e;if(t==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[t/1.15,o*1.15];e.zoomed||([
t,o]=[Math.min(t,0),Math.max(o,0)]),t===o&&(o=t+1);let r=(o-t)/30;return[t<0||e.zoomed&&t>r?t-r:t,o+r]}function zt(e,t,o){
if(!t.burnIn||t.burnIn<=e.scales.x.min||t.burnIn>=e.scales.x.max)return;let n=Math.round(e.valToPos(t.burnIn,"x",!0)),{top:r,
height:s,left:l,width:a}=e.bbox,i=devicePixelRatio*o;e.ctx.save(),e.ctx.strokeStyle=e.ctx.fillStyle=$("--faded"),e.ctx.lineWidth=
i,e.ctx.setLineDash([2*i,3*i]),e.ctx.beginPath(),e.ctx.moveTo(n,r),e.ctx.lineTo(n,r+s),e.ctx.stroke(),e.ctx.font=`${11*i}\
px ${getComputedStyle(document.body).fontFamily}`;let c=n>l+.7*a;e.ctx.textAlign=c?"right":"left",e.ctx.fillText("burn-i\
n ends",n+(c?-5:5)*i,r-6*i),e.ctx.restore()}function ot(e){let t=(o,n,r)=>{let s=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return s.addEventListener(
"click",r),s};return m("div",{className:"save",role:"group","aria-label":"Save"},t("SVG","the figure as SVG",()=>Ne(e,"s\
vg",new Blob([nt(e)],{type:"image/svg+xml"}))),t("PNG","the figure as PNG",()=>Bt(e).then(o=>Ne(e,"png",o))),t("CSV","th\
e numbers as CSV",()=>Ne(e,"csv",new Blob([Ft(e.spec)],{type:"text/csv"}))))}function Ne(e,t,o){let n=e.figure.closest("\
[data-environment]").dataset.environment;Le([n,e.figure.querySelector("h3").textContent],t,o)}function Le(e,t,o){let n=[
document.querySelector("h1").textContent,...e].filter(s=>s).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),r=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${t}`});r.click(),setTimeout(()=>URL.revokeObjectURL(r.href),1e3)}function Tt(e){
if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";let t=/^[=+\-@\t\r']/.test(e)?`'${e}`:e;
return/[",\n\r]/.test(t)?`"${t.replaceAll('"','""')}"`:t}var Ee=e=>e.map(t=>t.map(Tt).join(",")).join(`
`)+`
`;function Ft(e){let t=[["line",e.columns?.x??"round","value","low","high","digits"]];for(let o of e.lines){if(o.hidden)
continue;let n=(l,a)=>i=>o.half?jt(o.values[i]+l*o.half[i]):a?.[i],[r,s]=[n(-1,o.low),n(1,o.high)];e.x.forEach((l,a)=>o.
values[a]!=null&&t.push([o.name,l,(o.shown??o.values)[a],r(a),s(a),y.digits]))}return Ee(t)}var jt=e=>Number(e.toPrecision(
y.digits)),Ot=e=>e.replace(/[&<>"]/g,t=>`&#${t.charCodeAt(0)};`);function Pt(e,t){let o=[""];for(let n of e.split(" "))o.
at(-1)&&o.at(-1).length+n.length>=t&&o.push(""),o[o.length-1]+=(o.at(-1)&&" ")+n;return o}function nt(e){let{spec:t,u:o}=e,
n=devicePixelRatio,[r,s,l,a]=[o.bbox.left,o.bbox.top,o.bbox.width,o.bbox.height].map(f=>f/n),i=Pt(e.figure.querySelector(
"figcaption p").textContent,(r+l)/6),c=20+14*i.length,d=18,u=f=>Math.round(f*100)/100,h=f=>u(r+o.valToPos(f,"x")),p=f=>u(
s+c+o.valToPos(f,"y")),w=t.lines.map((f,b)=>({...f,...Me(t,b)})).filter(f=>!f.hidden&&f.values.some(b=>b!=null)),v=w.filter(
f=>f.name),M=u(r+l+26),L=Math.max(Math.floor(M/210),1),B=s+c+a+56,g=Math.ceil(B+Math.ceil(v.length/L)*d+6),x=(f,b,A,I="")=>`\
<text x="${u(f)}" y="${u(b)}" ${I}>${Ot(A)}</text>`,E=[`<svg xmlns="http://www.w3.org/2000/svg" width="${M}" height="${g}\
" viewBox="0 0 ${M} ${g}" font-family="Liberation Sans, Arial, sans-serif" font-size="12" fill="${$("--faded")}">`,`<rec\
t width="${M}" height="${g}" fill="${$("--paper")}"/>`,x(8,20,e.figure.querySelector("h3").textContent,`font-size="15" f\
ont-weight="bold" fill="${$("--ink")}"`),...i.map((f,b)=>x(8,36+14*b,f)),`<clipPath id="area"><rect x="${u(r)}" y="${u(s+
c)}" width="${u(l)}" height="${u(a)}"/></clipPath>`],{min:ne,max:se}=o.scales.x,{min:R,max:Q}=o.scales.y,re=t.under?"non\
e":$("--rule");for(let f of U(ne,se,t.logX,l,80))E.push(`<path d="M${h(f)} ${u(s+c)}v${u(a)}" stroke="${re}"/>`,x(h(f),s+
c+a+18,Se(f),'text-anchor="middle"'));let _=U(R,Q,t.log,a,40),fe=oe(t,_,o.scales.y);_.forEach((f,b)=>{E.push(`<path d="M${u(
r)} ${p(f)}h${u(l)}" stroke="${re}"/>`,x(r-6,p(f)+4,fe[b],'text-anchor="end"'))}),E.push(x(r+l/2,s+c+a+38,t.xLabel,'text\
-anchor="middle"'),'<g clip-path="url(#area)" fill="none">'),t.under?.(o,(f,b,A,I,pe)=>E.push(`<rect x="${u(f/n)}" y="${u(
b/n+c)}" width="${u(A/n)}" height="${u(I/n)}" fill="${pe}"/>`));for(let f of w){let b=(A,I,pe)=>{let ge=t.x.map((ee,we)=>we).
filter(ee=>A[ee]!=null&&I[ee]!=null),Be=(ee,we)=>we.map(Re=>`${h(t.x[Re])} ${p(ee[Re])}`).join("L");ge.length>1&&E.push(
`<path d="M${Be(A,ge)}L${Be(I,ge.toReversed())}Z" fill="${$(f.color)}" fill-opacity="${pe}"/>`)};f.low&&b(f.high,f.low,t.
lines.length>3?.12:.18),f.fill&&b(f.values,f.over!=null?t.lines[f.over].values:t.x.map(()=>t.log?R:0),f.fill)}for(let f of w){
let b="";f.values.forEach((A,I)=>b+=A==null?"":`${I>0&&f.values[I-1]!=null?"L":"M"}${h(t.x[I])} ${p(A)}`),E.push(`<path \
d="${b}" stroke="${$(f.color)}" stroke-width="${f.width??1.75}" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`)}if(E.push(
"</g>"),t.burnIn>ne&&t.burnIn<se){let f=o.valToPos(t.burnIn,"x")>.7*l;E.push(`<path d="M${h(t.burnIn)} ${u(s+c)}v${u(a)}\
" stroke="${$("--faded")}" stroke-dasharray="2 3"/>`,x(h(t.burnIn)+(f?-5:5),s+c-6,"burn-in ends",`font-size="11" text-an\
chor="${f?"end":"start"}"`))}return v.forEach((f,b)=>{let[A,I]=[8+b%L*((M-16)/L),B+Math.floor(b/L)*d];E.push(`<path d="M${u(
A)} ${u(I-4)}h24" stroke="${$(f.color)}" stroke-width="2.5" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`,x(A+30,I,f.name.
length>28?f.name.slice(0,27)+"…":f.name,`fill="${$("--ink")}"`))}),E.join(`
`)+`
</svg>
`}async function Bt(e){let t=new Image;t.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(nt(e)),await t.decode();
let o=m("canvas",{width:2*t.width,height:2*t.height});return o.getContext("2d").drawImage(t,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function Rt(e,t,o){let n=[];e.policies.forEach((l,a)=>{if(a===o.policy)return;let[i,c]=[o.mean[a]??NaN,o.halfInterval[a]??
NaN];n.push({policy:l,cells:t[a],other:o.cells?.[a],n:o.seeds[a],mean:i,low:i-c,high:i+c,needed:o.needed[a],p:o.p[a],signFlip:o.
signFlip[a],holm:o.holm[a],signFlipHolm:o.signFlipHolm[a],mark:o.marks[a].trim()})});let r=l=>Number.isNaN(l.mean);n.sort(
(l,a)=>r(l)-r(a)||(r(l)?0:l.mean-a.mean));let s=o.policy;return{policy:e.policies[s],cells:t[s],other:o.cells?.[s],caption:o.
caption,notes:o.notes,differences:n}}function _t(e,t){let o=e.differences.flatMap(a=>[a.low,a.mean,a.high]).filter(a=>!Number.
isNaN(a)),[n,r]=[Math.min(0,...o),Math.max(0,...o)];if(n===r||Number.isNaN(t.mean))return"";let s=a=>Math.round(10*(6+148*
(a-n)/(r-n)))/10,l=S("svg",{class:"interval",viewBox:"0 0 160 16","aria-hidden":"true"},S("path",{class:"zero",d:`M${s(0)}\
 0v16`}));return t.n>1&&l.append(S("path",{d:`M${s(t.low)} 8H${s(t.high)}M${s(t.low)} 4v8M${s(t.high)} 4v8`})),l.append(
S("circle",{cx:s(t.mean),cy:8,r:3.5})),l}var Wt={seeds:e=>String(e.n),difference:e=>j(e.mean,ie(e.mean,(e.high-e.low)/2)),
interval:e=>{let t=ie(e.mean,(e.high-e.low)/2);return Number.isNaN(e.low)?"–":`[${j(e.low,t)}, ${j(e.high,t)}]`},p:e=>te(
e.p),signFlip:e=>te(e.signFlip),holm:e=>te(e.holm),signFlipHolm:e=>te(e.signFlipHolm),mark:e=>e.mark,needed:e=>e.n<2?"–":
e.needed===0?"~":k(e.needed)},Vt={difference:"baseline",mark:""};function Ht(e,{policy:t,cells:o,other:n},r){let s=o.values(),
l=(n??[]).values();return e.map(a=>a==="policy"?t.label:a==="own"?s.next().value:a==="other"?l.next().value:r?Wt[a](r):Vt[a]??
"–")}function Dt(e,{columns:t,texts:o},n){let r=e.querySelector("thead tr").childElementCount>t.length,s=(a,i)=>{let[c,
...d]=Ht(t,a,i),u=r?[m("td",{},i?_t(n,i):"")]:[];return m("tr",{},m("th",{scope:"row"},...a.policy.style>=0?[D(a.policy)]:
[],c),...u,...d.map(h=>m("td",{},h)))};e.querySelector("tbody").replaceChildren(s(n),...n.differences.map(a=>s(a,a))),e.
querySelector(".caption").replaceChildren(...n.caption.flatMap(a=>[m("span",{},o[a])," "]));let l=n.notes.map(a=>m("li",
{className:o[a].startsWith("warning: ")?"warning":""},o[a]));e.querySelector(".notes")?.remove(),l.length>0&&e.append(m(
"ul",{className:"notes"},...l))}function Xt(e,t){let o=n=>Number(n.toPrecision(9));return Ee([["policy","baseline","metr\
ic","seeds","difference","low","high","p","p_holm","sign_flip_p","sign_flip_p_holm","seeds_needed"],...t.differences.map(
n=>[n.policy.label,t.policy.label,e,n.n,n.mean,o(n.low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,n.needed||null])])}
function st({box:e,name:t,compared:o}){let n=e.querySelector('[data-section="comparison"]'),r=n.querySelector("form"),s=Array.
from(n.querySelectorAll("[data-compared]")),l=s.map(d=>Array.from(d.childNodes,u=>u.cloneNode(!0))),a=(d,u)=>{let{cells:h,
picked:p,baselines:w}=o.metrics[d],v=o.policies.findIndex(M=>M.label===u);return Rt(o,h,v<0?p:w[v])},i=()=>{let{baseline:d}=C(
r);s.forEach((u,h)=>{u.replaceChildren(...l[h].map(w=>w.cloneNode(!0)));let p=a(u.dataset.compared,d);p.caption&&Dt(u,o,
p)})};r.addEventListener("change",i),i();let c=m("button",{type:"button"},"CSV");c.setAttribute("aria-label","Save the d\
ifferences as CSV"),c.addEventListener("click",()=>{let{compared:d,baseline:u}=C(r),h=a(d,u);Le([t,d,"differences to",h.
policy.label],"csv",new Blob([Xt(d,h)],{type:"text/csv"}))}),r.append(c)}function rt(e){let t=e.u,o=new Map,n=null,r=a=>a.clientX-t.over.getBoundingClientRect().left,s=()=>[...o.values()].sort(
(a,i)=>a-i);t.over.addEventListener("pointerdown",a=>{a.pointerType==="touch"&&(o.set(a.pointerId,r(a)),o.size===2&&(n=s().
map(i=>t.posToVal(i,"x"))))}),t.over.addEventListener("pointermove",a=>{if(!o.has(a.pointerId))return;if(o.set(a.pointerId,
r(a)),o.size===1)return t.setCursor({left:r(a),top:1});let[i,c]=s();if(c-i<20||!n)return;let d=(n[1]-n[0])/(c-i),u=n[0]-
i*d;e.between(u,u+t.over.clientWidth*d)});let l=a=>{o.delete(a.pointerId),n=null};t.over.addEventListener("pointerup",l),
t.over.addEventListener("pointercancel",l)}var Ce=new Map,q=new URLSearchParams(location.hash.split("?")[1]??""),H=location.hash.slice(1).split("?")[0];function T(e,...t){
q.delete(e);for(let n of t)q.append(e,n);let o=q.size>0?`#${H}?${q}`:H&&`#${H}`;history.replaceState(null,"",o||location.
pathname+location.search)}function Ae(e){let t=new Set;for(let[o,n]of Object.entries(Ce.get(e))){let r=q.has(o)?q.getAll(
o):[n].flat(),s=Array.from(e.elements).filter(l=>l.name===o&&!l.disabled);if(!(s[0]?.type==="radio"&&!s.some(l=>r.includes(
l.value))))for(let l of s){let a=[l.checked,l.value].join();l.type==="checkbox"||l.type==="radio"?l.checked=r.includes(l.
value):l.type==="search"?l.value=r[0]:l.value=Array.from(l.options).some(i=>i.value===r[0])?r[0]:n,a!==[l.checked,l.value].
join()&&t.add(l)}}return t}function ue(e){Ce.set(e,C(e)),Ae(e),e.addEventListener("submit",t=>t.preventDefault()),e.addEventListener(
"change",({target:{name:t}})=>{let o=C(e)[t];T(t,...String(o)===String(Ce.get(e)[t])?[]:[o].flat())})}function at(){addEventListener(
"hashchange",()=>{let[e,t]=location.hash.slice(1).split("?");if(t!=null&&t!==String(q))return location.reload();H=e,T("")}),
H&&location.hash.includes("?")&&document.getElementById(H)?.scrollIntoView({behavior:"instant"})}function lt(e){H=e,T(""),
document.getElementById(e).scrollIntoView({behavior:"instant"})}function Ie(e,t){let o=()=>{let n=Object.values(C(e))[0];
for(let r of t.querySelectorAll(e.dataset.choose))r.hidden=Object.values(r.dataset)[0]!==n};e.addEventListener("change",
o),o()}var P=class{constructor(t,o){this.figure=t,this.zoomKey=o,this.plot=t.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
setAttribute("role","application"),this.plot.setAttribute("aria-roledescription","chart"),this.plot.addEventListener("ke\
ydown",r=>this.key(r)),this.numbers=t.querySelector(".numbers"),this.numbers.addEventListener("toggle",()=>this.fillNumbers());
let n=(r,s,l)=>{let a=m("button",{type:"button","aria-label":s,title:s},r);return a.addEventListener("click",l),a};this.
all=n("All","See all rounds",()=>this.reset()),this.buttons=m("div",{className:"zoom",role:"group","aria-label":"Zoom"},
n("−","Zoom out",()=>this.zoom(2)),n("+","Zoom in",()=>this.zoom(.5)),this.all),t.querySelector("figcaption").append(this.
buttons),this.numbers.before(ot(this)),new ResizeObserver(()=>this.resize()).observe(this.plot),$e.add(this)}show(t){this.
spec=t,this.figure.hidden=!t,this.zoomed=null;let[o,n]=(q.get(this.zoomKey??"")??"").split("-").map(Number);t&&o<n&&(this.
zoomed={min:o,max:n}),this.draw(),this.fillNumbers()}draw(){if(this.u?.destroy(),this.u=null,!this.spec||!this.plot.clientWidth)
return;this.plot.setAttribute("aria-label",`${this.spec.label}. Arrow keys move, plus and minus zoom, Escape shows all.`);
let t=this.zoomed;this.width=this.plot.clientWidth,this.u=new uPlot(et(this),Qe(this.spec),this.plot),t&&this.u.setScale(
"x",t),X||rt(this)}resize(){let t=this.plot.clientWidth;this.u?t&&t!==this.width&&(this.width=t,X?this.draw():this.u.setSize(
{width:t,height:this.spec.height})):this.draw()}focus(t){this.u&&this.u.setSeries(t==null?null:K(this.spec,t).mean,{focus:t!=
null})}hide(t,o){if(!this.spec||!!this.spec.lines[t].hidden===o)return;this.spec.lines[t].hidden=o;let n=K(this.spec,t);
if(this.u)for(let r of n.all)this.u.setSeries(r,{show:!o});this.fillNumbers()}ends(){let t=this.spec.x;return[t[0],t[t.length-
1]]}reset(){let[t,o]=this.ends();this.u.setScale("x",{min:t,max:o})}zoom(t){let{min:o,max:n}=this.u.scales.x,r=this.u.cursor.
idx,[s,l]=this.spec.logX?[Math.log,Math.exp]:[i=>i,i=>i],a=r==null?(s(o)+s(n))/2:s(this.spec.x[r]);this.between(l(a-(a-s(
o))*t),l(a+(s(n)-a)*t))}between(t,o){let[n,r]=this.ends();[t,o]=[Math.max(t,n),Math.min(o,r)],!(this.spec.x.filter(s=>s>=
t&&s<=o).length<3)&&this.u.setScale("x",{min:t,max:o})}showZoom(){let{min:t,max:o}=this.u.scales.x,[n,r]=this.ends(),s=!(t>
n||o<r);this.zoomed=s?null:{min:t,max:o},this.all.disabled=s,this.zoomKey&&T(this.zoomKey,...s?[]:[[t,o].map(l=>Number(l.
toPrecision(7))).join("-")])}move(t){t=Math.min(Math.max(t,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,r=this.
spec.x[t];(r<o||r>n)&&this.between(r-(n-o)/2,r+(n-o)/2),this.u.setCursor({left:this.u.valToPos(r,"x"),top:this.u.over.clientHeight/
2}),We(this.describe(t))}describe(t){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(t)}: ${o.map(
n=>`${n.name} ${this.cell(n,t)}`).join("; ")}`}cell(t,o){let n=this.spec.format;return t.half?ce(t.values[o],t.half[o],y.
digits).join(" "):t.low?t.values[o]==null?"–":`${n(t.values[o])} (${n(t.low[o])} to ${n(t.high[o])})`:n((t.shown??t.values)[o])}key(t){
if(t.ctrlKey||t.metaKey||t.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=t.shiftKey?10:1,r={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};r[t.key]&&
(t.preventDefault(),r[t.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let t=this.spec.lines.filter(s=>!s.
hidden&&s.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),r=[];for(let s=(o-1)%n;s<o;s+=n)r.push([this.spec.at(
s),...t.map(l=>this.cell(l,s))]);this.numbers.querySelector(".scroll").replaceChildren(_e(this.spec.label,[this.spec.xLabel,
...t.map(s=>s.name)],r))}};var z=new Set(q.getAll("hide")),G=[];function it(e){z.clear();for(let t of e)z.add(t);T("hide",...z);for(let t of G)t()}
function ct(e,t,o){let{label:n}=e.policies[t],r=m("button",{type:"button",className:"policy"},D(e.policies[t]),n);r.addEventListener(
"click",()=>it(z.has(n)?[...z].filter(l=>l!==n):[...z,n]));for(let[l,a]of[["mouseenter",t],["focus",t],["mouseleave",null],
["blur",null]])r.addEventListener(l,()=>o?.(a));let s=()=>r.setAttribute("aria-pressed",!z.has(n));return G.push(s),s(),
r}function ht(e,t,o){t.append(...e.policies.map((n,r)=>ct(e,r,o)))}var F=6;function ut(e,t,o){let n=e.policies.map(()=>[
m("td"),m("td")]),r=m("caption");t.append(m("table",{},r,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(i=>m("th",{scope:"col"},i)))),m("tbody",{},...e.policies.map((i,c)=>m("tr",{},m("th",{scope:"r\
ow"},ct(e,c,o)),...n[c])))));let s=e.policies.map(i=>i.label),l=(i,c)=>{let d=m("button",{type:"button"},i);return d.addEventListener(
"click",()=>it(c)),d},a=[l("Show all",[]),l("Hide all",s)];return s.length>F&&a.push(l(`Best ${F}`,s.slice(F))),s.length>
1&&t.append(m("div",{className:"all"},...a)),(i,c)=>{r.textContent=i,c.forEach(([d,u],h)=>{[n[h][0].textContent,n[h][1].
textContent=""]=d==null?["–"]:ce(d,u,y.digits)})}}var Z=new Set(q.getAll("own")),J=[],qe=(e,t)=>t==null?`:${e}`:`${t}:${e}`,de=(e,t)=>Z.has(qe(e,t))||Z.has(qe(e));function dt(e,t){
let o=qe(e,t);Z.delete(o)||Z.add(o),T("own",...Z);for(let n of J)n()}function mt(){Z.clear(),T("own");for(let e of J)e()}
function ft(e,t,o,n){let r=e.axes.own?.map(l=>e.axes.all[l]);if(!r)return[];let s=[];return e.policies.forEach((l,a)=>l.
seeds.forEach((i,c)=>{if(!de(l.label,i))return;let d=h=>ze(r,l.own[t][c],h),u=n==="after"?d(e.axes.burnIn):0;s.push({policy:a,
name:`${l.label}, seed ${i}`,values:o.map(h=>d(h)-u)})})),s}function ze(e,t,o){if(o>e.at(-1))return null;let n=0,r=e.length-
1;for(;r-n>1;){let l=n+r>>1;e[l]<=o?n=l:r=l}let s=e[r]-e[n];return s>0?t[n]+(t[r]-t[n])*(o-e[n])/s:t[r]}function pt(e){let{windows:t,rounds:o,pulls:n}=e.axes;e.windowList=Array.from({length:t.n},(r,s)=>{let l=Math.max(s*t.width-
t.offset,0)+1,a=Math.min((s+1)*t.width-t.offset,o);return{first:l,last:a,middle:(l+a)/2,name:l===a?`round ${k(l)}`:`roun\
ds ${k(l)} to ${k(a)}`}}),e.windowWords=t.width===1?"round":`window of ${t.width} rounds`,e.xLabel=`Round of ${O(n,"pull")}`}
var Fe=(e,t)=>e.windowList.filter(o=>t!=="after"||o.first>e.axes.burnIn);function Kt(e,{metric:t,form:o,from:n,smooth:r}){
let{title:s}=y.metrics.find(i=>i.name===t),l=e.policies.map(i=>i.regret[t]);if(o==="window"){let i=Fe(e,n),c=h=>h?.slice(
-i.length),d=Number(r),u=d>1;return{x:i.map(h=>h.middle),at:h=>i[h].name,own:[],bands:l.map(h=>({mean:u?Ut(i,c(h.window.
mean),d,e.axes.burnIn):c(h.window.mean),half:u?null:c(h.window.half)})),title:`${s} regret a round`,note:`in the mean ov\
er each ${e.windowWords}`+(u?`, smoothed over ${d} of them: without intervals, which hold for single windows`:"")}}let a=n===
"after"?e.axes.after:e.axes.all;return{x:a,at:i=>`after round ${k(a[i])}`,own:ft(e,t,a,n),bands:l.map(i=>n==="after"?i.after:
i.all),title:`Cumulative ${t} regret`,note:n==="after"?`from round ${k(e.axes.burnIn+1)} on, when burn-in has ended`:"in\
 units of reward"}}function Ut(e,t,o,n){let r=(o-1)/2,s=l=>l.last-l.first+1;return t.map((l,a)=>{let[i,c]=[0,0];for(let d=Math.
max(a-r,0);d<=Math.min(a+r,e.length-1);d++)e[d].first>n==e[a].first>n&&(i+=t[d]*s(e[d]),c+=s(e[d]));return i/c})}function Gt(e,t){
let o=t.x.map(n=>Math.min(n*e.axes.pulls,e.axes.allPulls));return{...t,x:o,at:n=>`after pull ${k(o[n])}`,xLabel:"Pull",burnIn:e.
axes.burnIn*e.axes.pulls}}var Te=400;function Zt(e,t,o){let n=e.policies.map(({steps:u})=>u&&t.x.map(h=>u.each*Math.max(
h-u.before,0))),r=n.filter(u=>u!=null),s=r.map(u=>u.at(-1)),l=Math.min(...r.map(u=>u.find(h=>h>0)??1/0)),a=Math.max(...s),
i=Array.from({length:Te},(u,h)=>{let p=h/(Te-1);return o?l*(a/l)**p:a*p});i[Te-1]=a;let c=e.policies.filter(u=>!u.steps).
map(u=>u.label),d=(u,h)=>h&&i.map(p=>ze(u,h,p));return{...t,x:i,own:[],at:u=>`after ${O(Math.round(i[u]),"gradient step")}`,
xLabel:"Gradient step, of all chains",burnIn:0,note:t.note+(c.length>0?`; not shown, as their gradient steps are none or\
 unknown: ${c.slice(0,F).join(", ")}${c.length>F?` and ${c.length-F} more`:""}`:""),bands:t.bands.map((u,h)=>n[h]?{mean:d(
n[h],u.mean),half:d(n[h],u.half)}:{mean:i.map(()=>null),half:null})}}function Jt(e,t){if(t.includes("x")){let o=e.x.map(
(r,s)=>r>0?s:-1).filter(r=>r>=0),n=r=>r&&o.map(s=>r[s]);e={...e,x:n(e.x),at:(r=>s=>r(o[s]))(e.at),bands:e.bands.map(r=>({
mean:n(r.mean),half:n(r.half)})),own:e.own.map(r=>({...r,values:n(r.values)}))}}if(t.includes("y")){let o=e.bands.filter(
n=>n.mean.some((r,s)=>r!=null&&r<=0&&e.x[s]>0)).length;o>0&&(e={...e,note:`${e.note}; values of 0 and below, which ${O(o,
"curve")} ${o===1?"has":"have"}, have no place on a logarithmic axis`})}return e}function gt(e){let t=e.box.querySelector(
'[data-chart="regret"]'),o=new P(t,"zoom"),n=ut(e,e.box.querySelector('[data-legend="values"]'),a=>o.focus(a)),r=e.box.querySelector(
'[data-section="regret"] form'),s=()=>{let a=C(r),i={xLabel:e.xLabel,burnIn:e.axes.burnIn,...Kt(e,a)};a.x==="pulls"&&(i=
Gt(e,i)),a.x==="steps"&&(i=Zt(e,i,a.log.includes("x"))),i=Jt(i,a.log),r.elements.smooth.disabled=a.form!=="window",l.hidden=
i.own.length===0;let c=y.metrics.find(h=>h.name===a.metric).nonNegative?0:-1/0;t.querySelector("h3").textContent=i.title,
t.querySelector("figcaption p").textContent=i.note;let d=h=>{h??=i.x.length-1,n(i.at(h)[0].toUpperCase()+i.at(h).slice(1),
i.bands.map(p=>[p.mean[h],p.half?.[h]]))},u=a.bands==="shown";o.show({x:i.x,at:i.at,label:i.title,note:i.note,xLabel:i.xLabel,
height:innerWidth<860?360:Math.min(Math.max(420,30*e.policies.length),600),format:N,cursor:d,logX:a.log.includes("x"),log:a.
log.includes("y"),burnIn:a.from==="all"?i.burnIn:0,columns:{x:a.x==="rounds"?"round":a.x==="pulls"?"pull":"gradient_step"},
lines:i.bands.map((h,p)=>({name:e.policies[p].label,values:h.mean,half:h.half,color:W(e.policies[p].style),dash:ae(e.policies[p].
style),hidden:z.has(e.policies[p].label),low:u&&h.half?h.half.map((w,v)=>w==null?null:Math.max(h.mean[v]-w,c)):void 0,high:u&&
h.half?h.half.map((w,v)=>w==null?null:h.mean[v]+w):void 0})).concat(i.own.map(h=>({name:h.name,values:h.values,color:W(e.
policies[h.policy].style),width:1})))}),d(null)},l=m("button",{type:"button",className:"remove"},"Remove the curves of s\
eeds");l.addEventListener("click",mt),r.append(l),J.push(s),G.push(()=>e.policies.forEach((a,i)=>o.hide(i,z.has(a.label)))),
r.addEventListener("change",a=>{["x","log","from","form"].includes(a.target.name)&&T("zoom"),s()}),s()}function wt(e){let t=e.box.querySelector('[data-section="mistakes"]'),o=t.querySelector("form"),n=Array.from(t.querySelectorAll(
'[data-chart="wrong"]'),s=>new P(s));ht(e,t.querySelector('[data-legend="plain"]'),s=>n.forEach(l=>l.focus(s)));let r=()=>{
let s=C(o).wrong;n.forEach((l,a)=>l.show(to(e,a,s,l.figure.querySelector(".readout"))))};G.push(()=>e.policies.forEach((s,l)=>n.
forEach(a=>a.hide(l,z.has(s.label))))),o.addEventListener("change",r),r()}var Yt=8,Qt=24;function eo(e,t){let o=t>Yt?Math.
max(Math.floor(e.length/Qt),1):1,n=Array.from({length:Math.ceil(e.length/o)},(a,i)=>e.slice(i*o,(i+1)*o)),r=a=>a.last-a.
first+1,s=n.map(a=>{let[i,c]=[a[0].first,a.at(-1).last];return{first:i,last:c,middle:(i+c)/2,name:i===c?a[0].name:`round\
s ${k(i)} to ${k(c)}`}});return[s,a=>s.map((i,c)=>n[c].reduce((d,u,h)=>d+a[c*o+h]*r(u),0)/r(i))]}function to(e,t,o,n){let r=Fe(
e,o),[s,l]=eo(r,e.policies.length),a=e.policies.map(c=>({name:c.label,values:l(c.mistakes[t].slice(-r.length)),color:W(c.
style),dash:ae(c.style),width:1.5,hidden:z.has(c.label)})),i=c=>{let d=a.filter(h=>!h.hidden).sort((h,p)=>p.values[c]-h.
values[c]),u=d.length>F?` and ${d.length-F} with fewer`:"";return d.slice(0,F).map(h=>`${h.name} ${N(h.values[c])}`).join(
", ")+u};return{x:s.map(c=>c.middle),at:c=>s[c].name,xLabel:e.xLabel,height:260,burnIn:o==="all"?e.axes.burnIn:0,sync:"m\
istakes"+e.name,label:`${e.armNames[t]}, wrongly: times a round`,format:N,lines:a,cursor:c=>n.textContent=c==null?"Lines\
: means over seeds.":`${s[c].name}: ${i(c)}`}}var je=new WeakMap,Oe=e=>Number.parseFloat(e.replaceAll(",","").replace("−","-").replace(/^[<>~[\s]+/,""));function oo(e){
let t=e.closest("table"),o=t.tBodies[0];je.has(o)||je.set(o,Array.from(o.rows));let n={ascending:"descending",descending:null}[e.
getAttribute("aria-sort")],r=n===void 0?"ascending":n;for(let l of t.tHead.rows[0].cells)l.removeAttribute("aria-sort");
let s=je.get(o);if(r){e.setAttribute("aria-sort",r);let l=r==="ascending"?1:-1,a=new Map(s.map(c=>[c,c.cells[e.cellIndex].
textContent.trim()])),i=s.some(c=>!Number.isNaN(Oe(a.get(c))))&&e.cellIndex>0;s=s.toSorted((c,d)=>{if(!i)return l*a.get(
c).localeCompare(a.get(d),"en",{numeric:!0});let[u,h]=[Oe(a.get(c)),Oe(a.get(d))];return Number.isNaN(u)-Number.isNaN(h)||
(Number.isNaN(u)?0:l*(u-h))})}o.replaceChildren(...s)}function xt(){for(let e of document.querySelectorAll("table.sorts \
thead th"))e.querySelector("a, .unseen")||e.className==="text"&&e.cellIndex===1||e.replaceChildren(m("button",{type:"but\
ton",className:"sort"},...e.childNodes));document.addEventListener("click",({target:e})=>{let t=e.closest("button.sort");
t&&oo(t.closest("th"))})}function me(e){let t=e.querySelector("input[name=filter]")?.value.trim().toLowerCase()??"";for(let o of e.
querySelectorAll(".finals tbody tr, [data-section=summary] tbody tr, [data-section=comparison] tbody tr"))o.hidden=!(o.querySelector(
".name")??o.cells[0]).textContent.toLowerCase().includes(t)}function bt(e){let t=Array.from(e.querySelectorAll("input[na\
me=filter]"));e.addEventListener("input",({target:o})=>{if(o.name==="filter"){for(let n of t)n.value=o.value;me(e)}}),me(
e)}function no(e,t,o){let n=o==="log",r=e.filter(c=>c!=null&&(!n||c>0)),[s,l]=[Math.min(...r),Math.max(...r)];r.length===0&&
([s,l]=[1,10]),o!=="range"&&(l=Math.max(l,...t.map(c=>c.regret).filter(c=>c<=(n?3:1.3)*l))),n?[s,l]=[s/1.1,l*1.1]:o==="r\
ange"?[s,l]=[s-.04*(l-s),l+.04*(l-s)]:[s,l]=[Math.min(s,0),l>0?l*1.02:0],l>s||(l=s+1);let a=n?Math.log:c=>c,i=c=>100*(a(
c)-a(s))/(a(l)-a(s));return{low:s,high:l,at:c=>n&&!(c>0)?0:Math.round(10*i(c))/10}}var Y=(e,t,o,n,r)=>S("line",{class:e,
x1:`${t}%`,x2:`${o}%`,y1:n,y2:r});function yt(e){let t=e.box.querySelector('[data-section="overview"]'),o=t.querySelector(
"form"),n=t.querySelector(".finals"),r=()=>{let s=C(o),l=e.policies.map((g,x)=>({p:g,i:x,final:g.final[s.final]})).sort(
(g,x)=>g.final.interval[0]-x.final.interval[0]),a=s.scale==="log",i=no(l.flatMap(({final:g})=>[...g.interval,...g.bySeed]),
e.marks,s.scale),c=Math.max(n.clientWidth*.5,160),d=U(i.low,i.high,a,c,80).map(g=>[g,i.at(g)]),u=oe({log:a},d.map(([g])=>g),
{min:i.low,max:i.high}),h=g=>g.regret<=i.high&&g.regret>=i.low,p=()=>[...d.map(([,g])=>Y("grid-line",g,g,0,"100%")),...e.
marks.flatMap((g,x)=>h(g)?[Y(`mark-line m${x}`,i.at(g.regret),i.at(g.regret),0,"100%")]:[])],w=g=>g<12?"start":g>88?"end":
"middle",v=S("svg",{class:"final-axis",role:"img","aria-label":`Axis of cumulative ${s.final} regret`},...u.map((g,x)=>Object.
assign(S("text",{x:`${d[x][1]}%`,y:12,"text-anchor":w(d[x][1])}),{textContent:g}))),M=({p:g,i:x,final:E},ne)=>{let[se,R,
Q]=E.interval,re=`c${g.style%y.colors}`,_=S("svg",{class:`final ${re}`,role:"img","aria-label":`${E.text}; seeds from ${N(
Math.min(...E.bySeed))} to ${N(Math.max(...E.bySeed))}`},...p());R!=null&&_.append(Y("whisker",i.at(R),i.at(Q),9,9),Y("w\
hisker",i.at(R),i.at(R),5,13),Y("whisker",i.at(Q),i.at(Q),5,13)),E.bySeed.forEach((b,A)=>{let I=Object.assign(S("title",
{}),{textContent:`${g.label}, seed ${g.seeds[A]}: ${N(b)}`});_.append(S("circle",{class:de(g.label,g.seeds[A])?"seed cho\
sen":"seed",cx:`${i.at(b)}%`,cy:20,r:2.5,"data-policy":x,"data-seed":A},I))}),_.append(S("circle",{class:"mean",cx:`${i.
at(se)}%`,cy:9,r:4.5}));let fe=m("button",{type:"button",className:"name",disabled:!e.axes.own,title:"Its seeds' curves",
"aria-pressed":de(g.label),"data-policy":x},D(g),g.label),f=ne===0&&l.length>1?[m("span",{className:"winner",title:"the \
lowest mean"},"★",m("span",{}," lowest"))]:[];return m("tr",f.length>0?{className:"best"}:{},m("th",{scope:"row"},m("d\
iv",{},fe,...f)),m("td",{className:"plot-cell"},_),m("td",{},E.text),m("td",{},E.percent))},L=m("tr",{},...["policy","",
`${s.final} regret`,"% of uniform"].map((g,x)=>m("th",{scope:"col"},...x===1?[v]:[g]))),B=e.marks.map((g,x)=>m("span",{},
...h(g)?[S("svg",{class:"key","aria-hidden":"true"},Y(`mark-line m${x}`,50,50,0,"100%"))]:[],`${g.name}: ${g.text}${h(g)?
"":", beyond the axis"}`));n.replaceChildren(...B.length>0?[m("p",{className:"caption"},...B)]:[],m("table",{"aria-label":`\
Final ${s.final} regret by policy`},m("thead",{},L),m("tbody",{},...l.map(M)))),me(e.box)};n.addEventListener("click",({
target:s})=>{let l=s.closest("[data-policy]");if(!l||!e.axes.own)return;let a=e.policies[l.dataset.policy];dt(a.label,l.
dataset.seed==null?void 0:a.seeds[l.dataset.seed]),l.dataset.seed==null&&n.querySelector(`button[data-policy="${l.dataset.
policy}"]`).focus()}),o.addEventListener("change",({target:s})=>s.name!=="filter"&&r()),J.push(()=>t.isConnected&&r()),r()}function $t(e){let t=e.box.querySelector('[data-section="sampler"]'),o=t.querySelector("form"),n=h=>t.querySelector(`[da\
ta-chart="${h}"]`),r=e.series,s=["energy","arms","multiplier","ess","heat","theta",...r.map(h=>h.key)],l=Object.fromEntries(
s.map(h=>[h,new P(n(h))])),a=h=>n(h).querySelector(".readout");n("arms").querySelector("figcaption p").append(...e.armNames.
flatMap((h,p)=>[p>0?", ":", from below: ",m("span",{className:"arm"},S("svg",{class:`patch c${(p+2)%y.colors}`,"aria-hid\
den":"true"},S("path",{d:"M0 6h12"})),h)]));let c={x:e.windowList.map(h=>h.middle),at:h=>e.windowList[h].name,xLabel:e.xLabel,
height:240,burnIn:e.axes.burnIn,sync:"sampler"+e.name},d=(h,p,w,v)=>w&&{...c,label:p,format:N,lines:[{name:"mean",values:w.
mean,low:w.low,high:w.high,color:"--accent"}],cursor:M=>a(h).textContent=M==null||w.mean[M]==null?"Line: mean; band: low\
est to highest.":`${e.windowList[M].name}: ${N(w.mean[M])}, from ${N(w.low[M])} to ${N(w.high[M])}`,...v},u=()=>{let h=e.
policies.find(({label:L})=>L===C(o).policy),p=h.sampler,w=O(h.seeds.length,"seed"),v=`over ${w}, by ${e.windowWords}.`;t.
querySelector('[data-sampler="note"]').textContent=p?`${h.label}, ${v} ${w==="1 seed"?"It has":"Each has"} ${O(p.chains,
"chain")}.`+(p.notFinite?` ${O(p.notFinite,"value")} were not finite and are left out.`:""):`${h.label}, ${v} `+(h.steps?
"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim export' leave them out.":"These fi\
les have no diagnostics of a sampler: it has none, or an archive left them out.");let M=p?.energy;l.energy.show(d("energ\
y","Energy",M,{log:M?.low.every(L=>L==null||L>0)})),l.multiplier.show(d("multiplier","Contour multiplier",p?.multiplier)),
l.ess.show(d("ess","Effective sample size",p?.ess,{range:p&&[0,p.chains*1.05]})),l.arms.show(so(e,h,c,a("arms"))),l.theta.
show(null),l.heat.show(p?.theta?Ye(e,p.theta,a("heat"),l.theta):null);for(let L of r)l[L.key].show(d(L.key,L.title,p?.series?.
find(B=>B.name===L.title)?.spread));for(let L of s)l[L].spec?.cursor?.(null)};o.addEventListener("change",u),u()}function so(e,t,o,n){
let r=o.x.map(()=>0),s=t.arms.map((a,i)=>(r=r.map((c,d)=>c+a[d]),{name:e.armNames[i],values:r,shown:a,color:W(i+2),fill:.35,
over:i>0?i-1:null})),l=a=>s.map(i=>`${i.name} ${xe(i.shown[a])}`).join(", ");return{...o,label:"Arms: share of the pulls\
, stacked",format:xe,range:[0,1],tick:a=>Math.round(100*a)+" %",lines:s,cursor:a=>n.textContent=a==null?"Means over seed\
s.":`${e.windowList[a].name}: ${l(a)}`}}V.classList.add("scripted");var Mt=Array.from(document.querySelectorAll("[data-environment]")),Pe=new Set;function vt(e){
if(Pe.has(e))return;Pe.add(e);let t={...y.environments[e],box:Mt[e]};pt(t);for(let o of t.box.querySelectorAll("form"))ue(
o);for(let o of t.box.querySelectorAll("form[data-choose]"))Ie(o,o.closest("section"));t.compared&&st(t),bt(t.box),t.policies.
length!==0&&(yt(t),gt(t),$t(t),wt(t))}function ro(){let e=document.getElementById("environments");if(!e)return vt(0);ue(
e);let t=()=>{let o=C(e).environment;Mt.forEach((n,r)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(Pe.has(r))for(let s of n.
querySelectorAll("form"))for(let l of Ae(s))l.dispatchEvent(new Event("change",{bubbles:!0}));vt(r);for(let s of document.
querySelectorAll("nav a")){let l=s.hash.slice(1).replace(/-\d+$/,"");s.setAttribute("href",`#${l}${r>0?`-${r+1}`:""}`)}}})};
e.addEventListener("change",t),t();for(let o of document.querySelectorAll("[data-go]"))o.addEventListener("click",n=>{n.
preventDefault(),ao(e,o.dataset.go,o.hash.slice(1))});for(let o of document.querySelectorAll(".matrix td[class]"))o.addEventListener(
"click",()=>o.closest("table").tHead.rows[0].cells[o.cellIndex].firstElementChild.click())}function ao(e,t,o){let n=Array.
from(e.elements).find(r=>r.value===t);n.checked=!0,n.dispatchEvent(new Event("change",{bubbles:!0})),lt(o)}function lo(){
let e=matchMedia("(max-width: 600px)"),t=()=>{for(let o of document.querySelectorAll("details.fold"))o.open=!e.matches};
e.addEventListener("change",t),t()}function kt(){for(let e of document.querySelectorAll("#across form"))ue(e),Ie(e,e.parentElement);
xt(),ro(),at()}lo();Ze();V.dataset.reloads?kt():requestAnimationFrame(()=>setTimeout(kt));})();
