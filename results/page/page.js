// Made by go generate ./results/page. SHA-256 of js/*.js: fbeccf530aa5f1f279e758ccc67b6fe4af27012e6ea6b1a21c2f02ca5f4d4ca9
"use strict";
(()=>{var b=JSON.parse(document.getElementById("data").textContent);function m(e,t={},...o){let n=document.createElement(e);for(let[r,s]of Object.entries(t))r in n?n[r]=s:n.setAttribute(r,
s);return n.append(...o),n}function N(e){let t={};for(let o of e.elements)o.type==="checkbox"?(t[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(t[o.name]=o.value);return t}function L(e,t,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",e);for(let[r,s]of Object.entries(t))n.setAttribute(r,s);return n.append(...o),
n}var X=({style:e})=>L("svg",{class:`swatch c${e%b.colors} d${e%b.dashes.length}`,"aria-hidden":"true"},L("path",{d:"M0 \
4h24"})),W=e=>`--c${e%b.colors}`,ae=e=>b.dashes[e%b.dashes.length];function _e(e,t,o){let n=(r,s)=>m("tr",{},...s.map((l,a)=>r===
"th"||a===0?m("th",{scope:r==="th"?"col":"row"},l):m("td",{},l)));return m("table",{},m("caption",{},e),m("thead",{},n("\
th",t)),m("tbody",{},...o.map(r=>n("td",r))))}var We=e=>document.getElementById("say").textContent=e;function Ve(e,t){let o=Math.abs(e).toFixed(t);return Math.abs(e)*2**(t+1)%2===1&&o.at(-1)%2===1?o.slice(0,-1)+(o.at(-1)-
1):o}function O(e,t){if(e==null||!Number.isFinite(e))return"–";let o=Math.abs(e);if(o>=1e15||o!==0&&o<1e-9)return(e<0?
"−":"")+Number(o.toPrecision(4)).toExponential();let n=Ve(e,t);if(Number(n)===0)return"0";let[r,...s]=n.split("."),l=[];
for(let a=r.length;a>0;a-=3)l.unshift(r.slice(Math.max(a-3,0),a));return(e<0?"−":"")+[l.join(","),...s].join(".")}var le=e=>Number(
e.toExponential(9).split("e")[1]);function De(e){let t=Math.abs(e);return!Number.isFinite(e)||t===0||t>=99.95?0:Math.min(
2-le(t),12)}var M=e=>O(e,e==null?0:De(e));function He(e,t){let o=Math.max(0,-le(t));return e===0?0 .toFixed(Math.min(o,9)):
O(e,o)}var Mt=e=>e==null||!Number.isFinite(e)?"–":O(e,1)+" %",Xe=(e,t)=>t<=1e-12*Math.abs(e),ie=(e,t)=>t>0&&Number.isFinite(
t)&&!Xe(e,t)?Math.min(Math.max(1-le(t),0),12):De(e);function ee(e){return e==null||Number.isNaN(e)?"–":e<.001?"< 0.001":
e>.999?"1":Ve(e,3)}var v=e=>O(e,0);function ce(e,t,o=17){if(e==null||t==null||!Number.isFinite(t))return[M(e)];let n=Math.
min(ie(e,t),Math.max(o-1-le(e),0));return[O(e,n),"± "+O(Xe(e,t)?0:t,n)]}var P=(e,t)=>`${v(e)} ${t}${e===1?"":"s"}`,xe=e=>Mt(
e==null?e:100*e);var V=document.documentElement,$e=new Set,be=document.body.appendChild(document.createElement("span"));be.hidden=!0;var he=new Map,
K=!1;function ye(e){return he.has(e)||(be.style.color=`var(${e})`,he.set(e,getComputedStyle(be).color.match(/[\d.]+/g).slice(
0,3).map(Number))),he.get(e)}var y=(e,t=1)=>`rgb(${ye(e).join(" ")} / ${t})`;function Ue(e,t,o){let n=ye(t);return`rgb(${ye(
e).map((r,s)=>Math.round(r+(n[s]-r)*o)).join(" ")})`}var Ge=matchMedia("(prefers-color-scheme: dark)"),Ke=()=>V.dataset.
theme?V.dataset.theme==="dark":Ge.matches;function Ze(){let e=document.getElementById("theme"),t=()=>{e.textContent=Ke()?
"Light":"Dark",e.setAttribute("aria-label",`${e.textContent} colors`),he=new Map;for(let n of $e)n.draw()};e.addEventListener(
"click",()=>{V.dataset.theme=Ke()?"light":"dark",t()}),Ge.addEventListener("change",t);let o=n=>{K=n,V.classList.toggle(
"printing",n),t()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),t()}var ve=1e-6;function Lt(e){let t=Math.min(Math.max(1-Math.log10(Math.max(e,ve))/Math.log10(ve),0),1);return Ue("--paper",
"--heat",t)}function Nt(e){if(e.length===1)return[e[0]-.5,e[0]+.5];let t=e.slice(1).map((o,n)=>(o+e[n])/2);return[2*e[0]-
t[0],...t,2*e[e.length-1]-t[t.length-1]]}function Et(e,t,o){let n=Nt(t.rounds).map(l=>Math.round(e.valToPos(l,"x",!0))),
r=t.values[0].length,s=Array.from({length:r+1},(l,a)=>Math.round(e.valToPos(a+.5,"y",!0)));t.values.forEach((l,a)=>l.forEach(
(i,h)=>{o(n[a],s[h+1],n[a+1]-n[a]+1,s[h]-s[h+1]+1,Lt(i))}))}function Je(e,t){let{left:o,top:n,width:r,height:s}=e.bbox;e.
ctx.save(),e.ctx.beginPath(),e.ctx.rect(o,n,r,s),e.ctx.clip(),t(e,(l,a,i,h,d)=>{e.ctx.fillStyle=d,e.ctx.fillRect(l,a,i,h)}),
e.ctx.restore()}function Ye(e,t,o,n){let r=t.values[0].length,s=Array.from({length:r},(d,u)=>u+1),l=t.values.map(d=>1+d.
indexOf(Math.max(...d))),a=d=>{let u=t.values[d];return{x:s,at:c=>`bin ${c+1}`,label:`θ in round ${v(t.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:M,log:!0,lines:[{name:"θ",values:u.map(c=>c>=ve?c:null),shown:u,color:"--accent",fill:0}],
title:`θ in round ${v(t.rounds[d])}`}},i=d=>{let u=a(d);n.figure.querySelector("h3").textContent=u.title,n.show(u)},h=t.
rounds.length-1;return i(h),{x:t.rounds,at:d=>`round ${v(t.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:e.xLabel,height:240,format:M,lines:[{name:"heaviest bin",values:l,color:"--alert",width:1.25}],range:[.5,
r+.5],under:(d,u)=>Et(d,t,u),sync:null,cursor:(d,u)=>{let c=d??t.rounds.length-1;c!==h&&i(h=c);let p=d==null?null:Math.round(
u.posToVal(u.cursor.top,"y")),w=p>=1&&p<=r?t.values[c][p-1]:null;o.textContent=w==null?"The line is the bin of the large\
st share.":`Round ${v(t.rounds[c])}, bin ${p}: ${M(w)}`}}}function U(e,t){let o=1;for(let n=0;n<t;n++)o+=e.lines[n].low?3:1;return e.lines[t].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var ke=(e,t)=>e.lines.find((o,n)=>U(e,n).mean===t);function Se(e,t){let{values:o,low:n,high:r}=e.
lines[t];if(!e.log)return{values:o,low:n,high:r};let s=l=>l?.map((a,i)=>o[i]>0?Math.max(a,o[i]/1e6):null);return{values:s(
o),low:s(n),high:s(r)}}function Qe(e){let t=[e.x];return e.lines.forEach((o,n)=>{let{values:r,low:s,high:l}=Se(e,n);t.push(
...s?[l,s,r]:[r])}),t}function et(e){let t=e.spec,o=K?2:1,n=[{}],r=[];return t.lines.forEach((s,l)=>{let a=U(t,l),i={show:!s.
hidden,points:{show:!1},spanGaps:!1};s.low&&(n.push({...i},{...i,auto:!t.log}),r.push({series:[a.high,a.low],fill:y(s.color,
t.lines.length>3?.12:.18)})),s.over!=null&&r.push({series:[a.mean,U(t,s.over).mean],fill:y(s.color,s.fill)}),n.push({...i,
stroke:y(s.color),width:(s.width??1.75)*o,dash:(s.dash??[]).map(h=>h*o),fill:s.fill&&s.over==null?y(s.color,s.fill):void 0,
points:{show:t.x.length<3,size:5*o,fill:y(s.color)}})}),{width:e.plot.clientWidth*o,height:t.height*o,series:n,bands:r,padding:[
20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:t.logX?3:1,range:(s,l,a)=>It(t,l,a)},y:{distr:t.log?
3:1,range:(s,l,a)=>qt(e,l,a)}},focus:{alpha:.15},axes:Ct(t,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(s,l)=>ke(
t,l)&&m("div"),size:8,width:2,fill:y("--paper"),stroke:(s,l)=>ke(t,l)&&y(ke(t,l).color)},...t.sync&&{sync:{key:t.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[s=>t.under&&Je(s,t.under)],drawSeries:[],draw:[s=>zt(s,t,o)],setCursor:[s=>t.cursor?.(
s.cursor.idx??null,s)],setScale:[(s,l)=>l==="x"&&e.u===s&&e.showZoom()]}}}function Ct(e,t){let o=`${12*t}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!e.under,stroke:y("--rule"),width:t},r={stroke:y("--faded"),font:o,labelFont:o,gap:6*
t,grid:n,ticks:{show:!1},border:{show:!1},filter:(i,h)=>h},s=(i,h,d,u)=>G(d,u,h===0?e.logX:e.log,(h===0?i.bbox.width:i.bbox.
height)/devicePixelRatio/t,h===0?80:40),l={...r,splits:s,label:e.xLabel,labelSize:20*t,size:30*t,values:(i,h)=>h.map(Me)},
a={...r,splits:s,size:At,values:(i,h)=>te(e,h,i.scales.y)};return[l,a]}var Me=e=>Number.isInteger(e)?v(e):"",tt=(e,t,o)=>o&&
t/e>=10;function te(e,t,{min:o,max:n}){if(e.tick)return t.map(e.tick);let r=Math.min(...t.slice(1).map((s,l)=>s-t[l]));return t.
map(s=>He(s,tt(o,n,e.log)||!Number.isFinite(r)?Math.abs(s)||1:r))}function G(e,t,o,n,r){let s=Math.max(Math.floor(n/r),2),
l=[];if(tt(e,t,o)){let d=Math.log10(t/e),u=Math.ceil(d/s),c=d*3<=s?[1,2,5]:[1];for(let p=Math.floor(Math.log10(e));p<=Math.
log10(t);p++)if(p%u===0)for(let w of c){let $=+`${w}e${p}`;$>=e*.999&&$<=t*1.001&&l.push($)}return l}let a=(t-e)/s,i=10**
Math.floor(Math.log10(a)),h=[1,2,5,10].map(d=>d*i).find(d=>d>=a*.999);for(let d=Math.ceil(e/h-1e-9);d*h<=t+h*1e-9;d++)l.
push(Number((d*h).toPrecision(12)));return l}function At(e,t,o){let n=(t??[]).reduce((s,l)=>l.length>s.length?l:s,"");e.
ctx.save(),e.ctx.font=e.axes[o].font[0];let r=e.ctx.measureText(n).width/devicePixelRatio;return e.ctx.restore(),Math.ceil(
r)+e.axes[o].gap+4}function It(e,t,o){return t==null?e.logX?[1,10]:[0,1]:t===o?e.logX?[t/2,o*2]:[t-.5,o+.5]:[t,o]}function qt(e,t,o){
let{spec:n}=e;if(t==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[t/1.15,o*1.15];e.zoomed||([
t,o]=[Math.min(t,0),Math.max(o,0)]),t===o&&(o=t+1);let r=(o-t)/30;return[t<0||e.zoomed&&t>r?t-r:t,o+r]}function zt(e,t,o){
if(!t.burnIn||t.burnIn<=e.scales.x.min||t.burnIn>=e.scales.x.max)return;let n=Math.round(e.valToPos(t.burnIn,"x",!0)),{top:r,
height:s,left:l,width:a}=e.bbox,i=devicePixelRatio*o;e.ctx.save(),e.ctx.strokeStyle=e.ctx.fillStyle=y("--faded"),e.ctx.lineWidth=
i,e.ctx.setLineDash([2*i,3*i]),e.ctx.beginPath(),e.ctx.moveTo(n,r),e.ctx.lineTo(n,r+s),e.ctx.stroke(),e.ctx.font=`${11*i}\
px ${getComputedStyle(document.body).fontFamily}`;let h=n>l+.7*a;e.ctx.textAlign=h?"right":"left",e.ctx.fillText("burn-i\
n ends",n+(h?-5:5)*i,r-6*i),e.ctx.restore()}function ot(e){let t=(o,n,r)=>{let s=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return s.addEventListener(
"click",r),s};return m("div",{className:"save",role:"group","aria-label":"Save"},t("SVG","the figure as SVG",()=>Le(e,"s\
vg",new Blob([nt(e)],{type:"image/svg+xml"}))),t("PNG","the figure as PNG",()=>Bt(e).then(o=>Le(e,"png",o))),t("CSV","th\
e numbers as CSV",()=>Le(e,"csv",new Blob([Ft(e.spec)],{type:"text/csv"}))))}function Le(e,t,o){let n=e.figure.closest("\
[data-environment]").dataset.environment;Ne([n,e.figure.querySelector("h3").textContent],t,o)}function Ne(e,t,o){let n=[
document.querySelector("h1").textContent,...e].filter(s=>s).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),r=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${t}`});r.click(),setTimeout(()=>URL.revokeObjectURL(r.href),1e3)}function Tt(e){
if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";let t=/^[=+\-@\t\r']/.test(e)?`'${e}`:e;
return/[",\n\r]/.test(t)?`"${t.replaceAll('"','""')}"`:t}var Ee=e=>e.map(t=>t.map(Tt).join(",")).join(`
`)+`
`;function Ft(e){let t=[["line",e.columns?.x??"round","value","low","high","digits"]];for(let o of e.lines){if(o.hidden)
continue;let n=(l,a)=>i=>o.half?jt(o.values[i]+l*o.half[i]):a?.[i],[r,s]=[n(-1,o.low),n(1,o.high)];e.x.forEach((l,a)=>o.
values[a]!=null&&t.push([o.name,l,(o.shown??o.values)[a],r(a),s(a),b.digits]))}return Ee(t)}var jt=e=>Number(e.toPrecision(
b.digits)),Ot=e=>e.replace(/[&<>"]/g,t=>`&#${t.charCodeAt(0)};`);function Pt(e,t){let o=[""];for(let n of e.split(" "))o.
at(-1)&&o.at(-1).length+n.length>=t&&o.push(""),o[o.length-1]+=(o.at(-1)&&" ")+n;return o}function nt(e){let{spec:t,u:o}=e,
n=devicePixelRatio,[r,s,l,a]=[o.bbox.left,o.bbox.top,o.bbox.width,o.bbox.height].map(f=>f/n),i=Pt(e.figure.querySelector(
"figcaption p").textContent,(r+l)/6),h=20+14*i.length,d=18,u=f=>Math.round(f*100)/100,c=f=>u(r+o.valToPos(f,"x")),p=f=>u(
s+h+o.valToPos(f,"y")),w=t.lines.map((f,x)=>({...f,...Se(t,x)})).filter(f=>!f.hidden&&f.values.some(x=>x!=null)),$=w.filter(
f=>f.name),k=u(r+l+26),S=Math.max(Math.floor(k/210),1),g=s+h+a+56,E=Math.ceil(g+Math.ceil($.length/S)*d+6),C=(f,x,A,I="")=>`\
<text x="${u(f)}" y="${u(x)}" ${I}>${Ot(A)}</text>`,T=[`<svg xmlns="http://www.w3.org/2000/svg" width="${k}" height="${E}\
" viewBox="0 0 ${k} ${E}" font-family="Liberation Sans, Arial, sans-serif" font-size="12" fill="${y("--faded")}">`,`<rec\
t width="${k}" height="${E}" fill="${y("--paper")}"/>`,C(8,20,e.figure.querySelector("h3").textContent,`font-size="15" f\
ont-weight="bold" fill="${y("--ink")}"`),...i.map((f,x)=>C(8,36+14*x,f)),`<clipPath id="area"><rect x="${u(r)}" y="${u(s+
h)}" width="${u(l)}" height="${u(a)}"/></clipPath>`],{min:ne,max:R}=o.scales.x,{min:H,max:fe}=o.scales.y,_=t.under?"none":
y("--rule");for(let f of G(ne,R,t.logX,l,80))T.push(`<path d="M${c(f)} ${u(s+h)}v${u(a)}" stroke="${_}"/>`,C(c(f),s+h+a+
18,Me(f),'text-anchor="middle"'));let se=G(H,fe,t.log,a,40),re=te(t,se,o.scales.y);se.forEach((f,x)=>{T.push(`<path d="M${u(
r)} ${p(f)}h${u(l)}" stroke="${_}"/>`,C(r-6,p(f)+4,re[x],'text-anchor="end"'))}),T.push(C(r+l/2,s+h+a+38,t.xLabel,'text-\
anchor="middle"'),'<g clip-path="url(#area)" fill="none">'),t.under?.(o,(f,x,A,I,pe)=>T.push(`<rect x="${u(f/n)}" y="${u(
x/n+h)}" width="${u(A/n)}" height="${u(I/n)}" fill="${pe}"/>`));for(let f of w){let x=(A,I,pe)=>{let ge=t.x.map((Q,we)=>we).
filter(Q=>A[Q]!=null&&I[Q]!=null),Be=(Q,we)=>we.map(Re=>`${c(t.x[Re])} ${p(Q[Re])}`).join("L");ge.length>1&&T.push(`<pat\
h d="M${Be(A,ge)}L${Be(I,ge.toReversed())}Z" fill="${y(f.color)}" fill-opacity="${pe}"/>`)};f.low&&x(f.high,f.low,t.lines.
length>3?.12:.18),f.fill&&x(f.values,f.over!=null?t.lines[f.over].values:t.x.map(()=>t.log?H:0),f.fill)}for(let f of w){
let x="";f.values.forEach((A,I)=>x+=A==null?"":`${I>0&&f.values[I-1]!=null?"L":"M"}${c(t.x[I])} ${p(A)}`),T.push(`<path \
d="${x}" stroke="${y(f.color)}" stroke-width="${f.width??1.75}" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`)}if(T.push(
"</g>"),t.burnIn>ne&&t.burnIn<R){let f=o.valToPos(t.burnIn,"x")>.7*l;T.push(`<path d="M${c(t.burnIn)} ${u(s+h)}v${u(a)}"\
 stroke="${y("--faded")}" stroke-dasharray="2 3"/>`,C(c(t.burnIn)+(f?-5:5),s+h-6,"burn-in ends",`font-size="11" text-anc\
hor="${f?"end":"start"}"`))}return $.forEach((f,x)=>{let[A,I]=[8+x%S*((k-16)/S),g+Math.floor(x/S)*d];T.push(`<path d="M${u(
A)} ${u(I-4)}h24" stroke="${y(f.color)}" stroke-width="2.5" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`,C(A+30,I,f.name.
length>28?f.name.slice(0,27)+"…":f.name,`fill="${y("--ink")}"`))}),T.join(`
`)+`
</svg>
`}async function Bt(e){let t=new Image;t.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(nt(e)),await t.decode();
let o=m("canvas",{width:2*t.width,height:2*t.height});return o.getContext("2d").drawImage(t,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function Rt(e,t,o){let n=[];e.policies.forEach((l,a)=>{if(a===o.policy)return;let[i,h]=[o.mean[a]??NaN,o.halfInterval[a]??
NaN];n.push({policy:l,cells:t[a],other:o.cells?.[a],n:o.seeds[a],mean:i,low:i-h,high:i+h,needed:o.needed[a],p:o.p[a],signFlip:o.
signFlip[a],holm:o.holm[a],signFlipHolm:o.signFlipHolm[a],mark:o.marks[a].trim()})});let r=l=>Number.isNaN(l.mean);n.sort(
(l,a)=>r(l)-r(a)||(r(l)?0:l.mean-a.mean));let s=o.policy;return{policy:e.policies[s],cells:t[s],other:o.cells?.[s],caption:o.
caption,notes:o.notes,differences:n}}function _t(e,t){let o=e.differences.flatMap(a=>[a.low,a.mean,a.high]).filter(a=>!Number.
isNaN(a)),[n,r]=[Math.min(0,...o),Math.max(0,...o)];if(n===r||Number.isNaN(t.mean))return"";let s=a=>Math.round(10*(6+148*
(a-n)/(r-n)))/10,l=L("svg",{class:"interval",viewBox:"0 0 160 16","aria-hidden":"true"},L("path",{class:"zero",d:`M${s(0)}\
 0v16`}));return t.n>1&&l.append(L("path",{d:`M${s(t.low)} 8H${s(t.high)}M${s(t.low)} 4v8M${s(t.high)} 4v8`})),l.append(
L("circle",{cx:s(t.mean),cy:8,r:3.5})),l}var Wt={seeds:e=>String(e.n),difference:e=>O(e.mean,ie(e.mean,(e.high-e.low)/2)),
interval:e=>{let t=ie(e.mean,(e.high-e.low)/2);return Number.isNaN(e.low)?"–":`[${O(e.low,t)}, ${O(e.high,t)}]`},p:e=>ee(
e.p),signFlip:e=>ee(e.signFlip),holm:e=>ee(e.holm),signFlipHolm:e=>ee(e.signFlipHolm),mark:e=>e.mark,needed:e=>e.n<2?"–":
e.needed===0?"~":v(e.needed)},Vt={difference:"baseline",mark:""};function Dt(e,{policy:t,cells:o,other:n},r){let s=o.values(),
l=(n??[]).values();return e.map(a=>a==="policy"?t.label:a==="own"?s.next().value:a==="other"?l.next().value:r?Wt[a](r):Vt[a]??
"–")}function Ht(e,{columns:t,texts:o},n){let r=e.querySelector("thead tr").childElementCount>t.length,s=(a,i)=>{let[h,
...d]=Dt(t,a,i),u=r?[m("td",{},i?_t(n,i):"")]:[];return m("tr",{},m("th",{scope:"row"},...a.policy.style>=0?[X(a.policy)]:
[],h),...u,...d.map(c=>m("td",{},c)))};e.querySelector("tbody").replaceChildren(s(n),...n.differences.map(a=>s(a,a))),e.
querySelector(".caption").replaceChildren(...n.caption.flatMap(a=>[m("span",{},o[a])," "]));let l=n.notes.map(a=>m("li",
{className:o[a].startsWith("warning: ")?"warning":""},o[a]));e.querySelector(".notes")?.remove(),l.length>0&&e.append(m(
"ul",{className:"notes"},...l))}function Xt(e,t){let o=n=>Number(n.toPrecision(9));return Ee([["policy","baseline","metr\
ic","seeds","difference","low","high","p","p_holm","sign_flip_p","sign_flip_p_holm","seeds_needed"],...t.differences.map(
n=>[n.policy.label,t.policy.label,e,n.n,n.mean,o(n.low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,n.needed||null])])}
function st({box:e,name:t,compared:o}){let n=e.querySelector('[data-section="comparison"]'),r=n.querySelector("form"),s=Array.
from(n.querySelectorAll("[data-compared]")),l=s.map(d=>Array.from(d.childNodes,u=>u.cloneNode(!0))),a=(d,u)=>{let{cells:c,
picked:p,baselines:w}=o.metrics[d],$=o.policies.findIndex(k=>k.label===u);return Rt(o,c,$<0?p:w[$])},i=()=>{let{baseline:d}=N(
r);s.forEach((u,c)=>{u.replaceChildren(...l[c].map(w=>w.cloneNode(!0)));let p=a(u.dataset.compared,d);p.caption&&Ht(u,o,
p)})};r.addEventListener("change",i),i();let h=m("button",{type:"button"},"CSV");h.setAttribute("aria-label","Save the d\
ifferences as CSV"),h.addEventListener("click",()=>{let{compared:d,baseline:u}=N(r),c=a(d,u);Ne([t,d,"differences to",c.
policy.label],"csv",new Blob([Xt(d,c)],{type:"text/csv"}))}),r.append(h)}function rt(e){let t=e.u,o=new Map,n=null,r=a=>a.clientX-t.over.getBoundingClientRect().left,s=()=>[...o.values()].sort(
(a,i)=>a-i);t.over.addEventListener("pointerdown",a=>{a.pointerType==="touch"&&(o.set(a.pointerId,r(a)),o.size===2&&(n=s().
map(i=>t.posToVal(i,"x"))))}),t.over.addEventListener("pointermove",a=>{if(!o.has(a.pointerId))return;if(o.set(a.pointerId,
r(a)),o.size===1)return t.setCursor({left:r(a),top:1});let[i,h]=s();if(h-i<20||!n)return;let d=(n[1]-n[0])/(h-i),u=n[0]-
i*d;e.between(u,u+t.over.clientWidth*d)});let l=a=>{o.delete(a.pointerId),n=null};t.over.addEventListener("pointerup",l),
t.over.addEventListener("pointercancel",l)}var Ce=new Map,q=new URLSearchParams(location.hash.split("?")[1]??""),D=location.hash.slice(1).split("?")[0];function F(e,...t){
q.delete(e);for(let n of t)q.append(e,n);let o=q.size>0?`#${D}?${q}`:D&&`#${D}`;history.replaceState(null,"",o||location.
pathname+location.search)}function Ae(e){let t=new Set;for(let[o,n]of Object.entries(Ce.get(e))){let r=q.has(o)?q.getAll(
o):[n].flat(),s=Array.from(e.elements).filter(l=>l.name===o&&!l.disabled);if(!(s[0]?.type==="radio"&&!s.some(l=>r.includes(
l.value))))for(let l of s){let a=[l.checked,l.value].join();l.type==="checkbox"||l.type==="radio"?l.checked=r.includes(l.
value):l.type==="search"?l.value=r[0]:l.value=Array.from(l.options).some(i=>i.value===r[0])?r[0]:n,a!==[l.checked,l.value].
join()&&t.add(l)}}return t}function ue(e){Ce.set(e,N(e)),Ae(e),e.addEventListener("submit",t=>t.preventDefault()),e.addEventListener(
"change",({target:{name:t}})=>{let o=N(e)[t];F(t,...String(o)===String(Ce.get(e)[t])?[]:[o].flat())})}function at(){addEventListener(
"hashchange",()=>{let[e,t]=location.hash.slice(1).split("?");if(t!=null&&t!==String(q))return location.reload();D=e,F("")}),
D&&location.hash.includes("?")&&document.getElementById(D)?.scrollIntoView({behavior:"instant"})}function lt(e){D=e,F(""),
document.getElementById(e).scrollIntoView({behavior:"instant"})}function Ie(e,t){let o=()=>{let n=Object.values(N(e))[0];
for(let r of t.querySelectorAll(e.dataset.choose))r.hidden=Object.values(r.dataset)[0]!==n};e.addEventListener("change",
o),o()}var B=class{constructor(t,o){this.figure=t,this.zoomKey=o,this.plot=t.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
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
"x",t),K||rt(this)}resize(){let t=this.plot.clientWidth;this.u?t&&t!==this.width&&(this.width=t,K?this.draw():this.u.setSize(
{width:t,height:this.spec.height})):this.draw()}focus(t){this.u&&this.u.setSeries(t==null?null:U(this.spec,t).mean,{focus:t!=
null})}hide(t,o){if(!this.spec||!!this.spec.lines[t].hidden===o)return;this.spec.lines[t].hidden=o;let n=U(this.spec,t);
if(this.u)for(let r of n.all)this.u.setSeries(r,{show:!o});this.fillNumbers()}ends(){let t=this.spec.x;return[t[0],t[t.length-
1]]}reset(){let[t,o]=this.ends();this.u.setScale("x",{min:t,max:o})}zoom(t){let{min:o,max:n}=this.u.scales.x,r=this.u.cursor.
idx,[s,l]=this.spec.logX?[Math.log,Math.exp]:[i=>i,i=>i],a=r==null?(s(o)+s(n))/2:s(this.spec.x[r]);this.between(l(a-(a-s(
o))*t),l(a+(s(n)-a)*t))}between(t,o){let[n,r]=this.ends();[t,o]=[Math.max(t,n),Math.min(o,r)],!(this.spec.x.filter(s=>s>=
t&&s<=o).length<3)&&this.u.setScale("x",{min:t,max:o})}showZoom(){let{min:t,max:o}=this.u.scales.x,[n,r]=this.ends(),s=!(t>
n||o<r);this.zoomed=s?null:{min:t,max:o},this.all.disabled=s,this.zoomKey&&F(this.zoomKey,...s?[]:[[t,o].map(l=>Number(l.
toPrecision(7))).join("-")])}move(t){t=Math.min(Math.max(t,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,r=this.
spec.x[t];(r<o||r>n)&&this.between(r-(n-o)/2,r+(n-o)/2),this.u.setCursor({left:this.u.valToPos(r,"x"),top:this.u.over.clientHeight/
2}),We(this.describe(t))}describe(t){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(t)}: ${o.map(
n=>`${n.name} ${this.cell(n,t)}`).join("; ")}`}cell(t,o){let n=this.spec.format;return t.half?ce(t.values[o],t.half[o],b.
digits).join(" "):t.low?t.values[o]==null?"–":`${n(t.values[o])} (${n(t.low[o])} to ${n(t.high[o])})`:n((t.shown??t.values)[o])}key(t){
if(t.ctrlKey||t.metaKey||t.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=t.shiftKey?10:1,r={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};r[t.key]&&
(t.preventDefault(),r[t.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let t=this.spec.lines.filter(s=>!s.
hidden&&s.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),r=[];for(let s=(o-1)%n;s<o;s+=n)r.push([this.spec.at(
s),...t.map(l=>this.cell(l,s))]);this.numbers.querySelector(".scroll").replaceChildren(_e(this.spec.label,[this.spec.xLabel,
...t.map(s=>s.name)],r))}};var z=new Set(q.getAll("hide")),Z=[];function it(e){z.clear();for(let t of e)z.add(t);F("hide",...z);for(let t of Z)t()}
function ct(e,t,o){let{label:n}=e.policies[t],r=m("button",{type:"button",className:"policy"},X(e.policies[t]),n);r.addEventListener(
"click",()=>it(z.has(n)?[...z].filter(l=>l!==n):[...z,n]));for(let[l,a]of[["mouseenter",t],["focus",t],["mouseleave",null],
["blur",null]])r.addEventListener(l,()=>o?.(a));let s=()=>r.setAttribute("aria-pressed",!z.has(n));return Z.push(s),s(),
r}function ht(e,t,o){t.append(...e.policies.map((n,r)=>ct(e,r,o)))}var j=6;function ut(e,t,o){let n=e.policies.map(()=>[
m("td"),m("td")]),r=m("caption");t.append(m("table",{},r,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(i=>m("th",{scope:"col"},i)))),m("tbody",{},...e.policies.map((i,h)=>m("tr",{},m("th",{scope:"r\
ow"},ct(e,h,o)),...n[h])))));let s=e.policies.map(i=>i.label),l=(i,h)=>{let d=m("button",{type:"button"},i);return d.addEventListener(
"click",()=>it(h)),d},a=[l("Show all",[]),l("Hide all",s)];return s.length>j&&a.push(l(`Best ${j}`,s.slice(j))),s.length>
1&&t.append(m("div",{className:"all"},...a)),(i,h)=>{r.textContent=i,h.forEach(([d,u],c)=>{[n[c][0].textContent,n[c][1].
textContent=""]=d==null?["–"]:ce(d,u,b.digits)})}}var J=new Set(q.getAll("own")),Y=[],qe=(e,t)=>t==null?`:${e}`:`${t}:${e}`,de=(e,t)=>J.has(qe(e,t))||J.has(qe(e));function dt(e,t){
let o=qe(e,t);J.delete(o)||J.add(o),F("own",...J);for(let n of Y)n()}function mt(){J.clear(),F("own");for(let e of Y)e()}
function ft(e,t,o,n){let r=e.axes.own?.map(l=>e.axes.all[l]);if(!r)return[];let s=[];return e.policies.forEach((l,a)=>l.
seeds.forEach((i,h)=>{if(!de(l.label,i))return;let d=c=>ze(r,l.own[t][h],c),u=n==="after"?d(e.axes.burnIn):0;s.push({policy:a,
name:`${l.label}, seed ${i}`,values:o.map(c=>d(c)-u)})})),s}function ze(e,t,o){if(o>e.at(-1))return null;let n=0,r=e.length-
1;for(;r-n>1;){let l=n+r>>1;e[l]<=o?n=l:r=l}let s=e[r]-e[n];return s>0?t[n]+(t[r]-t[n])*(o-e[n])/s:t[r]}function pt(e){let{windows:t,rounds:o,pulls:n}=e.axes;e.windowList=Array.from({length:t.n},(r,s)=>{let l=Math.max(s*t.width-
t.offset,0)+1,a=Math.min((s+1)*t.width-t.offset,o);return{first:l,last:a,middle:(l+a)/2,name:l===a?`round ${v(l)}`:`roun\
ds ${v(l)} to ${v(a)}`}}),e.windowWords=t.width===1?"round":`window of ${t.width} rounds`,e.xLabel=`Round of ${P(n,"pull")}`}
var Fe=(e,t)=>e.windowList.filter(o=>t!=="after"||o.first>e.axes.burnIn);function Kt(e,{metric:t,form:o,from:n,smooth:r}){
let{title:s}=b.metrics.find(i=>i.name===t),l=e.policies.map(i=>i.regret[t]);if(o==="window"){let i=Fe(e,n),h=c=>c?.slice(
-i.length),d=Number(r),u=d>1;return{x:i.map(c=>c.middle),at:c=>i[c].name,own:[],bands:l.map(c=>({mean:u?Ut(i,h(c.window.
mean),d,e.axes.burnIn):h(c.window.mean),half:u?null:h(c.window.half)})),title:`${s} regret a round`,note:`in the mean ov\
er each ${e.windowWords}`+(u?`, smoothed over ${d} of them: without intervals, which hold for single windows`:"")}}let a=n===
"after"?e.axes.after:e.axes.all;return{x:a,at:i=>`after round ${v(a[i])}`,own:ft(e,t,a,n),bands:l.map(i=>n==="after"?i.after:
i.all),title:`Cumulative ${t} regret`,note:n==="after"?`from round ${v(e.axes.burnIn+1)} on, when burn-in has ended`:"in\
 units of reward"}}function Ut(e,t,o,n){let r=(o-1)/2,s=l=>l.last-l.first+1;return t.map((l,a)=>{let[i,h]=[0,0];for(let d=Math.
max(a-r,0);d<=Math.min(a+r,e.length-1);d++)e[d].first>n==e[a].first>n&&(i+=t[d]*s(e[d]),h+=s(e[d]));return i/h})}function Gt(e,t){
let o=t.x.map(n=>n*e.axes.pulls);return{...t,x:o,at:n=>`after pull ${v(o[n])}`,xLabel:"Pull",burnIn:e.axes.burnIn*e.axes.
pulls}}var Te=400;function Zt(e,t,o){let n=e.policies.map(({steps:u})=>u&&t.x.map(c=>u.each*Math.max(c-u.before,0))),r=n.
filter(u=>u!=null),s=r.map(u=>u.at(-1)),l=Math.min(...r.map(u=>u.find(c=>c>0)??1/0)),a=Math.max(...s),i=Array.from({length:Te},
(u,c)=>{let p=c/(Te-1);return o?l*(a/l)**p:a*p});i[Te-1]=a;let h=e.policies.filter(u=>!u.steps).map(u=>u.label),d=(u,c)=>c&&
i.map(p=>ze(u,c,p));return{...t,x:i,own:[],at:u=>`after ${P(Math.round(i[u]),"gradient step")}`,xLabel:"Gradient step, o\
f all chains",burnIn:0,note:t.note+(h.length>0?`; not shown, as their gradient steps are none or unknown: ${h.slice(0,j).
join(", ")}${h.length>j?` and ${h.length-j} more`:""}`:""),bands:t.bands.map((u,c)=>n[c]?{mean:d(n[c],u.mean),half:d(n[c],
u.half)}:{mean:i.map(()=>null),half:null})}}function Jt(e,t){if(t.includes("x")){let o=e.x.map((r,s)=>r>0?s:-1).filter(r=>r>=
0),n=r=>r&&o.map(s=>r[s]);e={...e,x:n(e.x),at:(r=>s=>r(o[s]))(e.at),bands:e.bands.map(r=>({mean:n(r.mean),half:n(r.half)})),
own:e.own.map(r=>({...r,values:n(r.values)}))}}if(t.includes("y")){let o=e.bands.filter(n=>n.mean.some((r,s)=>r!=null&&r<=
0&&e.x[s]>0)).length;o>0&&(e={...e,note:`${e.note}; values of 0 and below, which ${P(o,"curve")} ${o===1?"has":"have"}, \
have no place on a logarithmic axis`})}return e}function gt(e){let t=e.box.querySelector('[data-chart="regret"]'),o=new B(
t,"zoom"),n=ut(e,e.box.querySelector('[data-legend="values"]'),a=>o.focus(a)),r=e.box.querySelector('[data-section="regr\
et"] form'),s=()=>{let a=N(r),i={xLabel:e.xLabel,burnIn:e.axes.burnIn,...Kt(e,a)};a.x==="pulls"&&(i=Gt(e,i)),a.x==="step\
s"&&(i=Zt(e,i,a.log.includes("x"))),i=Jt(i,a.log),r.elements.smooth.disabled=a.form!=="window",l.hidden=i.own.length===0;
let h=b.metrics.find(c=>c.name===a.metric).nonNegative?0:-1/0;t.querySelector("h3").textContent=i.title,t.querySelector(
"figcaption p").textContent=i.note;let d=c=>{c??=i.x.length-1,n(i.at(c)[0].toUpperCase()+i.at(c).slice(1),i.bands.map(p=>[
p.mean[c],p.half?.[c]]))},u=a.bands==="shown";o.show({x:i.x,at:i.at,label:i.title,note:i.note,xLabel:i.xLabel,height:innerWidth<
860?360:Math.min(Math.max(420,30*e.policies.length),600),format:M,cursor:d,logX:a.log.includes("x"),log:a.log.includes("\
y"),burnIn:a.from==="all"?i.burnIn:0,columns:{x:a.x==="rounds"?"round":a.x==="pulls"?"pull":"gradient_step"},lines:i.bands.
map((c,p)=>({name:e.policies[p].label,values:c.mean,half:c.half,color:W(e.policies[p].style),dash:ae(e.policies[p].style),
hidden:z.has(e.policies[p].label),low:u&&c.half?c.half.map((w,$)=>w==null?null:Math.max(c.mean[$]-w,h)):void 0,high:u&&c.
half?c.half.map((w,$)=>w==null?null:c.mean[$]+w):void 0})).concat(i.own.map(c=>({name:c.name,values:c.values,color:W(e.policies[c.
policy].style),width:1})))}),d(null)},l=m("button",{type:"button",className:"remove"},"Remove the curves of seeds");l.addEventListener(
"click",mt),r.append(l),Y.push(s),Z.push(()=>e.policies.forEach((a,i)=>o.hide(i,z.has(a.label)))),r.addEventListener("ch\
ange",a=>{["x","log","from","form"].includes(a.target.name)&&F("zoom"),s()}),s()}function wt(e){let t=e.box.querySelector('[data-section="mistakes"]'),o=t.querySelector("form"),n=Array.from(t.querySelectorAll(
'[data-chart="wrong"]'),s=>new B(s));ht(e,t.querySelector('[data-legend="plain"]'),s=>n.forEach(l=>l.focus(s)));let r=()=>{
let s=N(o).wrong;n.forEach((l,a)=>l.show(to(e,a,s,l.figure.querySelector(".readout"))))};Z.push(()=>e.policies.forEach((s,l)=>n.
forEach(a=>a.hide(l,z.has(s.label))))),o.addEventListener("change",r),r()}var Yt=8,Qt=24;function eo(e,t){let o=t>Yt?Math.
max(Math.floor(e.length/Qt),1):1,n=Array.from({length:Math.ceil(e.length/o)},(a,i)=>e.slice(i*o,(i+1)*o)),r=a=>a.last-a.
first+1,s=n.map(a=>{let[i,h]=[a[0].first,a.at(-1).last];return{first:i,last:h,middle:(i+h)/2,name:i===h?a[0].name:`round\
s ${v(i)} to ${v(h)}`}});return[s,a=>s.map((i,h)=>n[h].reduce((d,u,c)=>d+a[h*o+c]*r(u),0)/r(i))]}function to(e,t,o,n){let r=Fe(
e,o),[s,l]=eo(r,e.policies.length),a=e.policies.map(h=>({name:h.label,values:l(h.mistakes[t].slice(-r.length)),color:W(h.
style),dash:ae(h.style),width:1.5,hidden:z.has(h.label)})),i=h=>{let d=a.filter(c=>!c.hidden).sort((c,p)=>p.values[h]-c.
values[h]),u=d.length>j?` and ${d.length-j} with fewer`:"";return d.slice(0,j).map(c=>`${c.name} ${M(c.values[h])}`).join(
", ")+u};return{x:s.map(h=>h.middle),at:h=>s[h].name,xLabel:e.xLabel,height:260,burnIn:o==="all"?e.axes.burnIn:0,sync:"m\
istakes"+e.name,label:`${e.armNames[t]}, wrongly: times a round`,format:M,lines:a,cursor:h=>n.textContent=h==null?"Lines\
: means over seeds.":`${s[h].name}: ${i(h)}`}}var je=new WeakMap,Oe=e=>Number.parseFloat(e.replaceAll(",","").replace("−","-").replace(/^[<>~[\s]+/,""));function oo(e){
let t=e.closest("table"),o=t.tBodies[0];je.has(o)||je.set(o,Array.from(o.rows));let n={ascending:"descending",descending:null}[e.
getAttribute("aria-sort")],r=n===void 0?"ascending":n;for(let l of t.tHead.rows[0].cells)l.removeAttribute("aria-sort");
let s=je.get(o);if(r){e.setAttribute("aria-sort",r);let l=r==="ascending"?1:-1,a=new Map(s.map(h=>[h,h.cells[e.cellIndex].
textContent.trim()])),i=s.some(h=>!Number.isNaN(Oe(a.get(h))))&&e.cellIndex>0;s=s.toSorted((h,d)=>{if(!i)return l*a.get(
h).localeCompare(a.get(d),"en",{numeric:!0});let[u,c]=[Oe(a.get(h)),Oe(a.get(d))];return Number.isNaN(u)-Number.isNaN(c)||
(Number.isNaN(u)?0:l*(u-c))})}o.replaceChildren(...s)}function xt(){for(let e of document.querySelectorAll("table.sorts \
thead th"))e.querySelector("a, .unseen")||e.className==="text"&&e.cellIndex===1||e.replaceChildren(m("button",{type:"but\
ton",className:"sort"},...e.childNodes));document.addEventListener("click",({target:e})=>{let t=e.closest("button.sort");
t&&oo(t.closest("th"))})}function me(e){let t=e.querySelector("input[name=filter]")?.value.trim().toLowerCase()??"";for(let o of e.
querySelectorAll(".finals tbody tr, [data-section=summary] tbody tr, [data-section=comparison] tbody tr"))o.hidden=!(o.querySelector(
".name")??o.cells[0]).textContent.toLowerCase().includes(t)}function bt(e){let t=Array.from(e.querySelectorAll("input[na\
me=filter]"));e.addEventListener("input",({target:o})=>{if(o.name==="filter"){for(let n of t)n.value=o.value;me(e)}}),me(
e)}function no(e,t,o){let n=e.filter(i=>i!=null&&(!o||i>0)),[r,s]=[Math.min(...n),Math.max(...n)];s=Math.max(s,...t.map(i=>i.
regret).filter(i=>i<=(o?3:1.3)*s)),o?[r,s]=[r/1.1,s*1.1]:[r,s]=[Math.min(r,0),s>0?s*1.02:0],s>r||(s=r+1);let l=o?Math.log:
i=>i,a=i=>100*(l(i)-l(r))/(l(s)-l(r));return{low:r,high:s,at:i=>o&&!(i>0)?0:Math.round(10*a(i))/10}}var oe=(e,t,o,n,r)=>L(
"line",{class:e,x1:`${t}%`,x2:`${o}%`,y1:n,y2:r});function yt(e){let t=e.box.querySelector('[data-section="overview"]'),
o=t.querySelector("form"),n=t.querySelector(".finals"),r=()=>{let s=N(o),l=e.policies.map((g,E)=>({p:g,i:E,final:g.final[s.
final]})).sort((g,E)=>g.final.interval[0]-E.final.interval[0]),a=s.scale==="log",i=no(l.flatMap(({final:g})=>[...g.interval,
...g.bySeed]),e.marks,a),h=Math.max(n.clientWidth*.5,160),d=G(i.low,i.high,a,h,80).map(g=>[g,i.at(g)]),u=te({log:a},d.map(
([g])=>g),{min:i.low,max:i.high}),c=()=>[...d.map(([,g])=>oe("grid-line",g,g,0,"100%")),...e.marks.filter(g=>g.regret<=i.
high&&g.regret>=i.low).map(g=>oe("mark-line",i.at(g.regret),i.at(g.regret),0,"100%"))],p=g=>g<12?"start":g>88?"end":"mid\
dle",w=L("svg",{class:"final-axis",role:"img","aria-label":`Axis of cumulative ${s.final} regret`},...u.map((g,E)=>Object.
assign(L("text",{x:`${d[E][1]}%`,y:12,"text-anchor":p(d[E][1])}),{textContent:g}))),$=({p:g,i:E,final:C},T)=>{let[ne,R,H]=C.
interval,fe=`c${g.style%b.colors}`,_=L("svg",{class:`final ${fe}`,role:"img","aria-label":`${C.text}; seeds from ${M(Math.
min(...C.bySeed))} to ${M(Math.max(...C.bySeed))}`},...c());R!=null&&_.append(oe("whisker",i.at(R),i.at(H),9,9),oe("whis\
ker",i.at(R),i.at(R),5,13),oe("whisker",i.at(H),i.at(H),5,13)),C.bySeed.forEach((f,x)=>{let A=Object.assign(L("title",{}),
{textContent:`${g.label}, seed ${g.seeds[x]}: ${M(f)}`});_.append(L("circle",{class:de(g.label,g.seeds[x])?"seed chosen":
"seed",cx:`${i.at(f)}%`,cy:20,r:2.5,"data-policy":E,"data-seed":x},A))}),_.append(L("circle",{class:"mean",cx:`${i.at(ne)}\
%`,cy:9,r:4.5}));let se=m("button",{type:"button",className:"name",disabled:!e.axes.own,title:"Its seeds' curves","aria-\
pressed":de(g.label),"data-policy":E},X(g),g.label),re=T===0&&l.length>1?[m("span",{className:"winner",title:"the lowest\
 mean"},"★",m("span",{}," lowest"))]:[];return m("tr",re.length>0?{className:"best"}:{},m("th",{scope:"row"},m("div",{},
se,...re)),m("td",{className:"plot-cell"},_),m("td",{},C.text),m("td",{},C.percent))},k=m("tr",{},...["policy","",`${s.final}\
 regret`,"% of uniform"].map((g,E)=>m("th",{scope:"col"},...E===1?[w]:[g]))),S=e.marks.map(g=>g.name+": "+g.text+(g.regret>
i.high?", beyond the axis":g.regret<i.low?", before the axis":""));n.replaceChildren(...S.length>0?[m("p",{className:"ca\
ption"},`Dashed: ${S.join(" · ")}`)]:[],m("table",{"aria-label":`Final ${s.final} regret by policy`},m("thead",{},k),m(
"tbody",{},...l.map($)))),me(e.box)};n.addEventListener("click",({target:s})=>{let l=s.closest("[data-policy]");if(!l||!e.
axes.own)return;let a=e.policies[l.dataset.policy];dt(a.label,l.dataset.seed==null?void 0:a.seeds[l.dataset.seed]),l.dataset.
seed==null&&n.querySelector(`button[data-policy="${l.dataset.policy}"]`).focus()}),o.addEventListener("change",({target:s})=>s.
name!=="filter"&&r()),Y.push(()=>t.isConnected&&r()),r()}function $t(e){let t=e.box.querySelector('[data-section="sampler"]'),o=t.querySelector("form"),n=c=>t.querySelector(`[da\
ta-chart="${c}"]`),r=e.series,s=["energy","arms","multiplier","ess","heat","theta",...r.map(c=>c.key)],l=Object.fromEntries(
s.map(c=>[c,new B(n(c))])),a=c=>n(c).querySelector(".readout");n("arms").querySelector("figcaption p").append(...e.armNames.
flatMap((c,p)=>[p>0?", ":", from below: ",m("span",{className:"arm"},L("svg",{class:`patch c${(p+2)%b.colors}`,"aria-hid\
den":"true"},L("path",{d:"M0 6h12"})),c)]));let h={x:e.windowList.map(c=>c.middle),at:c=>e.windowList[c].name,xLabel:e.xLabel,
height:240,burnIn:e.axes.burnIn,sync:"sampler"+e.name},d=(c,p,w,$)=>w&&{...h,label:p,format:M,lines:[{name:"mean",values:w.
mean,low:w.low,high:w.high,color:"--accent"}],cursor:k=>a(c).textContent=k==null||w.mean[k]==null?"Line: mean; band: low\
est to highest.":`${e.windowList[k].name}: ${M(w.mean[k])}, from ${M(w.low[k])} to ${M(w.high[k])}`,...$},u=()=>{let c=e.
policies.find(({label:S})=>S===N(o).policy),p=c.sampler,w=P(c.seeds.length,"seed"),$=`over ${w}, by ${e.windowWords}.`;t.
querySelector('[data-sampler="note"]').textContent=p?`${c.label}, ${$} ${w==="1 seed"?"It has":"Each has"} ${P(p.chains,
"chain")}.`+(p.notFinite?` ${P(p.notFinite,"value")} were not finite and are left out.`:""):`${c.label}, ${$} `+(c.steps?
"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim export' leave them out.":"These fi\
les have no diagnostics of a sampler: it has none, or an archive left them out.");let k=p?.energy;l.energy.show(d("energ\
y","Energy",k,{log:k?.low.every(S=>S==null||S>0)})),l.multiplier.show(d("multiplier","Contour multiplier",p?.multiplier)),
l.ess.show(d("ess","Effective sample size",p?.ess,{range:p&&[0,p.chains*1.05]})),l.arms.show(so(e,c,h,a("arms"))),l.theta.
show(null),l.heat.show(p?.theta?Ye(e,p.theta,a("heat"),l.theta):null);for(let S of r)l[S.key].show(d(S.key,S.title,p?.series?.
find(g=>g.name===S.title)?.spread));for(let S of s)l[S].spec?.cursor?.(null)};o.addEventListener("change",u),u()}function so(e,t,o,n){
let r=o.x.map(()=>0),s=t.arms.map((a,i)=>(r=r.map((h,d)=>h+a[d]),{name:e.armNames[i],values:r,shown:a,color:W(i+2),fill:.35,
over:i>0?i-1:null})),l=a=>s.map(i=>`${i.name} ${xe(i.shown[a])}`).join(", ");return{...o,label:"Arms: share of the pulls\
, stacked",format:xe,range:[0,1],tick:a=>Math.round(100*a)+" %",lines:s,cursor:a=>n.textContent=a==null?"Means over seed\
s.":`${e.windowList[a].name}: ${l(a)}`}}V.classList.add("scripted");var St=Array.from(document.querySelectorAll("[data-environment]")),Pe=new Set;function vt(e){
if(Pe.has(e))return;Pe.add(e);let t={...b.environments[e],box:St[e]};pt(t);for(let o of t.box.querySelectorAll("form"))ue(
o);for(let o of t.box.querySelectorAll("form[data-choose]"))Ie(o,o.closest("section"));t.compared&&st(t),bt(t.box),t.policies.
length!==0&&(yt(t),gt(t),$t(t),wt(t))}function ro(){let e=document.getElementById("environments");if(!e)return vt(0);ue(
e);let t=()=>{let o=N(e).environment;St.forEach((n,r)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(Pe.has(r))for(let s of n.
querySelectorAll("form"))for(let l of Ae(s))l.dispatchEvent(new Event("change",{bubbles:!0}));vt(r);for(let s of document.
querySelectorAll("nav a")){let l=s.hash.slice(1).replace(/-\d+$/,"");s.setAttribute("href",`#${l}${r>0?`-${r+1}`:""}`)}}})};
e.addEventListener("change",t),t();for(let o of document.querySelectorAll("[data-go]"))o.addEventListener("click",n=>{n.
preventDefault(),ao(e,o.dataset.go,o.hash.slice(1))});for(let o of document.querySelectorAll(".matrix td[class]"))o.addEventListener(
"click",()=>o.closest("table").tHead.rows[0].cells[o.cellIndex].firstElementChild.click())}function ao(e,t,o){let n=Array.
from(e.elements).find(r=>r.value===t);n.checked=!0,n.dispatchEvent(new Event("change",{bubbles:!0})),lt(o)}function lo(){
let e=matchMedia("(max-width: 600px)"),t=()=>{for(let o of document.querySelectorAll("details.fold"))o.open=!e.matches};
e.addEventListener("change",t),t()}function kt(){for(let e of document.querySelectorAll("#across form"))ue(e),Ie(e,e.parentElement);
xt(),ro(),at()}lo();Ze();V.dataset.served?kt():requestAnimationFrame(()=>setTimeout(kt));})();
