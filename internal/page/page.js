// Made by go generate ./internal/page.
"use strict";
(()=>{var y=JSON.parse(document.getElementById("data").textContent);function m(t,e={},...o){let n=document.createElement(t);for(let[r,s]of Object.entries(e))r in n?n[r]=s:n.setAttribute(r,
s);return n.append(...o),n}function C(t){let e={};for(let o of t.elements)o.type==="checkbox"?(e[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(e[o.name]=o.value);return e}function S(t,e,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",t);for(let[r,s]of Object.entries(e))n.setAttribute(r,s);return n.append(...o),
n}var D=({style:t})=>S("svg",{class:`swatch c${t%y.colors} d${t%y.dashes.length}`,"aria-hidden":"true"},S("path",{d:"M0 \
4h24"})),W=t=>`--c${t%y.colors}`,at=t=>y.dashes[t%y.dashes.length];function Wt(t,e,o){let n=(r,s)=>m("tr",{},...s.map((l,a)=>r===
"th"||a===0?m("th",{scope:r==="th"?"col":"row"},l):m("td",{},l)));return m("table",{},m("caption",{},t),m("thead",{},n("\
th",e)),m("tbody",{},...o.map(r=>n("td",r))))}var Vt=t=>document.getElementById("say").textContent=t;function Ht(t,e){let o=Math.abs(t)<1e9?Number(Math.abs(t).toPrecision(12)):Math.abs(t),n=o.toFixed(e);return o*2**(e+1)%
2===1&&n.at(-1)%2===1?n.slice(0,-1)+(n.at(-1)-1):n}function j(t,e){if(t==null||!Number.isFinite(t))return"–";let o=Math.
abs(t);if(o>=1e15||o!==0&&o<1e-9)return(t<0?"−":"")+Number(o.toPrecision(4)).toExponential();let n=Ht(t,e);if(Number(n)===
0)return"0";let[r,...s]=n.split("."),l=[];for(let a=r.length;a>0;a-=3)l.unshift(r.slice(Math.max(a-3,0),a));return(t<0?"\
−":"")+[l.join(","),...s].join(".")}var lt=t=>Number(t.toExponential(9).split("e")[1]);function Dt(t){let e=Math.abs(t);
return!Number.isFinite(t)||e===0||e>=99.95?0:Math.min(2-lt(e),12)}var N=t=>j(t,t==null?0:Dt(t));function Xt(t,e){let o=Math.
max(0,-lt(e));return t===0?0 .toFixed(Math.min(o,9)):j(t,o)}var Se=t=>t==null||!Number.isFinite(t)?"–":j(t,1)+" %",xt=(t,e)=>e<=
1e-12*Math.abs(t),it=(t,e)=>e>0&&Number.isFinite(e)&&!xt(t,e)?Math.min(Math.max(1-lt(e),0),12):Dt(t);function et(t){return t==
null||Number.isNaN(t)?"–":t<.001?"< 0.001":t>.999?"1":Ht(t,3)}var k=t=>j(t,0);function ct(t,e,o=17){if(t==null||e==null||
!Number.isFinite(e))return[N(t)];let n=Math.min(it(t,e),Math.max(o-1-lt(t),0));return[j(xt(e,Math.abs(t))?0:t,n),"± "+j(
xt(t,e)?0:e,n)]}var O=(t,e)=>`${k(t)} ${e}${t===1?"":"s"}`,bt=t=>Se(t==null?t:100*t);var V=document.documentElement,vt=new Set,yt=document.body.appendChild(document.createElement("span"));yt.hidden=!0;var ht=new Map,
X=!1;function $t(t){return ht.has(t)||(yt.style.color=`var(${t})`,ht.set(t,getComputedStyle(yt).color.match(/[\d.]+/g).slice(
0,3).map(Number))),ht.get(t)}var $=(t,e=1)=>`rgb(${$t(t).join(" ")} / ${e})`;function Ut(t,e,o){let n=$t(e);return`rgb(${$t(
t).map((r,s)=>Math.round(r+(n[s]-r)*o)).join(" ")})`}var Gt=matchMedia("(prefers-color-scheme: dark)"),Kt=()=>V.dataset.
theme?V.dataset.theme==="dark":Gt.matches;function Zt(){let t=document.getElementById("theme"),e=()=>{t.textContent=Kt()?
"Light":"Dark",t.setAttribute("aria-label",`${t.textContent} colors`),ht=new Map;for(let n of vt)n.draw()};t.addEventListener(
"click",()=>{V.dataset.theme=Kt()?"light":"dark",e()}),Gt.addEventListener("change",e);let o=n=>{X=n,V.classList.toggle(
"printing",n),e()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),e()}var kt=1e-6;function Ne(t){let e=Math.min(Math.max(1-Math.log10(Math.max(t,kt))/Math.log10(kt),0),1);return Ut("--paper",
"--heat",e)}function Le(t){if(t.length===1)return[t[0]-.5,t[0]+.5];let e=t.slice(1).map((o,n)=>(o+t[n])/2);return[2*t[0]-
e[0],...e,2*t[t.length-1]-e[e.length-1]]}function Ee(t,e,o){let n=Le(e.rounds).map(l=>Math.round(t.valToPos(l,"x",!0))),
r=e.values[0].length,s=Array.from({length:r+1},(l,a)=>Math.round(t.valToPos(a+.5,"y",!0)));e.values.forEach((l,a)=>l.forEach(
(i,c)=>{o(n[a],s[c+1],n[a+1]-n[a]+1,s[c]-s[c+1]+1,Ne(i))}))}function Jt(t,e){let{left:o,top:n,width:r,height:s}=t.bbox;t.
ctx.save(),t.ctx.beginPath(),t.ctx.rect(o,n,r,s),t.ctx.clip(),e(t,(l,a,i,c,d)=>{t.ctx.fillStyle=d,t.ctx.fillRect(l,a,i,c)}),
t.ctx.restore()}function Yt(t,e,o,n){let r=e.values[0].length,s=Array.from({length:r},(d,u)=>u+1),l=e.values.map(d=>1+d.
indexOf(Math.max(...d))),a=d=>{let u=e.values[d];return{x:s,at:h=>`bin ${h+1}`,label:`θ in round ${k(e.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:N,log:!0,lines:[{name:"θ",values:u.map(h=>h>=kt?h:null),shown:u,color:"--accent",fill:0}],
title:`θ in round ${k(e.rounds[d])}`}},i=d=>{let u=a(d);n.figure.querySelector("h3").textContent=u.title,n.show(u)},c=e.
rounds.length-1;return i(c),{x:e.rounds,at:d=>`round ${k(e.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:t.xLabel,height:240,format:N,lines:[{name:"heaviest bin",values:l,color:"--alert",width:1.25}],range:[.5,
r+.5],under:(d,u)=>Ee(d,e,u),sync:null,cursor:(d,u)=>{let h=d??e.rounds.length-1;h!==c&&i(c=h);let p=d==null?null:Math.round(
u.posToVal(u.cursor.top,"y")),w=p>=1&&p<=r?e.values[h][p-1]:null;o.textContent=w==null?"The line is the bin of the large\
st share.":`Round ${k(e.rounds[h])}, bin ${p}: ${N(w)}`}}}function K(t,e){let o=1;for(let n=0;n<e;n++)o+=t.lines[n].low?3:1;return t.lines[e].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var Mt=(t,e)=>t.lines.find((o,n)=>K(t,n).mean===e);function St(t,e){let{values:o,low:n,high:r}=t.
lines[e];if(!t.log)return{values:o,low:n,high:r};let s=l=>l?.map((a,i)=>o[i]>0?Math.max(a,o[i]/1e6):null);return{values:s(
o),low:s(n),high:s(r)}}function Qt(t){let e=[t.x];return t.lines.forEach((o,n)=>{let{values:r,low:s,high:l}=St(t,n);e.push(
...s?[l,s,r]:[r])}),e}function te(t){let e=t.spec,o=X?2:1,n=[{}],r=[];return e.lines.forEach((s,l)=>{let a=K(e,l),i={show:!s.
hidden,points:{show:!1},spanGaps:!1};s.low&&(n.push({...i},{...i,auto:!e.log}),r.push({series:[a.high,a.low],fill:$(s.color,
e.lines.length>3?.12:.18)})),s.over!=null&&r.push({series:[a.mean,K(e,s.over).mean],fill:$(s.color,s.fill)}),n.push({...i,
stroke:$(s.color),width:(s.width??1.75)*o,dash:(s.dash??[]).map(c=>c*o),fill:s.fill&&s.over==null?$(s.color,s.fill):void 0,
points:{show:e.x.length<3,size:5*o,fill:$(s.color)}})}),{width:t.plot.clientWidth*o,height:e.height*o,series:n,bands:r,padding:[
20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:e.logX?3:1,range:(s,l,a)=>Ie(e,l,a)},y:{distr:e.log?
3:1,range:(s,l,a)=>qe(t,l,a)}},focus:{alpha:.15},axes:Ce(e,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(s,l)=>Mt(
e,l)&&m("div"),size:8,width:2,fill:$("--paper"),stroke:(s,l)=>Mt(e,l)&&$(Mt(e,l).color)},...e.sync&&{sync:{key:e.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[s=>e.under&&Jt(s,e.under)],drawSeries:[],draw:[s=>ze(s,e,o)],setCursor:[s=>e.cursor?.(
s.cursor.idx??null,s)],setScale:[(s,l)=>l==="x"&&t.u===s&&t.showZoom()]}}}function Ce(t,e){let o=`${12*e}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!t.under,stroke:$("--rule"),width:e},r={stroke:$("--faded"),font:o,labelFont:o,gap:6*
e,grid:n,ticks:{show:!1},border:{show:!1},filter:(i,c)=>c},s=(i,c,d,u)=>U(d,u,c===0?t.logX:t.log,(c===0?i.bbox.width:i.bbox.
height)/devicePixelRatio/e,c===0?80:40),l={...r,splits:s,label:t.xLabel,labelSize:20*e,size:30*e,values:(i,c)=>c.map(Nt)},
a={...r,splits:s,size:Ae,values:(i,c)=>ot(t,c,i.scales.y)};return[l,a]}var Nt=t=>Number.isInteger(t)?k(t):"",ee=(t,e,o)=>o&&
e/t>=10;function ot(t,e,{min:o,max:n}){if(t.tick)return e.map(t.tick);let r=Math.min(...e.slice(1).map((s,l)=>s-e[l]));return e.
map(s=>Xt(s,ee(o,n,t.log)||!Number.isFinite(r)?Math.abs(s)||1:r))}function U(t,e,o,n,r){let s=Math.max(Math.floor(n/r),2),
l=[];if(ee(t,e,o)){let d=Math.log10(e/t),u=Math.ceil(d/s),h=d*3<=s?[1,2,5]:[1];for(let p=Math.floor(Math.log10(t));p<=Math.
log10(e);p++)if(p%u===0)for(let w of h){let v=+`${w}e${p}`;v>=t*.999&&v<=e*1.001&&l.push(v)}return l}let a=(e-t)/s,i=10**
Math.floor(Math.log10(a)),c=[1,2,5,10].map(d=>d*i).find(d=>d>=a*.999);for(let d=Math.ceil(t/c-1e-9);d*c<=e+c*1e-9;d++)l.
push(Number((d*c).toPrecision(12)));return l}function Ae(t,e,o){let n=(e??[]).reduce((s,l)=>l.length>s.length?l:s,"");t.
ctx.save(),t.ctx.font=t.axes[o].font[0];let r=t.ctx.measureText(n).width/devicePixelRatio;return t.ctx.restore(),Math.ceil(
r)+t.axes[o].gap+4}function Ie(t,e,o){return e==null?t.logX?[1,10]:[0,1]:e===o?t.logX?[e/2,o*2]:[e-.5,o+.5]:[e,o]}function qe(t,e,o){
let{spec:n}=t;if(e==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[e/1.15,o*1.15];t.zoomed||([
e,o]=[Math.min(e,0),Math.max(o,0)]),e===o&&(o=e+1);let r=(o-e)/30;return[e<0||t.zoomed&&e>r?e-r:e,o+r]}function ze(t,e,o){
if(!e.burnIn||e.burnIn<=t.scales.x.min||e.burnIn>=t.scales.x.max)return;let n=Math.round(t.valToPos(e.burnIn,"x",!0)),{top:r,
height:s,left:l,width:a}=t.bbox,i=devicePixelRatio*o;t.ctx.save(),t.ctx.strokeStyle=t.ctx.fillStyle=$("--faded"),t.ctx.lineWidth=
i,t.ctx.setLineDash([2*i,3*i]),t.ctx.beginPath(),t.ctx.moveTo(n,r),t.ctx.lineTo(n,r+s),t.ctx.stroke(),t.ctx.font=`${11*i}\
px ${getComputedStyle(document.body).fontFamily}`;let c=n>l+.7*a;t.ctx.textAlign=c?"right":"left",t.ctx.fillText("burn-i\
n ends",n+(c?-5:5)*i,r-6*i),t.ctx.restore()}function oe(t){let e=(o,n,r)=>{let s=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return s.addEventListener(
"click",r),s};return m("div",{className:"save",role:"group","aria-label":"Save"},e("SVG","the figure as SVG",()=>Lt(t,"s\
vg",new Blob([ne(t)],{type:"image/svg+xml"}))),e("PNG","the figure as PNG",()=>Be(t).then(o=>Lt(t,"png",o))),e("CSV","th\
e numbers as CSV",()=>Lt(t,"csv",new Blob([Fe(t.spec)],{type:"text/csv"}))))}function Lt(t,e,o){let n=t.figure.closest("\
[data-environment]").dataset.environment;Et([n,t.figure.querySelector("h3").textContent],e,o)}function Et(t,e,o){let n=[
document.querySelector("h1").textContent,...t].filter(s=>s).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),r=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${e}`});r.click(),setTimeout(()=>URL.revokeObjectURL(r.href),1e3)}function Te(t){
if(t==null)return"";if(typeof t=="number")return Number.isFinite(t)?String(t):"";let e=/^[=+\-@\t\r']/.test(t)?`'${t}`:t;
return/[",\n\r]/.test(e)?`"${e.replaceAll('"','""')}"`:e}var Ct=t=>t.map(e=>e.map(Te).join(",")).join(`
`)+`
`;function Fe(t){let e=[["line",t.columns?.x??"round","value","low","high","digits"]];for(let o of t.lines){if(o.hidden)
continue;let n=(l,a)=>i=>o.half?je(o.values[i]+l*o.half[i]):a?.[i],[r,s]=[n(-1,o.low),n(1,o.high)];t.x.forEach((l,a)=>o.
values[a]!=null&&e.push([o.name,l,(o.shown??o.values)[a],r(a),s(a),y.digits]))}return Ct(e)}var je=t=>Number(t.toPrecision(
y.digits)),Oe=t=>t.replace(/[&<>"]/g,e=>`&#${e.charCodeAt(0)};`);function Pe(t,e){let o=[""];for(let n of t.split(" "))o.
at(-1)&&o.at(-1).length+n.length>=e&&o.push(""),o[o.length-1]+=(o.at(-1)&&" ")+n;return o}function ne(t){let{spec:e,u:o}=t,
n=devicePixelRatio,[r,s,l,a]=[o.bbox.left,o.bbox.top,o.bbox.width,o.bbox.height].map(f=>f/n),i=Pe(t.figure.querySelector(
"figcaption p").textContent,(r+l)/6),c=20+14*i.length,d=18,u=f=>Math.round(f*100)/100,h=f=>u(r+o.valToPos(f,"x")),p=f=>u(
s+c+o.valToPos(f,"y")),w=e.lines.map((f,b)=>({...f,...St(e,b)})).filter(f=>!f.hidden&&f.values.some(b=>b!=null)),v=w.filter(
f=>f.name),M=u(r+l+26),L=Math.max(Math.floor(M/210),1),B=s+c+a+56,g=Math.ceil(B+Math.ceil(v.length/L)*d+6),x=(f,b,A,I="")=>`\
<text x="${u(f)}" y="${u(b)}" ${I}>${Oe(A)}</text>`,E=[`<svg xmlns="http://www.w3.org/2000/svg" width="${M}" height="${g}\
" viewBox="0 0 ${M} ${g}" font-family="Liberation Sans, Arial, sans-serif" font-size="12" fill="${$("--faded")}">`,`<rec\
t width="${M}" height="${g}" fill="${$("--paper")}"/>`,x(8,20,t.figure.querySelector("h3").textContent,`font-size="15" f\
ont-weight="bold" fill="${$("--ink")}"`),...i.map((f,b)=>x(8,36+14*b,f)),`<clipPath id="area"><rect x="${u(r)}" y="${u(s+
c)}" width="${u(l)}" height="${u(a)}"/></clipPath>`],{min:nt,max:st}=o.scales.x,{min:R,max:Q}=o.scales.y,rt=e.under?"non\
e":$("--rule");for(let f of U(nt,st,e.logX,l,80))E.push(`<path d="M${h(f)} ${u(s+c)}v${u(a)}" stroke="${rt}"/>`,x(h(f),s+
c+a+18,Nt(f),'text-anchor="middle"'));let _=U(R,Q,e.log,a,40),ft=ot(e,_,o.scales.y);_.forEach((f,b)=>{E.push(`<path d="M${u(
r)} ${p(f)}h${u(l)}" stroke="${rt}"/>`,x(r-6,p(f)+4,ft[b],'text-anchor="end"'))}),E.push(x(r+l/2,s+c+a+38,e.xLabel,'text\
-anchor="middle"'),'<g clip-path="url(#area)" fill="none">'),e.under?.(o,(f,b,A,I,pt)=>E.push(`<rect x="${u(f/n)}" y="${u(
b/n+c)}" width="${u(A/n)}" height="${u(I/n)}" fill="${pt}"/>`));for(let f of w){let b=(A,I,pt)=>{let gt=e.x.map((tt,wt)=>wt).
filter(tt=>A[tt]!=null&&I[tt]!=null),Rt=(tt,wt)=>wt.map(_t=>`${h(e.x[_t])} ${p(tt[_t])}`).join("L");gt.length>1&&E.push(
`<path d="M${Rt(A,gt)}L${Rt(I,gt.toReversed())}Z" fill="${$(f.color)}" fill-opacity="${pt}"/>`)};f.low&&b(f.high,f.low,e.
lines.length>3?.12:.18),f.fill&&b(f.values,f.over!=null?e.lines[f.over].values:e.x.map(()=>e.log?R:0),f.fill)}for(let f of w){
let b="";f.values.forEach((A,I)=>b+=A==null?"":`${I>0&&f.values[I-1]!=null?"L":"M"}${h(e.x[I])} ${p(A)}`),E.push(`<path \
d="${b}" stroke="${$(f.color)}" stroke-width="${f.width??1.75}" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`)}if(E.push(
"</g>"),e.burnIn>nt&&e.burnIn<st){let f=o.valToPos(e.burnIn,"x")>.7*l;E.push(`<path d="M${h(e.burnIn)} ${u(s+c)}v${u(a)}\
" stroke="${$("--faded")}" stroke-dasharray="2 3"/>`,x(h(e.burnIn)+(f?-5:5),s+c-6,"burn-in ends",`font-size="11" text-an\
chor="${f?"end":"start"}"`))}return v.forEach((f,b)=>{let[A,I]=[8+b%L*((M-16)/L),B+Math.floor(b/L)*d];E.push(`<path d="M${u(
A)} ${u(I-4)}h24" stroke="${$(f.color)}" stroke-width="2.5" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`,x(A+30,I,f.name.
length>28?f.name.slice(0,27)+"…":f.name,`fill="${$("--ink")}"`))}),E.join(`
`)+`
</svg>
`}async function Be(t){let e=new Image;e.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(ne(t)),await e.decode();
let o=m("canvas",{width:2*e.width,height:2*e.height});return o.getContext("2d").drawImage(e,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function Re(t,e,o){let n=[];t.policies.forEach((l,a)=>{if(a===o.policy)return;let[i,c]=[o.mean[a]??NaN,o.halfInterval[a]??
NaN];n.push({policy:l,cells:e[a],other:o.cells?.[a],n:o.seeds[a],mean:i,low:i-c,high:i+c,needed:o.needed[a],p:o.p[a],signFlip:o.
signFlip[a],holm:o.holm[a],signFlipHolm:o.signFlipHolm[a],mark:o.marks[a].trim()})});let r=l=>Number.isNaN(l.mean);n.sort(
(l,a)=>r(l)-r(a)||(r(l)?0:l.mean-a.mean));let s=o.policy;return{policy:t.policies[s],cells:e[s],other:o.cells?.[s],caption:o.
caption,notes:o.notes,differences:n}}function _e(t,e){let o=t.differences.flatMap(a=>[a.low,a.mean,a.high]).filter(a=>!Number.
isNaN(a)),[n,r]=[Math.min(0,...o),Math.max(0,...o)];if(n===r||Number.isNaN(e.mean))return"";let s=a=>Math.round(10*(6+148*
(a-n)/(r-n)))/10,l=S("svg",{class:"interval",viewBox:"0 0 160 16","aria-hidden":"true"},S("path",{class:"zero",d:`M${s(0)}\
 0v16`}));return e.n>1&&l.append(S("path",{d:`M${s(e.low)} 8H${s(e.high)}M${s(e.low)} 4v8M${s(e.high)} 4v8`})),l.append(
S("circle",{cx:s(e.mean),cy:8,r:3.5})),l}var We={seeds:t=>String(t.n),difference:t=>j(t.mean,it(t.mean,(t.high-t.low)/2)),
interval:t=>{let e=it(t.mean,(t.high-t.low)/2);return Number.isNaN(t.low)?"–":`[${j(t.low,e)}, ${j(t.high,e)}]`},p:t=>et(
t.p),signFlip:t=>et(t.signFlip),holm:t=>et(t.holm),signFlipHolm:t=>et(t.signFlipHolm),mark:t=>t.mark,needed:t=>t.n<2?"–":
t.needed===0?"~":k(t.needed)},Ve={difference:"baseline",mark:""};function He(t,{policy:e,cells:o,other:n},r){let s=o.values(),
l=(n??[]).values();return t.map(a=>a==="policy"?e.label:a==="own"?s.next().value:a==="other"?l.next().value:r?We[a](r):Ve[a]??
"–")}function De(t,{columns:e,texts:o},n){let r=t.querySelector("thead tr").childElementCount>e.length,s=(a,i)=>{let[c,
...d]=He(e,a,i),u=r?[m("td",{},i?_e(n,i):"")]:[];return m("tr",{},m("th",{scope:"row"},...a.policy.style>=0?[D(a.policy)]:
[],c),...u,...d.map(h=>m("td",{},h)))};t.querySelector("tbody").replaceChildren(s(n),...n.differences.map(a=>s(a,a))),t.
querySelector(".caption").replaceChildren(...n.caption.flatMap(a=>[m("span",{},o[a])," "]));let l=n.notes.map(a=>m("li",
{className:o[a].startsWith("warning: ")?"warning":""},o[a]));t.querySelector(".notes")?.remove(),l.length>0&&t.append(m(
"ul",{className:"notes"},...l))}function Xe(t,e){let o=n=>Number(n.toPrecision(9));return Ct([["policy","baseline","metr\
ic","seeds","difference","low","high","p","p_holm","sign_flip_p","sign_flip_p_holm","seeds_needed"],...e.differences.map(
n=>[n.policy.label,e.policy.label,t,n.n,n.mean,o(n.low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,n.needed||null])])}
function se({box:t,name:e,compared:o}){let n=t.querySelector('[data-section="comparison"]'),r=n.querySelector("form"),s=Array.
from(n.querySelectorAll("[data-compared]")),l=s.map(d=>Array.from(d.childNodes,u=>u.cloneNode(!0))),a=(d,u)=>{let{cells:h,
picked:p,baselines:w}=o.metrics[d],v=o.policies.findIndex(M=>M.label===u);return Re(o,h,v<0?p:w[v])},i=()=>{let{baseline:d}=C(
r);s.forEach((u,h)=>{u.replaceChildren(...l[h].map(w=>w.cloneNode(!0)));let p=a(u.dataset.compared,d);p.caption&&De(u,o,
p)})};r.addEventListener("change",i),i();let c=m("button",{type:"button"},"CSV");c.setAttribute("aria-label","Save the d\
ifferences as CSV"),c.addEventListener("click",()=>{let{compared:d,baseline:u}=C(r),h=a(d,u);Et([e,d,"differences to",h.
policy.label],"csv",new Blob([Xe(d,h)],{type:"text/csv"}))}),r.append(c)}function re(t){let e=t.u,o=new Map,n=null,r=a=>a.clientX-e.over.getBoundingClientRect().left,s=()=>[...o.values()].sort(
(a,i)=>a-i);e.over.addEventListener("pointerdown",a=>{a.pointerType==="touch"&&(o.set(a.pointerId,r(a)),o.size===2&&(n=s().
map(i=>e.posToVal(i,"x"))))}),e.over.addEventListener("pointermove",a=>{if(!o.has(a.pointerId))return;if(o.set(a.pointerId,
r(a)),o.size===1)return e.setCursor({left:r(a),top:1});let[i,c]=s();if(c-i<20||!n)return;let d=(n[1]-n[0])/(c-i),u=n[0]-
i*d;t.between(u,u+e.over.clientWidth*d)});let l=a=>{o.delete(a.pointerId),n=null};e.over.addEventListener("pointerup",l),
e.over.addEventListener("pointercancel",l)}var At=new Map,q=new URLSearchParams(location.hash.split("?")[1]??""),H=location.hash.slice(1).split("?")[0];function T(t,...e){
q.delete(t);for(let n of e)q.append(t,n);let o=q.size>0?`#${H}?${q}`:H&&`#${H}`;history.replaceState(null,"",o||location.
pathname+location.search)}function It(t){let e=new Set;for(let[o,n]of Object.entries(At.get(t))){let r=q.has(o)?q.getAll(
o):[n].flat(),s=Array.from(t.elements).filter(l=>l.name===o&&!l.disabled);if(!(s[0]?.type==="radio"&&!s.some(l=>r.includes(
l.value))))for(let l of s){let a=[l.checked,l.value].join();l.type==="checkbox"||l.type==="radio"?l.checked=r.includes(l.
value):l.type==="search"?l.value=r[0]:l.value=Array.from(l.options).some(i=>i.value===r[0])?r[0]:n,a!==[l.checked,l.value].
join()&&e.add(l)}}return e}function ut(t){At.set(t,C(t)),It(t),t.addEventListener("submit",e=>e.preventDefault()),t.addEventListener(
"change",({target:{name:e}})=>{let o=C(t)[e];T(e,...String(o)===String(At.get(t)[e])?[]:[o].flat())})}function ae(){addEventListener(
"hashchange",()=>{let[t,e]=location.hash.slice(1).split("?");if(e!=null&&e!==String(q))return location.reload();H=t,T("")}),
H&&location.hash.includes("?")&&document.getElementById(H)?.scrollIntoView({behavior:"instant"})}function le(t){H=t,T(""),
document.getElementById(t).scrollIntoView({behavior:"instant"})}function qt(t,e){let o=()=>{let n=Object.values(C(t))[0];
for(let r of e.querySelectorAll(t.dataset.choose))r.hidden=Object.values(r.dataset)[0]!==n};t.addEventListener("change",
o),o()}var P=class{constructor(e,o){this.figure=e,this.zoomKey=o,this.plot=e.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
setAttribute("role","application"),this.plot.setAttribute("aria-roledescription","chart"),this.plot.addEventListener("ke\
ydown",r=>this.key(r)),this.numbers=e.querySelector(".numbers"),this.numbers.addEventListener("toggle",()=>this.fillNumbers());
let n=(r,s,l)=>{let a=m("button",{type:"button","aria-label":s,title:s},r);return a.addEventListener("click",l),a};this.
all=n("All","See all rounds",()=>this.reset()),this.buttons=m("div",{className:"zoom",role:"group","aria-label":"Zoom"},
n("−","Zoom out",()=>this.zoom(2)),n("+","Zoom in",()=>this.zoom(.5)),this.all),e.querySelector("figcaption").append(this.
buttons),this.numbers.before(oe(this)),new ResizeObserver(()=>this.resize()).observe(this.plot),vt.add(this)}show(e){this.
spec=e,this.figure.hidden=!e,this.zoomed=null;let[o,n]=(q.get(this.zoomKey??"")??"").split("-").map(Number);e&&o<n&&(this.
zoomed={min:o,max:n}),this.draw(),this.fillNumbers()}draw(){if(this.u?.destroy(),this.u=null,!this.spec||!this.plot.clientWidth)
return;this.plot.setAttribute("aria-label",`${this.spec.label}. Arrow keys move, plus and minus zoom, Escape shows all.`);
let e=this.zoomed;this.width=this.plot.clientWidth,this.u=new uPlot(te(this),Qt(this.spec),this.plot),e&&this.u.setScale(
"x",e),X||re(this)}resize(){let e=this.plot.clientWidth;this.u?e&&e!==this.width&&(this.width=e,X?this.draw():this.u.setSize(
{width:e,height:this.spec.height})):this.draw()}focus(e){this.u&&this.u.setSeries(e==null?null:K(this.spec,e).mean,{focus:e!=
null})}hide(e,o){if(!this.spec||!!this.spec.lines[e].hidden===o)return;this.spec.lines[e].hidden=o;let n=K(this.spec,e);
if(this.u)for(let r of n.all)this.u.setSeries(r,{show:!o});this.fillNumbers()}ends(){let e=this.spec.x;return[e[0],e[e.length-
1]]}reset(){let[e,o]=this.ends();this.u.setScale("x",{min:e,max:o})}zoom(e){let{min:o,max:n}=this.u.scales.x,r=this.u.cursor.
idx,[s,l]=this.spec.logX?[Math.log,Math.exp]:[i=>i,i=>i],a=r==null?(s(o)+s(n))/2:s(this.spec.x[r]);this.between(l(a-(a-s(
o))*e),l(a+(s(n)-a)*e))}between(e,o){let[n,r]=this.ends();[e,o]=[Math.max(e,n),Math.min(o,r)],!(this.spec.x.filter(s=>s>=
e&&s<=o).length<3)&&this.u.setScale("x",{min:e,max:o})}showZoom(){let{min:e,max:o}=this.u.scales.x,[n,r]=this.ends(),s=!(e>
n||o<r);this.zoomed=s?null:{min:e,max:o},this.all.disabled=s,this.zoomKey&&T(this.zoomKey,...s?[]:[[e,o].map(l=>Number(l.
toPrecision(7))).join("-")])}move(e){e=Math.min(Math.max(e,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,r=this.
spec.x[e];(r<o||r>n)&&this.between(r-(n-o)/2,r+(n-o)/2),this.u.setCursor({left:this.u.valToPos(r,"x"),top:this.u.over.clientHeight/
2}),Vt(this.describe(e))}describe(e){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(e)}: ${o.map(
n=>`${n.name} ${this.cell(n,e)}`).join("; ")}`}cell(e,o){let n=this.spec.format;return e.half?ct(e.values[o],e.half[o],y.
digits).join(" "):e.low?e.values[o]==null?"–":`${n(e.values[o])} (${n(e.low[o])} to ${n(e.high[o])})`:n((e.shown??e.values)[o])}key(e){
if(e.ctrlKey||e.metaKey||e.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=e.shiftKey?10:1,r={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};r[e.key]&&
(e.preventDefault(),r[e.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let e=this.spec.lines.filter(s=>!s.
hidden&&s.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),r=[];for(let s=(o-1)%n;s<o;s+=n)r.push([this.spec.at(
s),...e.map(l=>this.cell(l,s))]);this.numbers.querySelector(".scroll").replaceChildren(Wt(this.spec.label,[this.spec.xLabel,
...e.map(s=>s.name)],r))}};var z=new Set(q.getAll("hide")),G=[];function ie(t){z.clear();for(let e of t)z.add(e);T("hide",...z);for(let e of G)e()}
function ce(t,e,o){let{label:n}=t.policies[e],r=m("button",{type:"button",className:"policy"},D(t.policies[e]),n);r.addEventListener(
"click",()=>ie(z.has(n)?[...z].filter(l=>l!==n):[...z,n]));for(let[l,a]of[["mouseenter",e],["focus",e],["mouseleave",null],
["blur",null]])r.addEventListener(l,()=>o?.(a));let s=()=>r.setAttribute("aria-pressed",!z.has(n));return G.push(s),s(),
r}function he(t,e,o){e.append(...t.policies.map((n,r)=>ce(t,r,o)))}var F=6;function ue(t,e,o){let n=t.policies.map(()=>[
m("td"),m("td")]),r=m("caption");e.append(m("table",{},r,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(i=>m("th",{scope:"col"},i)))),m("tbody",{},...t.policies.map((i,c)=>m("tr",{},m("th",{scope:"r\
ow"},ce(t,c,o)),...n[c])))));let s=t.policies.map(i=>i.label),l=(i,c)=>{let d=m("button",{type:"button"},i);return d.addEventListener(
"click",()=>ie(c)),d},a=[l("Show all",[]),l("Hide all",s)];return s.length>F&&a.push(l(`Best ${F}`,s.slice(F))),s.length>
1&&e.append(m("div",{className:"all"},...a)),(i,c)=>{r.textContent=i,c.forEach(([d,u],h)=>{[n[h][0].textContent,n[h][1].
textContent=""]=d==null?["–"]:ct(d,u,y.digits)})}}var Z=new Set(q.getAll("own")),J=[],zt=(t,e)=>e==null?`:${t}`:`${e}:${t}`,dt=(t,e)=>Z.has(zt(t,e))||Z.has(zt(t));function de(t,e){
let o=zt(t,e);Z.delete(o)||Z.add(o),T("own",...Z);for(let n of J)n()}function me(){Z.clear(),T("own");for(let t of J)t()}
function fe(t,e,o,n){let r=t.axes.own?.map(l=>t.axes.all[l]);if(!r)return[];let s=[];return t.policies.forEach((l,a)=>l.
seeds.forEach((i,c)=>{if(!dt(l.label,i))return;let d=h=>Tt(r,l.own[e][c],h),u=n==="after"?d(t.axes.burnIn):0;s.push({policy:a,
name:`${l.label}, seed ${i}`,values:o.map(h=>d(h)-u)})})),s}function Tt(t,e,o){if(o>t.at(-1))return null;let n=0,r=t.length-
1;for(;r-n>1;){let l=n+r>>1;t[l]<=o?n=l:r=l}let s=t[r]-t[n];return s>0?e[n]+(e[r]-e[n])*(o-t[n])/s:e[r]}function pe(t){let{windows:e,rounds:o,pulls:n}=t.axes;t.windowList=Array.from({length:e.n},(r,s)=>{let l=Math.max(s*e.width-
e.offset,0)+1,a=Math.min((s+1)*e.width-e.offset,o);return{first:l,last:a,middle:(l+a)/2,name:l===a?`round ${k(l)}`:`roun\
ds ${k(l)} to ${k(a)}`}}),t.windowWords=e.width===1?"round":`window of ${e.width} rounds`,t.xLabel=`Round of ${O(n,"pull")}`}
var jt=(t,e)=>t.windowList.filter(o=>e!=="after"||o.first>t.axes.burnIn);function Ke(t,{metric:e,form:o,from:n,smooth:r}){
let{title:s}=y.metrics.find(i=>i.name===e),l=t.policies.map(i=>i.regret[e]);if(o==="window"){let i=jt(t,n),c=h=>h?.slice(
-i.length),d=Number(r),u=d>1;return{x:i.map(h=>h.middle),at:h=>i[h].name,own:[],bands:l.map(h=>({mean:u?Ue(i,c(h.window.
mean),d,t.axes.burnIn):c(h.window.mean),half:u?null:c(h.window.half)})),title:`${s} regret a round`,note:`in the mean ov\
er each ${t.windowWords}`+(u?`, smoothed over ${d} of them: without intervals, which hold for single windows`:"")}}let a=n===
"after"?t.axes.after:t.axes.all;return{x:a,at:i=>`after round ${k(a[i])}`,own:fe(t,e,a,n),bands:l.map(i=>n==="after"?i.after:
i.all),title:`Cumulative ${e} regret`,note:n==="after"?`from round ${k(t.axes.burnIn+1)} on, when burn-in has ended`:"in\
 units of reward"}}function Ue(t,e,o,n){let r=(o-1)/2,s=l=>l.last-l.first+1;return e.map((l,a)=>{let[i,c]=[0,0];for(let d=Math.
max(a-r,0);d<=Math.min(a+r,t.length-1);d++)t[d].first>n==t[a].first>n&&(i+=e[d]*s(t[d]),c+=s(t[d]));return i/c})}function Ge(t,e){
let o=e.x.map(n=>Math.min(n*t.axes.pulls,t.axes.allPulls));return{...e,x:o,at:n=>`after pull ${k(o[n])}`,xLabel:"Pull",burnIn:t.
axes.burnIn*t.axes.pulls}}var Ft=400;function Ze(t,e,o){let n=t.policies.map(({steps:u})=>u&&e.x.map(h=>u.each*Math.max(
h-u.before,0))),r=n.filter(u=>u!=null),s=r.map(u=>u.at(-1)),l=Math.min(...r.map(u=>u.find(h=>h>0)??1/0)),a=Math.max(...s),
i=Array.from({length:Ft},(u,h)=>{let p=h/(Ft-1);return o?l*(a/l)**p:a*p});i[Ft-1]=a;let c=t.policies.filter(u=>!u.steps).
map(u=>u.label),d=(u,h)=>h&&i.map(p=>Tt(u,h,p));return{...e,x:i,own:[],at:u=>`after ${O(Math.round(i[u]),"gradient step")}`,
xLabel:"Gradient step, of all chains",burnIn:0,note:e.note+(c.length>0?`; not shown, as their gradient steps are none or\
 unknown: ${c.slice(0,F).join(", ")}${c.length>F?` and ${c.length-F} more`:""}`:""),bands:e.bands.map((u,h)=>n[h]?{mean:d(
n[h],u.mean),half:d(n[h],u.half)}:{mean:i.map(()=>null),half:null})}}function Je(t,e){if(e.includes("x")){let o=t.x.map(
(r,s)=>r>0?s:-1).filter(r=>r>=0),n=r=>r&&o.map(s=>r[s]);t={...t,x:n(t.x),at:(r=>s=>r(o[s]))(t.at),bands:t.bands.map(r=>({
mean:n(r.mean),half:n(r.half)})),own:t.own.map(r=>({...r,values:n(r.values)}))}}if(e.includes("y")){let o=t.bands.filter(
n=>n.mean.some((r,s)=>r!=null&&r<=0&&t.x[s]>0)).length;o>0&&(t={...t,note:`${t.note}; values of 0 and below, which ${O(o,
"curve")} ${o===1?"has":"have"}, have no place on a logarithmic axis`})}return t}function ge(t){let e=t.box.querySelector(
'[data-chart="regret"]'),o=new P(e,"zoom"),n=ue(t,t.box.querySelector('[data-legend="values"]'),a=>o.focus(a)),r=t.box.querySelector(
'[data-section="regret"] form'),s=()=>{let a=C(r),i={xLabel:t.xLabel,burnIn:t.axes.burnIn,...Ke(t,a)};a.x==="pulls"&&(i=
Ge(t,i)),a.x==="steps"&&(i=Ze(t,i,a.log.includes("x"))),i=Je(i,a.log),r.elements.smooth.disabled=a.form!=="window",l.hidden=
i.own.length===0;let c=y.metrics.find(h=>h.name===a.metric).nonNegative?0:-1/0;e.querySelector("h3").textContent=i.title,
e.querySelector("figcaption p").textContent=i.note;let d=h=>{h??=i.x.length-1,n(i.at(h)[0].toUpperCase()+i.at(h).slice(1),
i.bands.map(p=>[p.mean[h],p.half?.[h]]))},u=a.bands==="shown";o.show({x:i.x,at:i.at,label:i.title,note:i.note,xLabel:i.xLabel,
height:innerWidth<860?360:Math.min(Math.max(420,30*t.policies.length),600),format:N,cursor:d,logX:a.log.includes("x"),log:a.
log.includes("y"),burnIn:a.from==="all"?i.burnIn:0,columns:{x:a.x==="rounds"?"round":a.x==="pulls"?"pull":"gradient_step"},
lines:i.bands.map((h,p)=>({name:t.policies[p].label,values:h.mean,half:h.half,color:W(t.policies[p].style),dash:at(t.policies[p].
style),hidden:z.has(t.policies[p].label),low:u&&h.half?h.half.map((w,v)=>w==null?null:Math.max(h.mean[v]-w,c)):void 0,high:u&&
h.half?h.half.map((w,v)=>w==null?null:h.mean[v]+w):void 0})).concat(i.own.map(h=>({name:h.name,values:h.values,color:W(t.
policies[h.policy].style),width:1})))}),d(null)},l=m("button",{type:"button",className:"remove"},"Remove the curves of s\
eeds");l.addEventListener("click",me),r.append(l),J.push(s),G.push(()=>t.policies.forEach((a,i)=>o.hide(i,z.has(a.label)))),
r.addEventListener("change",a=>{["x","log","from","form"].includes(a.target.name)&&T("zoom"),s()}),s()}function we(t){let e=t.box.querySelector('[data-section="mistakes"]'),o=e.querySelector("form"),n=Array.from(e.querySelectorAll(
'[data-chart="wrong"]'),s=>new P(s));he(t,e.querySelector('[data-legend="plain"]'),s=>n.forEach(l=>l.focus(s)));let r=()=>{
let s=C(o).wrong;n.forEach((l,a)=>l.show(eo(t,a,s,l.figure.querySelector(".readout"))))};G.push(()=>t.policies.forEach((s,l)=>n.
forEach(a=>a.hide(l,z.has(s.label))))),o.addEventListener("change",r),r()}var Ye=8,Qe=24;function to(t,e){let o=e>Ye?Math.
max(Math.floor(t.length/Qe),1):1,n=Array.from({length:Math.ceil(t.length/o)},(a,i)=>t.slice(i*o,(i+1)*o)),r=a=>a.last-a.
first+1,s=n.map(a=>{let[i,c]=[a[0].first,a.at(-1).last];return{first:i,last:c,middle:(i+c)/2,name:i===c?a[0].name:`round\
s ${k(i)} to ${k(c)}`}});return[s,a=>s.map((i,c)=>n[c].reduce((d,u,h)=>d+a[c*o+h]*r(u),0)/r(i))]}function eo(t,e,o,n){let r=jt(
t,o),[s,l]=to(r,t.policies.length),a=t.policies.map(c=>({name:c.label,values:l(c.mistakes[e].slice(-r.length)),color:W(c.
style),dash:at(c.style),width:1.5,hidden:z.has(c.label)})),i=c=>{let d=a.filter(h=>!h.hidden).sort((h,p)=>p.values[c]-h.
values[c]),u=d.length>F?` and ${d.length-F} with fewer`:"";return d.slice(0,F).map(h=>`${h.name} ${N(h.values[c])}`).join(
", ")+u};return{x:s.map(c=>c.middle),at:c=>s[c].name,xLabel:t.xLabel,height:260,burnIn:o==="all"?t.axes.burnIn:0,sync:"m\
istakes"+t.name,label:`${t.armNames[e]}, wrongly: times a round`,format:N,lines:a,cursor:c=>n.textContent=c==null?"Lines\
: means over seeds.":`${s[c].name}: ${i(c)}`}}var Ot=new WeakMap,Pt=t=>Number.parseFloat(t.replaceAll(",","").replace("−","-").replace(/^[<>~[\s]+/,""));function oo(t){
let e=t.closest("table"),o=e.tBodies[0];Ot.has(o)||Ot.set(o,Array.from(o.rows));let n={ascending:"descending",descending:null}[t.
getAttribute("aria-sort")],r=n===void 0?"ascending":n;for(let l of e.tHead.rows[0].cells)l.removeAttribute("aria-sort");
let s=Ot.get(o);if(r){t.setAttribute("aria-sort",r);let l=r==="ascending"?1:-1,a=new Map(s.map(c=>[c,c.cells[t.cellIndex].
textContent.trim()])),i=s.some(c=>!Number.isNaN(Pt(a.get(c))))&&t.cellIndex>0;s=s.toSorted((c,d)=>{if(!i)return l*a.get(
c).localeCompare(a.get(d),"en",{numeric:!0});let[u,h]=[Pt(a.get(c)),Pt(a.get(d))];return Number.isNaN(u)-Number.isNaN(h)||
(Number.isNaN(u)?0:l*(u-h))})}o.replaceChildren(...s)}function xe(){for(let t of document.querySelectorAll("table.sorts \
thead th"))t.querySelector("a, .unseen")||t.className==="text"&&t.cellIndex===1||t.replaceChildren(m("button",{type:"but\
ton",className:"sort"},...t.childNodes));document.addEventListener("click",({target:t})=>{let e=t.closest("button.sort");
e&&oo(e.closest("th"))})}function mt(t){let e=t.querySelector("input[name=filter]")?.value.trim().toLowerCase()??"";for(let o of t.
querySelectorAll(".finals tbody tr, [data-section=summary] tbody tr, [data-section=comparison] tbody tr"))o.hidden=!(o.querySelector(
".name")??o.cells[0]).textContent.toLowerCase().includes(e)}function be(t){let e=Array.from(t.querySelectorAll("input[na\
me=filter]"));t.addEventListener("input",({target:o})=>{if(o.name==="filter"){for(let n of e)n.value=o.value;mt(t)}}),mt(
t)}function no(t,e,o){let n=o==="log",r=t.filter(c=>c!=null&&(!n||c>0)),[s,l]=[Math.min(...r),Math.max(...r)];r.length===0&&
([s,l]=[1,10]),o!=="range"&&(l=Math.max(l,...e.map(c=>c.regret).filter(c=>c<=(n?3:1.3)*l))),n?[s,l]=[s/1.1,l*1.1]:o==="r\
ange"?[s,l]=[s-.04*(l-s),l+.04*(l-s)]:[s,l]=[Math.min(s,0),l>0?l*1.02:0],l>s||(l=s+1);let a=n?Math.log:c=>c,i=c=>100*(a(
c)-a(s))/(a(l)-a(s));return{low:s,high:l,at:c=>n&&!(c>0)?0:Math.round(10*i(c))/10}}var Y=(t,e,o,n,r)=>S("line",{class:t,
x1:`${e}%`,x2:`${o}%`,y1:n,y2:r});function ye(t){let e=t.box.querySelector('[data-section="overview"]'),o=e.querySelector(
"form"),n=e.querySelector(".finals"),r=()=>{let s=C(o),l=t.policies.map((g,x)=>({p:g,i:x,final:g.final[s.final]})).sort(
(g,x)=>g.final.interval[0]-x.final.interval[0]),a=s.scale==="log",i=no(l.flatMap(({final:g})=>[...g.interval,...g.bySeed]),
t.marks,s.scale),c=Math.max(n.clientWidth*.5,160),d=U(i.low,i.high,a,c,80).map(g=>[g,i.at(g)]),u=ot({log:a},d.map(([g])=>g),
{min:i.low,max:i.high}),h=g=>g.regret<=i.high&&g.regret>=i.low,p=()=>[...d.map(([,g])=>Y("grid-line",g,g,0,"100%")),...t.
marks.flatMap((g,x)=>h(g)?[Y(`mark-line m${x}`,i.at(g.regret),i.at(g.regret),0,"100%")]:[])],w=g=>g<12?"start":g>88?"end":
"middle",v=S("svg",{class:"final-axis",role:"img","aria-label":`Axis of cumulative ${s.final} regret`},...u.map((g,x)=>Object.
assign(S("text",{x:`${d[x][1]}%`,y:12,"text-anchor":w(d[x][1])}),{textContent:g}))),M=({p:g,i:x,final:E},nt)=>{let[st,R,
Q]=E.interval,rt=`c${g.style%y.colors}`,_=S("svg",{class:`final ${rt}`,role:"img","aria-label":`${E.text}; seeds from ${N(
Math.min(...E.bySeed))} to ${N(Math.max(...E.bySeed))}`},...p());R!=null&&_.append(Y("whisker",i.at(R),i.at(Q),9,9),Y("w\
hisker",i.at(R),i.at(R),5,13),Y("whisker",i.at(Q),i.at(Q),5,13)),E.bySeed.forEach((b,A)=>{let I=Object.assign(S("title",
{}),{textContent:`${g.label}, seed ${g.seeds[A]}: ${N(b)}`});_.append(S("circle",{class:dt(g.label,g.seeds[A])?"seed cho\
sen":"seed",cx:`${i.at(b)}%`,cy:20,r:2.5,"data-policy":x,"data-seed":A},I))}),_.append(S("circle",{class:"mean",cx:`${i.
at(st)}%`,cy:9,r:4.5}));let ft=m("button",{type:"button",className:"name",disabled:!t.axes.own,title:"Its seeds' curves",
"aria-pressed":dt(g.label),"data-policy":x},D(g),g.label),f=nt===0&&l.length>1?[m("span",{className:"winner",title:"the \
lowest mean"},"★",m("span",{}," lowest"))]:[];return m("tr",f.length>0?{className:"best"}:{},m("th",{scope:"row"},m("d\
iv",{},ft,...f)),m("td",{className:"plot-cell"},_),m("td",{},E.text),m("td",{},E.percent))},L=m("tr",{},...["policy","",
`${s.final} regret`,"% of uniform"].map((g,x)=>m("th",{scope:"col"},...x===1?[v]:[g]))),B=t.marks.map((g,x)=>m("span",{},
...h(g)?[S("svg",{class:"key","aria-hidden":"true"},Y(`mark-line m${x}`,50,50,0,"100%"))]:[],`${g.name}: ${g.text}${h(g)?
"":", beyond the axis"}`));n.replaceChildren(...B.length>0?[m("p",{className:"caption"},...B)]:[],m("table",{"aria-label":`\
Final ${s.final} regret by policy`},m("thead",{},L),m("tbody",{},...l.map(M)))),mt(t.box)};n.addEventListener("click",({
target:s})=>{let l=s.closest("[data-policy]");if(!l||!t.axes.own)return;let a=t.policies[l.dataset.policy];de(a.label,l.
dataset.seed==null?void 0:a.seeds[l.dataset.seed]),l.dataset.seed==null&&n.querySelector(`button[data-policy="${l.dataset.
policy}"]`).focus()}),o.addEventListener("change",({target:s})=>s.name!=="filter"&&r()),J.push(()=>e.isConnected&&r()),r()}function $e(t){let e=t.box.querySelector('[data-section="sampler"]'),o=e.querySelector("form"),n=h=>e.querySelector(`[da\
ta-chart="${h}"]`),r=t.series,s=["energy","arms","multiplier","ess","heat","theta",...r.map(h=>h.key)],l=Object.fromEntries(
s.map(h=>[h,new P(n(h))])),a=h=>n(h).querySelector(".readout");n("arms").querySelector("figcaption p").append(...t.armNames.
flatMap((h,p)=>[p>0?", ":", from below: ",m("span",{className:"arm"},S("svg",{class:`patch c${(p+2)%y.colors}`,"aria-hid\
den":"true"},S("path",{d:"M0 6h12"})),h)]));let c={x:t.windowList.map(h=>h.middle),at:h=>t.windowList[h].name,xLabel:t.xLabel,
height:240,burnIn:t.axes.burnIn,sync:"sampler"+t.name},d=(h,p,w,v)=>w&&{...c,label:p,format:N,lines:[{name:"mean",values:w.
mean,low:w.low,high:w.high,color:"--accent"}],cursor:M=>a(h).textContent=M==null||w.mean[M]==null?"Line: mean; band: low\
est to highest.":`${t.windowList[M].name}: ${N(w.mean[M])}, from ${N(w.low[M])} to ${N(w.high[M])}`,...v},u=()=>{let h=t.
policies.find(({label:L})=>L===C(o).policy),p=h.sampler,w=O(h.seeds.length,"seed"),v=`over ${w}, by ${t.windowWords}.`;e.
querySelector('[data-sampler="note"]').textContent=p?`${h.label}, ${v} ${w==="1 seed"?"It has":"Each has"} ${O(p.chains,
"chain")}.`+(p.notFinite?` ${O(p.notFinite,"value")} were not finite and are left out.`:""):`${h.label}, ${v} `+(h.steps?
"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim export' leave them out.":"These fi\
les have no diagnostics of a sampler: it has none, or an archive left them out.");let M=p?.energy;l.energy.show(d("energ\
y","Energy",M,{log:M?.low.every(L=>L==null||L>0)})),l.multiplier.show(d("multiplier","Contour multiplier",p?.multiplier)),
l.ess.show(d("ess","Effective sample size",p?.ess,{range:p&&[0,p.chains*1.05]})),l.arms.show(so(t,h,c,a("arms"))),l.theta.
show(null),l.heat.show(p?.theta?Yt(t,p.theta,a("heat"),l.theta):null);for(let L of r)l[L.key].show(d(L.key,L.title,p?.series?.
find(B=>B.name===L.title)?.spread));for(let L of s)l[L].spec?.cursor?.(null)};o.addEventListener("change",u),u()}function so(t,e,o,n){
let r=o.x.map(()=>0),s=e.arms.map((a,i)=>(r=r.map((c,d)=>c+a[d]),{name:t.armNames[i],values:r,shown:a,color:W(i+2),fill:.35,
over:i>0?i-1:null})),l=a=>s.map(i=>`${i.name} ${bt(i.shown[a])}`).join(", ");return{...o,label:"Arms: share of the pulls\
, stacked",format:bt,range:[0,1],tick:a=>Math.round(100*a)+" %",lines:s,cursor:a=>n.textContent=a==null?"Means over seed\
s.":`${t.windowList[a].name}: ${l(a)}`}}V.classList.add("scripted");var Me=Array.from(document.querySelectorAll("[data-environment]")),Bt=new Set;function ve(t){
if(Bt.has(t))return;Bt.add(t);let e={...y.environments[t],box:Me[t]};pe(e);for(let o of e.box.querySelectorAll("form"))ut(
o);for(let o of e.box.querySelectorAll("form[data-choose]"))qt(o,o.closest("section"));e.compared&&se(e),be(e.box),e.policies.
length!==0&&(ye(e),ge(e),$e(e),we(e))}function ro(){let t=document.getElementById("environments");if(!t)return ve(0);ut(
t);let e=()=>{let o=C(t).environment;Me.forEach((n,r)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(Bt.has(r))for(let s of n.
querySelectorAll("form"))for(let l of It(s))l.dispatchEvent(new Event("change",{bubbles:!0}));ve(r);for(let s of document.
querySelectorAll("nav a")){let l=s.hash.slice(1).replace(/-\d+$/,"");s.setAttribute("href",`#${l}${r>0?`-${r+1}`:""}`)}}})};
t.addEventListener("change",e),e();for(let o of document.querySelectorAll("[data-go]"))o.addEventListener("click",n=>{n.
preventDefault(),ao(t,o.dataset.go,o.hash.slice(1))});for(let o of document.querySelectorAll(".matrix td[class]"))o.addEventListener(
"click",()=>o.closest("table").tHead.rows[0].cells[o.cellIndex].firstElementChild.click())}function ao(t,e,o){let n=Array.
from(t.elements).find(r=>r.value===e);n.checked=!0,n.dispatchEvent(new Event("change",{bubbles:!0})),le(o)}function lo(){
let t=matchMedia("(max-width: 600px)"),e=()=>{for(let o of document.querySelectorAll("details.fold"))o.open=!t.matches};
t.addEventListener("change",e),e()}function ke(){for(let t of document.querySelectorAll("#across form"))ut(t),qt(t,t.parentElement);
xe(),ro(),ae()}lo();Zt();V.dataset.reloads?ke():requestAnimationFrame(()=>setTimeout(ke));})();
