// Made by go generate ./results/page. SHA-256 of js/*.js: 0ec31a28b1f285659095871328e6dff4f7fe7a377c5c049e1c107f4ab334637e
"use strict";
(()=>{var N=JSON.parse(document.getElementById("data").textContent);function m(t,e={},...o){let n=document.createElement(t);for(let[l,s]of Object.entries(e))l in n?n[l]=s:n.setAttribute(l,
s);return n.append(...o),n}function v(t){let e={};for(let o of t.elements)o.type==="checkbox"?(e[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(e[o.name]=o.value);return e}function F(t,e,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",t);for(let[l,s]of Object.entries(e))n.setAttribute(l,s);return n.append(...o),
n}var K=({style:t})=>F("svg",{class:`swatch c${t%N.colors} d${t%N.dashes.length}`,viewBox:"0 0 24 8","aria-hidden":"true"},
F("path",{d:"M0 4h24"})),B=t=>`--c${t%N.colors}`,U=t=>N.dashes[t%N.dashes.length];function It(t,e,o){let n=(l,s)=>m("tr",
{},...s.map((i,r)=>l==="th"||r===0?m("th",{scope:l==="th"?"col":"row"},i):m("td",{},i)));return m("table",{},m("caption",
{},t),m("thead",{},n("th",e)),m("tbody",{},...o.map(l=>n("td",l))))}var At=t=>document.getElementById("say").textContent=
t;function zt(t,e){let o=Math.abs(t).toFixed(e);return Math.abs(t)*2**(e+1)%2===1&&o.at(-1)%2===1?o.slice(0,-1)+(o.at(-1)-
1):o}function z(t,e){if(t==null||!Number.isFinite(t))return"–";let o=Math.abs(t);if(o>=1e15||o!==0&&o<1e-9)return(t<0?
"−":"")+Number(o.toPrecision(4)).toExponential();let n=zt(t,e);if(Number(n)===0)return"0";let[l,...s]=n.split("."),i=[];
for(let r=l.length;r>0;r-=3)i.unshift(l.slice(Math.max(r-3,0),r));return(t<0?"−":"")+[i.join(","),...s].join(".")}var st=t=>Number(
t.toExponential(9).split("e")[1]);function qt(t){let e=Math.abs(t);return!Number.isFinite(t)||e===0||e>=99.95?0:Math.min(
2-st(e),12)}var k=t=>z(t,t==null?0:qt(t));function jt(t,e){let o=Math.max(0,-st(e));return t===0?0 .toFixed(Math.min(o,9)):
z(t,o)}var ae=t=>t==null||!Number.isFinite(t)?"–":z(t,1)+" %",Tt=(t,e)=>e<=1e-12*Math.abs(t),G=(t,e)=>e>0&&Number.isFinite(
e)&&!Tt(t,e)?Math.min(Math.max(1-st(e),0),12):qt(t);function D(t){return t==null||Number.isNaN(t)?"–":t<.001?"< 0.001":
t>.999?"1":zt(t,3)}var b=t=>z(t,0);function Z(t,e){if(t==null||e==null||!Number.isFinite(e))return[k(t)];let o=G(t,e);return[
z(t,o),"± "+z(Tt(t,e)?0:e,o)]}var P=(t,e)=>`${b(t)} ${e}${t===1?"":"s"}`,rt=t=>ae(t==null?t:100*t);var O=document.documentElement,at=new Set,lt=document.body.appendChild(document.createElement("span"));lt.hidden=!0;var J=new Map,
R=!1;function it(t){return J.has(t)||(lt.style.color=`var(${t})`,J.set(t,getComputedStyle(lt).color.match(/[\d.]+/g).slice(
0,3).map(Number))),J.get(t)}var w=(t,e=1)=>`rgb(${it(t).join(" ")} / ${e})`;function Pt(t,e,o){let n=it(e);return`rgb(${it(
t).map((l,s)=>Math.round(l+(n[s]-l)*o)).join(" ")})`}var Bt=matchMedia("(prefers-color-scheme: dark)"),Ft=()=>O.dataset.
theme?O.dataset.theme==="dark":Bt.matches;function Ot(){let t=document.getElementById("theme"),e=()=>{t.textContent=Ft()?
"Light":"Dark",t.setAttribute("aria-label",`${t.textContent} colours`),J=new Map;for(let n of at)n.draw()};t.addEventListener(
"click",()=>{O.dataset.theme=Ft()?"light":"dark",e()}),Bt.addEventListener("change",e);let o=n=>{R=n,O.classList.toggle(
"printing",n),e()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),e()}var ct=1e-6;function ce(t){let e=Math.min(Math.max(1-Math.log10(Math.max(t,ct))/Math.log10(ct),0),1);return Pt("--paper",
"--heat",e)}function he(t){if(t.length===1)return[t[0]-.5,t[0]+.5];let e=t.slice(1).map((o,n)=>(o+t[n])/2);return[2*t[0]-
e[0],...e,2*t[t.length-1]-e[e.length-1]]}function ue(t,e,o){let n=he(e.rounds).map(i=>Math.round(t.valToPos(i,"x",!0))),
l=e.values[0].length,s=Array.from({length:l+1},(i,r)=>Math.round(t.valToPos(r+.5,"y",!0)));e.values.forEach((i,r)=>i.forEach(
(a,c)=>{o(n[r],s[c+1],n[r+1]-n[r]+1,s[c]-s[c+1]+1,ce(a))}))}function Rt(t,e){let{left:o,top:n,width:l,height:s}=t.bbox;t.
ctx.save(),t.ctx.beginPath(),t.ctx.rect(o,n,l,s),t.ctx.clip(),e(t,(i,r,a,c,d)=>{t.ctx.fillStyle=d,t.ctx.fillRect(i,r,a,c)}),
t.ctx.restore()}function _t(t,e,o,n){let l=e.values[0].length,s=Array.from({length:l},(d,h)=>h+1),i=e.values.map(d=>1+d.
indexOf(Math.max(...d))),r=d=>{let h=e.values[d];return{x:s,at:u=>`bin ${u+1}`,label:`θ in round ${b(e.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:k,log:!0,lines:[{name:"θ",values:h.map(u=>u>=ct?u:null),shown:h,colour:"--accent",fill:0}],
title:`θ in round ${b(e.rounds[d])}`}},a=d=>{let h=r(d);n.figure.querySelector("h3").textContent=h.title,n.show(h)},c=e.
rounds.length-1;return a(c),{x:e.rounds,at:d=>`round ${b(e.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:t.xLabel,height:240,format:k,lines:[{name:"heaviest bin",values:i,colour:"--alert",width:1.25}],range:[.5,
l+.5],under:(d,h)=>ue(d,e,h),sync:null,cursor:(d,h)=>{let u=d??e.rounds.length-1;u!==c&&a(c=u);let f=d==null?null:Math.round(
h.posToVal(h.cursor.top,"y")),g=f>=1&&f<=l?e.values[u][f-1]:null;o.textContent=g==null?"The line is the bin of the large\
st share.":`Round ${b(e.rounds[u])}, bin ${f}: ${k(g)}`}}}function _(t,e){let o=1;for(let n=0;n<e;n++)o+=t.lines[n].low?3:1;return t.lines[e].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var ht=(t,e)=>t.lines.find((o,n)=>_(t,n).mean===e);function ut(t,e){let{values:o,low:n,high:l}=t.
lines[e];if(!t.log)return{values:o,low:n,high:l};let s=i=>i?.map((r,a)=>o[a]>0?Math.max(r,o[a]/1e6):null);return{values:s(
o),low:s(n),high:s(l)}}function Vt(t){let e=[t.x];return t.lines.forEach((o,n)=>{let{values:l,low:s,high:i}=ut(t,n);e.push(
...s?[i,s,l]:[l])}),e}function Wt(t){let e=t.spec,o=R?2:1,n=[{}],l=[];return e.lines.forEach((s,i)=>{let r=_(e,i),a={show:!s.
hidden,points:{show:!1},spanGaps:!1};s.low&&(n.push({...a},{...a,auto:!e.log}),l.push({series:[r.high,r.low],fill:w(s.colour,
e.lines.length>3?.12:.18)})),s.over!=null&&l.push({series:[r.mean,_(e,s.over).mean],fill:w(s.colour,s.fill)}),n.push({...a,
stroke:w(s.colour),width:(s.width??1.75)*o,dash:(s.dash??[]).map(c=>c*o),fill:s.fill&&s.over==null?w(s.colour,s.fill):void 0,
points:{show:e.x.length<3,size:5*o,fill:w(s.colour)}})}),{width:t.plot.clientWidth*o,height:e.height*o,series:n,bands:l,
padding:[20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:e.logX?3:1,range:(s,i,r)=>fe(e,i,r)},y:{distr:e.
log?3:1,range:(s,i,r)=>me(t,i,r)}},focus:{alpha:.15},axes:de(e,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(s,i)=>ht(
e,i)&&m("div"),size:8,width:2,fill:w("--paper"),stroke:(s,i)=>ht(e,i)&&w(ht(e,i).colour)},...e.sync&&{sync:{key:e.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[s=>e.under&&Rt(s,e.under)],drawSeries:[],draw:[s=>ge(s,e,o)],setCursor:[s=>e.cursor?.(
s.cursor.idx??null,s)],setScale:[(s,i)=>i==="x"&&t.u===s&&t.showZoom()]}}}function de(t,e){let o=`${12*e}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!t.under,stroke:w("--rule"),width:e},l={stroke:w("--faded"),font:o,labelFont:o,gap:6*
e,grid:n,ticks:{show:!1},border:{show:!1},filter:(a,c)=>c},s=(a,c,d,h)=>Y(d,h,c===0?t.logX:t.log,(c===0?a.bbox.width:a.bbox.
height)/devicePixelRatio/e,c===0?80:40),i={...l,splits:s,label:t.xLabel,labelSize:20*e,size:30*e,values:(a,c)=>c.map(dt)},
r={...l,splits:s,size:pe,values:(a,c)=>pt(t,c,a.scales.y)};return[i,r]}var dt=t=>Number.isInteger(t)?b(t):"",Ht=(t,e,o)=>o&&
e/t>=10;function pt(t,e,{min:o,max:n}){if(t.tick)return e.map(t.tick);let l=Math.min(...e.slice(1).map((s,i)=>s-e[i]));return e.
map(s=>jt(s,Ht(o,n,t.log)||!Number.isFinite(l)?Math.abs(s)||1:l))}function Y(t,e,o,n,l){let s=Math.max(Math.floor(n/l),2),
i=[];if(Ht(t,e,o)){let d=Math.log10(e/t),h=Math.ceil(d/s),u=d*3<=s?[1,2,5]:[1];for(let f=Math.floor(Math.log10(t));f<=Math.
log10(e);f++)if(f%h===0)for(let g of u){let E=+`${g}e${f}`;E>=t*.999&&E<=e*1.001&&i.push(E)}return i}let r=(e-t)/s,a=10**
Math.floor(Math.log10(r)),c=[1,2,5,10].map(d=>d*a).find(d=>d>=r*.999);for(let d=Math.ceil(t/c-1e-9);d*c<=e+c*1e-9;d++)i.
push(Number((d*c).toPrecision(12)));return i}function pe(t,e,o){let n=(e??[]).reduce((s,i)=>i.length>s.length?i:s,"");t.
ctx.save(),t.ctx.font=t.axes[o].font[0];let l=t.ctx.measureText(n).width/devicePixelRatio;return t.ctx.restore(),Math.ceil(
l)+t.axes[o].gap+4}function fe(t,e,o){return e==null?t.logX?[1,10]:[0,1]:e===o?t.logX?[e/2,o*2]:[e-.5,o+.5]:[e,o]}function me(t,e,o){
let{spec:n}=t;if(e==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[e/1.15,o*1.15];t.zoomed||([
e,o]=[Math.min(e,0),Math.max(o,0)]),e===o&&(o=e+1);let l=(o-e)/30;return[e<0||t.zoomed&&e>l?e-l:e,o+l]}function ge(t,e,o){
if(!e.burnIn||e.burnIn<=t.scales.x.min||e.burnIn>=t.scales.x.max)return;let n=Math.round(t.valToPos(e.burnIn,"x",!0)),{top:l,
height:s,left:i,width:r}=t.bbox,a=devicePixelRatio*o;t.ctx.save(),t.ctx.strokeStyle=t.ctx.fillStyle=w("--faded"),t.ctx.lineWidth=
a,t.ctx.setLineDash([2*a,3*a]),t.ctx.beginPath(),t.ctx.moveTo(n,l),t.ctx.lineTo(n,l+s),t.ctx.stroke(),t.ctx.font=`${11*a}\
px ${getComputedStyle(document.body).fontFamily}`;let c=n>i+.7*r;t.ctx.textAlign=c?"right":"left",t.ctx.fillText("burn-i\
n ends",n+(c?-5:5)*a,l-6*a),t.ctx.restore()}function Dt(t){let e=(o,n,l)=>{let s=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return s.addEventListener(
"click",l),s};return m("div",{className:"save",role:"group","aria-label":"Save"},e("SVG","the figure as SVG",()=>ft(t,"s\
vg",new Blob([Xt(t)],{type:"image/svg+xml"}))),e("PNG","the figure as PNG",()=>$e(t).then(o=>ft(t,"png",o))),e("CSV","th\
e numbers as CSV",()=>ft(t,"csv",new Blob([xe(t.spec)],{type:"text/csv"}))))}function ft(t,e,o){let n=t.figure.closest("\
[data-environment]").dataset.environment;mt([n,t.figure.querySelector("h3").textContent],e,o)}function mt(t,e,o){let n=[
document.querySelector("h1").textContent,...t].filter(s=>s).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),l=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${e}`});l.click(),setTimeout(()=>URL.revokeObjectURL(l.href),1e3)}function we(t){
if(t==null)return"";if(typeof t=="number")return Number.isFinite(t)?String(t):"";let e=/^[=+\-@\t\r']/.test(t)?`'${t}`:t;
return/[",\n\r]/.test(e)?`"${e.replaceAll('"','""')}"`:e}var gt=t=>t.map(e=>e.map(we).join(",")).join(`
`)+`
`;function xe(t){let e=[["line",t.columns?.x??"round","value","low","high"]];for(let o of t.lines){if(o.hidden)continue;
let n=(i,r)=>a=>o.half?o.values[a]+i*o.half[a]:r?.[a],[l,s]=[n(-1,o.low),n(1,o.high)];t.x.forEach((i,r)=>o.values[r]!=null&&
e.push([o.name,i,(o.shown??o.values)[r],l(r),s(r)]))}return gt(e)}var be=t=>t.replace(/[&<>"]/g,e=>`&#${e.charCodeAt(0)}\
;`);function ye(t,e){let o=[""];for(let n of t.split(" "))o.at(-1)&&o.at(-1).length+n.length>=e&&o.push(""),o[o.length-1]+=
(o.at(-1)&&" ")+n;return o}function Xt(t){let{spec:e,u:o}=t,n=devicePixelRatio,[l,s,i,r]=[o.bbox.left,o.bbox.top,o.bbox.
width,o.bbox.height].map(p=>p/n),a=ye(t.figure.querySelector("figcaption p").textContent,(l+i)/6),c=20+14*a.length,d=18,
h=p=>Math.round(p*100)/100,u=p=>h(l+o.valToPos(p,"x")),f=p=>h(s+c+o.valToPos(p,"y")),g=e.lines.map((p,x)=>({...p,...ut(e,
x)})).filter(p=>!p.hidden&&p.values.some(x=>x!=null)),E=g.filter(p=>p.name),$=h(l+i+26),y=Math.max(Math.floor($/210),1),
X=s+c+r+56,tt=Math.ceil(X+Math.ceil(E.length/y)*d+6),T=(p,x,L,S="")=>`<text x="${h(p)}" y="${h(x)}" ${S}>${be(L)}</text>`,
A=[`<svg xmlns="http://www.w3.org/2000/svg" width="${$}" height="${tt}" viewBox="0 0 ${$} ${tt}" font-family="Liberation\
 Sans, Arial, sans-serif" font-size="12" fill="${w("--faded")}">`,`<rect width="${$}" height="${tt}" fill="${w("--paper")}\
"/>`,T(8,20,t.figure.querySelector("h3").textContent,`font-size="15" font-weight="bold" fill="${w("--ink")}"`),...a.map(
(p,x)=>T(8,36+14*x,p)),`<clipPath id="area"><rect x="${h(l)}" y="${h(s+c)}" width="${h(i)}" height="${h(r)}"/></clipPath\
>`],{min:kt,max:St}=o.scales.x,{min:Mt,max:le}=o.scales.y,Lt=e.under?"none":w("--rule");for(let p of Y(kt,St,e.logX,i,80))
A.push(`<path d="M${u(p)} ${h(s+c)}v${h(r)}" stroke="${Lt}"/>`,T(u(p),s+c+r+18,dt(p),'text-anchor="middle"'));let Et=Y(Mt,
le,e.log,r,40),ie=pt(e,Et,o.scales.y);Et.forEach((p,x)=>{A.push(`<path d="M${h(l)} ${f(p)}h${h(i)}" stroke="${Lt}"/>`,T(
l-6,f(p)+4,ie[x],'text-anchor="end"'))}),A.push(T(l+i/2,s+c+r+38,e.xLabel,'text-anchor="middle"'),'<g clip-path="url(#ar\
ea)" fill="none">'),e.under?.(o,(p,x,L,S,et)=>A.push(`<rect x="${h(p/n)}" y="${h(x/n+c)}" width="${h(L/n)}" height="${h(
S/n)}" fill="${et}"/>`));for(let p of g){let x=(L,S,et)=>{let ot=e.x.map((H,nt)=>nt).filter(H=>L[H]!=null&&S[H]!=null),Nt=(H,nt)=>nt.
map(Ct=>`${u(e.x[Ct])} ${f(H[Ct])}`).join("L");ot.length>1&&A.push(`<path d="M${Nt(L,ot)}L${Nt(S,ot.toReversed())}Z" fil\
l="${w(p.colour)}" fill-opacity="${et}"/>`)};p.low&&x(p.high,p.low,e.lines.length>3?.12:.18),p.fill&&x(p.values,p.over!=
null?e.lines[p.over].values:e.x.map(()=>e.log?Mt:0),p.fill)}for(let p of g){let x="";p.values.forEach((L,S)=>x+=L==null?
"":`${S>0&&p.values[S-1]!=null?"L":"M"}${u(e.x[S])} ${f(L)}`),A.push(`<path d="${x}" stroke="${w(p.colour)}" stroke-widt\
h="${p.width??1.75}" stroke-dasharray="${(p.dash??[]).join(" ")}"/>`)}if(A.push("</g>"),e.burnIn>kt&&e.burnIn<St){let p=o.
valToPos(e.burnIn,"x")>.7*i;A.push(`<path d="M${u(e.burnIn)} ${h(s+c)}v${h(r)}" stroke="${w("--faded")}" stroke-dasharra\
y="2 3"/>`,T(u(e.burnIn)+(p?-5:5),s+c-6,"burn-in ends",`font-size="11" text-anchor="${p?"end":"start"}"`))}return E.forEach(
(p,x)=>{let[L,S]=[8+x%y*(($-16)/y),X+Math.floor(x/y)*d];A.push(`<path d="M${h(L)} ${h(S-4)}h24" stroke="${w(p.colour)}" \
stroke-width="2.5" stroke-dasharray="${(p.dash??[]).join(" ")}"/>`,T(L+30,S,p.name.length>28?p.name.slice(0,27)+"…":p.
name,`fill="${w("--ink")}"`))}),A.join(`
`)+`
</svg>
`}async function $e(t){let e=new Image;e.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(Xt(t)),await e.decode();
let o=m("canvas",{width:2*e.width,height:2*e.height});return o.getContext("2d").drawImage(e,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function ve(t,e,o){let n=[];t.policies.forEach((s,i)=>{let r=o.policy;if(i===r)return;let[a,c]=i>r?[i*(i-1)/2+r,1]:[r*(r-
1)/2+i,-1],[d,h]=[e.mean[a]??NaN,e.halfInterval[a]??NaN];n.push({policy:s,cells:e.cells[i],n:e.seeds[a],mean:c*d,low:c*d-
h,high:c*d+h,needed:e.needed[a],p:e.p[a],signFlip:e.signFlip[a],holm:o.holm[i],signFlipHolm:o.signFlipHolm[i],mark:o.marks[i].
trim()})});let l=s=>Number.isNaN(s.mean);return n.sort((s,i)=>l(s)-l(i)||(l(s)?0:s.mean-i.mean)),{policy:t.policies[o.policy],
cells:e.cells[o.policy],caption:o.caption,notes:o.notes,differences:n}}function ke(t,e){let o=t.differences.flatMap(r=>[
r.low,r.mean,r.high]).filter(r=>!Number.isNaN(r)),[n,l]=[Math.min(0,...o),Math.max(0,...o)];if(n===l||Number.isNaN(e.mean))
return"";let s=r=>Math.round(10*(6+148*(r-n)/(l-n)))/10,i=F("svg",{class:"interval",viewBox:"0 0 160 16","aria-hidden":"\
true"},F("path",{class:"zero",d:`M${s(0)} 0v16`}));return e.n>1&&i.append(F("path",{d:`M${s(e.low)} 8H${s(e.high)}M${s(e.
low)} 4v8M${s(e.high)} 4v8`})),i.append(F("circle",{cx:s(e.mean),cy:8,r:3.5})),i}var Se={seeds:t=>String(t.n),difference:t=>z(
t.mean,G(t.mean,(t.high-t.low)/2)),interval:t=>{let e=G(t.mean,(t.high-t.low)/2);return Number.isNaN(t.low)?"–":`[${z(
t.low,e)}, ${z(t.high,e)}]`},p:t=>D(t.p),signFlip:t=>D(t.signFlip),holm:t=>D(t.holm),signFlipHolm:t=>D(t.signFlipHolm),mark:t=>t.
mark,needed:t=>t.n<2?"–":t.needed===0?"~":b(t.needed)},Me={difference:"baseline",mark:""};function Le(t,{policy:e,cells:o},n){
let l=o.values();return t.map(s=>s==="policy"?e.label:s==="own"?l.next().value:n?Se[s](n):Me[s]??"–")}function Ee(t,{columns:e,
texts:o},n){let l=t.querySelector("thead tr").childElementCount>e.length,s=(r,a)=>{let[c,...d]=Le(e,r,a),h=l?[m("td",{},
a?ke(n,a):"")]:[];return m("tr",{},m("th",{scope:"row"},...r.policy.style>=0?[K(r.policy)]:[],c),...h,...d.map(u=>m("td",
{},u)))};t.querySelector("tbody").replaceChildren(s(n),...n.differences.map(r=>s(r,r))),t.querySelector(".caption").replaceChildren(
...n.caption.flatMap(r=>[m("span",{},o[r])," "]));let i=n.notes.map(r=>m("li",{className:o[r].startsWith("warning: ")?"w\
arning":""},o[r]));t.querySelector(".notes")?.remove(),i.length>0&&t.append(m("ul",{className:"notes"},...i))}function Ne(t,e){
let o=n=>Number(n.toPrecision(9));return gt([["policy","baseline","metric","seeds","difference","low","high","p","p_holm",
"sign_flip_p","sign_flip_p_holm","seeds_needed"],...e.differences.map(n=>[n.policy.label,e.policy.label,t,n.n,n.mean,o(n.
low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,n.needed||null])])}function Kt({box:t,name:e,compared:o}){let n=t.querySelector(
'[data-section="comparison"]'),l=n.querySelector("form"),s=Array.from(n.querySelectorAll("[data-compared]")),i=s.map(d=>Array.
from(d.childNodes,h=>h.cloneNode(!0))),r=(d,h)=>{let u=o.metrics[d],f=o.policies.findIndex(g=>g.label===h);return ve(o,u,
f<0?u.picked:u.baselines[f])},a=()=>{let{baseline:d}=v(l);s.forEach((h,u)=>{h.replaceChildren(...i[u].map(f=>f.cloneNode(
!0))),d&&Ee(h,o,r(h.dataset.compared,d))})};l.addEventListener("change",a),a();let c=m("button",{type:"button"},"CSV");c.
setAttribute("aria-label","Save the differences as CSV"),c.addEventListener("click",()=>{let{compared:d,baseline:h}=v(l),
u=r(d,h);mt([e,d,"differences to",u.policy.label],"csv",new Blob([Ne(d,u)],{type:"text/csv"}))}),l.append(c)}function Ut(t){let e=t.u,o=new Map,n=null,l=r=>r.clientX-e.over.getBoundingClientRect().left,s=()=>[...o.values()].sort(
(r,a)=>r-a);e.over.addEventListener("pointerdown",r=>{r.pointerType==="touch"&&(o.set(r.pointerId,l(r)),o.size===2&&(n=s().
map(a=>e.posToVal(a,"x"))))}),e.over.addEventListener("pointermove",r=>{if(!o.has(r.pointerId))return;if(o.set(r.pointerId,
l(r)),o.size===1)return e.setCursor({left:l(r),top:1});let[a,c]=s();if(c-a<20||!n)return;let d=(n[1]-n[0])/(c-a),h=n[0]-
a*d;t.between(h,h+e.over.clientWidth*d)});let i=r=>{o.delete(r.pointerId),n=null};e.over.addEventListener("pointerup",i),
e.over.addEventListener("pointercancel",i)}var wt=new Map,C=new URLSearchParams(location.hash.split("?")[1]??""),V=location.hash.slice(1).split("?")[0];function q(t,...e){
C.delete(t);for(let n of e)C.append(t,n);let o=C.size>0?`#${V}?${C}`:V&&`#${V}`;history.replaceState(null,"",o||location.
pathname+location.search)}function xt(t){let e=new Set;for(let[o,n]of Object.entries(wt.get(t))){let l=C.has(o)?C.getAll(
o):[n].flat(),s=Array.from(t.elements).filter(i=>i.name===o&&!i.disabled);if(!(s[0]?.type==="radio"&&!s.some(i=>l.includes(
i.value))))for(let i of s){let r=[i.checked,i.value].join();i.type==="checkbox"||i.type==="radio"?i.checked=l.includes(i.
value):i.value=Array.from(i.options).some(a=>a.value===l[0])?l[0]:n,r!==[i.checked,i.value].join()&&e.add(i)}}return e}function Q(t){
wt.set(t,v(t)),xt(t),t.addEventListener("submit",e=>e.preventDefault()),t.addEventListener("change",({target:{name:e}})=>{
let o=v(t)[e];q(e,...String(o)===String(wt.get(t)[e])?[]:[o].flat())})}function Gt(){addEventListener("hashchange",()=>{
let[t,e]=location.hash.slice(1).split("?");if(e!=null&&e!==String(C))return location.reload();V=t,q("")}),V&&location.hash.
includes("?")&&document.getElementById(V)?.scrollIntoView({behavior:"instant"})}function bt(t,e){let o=()=>{let n=Object.
values(v(t))[0];for(let l of e.querySelectorAll(t.dataset.choose))l.hidden=Object.values(l.dataset)[0]!==n};t.addEventListener(
"change",o),o()}var j=class{constructor(e,o){this.figure=e,this.zoomKey=o,this.plot=e.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
setAttribute("role","application"),this.plot.setAttribute("aria-roledescription","chart"),this.plot.addEventListener("ke\
ydown",l=>this.key(l)),this.numbers=e.querySelector(".numbers"),this.numbers.addEventListener("toggle",()=>this.fillNumbers());
let n=(l,s,i)=>{let r=m("button",{type:"button","aria-label":s,title:s},l);return r.addEventListener("click",i),r};this.
all=n("All","See all rounds",()=>this.reset()),this.buttons=m("div",{className:"zoom",role:"group","aria-label":"Zoom"},
n("−","Zoom out",()=>this.zoom(2)),n("+","Zoom in",()=>this.zoom(.5)),this.all),e.querySelector("figcaption").append(this.
buttons),this.numbers.before(Dt(this)),new ResizeObserver(()=>this.resize()).observe(this.plot),at.add(this)}show(e){this.
spec=e,this.figure.hidden=!e,this.zoomed=null;let[o,n]=(C.get(this.zoomKey??"")??"").split("-").map(Number);e&&o<n&&(this.
zoomed={min:o,max:n}),this.draw(),this.fillNumbers()}draw(){if(this.u?.destroy(),this.u=null,!this.spec||!this.plot.clientWidth)
return;this.plot.setAttribute("aria-label",`${this.spec.label}. Arrow keys move, plus and minus zoom, Escape shows all.`);
let e=this.zoomed;this.width=this.plot.clientWidth,this.u=new uPlot(Wt(this),Vt(this.spec),this.plot),e&&this.u.setScale(
"x",e),R||Ut(this)}resize(){let e=this.plot.clientWidth;this.u?e&&e!==this.width&&(this.width=e,R?this.draw():this.u.setSize(
{width:e,height:this.spec.height})):this.draw()}focus(e){this.u&&this.u.setSeries(e==null?null:_(this.spec,e).mean,{focus:e!=
null})}hide(e,o){if(!this.spec||!!this.spec.lines[e].hidden===o)return;this.spec.lines[e].hidden=o;let n=_(this.spec,e);
if(this.u)for(let l of n.all)this.u.setSeries(l,{show:!o});this.fillNumbers()}ends(){let e=this.spec.x;return[e[0],e[e.length-
1]]}reset(){let[e,o]=this.ends();this.u.setScale("x",{min:e,max:o})}zoom(e){let{min:o,max:n}=this.u.scales.x,l=this.u.cursor.
idx,[s,i]=this.spec.logX?[Math.log,Math.exp]:[a=>a,a=>a],r=l==null?(s(o)+s(n))/2:s(this.spec.x[l]);this.between(i(r-(r-s(
o))*e),i(r+(s(n)-r)*e))}between(e,o){let[n,l]=this.ends();[e,o]=[Math.max(e,n),Math.min(o,l)],!(this.spec.x.filter(s=>s>=
e&&s<=o).length<3)&&this.u.setScale("x",{min:e,max:o})}showZoom(){let{min:e,max:o}=this.u.scales.x,[n,l]=this.ends(),s=!(e>
n||o<l);this.zoomed=s?null:{min:e,max:o},this.all.disabled=s,this.zoomKey&&q(this.zoomKey,...s?[]:[[e,o].map(i=>Number(i.
toPrecision(7))).join("-")])}move(e){e=Math.min(Math.max(e,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,l=this.
spec.x[e];(l<o||l>n)&&this.between(l-(n-o)/2,l+(n-o)/2),this.u.setCursor({left:this.u.valToPos(l,"x"),top:this.u.over.clientHeight/
2}),At(this.describe(e))}describe(e){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(e)}: ${o.map(
n=>`${n.name} ${this.cell(n,e)}`).join("; ")}`}cell(e,o){let n=this.spec.format;return e.half?Z(e.values[o],e.half[o]).join(
" "):e.low?e.values[o]==null?"–":`${n(e.values[o])} (${n(e.low[o])} to ${n(e.high[o])})`:n((e.shown??e.values)[o])}key(e){
if(e.ctrlKey||e.metaKey||e.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=e.shiftKey?10:1,l={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};l[e.key]&&
(e.preventDefault(),l[e.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let e=this.spec.lines.filter(s=>!s.
hidden&&s.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),l=[];for(let s=(o-1)%n;s<o;s+=n)l.push([this.spec.at(
s),...e.map(i=>this.cell(i,s))]);this.numbers.querySelector(".scroll").replaceChildren(It(this.spec.label,["",...e.map(s=>s.
name)],l))}};var M=new Set(C.getAll("hide")),W=[];function Zt(t){M.clear();for(let e of t)M.add(e);q("hide",...M);for(let e of W)e()}
function Jt(t,e,o){let{label:n}=t.policies[e],l=m("button",{type:"button",className:"policy"},K(t.policies[e]),n);l.addEventListener(
"click",()=>Zt(M.has(n)?[...M].filter(i=>i!==n):[...M,n]));for(let[i,r]of[["mouseenter",e],["focus",e],["mouseleave",null],
["blur",null]])l.addEventListener(i,()=>o?.(r));let s=()=>l.setAttribute("aria-pressed",!M.has(n));return W.push(s),s(),
l}function Yt(t,e,o){e.append(...t.policies.map((n,l)=>Jt(t,l,o)))}var I=6;function Qt(t,e,o){let n=t.policies.map(()=>[
m("td"),m("td")]),l=m("caption");e.append(m("table",{},l,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(a=>m("th",{scope:"col"},a)))),m("tbody",{},...t.policies.map((a,c)=>m("tr",{},m("th",{scope:"r\
ow"},Jt(t,c,o)),...n[c])))));let s=t.policies.map(a=>a.label),i=(a,c)=>{let d=m("button",{type:"button"},a);return d.addEventListener(
"click",()=>Zt(c)),d},r=[i("Show all",[]),i("Hide all",s)];return s.length>I&&r.push(i(`Best ${I}`,s.slice(I))),s.length>
1&&e.append(m("div",{className:"all"},...r)),(a,c)=>{l.textContent=a,c.forEach(([d,h],u)=>{[n[u][0].textContent,n[u][1].
textContent=""]=d==null?["–"]:Z(d,h)})}}function te(t){let{windows:e,rounds:o,pulls:n}=t.axes;t.windowList=Array.from({length:e.n},(l,s)=>{let i=Math.max(s*e.width-
e.offset,0)+1,r=Math.min((s+1)*e.width-e.offset,o);return{first:i,last:r,middle:(i+r)/2,name:i===r?`round ${b(i)}`:`roun\
ds ${b(i)} to ${b(r)}`}}),t.windowWords=e.width===1?"round":`window of ${e.width} rounds`,t.xLabel=`Round of ${P(n,"pull")}`}
var $t=(t,e)=>t.windowList.filter(o=>e!=="after"||o.first>t.axes.burnIn);function Ce(t,{metric:e,form:o,from:n}){let{title:l}=N.
metrics.find(r=>r.name===e),s=t.policies.map(r=>r.regret[e]);if(o==="window"){let r=$t(t,n),a=c=>c?.slice(-r.length);return{
x:r.map(c=>c.middle),at:c=>r[c].name,bands:s.map(c=>({mean:a(c.window.mean),half:a(c.window.half)})),title:`${l} regret \
a round`,note:`in the mean over each ${t.windowWords}`}}let i=n==="after"?t.axes.after:t.axes.all;return{x:i,at:r=>`afte\
r round ${b(i[r])}`,bands:s.map(r=>n==="after"?r.after:r.all),title:`Cumulative ${e} regret`,note:n==="after"?`from roun\
d ${b(t.axes.burnIn+1)} on, when burn-in has ended`:"in units of reward"}}function Ie(t,e){let o=e.x.map(n=>n*t.axes.pulls);
return{...e,x:o,at:n=>`after pull ${b(o[n])}`,xLabel:"Pull",burnIn:t.axes.burnIn*t.axes.pulls}}var yt=400;function Ae(t,e,o){
let n=t.policies.map(({steps:h})=>h&&e.x.map(u=>h.each*Math.max(u-h.before,0))),l=n.filter(h=>h!=null),s=l.map(h=>h.at(-1)),
i=Math.min(...l.map(h=>h.find(u=>u>0)??1/0)),r=Math.max(...s),a=Array.from({length:yt},(h,u)=>{let f=u/(yt-1);return o?i*
(r/i)**f:r*f});a[yt-1]=r;let c=t.policies.filter(h=>!h.steps).map(h=>h.label),d=(h,u)=>u&&a.map(f=>ze(h,u,f));return{...e,
x:a,at:h=>`after ${P(Math.round(a[h]),"gradient step")}`,xLabel:"Gradient step, of all chains",burnIn:0,note:e.note+(c.length>
0?`; not shown, as their gradient steps are none or unknown: ${c.slice(0,I).join(", ")}${c.length>I?` and ${c.length-I} \
more`:""}`:""),bands:e.bands.map((h,u)=>n[u]?{mean:d(n[u],h.mean),half:d(n[u],h.half)}:{mean:a.map(()=>null),half:null})}}
function ze(t,e,o){if(o>t.at(-1))return null;let n=0,l=t.length-1;for(;l-n>1;){let i=n+l>>1;t[i]<=o?n=i:l=i}let s=t[l]-t[n];
return s>0?e[n]+(e[l]-e[n])*(o-t[n])/s:e[l]}function qe(t,e){if(e.includes("x")){let o=t.x.map((l,s)=>l>0?s:-1).filter(l=>l>=
0),n=l=>l&&o.map(s=>l[s]);t={...t,x:n(t.x),at:(l=>s=>l(o[s]))(t.at),bands:t.bands.map(l=>({mean:n(l.mean),half:n(l.half)}))}}
if(e.includes("y")){let o=t.bands.filter(n=>n.mean.some((l,s)=>l!=null&&l<=0&&t.x[s]>0)).length;o>0&&(t={...t,note:`${t.
note}; values of 0 and below, which ${P(o,"curve")} ${o===1?"has":"have"}, have no place on a logarithmic axis`})}return t}
function ee(t){let e=t.box.querySelector('[data-chart="regret"]'),o=new j(e,"zoom"),n=Qt(t,t.box.querySelector('[data-le\
gend="values"]'),i=>o.focus(i)),l=t.box.querySelector('[data-section="regret"] form'),s=()=>{let i=v(l),r={xLabel:t.xLabel,
burnIn:t.axes.burnIn,...Ce(t,i)};i.x==="pulls"&&(r=Ie(t,r)),i.x==="steps"&&(r=Ae(t,r,i.log.includes("x"))),r=qe(r,i.log);
let a=N.metrics.find(h=>h.name===i.metric).nonNegative?0:-1/0;e.querySelector("h3").textContent=r.title,e.querySelector(
"figcaption p").textContent=r.note;let c=h=>{h??=r.x.length-1,n(r.at(h)[0].toUpperCase()+r.at(h).slice(1),r.bands.map(u=>[
u.mean[h],u.half?.[h]]))},d=i.bands==="shown";o.show({x:r.x,at:r.at,label:r.title,note:r.note,xLabel:r.xLabel,height:innerWidth<
860?360:Math.min(Math.max(420,30*t.policies.length),600),format:k,cursor:c,logX:i.log.includes("x"),log:i.log.includes("\
y"),burnIn:i.from==="all"?r.burnIn:0,columns:{x:i.x==="rounds"?"round":i.x==="pulls"?"pull":"gradient_step"},lines:r.bands.
map((h,u)=>({name:t.policies[u].label,values:h.mean,half:h.half,colour:B(t.policies[u].style),dash:U(t.policies[u].style),
hidden:M.has(t.policies[u].label),low:d&&h.half?h.half.map((f,g)=>f==null?null:Math.max(h.mean[g]-f,a)):void 0,high:d&&h.
half?h.half.map((f,g)=>f==null?null:h.mean[g]+f):void 0}))}),c(null)};W.push(()=>t.policies.forEach((i,r)=>o.hide(r,M.has(
i.label)))),l.addEventListener("change",i=>{["x","log","from","form"].includes(i.target.name)&&q("zoom"),s()}),s()}function oe(t){let e=t.box.querySelector('[data-section="mistakes"]'),o=e.querySelector("form"),n=Array.from(e.querySelectorAll(
'[data-chart="wrong"]'),s=>new j(s));Yt(t,e.querySelector('[data-legend="plain"]'),s=>n.forEach(i=>i.focus(s)));let l=()=>{
let s=v(o).wrong;n.forEach((i,r)=>i.show(Pe(t,r,s,i.figure.querySelector(".readout"))))};W.push(()=>t.policies.forEach((s,i)=>n.
forEach(r=>r.hide(i,M.has(s.label))))),o.addEventListener("change",l),l()}var je=8,Te=24;function Fe(t,e){let o=e>je?Math.
max(Math.floor(t.length/Te),1):1,n=Array.from({length:Math.ceil(t.length/o)},(r,a)=>t.slice(a*o,(a+1)*o)),l=r=>r.last-r.
first+1,s=n.map(r=>{let[a,c]=[r[0].first,r.at(-1).last];return{first:a,last:c,middle:(a+c)/2,name:a===c?r[0].name:`round\
s ${b(a)} to ${b(c)}`}});return[s,r=>s.map((a,c)=>n[c].reduce((d,h,u)=>d+r[c*o+u]*l(h),0)/l(a))]}function Pe(t,e,o,n){let l=$t(
t,o),[s,i]=Fe(l,t.policies.length),r=t.policies.map(c=>({name:c.label,values:i(c.mistakes[e].slice(-l.length)),colour:B(
c.style),dash:U(c.style),width:1.5,hidden:M.has(c.label)})),a=c=>{let d=r.filter(u=>!u.hidden).sort((u,f)=>f.values[c]-u.
values[c]),h=d.length>I?` and ${d.length-I} with fewer`:"";return d.slice(0,I).map(u=>`${u.name} ${k(u.values[c])}`).join(
", ")+h};return{x:s.map(c=>c.middle),at:c=>s[c].name,xLabel:t.xLabel,height:260,burnIn:o==="all"?t.axes.burnIn:0,sync:"m\
istakes"+t.name,label:`${t.armNames[e]}, wrongly: times a round`,format:k,lines:r,cursor:c=>n.textContent=c==null?"Lines\
: means over seeds.":`${s[c].name}: ${a(c)}`}}function ne(t){let e=t.box.querySelector('[data-section="sampler"]'),o=e.querySelector("form"),n=u=>e.querySelector(`[da\
ta-chart="${u}"]`),l=t.series,s=["energy","arms","multiplier","ess","heat","theta",...l.map(u=>u.key)],i=Object.fromEntries(
s.map(u=>[u,new j(n(u))])),r=u=>n(u).querySelector(".readout"),c={x:t.windowList.map(u=>u.middle),at:u=>t.windowList[u].
name,xLabel:t.xLabel,height:240,burnIn:t.axes.burnIn,sync:"sampler"+t.name},d=(u,f,g,E)=>g&&{...c,label:f,format:k,lines:[
{name:"mean",values:g.mean,low:g.low,high:g.high,colour:"--accent"}],cursor:$=>r(u).textContent=$==null||g.mean[$]==null?
"Line: mean; band: lowest to highest.":`${t.windowList[$].name}: ${k(g.mean[$])}, from ${k(g.low[$])} to ${k(g.high[$])}`,
...E},h=()=>{let u=t.policies.find(({label:y})=>y===v(o).policy),f=u.sampler,g=u.seeds===1?"1 seed":`${u.seeds} seeds`,E=`\
over ${g}, by ${t.windowWords}.`;e.querySelector('[data-sampler="note"]').textContent=f?`${u.label}, ${E} ${g==="1 seed"?
"It has":"Each has"} ${P(f.chains,"chain")}.`+(f.notFinite?` ${P(f.notFinite,"value")} were not finite and are left out.`:
""):`${u.label}, ${E} `+(u.steps?"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim e\
xport' leave them out.":"These files have no diagnostics of a sampler: it has none, or an archive left them out.");let $=f?.
energy;i.energy.show(d("energy","Energy",$,{log:$?.low.every(y=>y==null||y>0)})),i.multiplier.show(d("multiplier","Conto\
ur multiplier",f?.multiplier)),i.ess.show(d("ess","Effective sample size",f?.ess,{range:f&&[0,f.chains*1.05]})),i.arms.show(
Be(t,u,c,r("arms"))),i.theta.show(null),i.heat.show(f?.theta?_t(t,f.theta,r("heat"),i.theta):null);for(let y of l)i[y.key].
show(d(y.key,y.title,f?.series?.find(X=>X.name===y.title)?.spread));for(let y of s)i[y].spec?.cursor?.(null)};o.addEventListener(
"change",h),h()}function Be(t,e,o,n){let l=o.x.map(()=>0),s=e.arms.map((r,a)=>(l=l.map((c,d)=>c+r[d]),{name:t.armNames[a],
values:l,shown:r,colour:B(a+2),fill:.35,over:a>0?a-1:null})),i=r=>s.map(a=>`${a.name} ${rt(a.shown[r])}`).join(", ");return{
...o,label:"Arms: share of the pulls, stacked",format:rt,range:[0,1],tick:r=>Math.round(100*r)+" %",lines:s,cursor:r=>n.
textContent=r==null?"From below: "+s.map(a=>a.name).join(", "):`${t.windowList[r].name}: ${i(r)}`}}O.classList.add("scripted");var re=Array.from(document.querySelectorAll("[data-environment]")),vt=new Set;function se(t){
if(vt.has(t))return;vt.add(t);let e={...N.environments[t],box:re[t]};te(e);for(let o of e.box.querySelectorAll("form"))Q(
o);for(let o of e.box.querySelectorAll("form[data-choose]"))bt(o,o.parentElement);e.compared&&Kt(e),e.policies.length!==
0&&(ee(e),ne(e),oe(e))}function Oe(){let t=document.getElementById("environments");if(!t)return se(0);Q(t);let e=()=>{let o=v(
t).environment;re.forEach((n,l)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(vt.has(l))for(let s of n.querySelectorAll(
"form"))for(let i of xt(s))i.dispatchEvent(new Event("change",{bubbles:!0}));se(l);for(let s of document.querySelectorAll(
"nav a")){let i=s.hash.slice(1).replace(/-\d+$/,"");s.setAttribute("href",`#${i}${l>0?`-${l+1}`:""}`)}}})};t.addEventListener(
"change",e),e()}for(let t of document.querySelectorAll("#across form"))Q(t),bt(t,t.parentElement);Oe();Ot();Gt();})();
