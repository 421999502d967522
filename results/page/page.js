// Made by go generate ./results/page. SHA-256 of js/*.js: fbc198390b23b002ee7d60412b2f6bd73bf23b30eb71dbd5a815aee5a1b35036
"use strict";
(()=>{var y=JSON.parse(document.getElementById("data").textContent);function m(t,e={},...o){let n=document.createElement(t);for(let[i,r]of Object.entries(e))i in n?n[i]=r:n.setAttribute(i,
r);return n.append(...o),n}function k(t){let e={};for(let o of t.elements)o.type==="checkbox"?(e[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(e[o.name]=o.value);return e}function F(t,e,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",t);for(let[i,r]of Object.entries(e))n.setAttribute(i,r);return n.append(...o),
n}var K=({style:t})=>F("svg",{class:`swatch c${t%y.colors} d${t%y.dashes.length}`,"aria-hidden":"true"},F("path",{d:"M0 \
4h24"})),O=t=>`--c${t%y.colors}`,U=t=>y.dashes[t%y.dashes.length];function It(t,e,o){let n=(i,r)=>m("tr",{},...r.map((l,s)=>i===
"th"||s===0?m("th",{scope:i==="th"?"col":"row"},l):m("td",{},l)));return m("table",{},m("caption",{},t),m("thead",{},n("\
th",e)),m("tbody",{},...o.map(i=>n("td",i))))}var At=t=>document.getElementById("say").textContent=t;function zt(t,e){let o=Math.abs(t).toFixed(e);return Math.abs(t)*2**(e+1)%2===1&&o.at(-1)%2===1?o.slice(0,-1)+(o.at(-1)-
1):o}function z(t,e){if(t==null||!Number.isFinite(t))return"–";let o=Math.abs(t);if(o>=1e15||o!==0&&o<1e-9)return(t<0?
"−":"")+Number(o.toPrecision(4)).toExponential();let n=zt(t,e);if(Number(n)===0)return"0";let[i,...r]=n.split("."),l=[];
for(let s=i.length;s>0;s-=3)l.unshift(i.slice(Math.max(s-3,0),s));return(t<0?"−":"")+[l.join(","),...r].join(".")}var G=t=>Number(
t.toExponential(9).split("e")[1]);function qt(t){let e=Math.abs(t);return!Number.isFinite(t)||e===0||e>=99.95?0:Math.min(
2-G(e),12)}var M=t=>z(t,t==null?0:qt(t));function jt(t,e){let o=Math.max(0,-G(e));return t===0?0 .toFixed(Math.min(o,9)):
z(t,o)}var ae=t=>t==null||!Number.isFinite(t)?"–":z(t,1)+" %",Tt=(t,e)=>e<=1e-12*Math.abs(t),Z=(t,e)=>e>0&&Number.isFinite(
e)&&!Tt(t,e)?Math.min(Math.max(1-G(e),0),12):qt(t);function H(t){return t==null||Number.isNaN(t)?"–":t<.001?"< 0.001":
t>.999?"1":zt(t,3)}var b=t=>z(t,0);function J(t,e,o=17){if(t==null||e==null||!Number.isFinite(e))return[M(t)];let n=Math.
min(Z(t,e),Math.max(o-1-G(t),0));return[z(t,n),"± "+z(Tt(t,e)?0:e,n)]}var P=(t,e)=>`${b(t)} ${e}${t===1?"":"s"}`,rt=t=>ae(
t==null?t:100*t);var B=document.documentElement,at=new Set,it=document.body.appendChild(document.createElement("span"));it.hidden=!0;var Y=new Map,
R=!1;function lt(t){return Y.has(t)||(it.style.color=`var(${t})`,Y.set(t,getComputedStyle(it).color.match(/[\d.]+/g).slice(
0,3).map(Number))),Y.get(t)}var x=(t,e=1)=>`rgb(${lt(t).join(" ")} / ${e})`;function Pt(t,e,o){let n=lt(e);return`rgb(${lt(
t).map((i,r)=>Math.round(i+(n[r]-i)*o)).join(" ")})`}var Ot=matchMedia("(prefers-color-scheme: dark)"),Ft=()=>B.dataset.
theme?B.dataset.theme==="dark":Ot.matches;function Bt(){let t=document.getElementById("theme"),e=()=>{t.textContent=Ft()?
"Light":"Dark",t.setAttribute("aria-label",`${t.textContent} colors`),Y=new Map;for(let n of at)n.draw()};t.addEventListener(
"click",()=>{B.dataset.theme=Ft()?"light":"dark",e()}),Ot.addEventListener("change",e);let o=n=>{R=n,B.classList.toggle(
"printing",n),e()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),e()}var ct=1e-6;function ce(t){let e=Math.min(Math.max(1-Math.log10(Math.max(t,ct))/Math.log10(ct),0),1);return Pt("--paper",
"--heat",e)}function he(t){if(t.length===1)return[t[0]-.5,t[0]+.5];let e=t.slice(1).map((o,n)=>(o+t[n])/2);return[2*t[0]-
e[0],...e,2*t[t.length-1]-e[e.length-1]]}function ue(t,e,o){let n=he(e.rounds).map(l=>Math.round(t.valToPos(l,"x",!0))),
i=e.values[0].length,r=Array.from({length:i+1},(l,s)=>Math.round(t.valToPos(s+.5,"y",!0)));e.values.forEach((l,s)=>l.forEach(
(c,a)=>{o(n[s],r[a+1],n[s+1]-n[s]+1,r[a]-r[a+1]+1,ce(c))}))}function Rt(t,e){let{left:o,top:n,width:i,height:r}=t.bbox;t.
ctx.save(),t.ctx.beginPath(),t.ctx.rect(o,n,i,r),t.ctx.clip(),e(t,(l,s,c,a,d)=>{t.ctx.fillStyle=d,t.ctx.fillRect(l,s,c,a)}),
t.ctx.restore()}function _t(t,e,o,n){let i=e.values[0].length,r=Array.from({length:i},(d,h)=>h+1),l=e.values.map(d=>1+d.
indexOf(Math.max(...d))),s=d=>{let h=e.values[d];return{x:r,at:u=>`bin ${u+1}`,label:`θ in round ${b(e.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:M,log:!0,lines:[{name:"θ",values:h.map(u=>u>=ct?u:null),shown:h,color:"--accent",fill:0}],
title:`θ in round ${b(e.rounds[d])}`}},c=d=>{let h=s(d);n.figure.querySelector("h3").textContent=h.title,n.show(h)},a=e.
rounds.length-1;return c(a),{x:e.rounds,at:d=>`round ${b(e.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:t.xLabel,height:240,format:M,lines:[{name:"heaviest bin",values:l,color:"--alert",width:1.25}],range:[.5,
i+.5],under:(d,h)=>ue(d,e,h),sync:null,cursor:(d,h)=>{let u=d??e.rounds.length-1;u!==a&&c(a=u);let f=d==null?null:Math.round(
h.posToVal(h.cursor.top,"y")),g=f>=1&&f<=i?e.values[u][f-1]:null;o.textContent=g==null?"The line is the bin of the large\
st share.":`Round ${b(e.rounds[u])}, bin ${f}: ${M(g)}`}}}function _(t,e){let o=1;for(let n=0;n<e;n++)o+=t.lines[n].low?3:1;return t.lines[e].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var ht=(t,e)=>t.lines.find((o,n)=>_(t,n).mean===e);function ut(t,e){let{values:o,low:n,high:i}=t.
lines[e];if(!t.log)return{values:o,low:n,high:i};let r=l=>l?.map((s,c)=>o[c]>0?Math.max(s,o[c]/1e6):null);return{values:r(
o),low:r(n),high:r(i)}}function Vt(t){let e=[t.x];return t.lines.forEach((o,n)=>{let{values:i,low:r,high:l}=ut(t,n);e.push(
...r?[l,r,i]:[i])}),e}function Wt(t){let e=t.spec,o=R?2:1,n=[{}],i=[];return e.lines.forEach((r,l)=>{let s=_(e,l),c={show:!r.
hidden,points:{show:!1},spanGaps:!1};r.low&&(n.push({...c},{...c,auto:!e.log}),i.push({series:[s.high,s.low],fill:x(r.color,
e.lines.length>3?.12:.18)})),r.over!=null&&i.push({series:[s.mean,_(e,r.over).mean],fill:x(r.color,r.fill)}),n.push({...c,
stroke:x(r.color),width:(r.width??1.75)*o,dash:(r.dash??[]).map(a=>a*o),fill:r.fill&&r.over==null?x(r.color,r.fill):void 0,
points:{show:e.x.length<3,size:5*o,fill:x(r.color)}})}),{width:t.plot.clientWidth*o,height:e.height*o,series:n,bands:i,padding:[
20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:e.logX?3:1,range:(r,l,s)=>fe(e,l,s)},y:{distr:e.log?
3:1,range:(r,l,s)=>me(t,l,s)}},focus:{alpha:.15},axes:de(e,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(r,l)=>ht(
e,l)&&m("div"),size:8,width:2,fill:x("--paper"),stroke:(r,l)=>ht(e,l)&&x(ht(e,l).color)},...e.sync&&{sync:{key:e.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[r=>e.under&&Rt(r,e.under)],drawSeries:[],draw:[r=>ge(r,e,o)],setCursor:[r=>e.cursor?.(
r.cursor.idx??null,r)],setScale:[(r,l)=>l==="x"&&t.u===r&&t.showZoom()]}}}function de(t,e){let o=`${12*e}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!t.under,stroke:x("--rule"),width:e},i={stroke:x("--faded"),font:o,labelFont:o,gap:6*
e,grid:n,ticks:{show:!1},border:{show:!1},filter:(c,a)=>a},r=(c,a,d,h)=>Q(d,h,a===0?t.logX:t.log,(a===0?c.bbox.width:c.bbox.
height)/devicePixelRatio/e,a===0?80:40),l={...i,splits:r,label:t.xLabel,labelSize:20*e,size:30*e,values:(c,a)=>a.map(dt)},
s={...i,splits:r,size:pe,values:(c,a)=>pt(t,a,c.scales.y)};return[l,s]}var dt=t=>Number.isInteger(t)?b(t):"",Dt=(t,e,o)=>o&&
e/t>=10;function pt(t,e,{min:o,max:n}){if(t.tick)return e.map(t.tick);let i=Math.min(...e.slice(1).map((r,l)=>r-e[l]));return e.
map(r=>jt(r,Dt(o,n,t.log)||!Number.isFinite(i)?Math.abs(r)||1:i))}function Q(t,e,o,n,i){let r=Math.max(Math.floor(n/i),2),
l=[];if(Dt(t,e,o)){let d=Math.log10(e/t),h=Math.ceil(d/r),u=d*3<=r?[1,2,5]:[1];for(let f=Math.floor(Math.log10(t));f<=Math.
log10(e);f++)if(f%h===0)for(let g of u){let S=+`${g}e${f}`;S>=t*.999&&S<=e*1.001&&l.push(S)}return l}let s=(e-t)/r,c=10**
Math.floor(Math.log10(s)),a=[1,2,5,10].map(d=>d*c).find(d=>d>=s*.999);for(let d=Math.ceil(t/a-1e-9);d*a<=e+a*1e-9;d++)l.
push(Number((d*a).toPrecision(12)));return l}function pe(t,e,o){let n=(e??[]).reduce((r,l)=>l.length>r.length?l:r,"");t.
ctx.save(),t.ctx.font=t.axes[o].font[0];let i=t.ctx.measureText(n).width/devicePixelRatio;return t.ctx.restore(),Math.ceil(
i)+t.axes[o].gap+4}function fe(t,e,o){return e==null?t.logX?[1,10]:[0,1]:e===o?t.logX?[e/2,o*2]:[e-.5,o+.5]:[e,o]}function me(t,e,o){
let{spec:n}=t;if(e==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[e/1.15,o*1.15];t.zoomed||([
e,o]=[Math.min(e,0),Math.max(o,0)]),e===o&&(o=e+1);let i=(o-e)/30;return[e<0||t.zoomed&&e>i?e-i:e,o+i]}function ge(t,e,o){
if(!e.burnIn||e.burnIn<=t.scales.x.min||e.burnIn>=t.scales.x.max)return;let n=Math.round(t.valToPos(e.burnIn,"x",!0)),{top:i,
height:r,left:l,width:s}=t.bbox,c=devicePixelRatio*o;t.ctx.save(),t.ctx.strokeStyle=t.ctx.fillStyle=x("--faded"),t.ctx.lineWidth=
c,t.ctx.setLineDash([2*c,3*c]),t.ctx.beginPath(),t.ctx.moveTo(n,i),t.ctx.lineTo(n,i+r),t.ctx.stroke(),t.ctx.font=`${11*c}\
px ${getComputedStyle(document.body).fontFamily}`;let a=n>l+.7*s;t.ctx.textAlign=a?"right":"left",t.ctx.fillText("burn-i\
n ends",n+(a?-5:5)*c,i-6*c),t.ctx.restore()}function Ht(t){let e=(o,n,i)=>{let r=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return r.addEventListener(
"click",i),r};return m("div",{className:"save",role:"group","aria-label":"Save"},e("SVG","the figure as SVG",()=>ft(t,"s\
vg",new Blob([Xt(t)],{type:"image/svg+xml"}))),e("PNG","the figure as PNG",()=>ve(t).then(o=>ft(t,"png",o))),e("CSV","th\
e numbers as CSV",()=>ft(t,"csv",new Blob([we(t.spec)],{type:"text/csv"}))))}function ft(t,e,o){let n=t.figure.closest("\
[data-environment]").dataset.environment;mt([n,t.figure.querySelector("h3").textContent],e,o)}function mt(t,e,o){let n=[
document.querySelector("h1").textContent,...t].filter(r=>r).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),i=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${e}`});i.click(),setTimeout(()=>URL.revokeObjectURL(i.href),1e3)}function xe(t){
if(t==null)return"";if(typeof t=="number")return Number.isFinite(t)?String(t):"";let e=/^[=+\-@\t\r']/.test(t)?`'${t}`:t;
return/[",\n\r]/.test(e)?`"${e.replaceAll('"','""')}"`:e}var gt=t=>t.map(e=>e.map(xe).join(",")).join(`
`)+`
`;function we(t){let e=[["line",t.columns?.x??"round","value","low","high","digits"]];for(let o of t.lines){if(o.hidden)
continue;let n=(l,s)=>c=>o.half?be(o.values[c]+l*o.half[c]):s?.[c],[i,r]=[n(-1,o.low),n(1,o.high)];t.x.forEach((l,s)=>o.
values[s]!=null&&e.push([o.name,l,(o.shown??o.values)[s],i(s),r(s),y.digits]))}return gt(e)}var be=t=>Number(t.toPrecision(
y.digits)),ye=t=>t.replace(/[&<>"]/g,e=>`&#${e.charCodeAt(0)};`);function $e(t,e){let o=[""];for(let n of t.split(" "))o.
at(-1)&&o.at(-1).length+n.length>=e&&o.push(""),o[o.length-1]+=(o.at(-1)&&" ")+n;return o}function Xt(t){let{spec:e,u:o}=t,
n=devicePixelRatio,[i,r,l,s]=[o.bbox.left,o.bbox.top,o.bbox.width,o.bbox.height].map(p=>p/n),c=$e(t.figure.querySelector(
"figcaption p").textContent,(i+l)/6),a=20+14*c.length,d=18,h=p=>Math.round(p*100)/100,u=p=>h(i+o.valToPos(p,"x")),f=p=>h(
r+a+o.valToPos(p,"y")),g=e.lines.map((p,w)=>({...p,...ut(e,w)})).filter(p=>!p.hidden&&p.values.some(w=>w!=null)),S=g.filter(
p=>p.name),$=h(i+l+26),v=Math.max(Math.floor($/210),1),X=r+a+s+56,et=Math.ceil(X+Math.ceil(S.length/v)*d+6),T=(p,w,N,L="")=>`\
<text x="${h(p)}" y="${h(w)}" ${L}>${ye(N)}</text>`,A=[`<svg xmlns="http://www.w3.org/2000/svg" width="${$}" height="${et}\
" viewBox="0 0 ${$} ${et}" font-family="Liberation Sans, Arial, sans-serif" font-size="12" fill="${x("--faded")}">`,`<re\
ct width="${$}" height="${et}" fill="${x("--paper")}"/>`,T(8,20,t.figure.querySelector("h3").textContent,`font-size="15"\
 font-weight="bold" fill="${x("--ink")}"`),...c.map((p,w)=>T(8,36+14*w,p)),`<clipPath id="area"><rect x="${h(i)}" y="${h(
r+a)}" width="${h(l)}" height="${h(s)}"/></clipPath>`],{min:kt,max:Mt}=o.scales.x,{min:St,max:ie}=o.scales.y,Lt=e.under?
"none":x("--rule");for(let p of Q(kt,Mt,e.logX,l,80))A.push(`<path d="M${u(p)} ${h(r+a)}v${h(s)}" stroke="${Lt}"/>`,T(u(
p),r+a+s+18,dt(p),'text-anchor="middle"'));let Et=Q(St,ie,e.log,s,40),le=pt(e,Et,o.scales.y);Et.forEach((p,w)=>{A.push(`\
<path d="M${h(i)} ${f(p)}h${h(l)}" stroke="${Lt}"/>`,T(i-6,f(p)+4,le[w],'text-anchor="end"'))}),A.push(T(i+l/2,r+a+s+38,
e.xLabel,'text-anchor="middle"'),'<g clip-path="url(#area)" fill="none">'),e.under?.(o,(p,w,N,L,ot)=>A.push(`<rect x="${h(
p/n)}" y="${h(w/n+a)}" width="${h(N/n)}" height="${h(L/n)}" fill="${ot}"/>`));for(let p of g){let w=(N,L,ot)=>{let nt=e.
x.map((D,st)=>st).filter(D=>N[D]!=null&&L[D]!=null),Nt=(D,st)=>st.map(Ct=>`${u(e.x[Ct])} ${f(D[Ct])}`).join("L");nt.length>
1&&A.push(`<path d="M${Nt(N,nt)}L${Nt(L,nt.toReversed())}Z" fill="${x(p.color)}" fill-opacity="${ot}"/>`)};p.low&&w(p.high,
p.low,e.lines.length>3?.12:.18),p.fill&&w(p.values,p.over!=null?e.lines[p.over].values:e.x.map(()=>e.log?St:0),p.fill)}for(let p of g){
let w="";p.values.forEach((N,L)=>w+=N==null?"":`${L>0&&p.values[L-1]!=null?"L":"M"}${u(e.x[L])} ${f(N)}`),A.push(`<path \
d="${w}" stroke="${x(p.color)}" stroke-width="${p.width??1.75}" stroke-dasharray="${(p.dash??[]).join(" ")}"/>`)}if(A.push(
"</g>"),e.burnIn>kt&&e.burnIn<Mt){let p=o.valToPos(e.burnIn,"x")>.7*l;A.push(`<path d="M${u(e.burnIn)} ${h(r+a)}v${h(s)}\
" stroke="${x("--faded")}" stroke-dasharray="2 3"/>`,T(u(e.burnIn)+(p?-5:5),r+a-6,"burn-in ends",`font-size="11" text-an\
chor="${p?"end":"start"}"`))}return S.forEach((p,w)=>{let[N,L]=[8+w%v*(($-16)/v),X+Math.floor(w/v)*d];A.push(`<path d="M${h(
N)} ${h(L-4)}h24" stroke="${x(p.color)}" stroke-width="2.5" stroke-dasharray="${(p.dash??[]).join(" ")}"/>`,T(N+30,L,p.name.
length>28?p.name.slice(0,27)+"…":p.name,`fill="${x("--ink")}"`))}),A.join(`
`)+`
</svg>
`}async function ve(t){let e=new Image;e.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(Xt(t)),await e.decode();
let o=m("canvas",{width:2*e.width,height:2*e.height});return o.getContext("2d").drawImage(e,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function ke(t,e,o){let n=[];t.policies.forEach((l,s)=>{if(s===o.policy)return;let[c,a]=[o.mean[s]??NaN,o.halfInterval[s]??
NaN];n.push({policy:l,cells:e[s],other:o.cells?.[s],n:o.seeds[s],mean:c,low:c-a,high:c+a,needed:o.needed[s],p:o.p[s],signFlip:o.
signFlip[s],holm:o.holm[s],signFlipHolm:o.signFlipHolm[s],mark:o.marks[s].trim()})});let i=l=>Number.isNaN(l.mean);n.sort(
(l,s)=>i(l)-i(s)||(i(l)?0:l.mean-s.mean));let r=o.policy;return{policy:t.policies[r],cells:e[r],other:o.cells?.[r],caption:o.
caption,notes:o.notes,differences:n}}function Me(t,e){let o=t.differences.flatMap(s=>[s.low,s.mean,s.high]).filter(s=>!Number.
isNaN(s)),[n,i]=[Math.min(0,...o),Math.max(0,...o)];if(n===i||Number.isNaN(e.mean))return"";let r=s=>Math.round(10*(6+148*
(s-n)/(i-n)))/10,l=F("svg",{class:"interval",viewBox:"0 0 160 16","aria-hidden":"true"},F("path",{class:"zero",d:`M${r(0)}\
 0v16`}));return e.n>1&&l.append(F("path",{d:`M${r(e.low)} 8H${r(e.high)}M${r(e.low)} 4v8M${r(e.high)} 4v8`})),l.append(
F("circle",{cx:r(e.mean),cy:8,r:3.5})),l}var Se={seeds:t=>String(t.n),difference:t=>z(t.mean,Z(t.mean,(t.high-t.low)/2)),
interval:t=>{let e=Z(t.mean,(t.high-t.low)/2);return Number.isNaN(t.low)?"–":`[${z(t.low,e)}, ${z(t.high,e)}]`},p:t=>H(
t.p),signFlip:t=>H(t.signFlip),holm:t=>H(t.holm),signFlipHolm:t=>H(t.signFlipHolm),mark:t=>t.mark,needed:t=>t.n<2?"–":
t.needed===0?"~":b(t.needed)},Le={difference:"baseline",mark:""};function Ee(t,{policy:e,cells:o,other:n},i){let r=o.values(),
l=(n??[]).values();return t.map(s=>s==="policy"?e.label:s==="own"?r.next().value:s==="other"?l.next().value:i?Se[s](i):Le[s]??
"–")}function Ne(t,{columns:e,texts:o},n){let i=t.querySelector("thead tr").childElementCount>e.length,r=(s,c)=>{let[a,
...d]=Ee(e,s,c),h=i?[m("td",{},c?Me(n,c):"")]:[];return m("tr",{},m("th",{scope:"row"},...s.policy.style>=0?[K(s.policy)]:
[],a),...h,...d.map(u=>m("td",{},u)))};t.querySelector("tbody").replaceChildren(r(n),...n.differences.map(s=>r(s,s))),t.
querySelector(".caption").replaceChildren(...n.caption.flatMap(s=>[m("span",{},o[s])," "]));let l=n.notes.map(s=>m("li",
{className:o[s].startsWith("warning: ")?"warning":""},o[s]));t.querySelector(".notes")?.remove(),l.length>0&&t.append(m(
"ul",{className:"notes"},...l))}function Ce(t,e){let o=n=>Number(n.toPrecision(9));return gt([["policy","baseline","metr\
ic","seeds","difference","low","high","p","p_holm","sign_flip_p","sign_flip_p_holm","seeds_needed"],...e.differences.map(
n=>[n.policy.label,e.policy.label,t,n.n,n.mean,o(n.low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,n.needed||null])])}
function Kt({box:t,name:e,compared:o}){let n=t.querySelector('[data-section="comparison"]'),i=n.querySelector("form"),r=Array.
from(n.querySelectorAll("[data-compared]")),l=r.map(d=>Array.from(d.childNodes,h=>h.cloneNode(!0))),s=(d,h)=>{let{cells:u,
picked:f,baselines:g}=o.metrics[d],S=o.policies.findIndex($=>$.label===h);return ke(o,u,S<0?f:g[S])},c=()=>{let{baseline:d}=k(
i);r.forEach((h,u)=>{h.replaceChildren(...l[u].map(g=>g.cloneNode(!0)));let f=s(h.dataset.compared,d);f.caption&&Ne(h,o,
f)})};i.addEventListener("change",c),c();let a=m("button",{type:"button"},"CSV");a.setAttribute("aria-label","Save the d\
ifferences as CSV"),a.addEventListener("click",()=>{let{compared:d,baseline:h}=k(i),u=s(d,h);mt([e,d,"differences to",u.
policy.label],"csv",new Blob([Ce(d,u)],{type:"text/csv"}))}),i.append(a)}function Ut(t){let e=t.u,o=new Map,n=null,i=s=>s.clientX-e.over.getBoundingClientRect().left,r=()=>[...o.values()].sort(
(s,c)=>s-c);e.over.addEventListener("pointerdown",s=>{s.pointerType==="touch"&&(o.set(s.pointerId,i(s)),o.size===2&&(n=r().
map(c=>e.posToVal(c,"x"))))}),e.over.addEventListener("pointermove",s=>{if(!o.has(s.pointerId))return;if(o.set(s.pointerId,
i(s)),o.size===1)return e.setCursor({left:i(s),top:1});let[c,a]=r();if(a-c<20||!n)return;let d=(n[1]-n[0])/(a-c),h=n[0]-
c*d;t.between(h,h+e.over.clientWidth*d)});let l=s=>{o.delete(s.pointerId),n=null};e.over.addEventListener("pointerup",l),
e.over.addEventListener("pointercancel",l)}var xt=new Map,C=new URLSearchParams(location.hash.split("?")[1]??""),V=location.hash.slice(1).split("?")[0];function q(t,...e){
C.delete(t);for(let n of e)C.append(t,n);let o=C.size>0?`#${V}?${C}`:V&&`#${V}`;history.replaceState(null,"",o||location.
pathname+location.search)}function wt(t){let e=new Set;for(let[o,n]of Object.entries(xt.get(t))){let i=C.has(o)?C.getAll(
o):[n].flat(),r=Array.from(t.elements).filter(l=>l.name===o&&!l.disabled);if(!(r[0]?.type==="radio"&&!r.some(l=>i.includes(
l.value))))for(let l of r){let s=[l.checked,l.value].join();l.type==="checkbox"||l.type==="radio"?l.checked=i.includes(l.
value):l.value=Array.from(l.options).some(c=>c.value===i[0])?i[0]:n,s!==[l.checked,l.value].join()&&e.add(l)}}return e}function tt(t){
xt.set(t,k(t)),wt(t),t.addEventListener("submit",e=>e.preventDefault()),t.addEventListener("change",({target:{name:e}})=>{
let o=k(t)[e];q(e,...String(o)===String(xt.get(t)[e])?[]:[o].flat())})}function Gt(){addEventListener("hashchange",()=>{
let[t,e]=location.hash.slice(1).split("?");if(e!=null&&e!==String(C))return location.reload();V=t,q("")}),V&&location.hash.
includes("?")&&document.getElementById(V)?.scrollIntoView({behavior:"instant"})}function bt(t,e){let o=()=>{let n=Object.
values(k(t))[0];for(let i of e.querySelectorAll(t.dataset.choose))i.hidden=Object.values(i.dataset)[0]!==n};t.addEventListener(
"change",o),o()}var j=class{constructor(e,o){this.figure=e,this.zoomKey=o,this.plot=e.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
setAttribute("role","application"),this.plot.setAttribute("aria-roledescription","chart"),this.plot.addEventListener("ke\
ydown",i=>this.key(i)),this.numbers=e.querySelector(".numbers"),this.numbers.addEventListener("toggle",()=>this.fillNumbers());
let n=(i,r,l)=>{let s=m("button",{type:"button","aria-label":r,title:r},i);return s.addEventListener("click",l),s};this.
all=n("All","See all rounds",()=>this.reset()),this.buttons=m("div",{className:"zoom",role:"group","aria-label":"Zoom"},
n("−","Zoom out",()=>this.zoom(2)),n("+","Zoom in",()=>this.zoom(.5)),this.all),e.querySelector("figcaption").append(this.
buttons),this.numbers.before(Ht(this)),new ResizeObserver(()=>this.resize()).observe(this.plot),at.add(this)}show(e){this.
spec=e,this.figure.hidden=!e,this.zoomed=null;let[o,n]=(C.get(this.zoomKey??"")??"").split("-").map(Number);e&&o<n&&(this.
zoomed={min:o,max:n}),this.draw(),this.fillNumbers()}draw(){if(this.u?.destroy(),this.u=null,!this.spec||!this.plot.clientWidth)
return;this.plot.setAttribute("aria-label",`${this.spec.label}. Arrow keys move, plus and minus zoom, Escape shows all.`);
let e=this.zoomed;this.width=this.plot.clientWidth,this.u=new uPlot(Wt(this),Vt(this.spec),this.plot),e&&this.u.setScale(
"x",e),R||Ut(this)}resize(){let e=this.plot.clientWidth;this.u?e&&e!==this.width&&(this.width=e,R?this.draw():this.u.setSize(
{width:e,height:this.spec.height})):this.draw()}focus(e){this.u&&this.u.setSeries(e==null?null:_(this.spec,e).mean,{focus:e!=
null})}hide(e,o){if(!this.spec||!!this.spec.lines[e].hidden===o)return;this.spec.lines[e].hidden=o;let n=_(this.spec,e);
if(this.u)for(let i of n.all)this.u.setSeries(i,{show:!o});this.fillNumbers()}ends(){let e=this.spec.x;return[e[0],e[e.length-
1]]}reset(){let[e,o]=this.ends();this.u.setScale("x",{min:e,max:o})}zoom(e){let{min:o,max:n}=this.u.scales.x,i=this.u.cursor.
idx,[r,l]=this.spec.logX?[Math.log,Math.exp]:[c=>c,c=>c],s=i==null?(r(o)+r(n))/2:r(this.spec.x[i]);this.between(l(s-(s-r(
o))*e),l(s+(r(n)-s)*e))}between(e,o){let[n,i]=this.ends();[e,o]=[Math.max(e,n),Math.min(o,i)],!(this.spec.x.filter(r=>r>=
e&&r<=o).length<3)&&this.u.setScale("x",{min:e,max:o})}showZoom(){let{min:e,max:o}=this.u.scales.x,[n,i]=this.ends(),r=!(e>
n||o<i);this.zoomed=r?null:{min:e,max:o},this.all.disabled=r,this.zoomKey&&q(this.zoomKey,...r?[]:[[e,o].map(l=>Number(l.
toPrecision(7))).join("-")])}move(e){e=Math.min(Math.max(e,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,i=this.
spec.x[e];(i<o||i>n)&&this.between(i-(n-o)/2,i+(n-o)/2),this.u.setCursor({left:this.u.valToPos(i,"x"),top:this.u.over.clientHeight/
2}),At(this.describe(e))}describe(e){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(e)}: ${o.map(
n=>`${n.name} ${this.cell(n,e)}`).join("; ")}`}cell(e,o){let n=this.spec.format;return e.half?J(e.values[o],e.half[o],y.
digits).join(" "):e.low?e.values[o]==null?"–":`${n(e.values[o])} (${n(e.low[o])} to ${n(e.high[o])})`:n((e.shown??e.values)[o])}key(e){
if(e.ctrlKey||e.metaKey||e.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=e.shiftKey?10:1,i={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};i[e.key]&&
(e.preventDefault(),i[e.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let e=this.spec.lines.filter(r=>!r.
hidden&&r.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),i=[];for(let r=(o-1)%n;r<o;r+=n)i.push([this.spec.at(
r),...e.map(l=>this.cell(l,r))]);this.numbers.querySelector(".scroll").replaceChildren(It(this.spec.label,["",...e.map(r=>r.
name)],i))}};var E=new Set(C.getAll("hide")),W=[];function Zt(t){E.clear();for(let e of t)E.add(e);q("hide",...E);for(let e of W)e()}
function Jt(t,e,o){let{label:n}=t.policies[e],i=m("button",{type:"button",className:"policy"},K(t.policies[e]),n);i.addEventListener(
"click",()=>Zt(E.has(n)?[...E].filter(l=>l!==n):[...E,n]));for(let[l,s]of[["mouseenter",e],["focus",e],["mouseleave",null],
["blur",null]])i.addEventListener(l,()=>o?.(s));let r=()=>i.setAttribute("aria-pressed",!E.has(n));return W.push(r),r(),
i}function Yt(t,e,o){e.append(...t.policies.map((n,i)=>Jt(t,i,o)))}var I=6;function Qt(t,e,o){let n=t.policies.map(()=>[
m("td"),m("td")]),i=m("caption");e.append(m("table",{},i,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(c=>m("th",{scope:"col"},c)))),m("tbody",{},...t.policies.map((c,a)=>m("tr",{},m("th",{scope:"r\
ow"},Jt(t,a,o)),...n[a])))));let r=t.policies.map(c=>c.label),l=(c,a)=>{let d=m("button",{type:"button"},c);return d.addEventListener(
"click",()=>Zt(a)),d},s=[l("Show all",[]),l("Hide all",r)];return r.length>I&&s.push(l(`Best ${I}`,r.slice(I))),r.length>
1&&e.append(m("div",{className:"all"},...s)),(c,a)=>{i.textContent=c,a.forEach(([d,h],u)=>{[n[u][0].textContent,n[u][1].
textContent=""]=d==null?["–"]:J(d,h,y.digits)})}}function te(t){let{windows:e,rounds:o,pulls:n}=t.axes;t.windowList=Array.from({length:e.n},(i,r)=>{let l=Math.max(r*e.width-
e.offset,0)+1,s=Math.min((r+1)*e.width-e.offset,o);return{first:l,last:s,middle:(l+s)/2,name:l===s?`round ${b(l)}`:`roun\
ds ${b(l)} to ${b(s)}`}}),t.windowWords=e.width===1?"round":`window of ${e.width} rounds`,t.xLabel=`Round of ${P(n,"pull")}`}
var $t=(t,e)=>t.windowList.filter(o=>e!=="after"||o.first>t.axes.burnIn);function Ie(t,{metric:e,form:o,from:n}){let{title:i}=y.
metrics.find(s=>s.name===e),r=t.policies.map(s=>s.regret[e]);if(o==="window"){let s=$t(t,n),c=a=>a?.slice(-s.length);return{
x:s.map(a=>a.middle),at:a=>s[a].name,bands:r.map(a=>({mean:c(a.window.mean),half:c(a.window.half)})),title:`${i} regret \
a round`,note:`in the mean over each ${t.windowWords}`}}let l=n==="after"?t.axes.after:t.axes.all;return{x:l,at:s=>`afte\
r round ${b(l[s])}`,bands:r.map(s=>n==="after"?s.after:s.all),title:`Cumulative ${e} regret`,note:n==="after"?`from roun\
d ${b(t.axes.burnIn+1)} on, when burn-in has ended`:"in units of reward"}}function Ae(t,e){let o=e.x.map(n=>n*t.axes.pulls);
return{...e,x:o,at:n=>`after pull ${b(o[n])}`,xLabel:"Pull",burnIn:t.axes.burnIn*t.axes.pulls}}var yt=400;function ze(t,e,o){
let n=t.policies.map(({steps:h})=>h&&e.x.map(u=>h.each*Math.max(u-h.before,0))),i=n.filter(h=>h!=null),r=i.map(h=>h.at(-1)),
l=Math.min(...i.map(h=>h.find(u=>u>0)??1/0)),s=Math.max(...r),c=Array.from({length:yt},(h,u)=>{let f=u/(yt-1);return o?l*
(s/l)**f:s*f});c[yt-1]=s;let a=t.policies.filter(h=>!h.steps).map(h=>h.label),d=(h,u)=>u&&c.map(f=>qe(h,u,f));return{...e,
x:c,at:h=>`after ${P(Math.round(c[h]),"gradient step")}`,xLabel:"Gradient step, of all chains",burnIn:0,note:e.note+(a.length>
0?`; not shown, as their gradient steps are none or unknown: ${a.slice(0,I).join(", ")}${a.length>I?` and ${a.length-I} \
more`:""}`:""),bands:e.bands.map((h,u)=>n[u]?{mean:d(n[u],h.mean),half:d(n[u],h.half)}:{mean:c.map(()=>null),half:null})}}
function qe(t,e,o){if(o>t.at(-1))return null;let n=0,i=t.length-1;for(;i-n>1;){let l=n+i>>1;t[l]<=o?n=l:i=l}let r=t[i]-t[n];
return r>0?e[n]+(e[i]-e[n])*(o-t[n])/r:e[i]}function je(t,e){if(e.includes("x")){let o=t.x.map((i,r)=>i>0?r:-1).filter(i=>i>=
0),n=i=>i&&o.map(r=>i[r]);t={...t,x:n(t.x),at:(i=>r=>i(o[r]))(t.at),bands:t.bands.map(i=>({mean:n(i.mean),half:n(i.half)}))}}
if(e.includes("y")){let o=t.bands.filter(n=>n.mean.some((i,r)=>i!=null&&i<=0&&t.x[r]>0)).length;o>0&&(t={...t,note:`${t.
note}; values of 0 and below, which ${P(o,"curve")} ${o===1?"has":"have"}, have no place on a logarithmic axis`})}return t}
function ee(t){let e=t.box.querySelector('[data-chart="regret"]'),o=new j(e,"zoom"),n=Qt(t,t.box.querySelector('[data-le\
gend="values"]'),l=>o.focus(l)),i=t.box.querySelector('[data-section="regret"] form'),r=()=>{let l=k(i),s={xLabel:t.xLabel,
burnIn:t.axes.burnIn,...Ie(t,l)};l.x==="pulls"&&(s=Ae(t,s)),l.x==="steps"&&(s=ze(t,s,l.log.includes("x"))),s=je(s,l.log);
let c=y.metrics.find(h=>h.name===l.metric).nonNegative?0:-1/0;e.querySelector("h3").textContent=s.title,e.querySelector(
"figcaption p").textContent=s.note;let a=h=>{h??=s.x.length-1,n(s.at(h)[0].toUpperCase()+s.at(h).slice(1),s.bands.map(u=>[
u.mean[h],u.half?.[h]]))},d=l.bands==="shown";o.show({x:s.x,at:s.at,label:s.title,note:s.note,xLabel:s.xLabel,height:innerWidth<
860?360:Math.min(Math.max(420,30*t.policies.length),600),format:M,cursor:a,logX:l.log.includes("x"),log:l.log.includes("\
y"),burnIn:l.from==="all"?s.burnIn:0,columns:{x:l.x==="rounds"?"round":l.x==="pulls"?"pull":"gradient_step"},lines:s.bands.
map((h,u)=>({name:t.policies[u].label,values:h.mean,half:h.half,color:O(t.policies[u].style),dash:U(t.policies[u].style),
hidden:E.has(t.policies[u].label),low:d&&h.half?h.half.map((f,g)=>f==null?null:Math.max(h.mean[g]-f,c)):void 0,high:d&&h.
half?h.half.map((f,g)=>f==null?null:h.mean[g]+f):void 0}))}),a(null)};W.push(()=>t.policies.forEach((l,s)=>o.hide(s,E.has(
l.label)))),i.addEventListener("change",l=>{["x","log","from","form"].includes(l.target.name)&&q("zoom"),r()}),r()}function oe(t){let e=t.box.querySelector('[data-section="mistakes"]'),o=e.querySelector("form"),n=Array.from(e.querySelectorAll(
'[data-chart="wrong"]'),r=>new j(r));Yt(t,e.querySelector('[data-legend="plain"]'),r=>n.forEach(l=>l.focus(r)));let i=()=>{
let r=k(o).wrong;n.forEach((l,s)=>l.show(Oe(t,s,r,l.figure.querySelector(".readout"))))};W.push(()=>t.policies.forEach((r,l)=>n.
forEach(s=>s.hide(l,E.has(r.label))))),o.addEventListener("change",i),i()}var Te=8,Fe=24;function Pe(t,e){let o=e>Te?Math.
max(Math.floor(t.length/Fe),1):1,n=Array.from({length:Math.ceil(t.length/o)},(s,c)=>t.slice(c*o,(c+1)*o)),i=s=>s.last-s.
first+1,r=n.map(s=>{let[c,a]=[s[0].first,s.at(-1).last];return{first:c,last:a,middle:(c+a)/2,name:c===a?s[0].name:`round\
s ${b(c)} to ${b(a)}`}});return[r,s=>r.map((c,a)=>n[a].reduce((d,h,u)=>d+s[a*o+u]*i(h),0)/i(c))]}function Oe(t,e,o,n){let i=$t(
t,o),[r,l]=Pe(i,t.policies.length),s=t.policies.map(a=>({name:a.label,values:l(a.mistakes[e].slice(-i.length)),color:O(a.
style),dash:U(a.style),width:1.5,hidden:E.has(a.label)})),c=a=>{let d=s.filter(u=>!u.hidden).sort((u,f)=>f.values[a]-u.values[a]),
h=d.length>I?` and ${d.length-I} with fewer`:"";return d.slice(0,I).map(u=>`${u.name} ${M(u.values[a])}`).join(", ")+h};
return{x:r.map(a=>a.middle),at:a=>r[a].name,xLabel:t.xLabel,height:260,burnIn:o==="all"?t.axes.burnIn:0,sync:"mistakes"+
t.name,label:`${t.armNames[e]}, wrongly: times a round`,format:M,lines:s,cursor:a=>n.textContent=a==null?"Lines: means o\
ver seeds.":`${r[a].name}: ${c(a)}`}}function ne(t){let e=t.box.querySelector('[data-section="sampler"]'),o=e.querySelector("form"),n=u=>e.querySelector(`[da\
ta-chart="${u}"]`),i=t.series,r=["energy","arms","multiplier","ess","heat","theta",...i.map(u=>u.key)],l=Object.fromEntries(
r.map(u=>[u,new j(n(u))])),s=u=>n(u).querySelector(".readout"),a={x:t.windowList.map(u=>u.middle),at:u=>t.windowList[u].
name,xLabel:t.xLabel,height:240,burnIn:t.axes.burnIn,sync:"sampler"+t.name},d=(u,f,g,S)=>g&&{...a,label:f,format:M,lines:[
{name:"mean",values:g.mean,low:g.low,high:g.high,color:"--accent"}],cursor:$=>s(u).textContent=$==null||g.mean[$]==null?
"Line: mean; band: lowest to highest.":`${t.windowList[$].name}: ${M(g.mean[$])}, from ${M(g.low[$])} to ${M(g.high[$])}`,
...S},h=()=>{let u=t.policies.find(({label:v})=>v===k(o).policy),f=u.sampler,g=u.seeds===1?"1 seed":`${u.seeds} seeds`,S=`\
over ${g}, by ${t.windowWords}.`;e.querySelector('[data-sampler="note"]').textContent=f?`${u.label}, ${S} ${g==="1 seed"?
"It has":"Each has"} ${P(f.chains,"chain")}.`+(f.notFinite?` ${P(f.notFinite,"value")} were not finite and are left out.`:
""):`${u.label}, ${S} `+(u.steps?"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim e\
xport' leave them out.":"These files have no diagnostics of a sampler: it has none, or an archive left them out.");let $=f?.
energy;l.energy.show(d("energy","Energy",$,{log:$?.low.every(v=>v==null||v>0)})),l.multiplier.show(d("multiplier","Conto\
ur multiplier",f?.multiplier)),l.ess.show(d("ess","Effective sample size",f?.ess,{range:f&&[0,f.chains*1.05]})),l.arms.show(
Be(t,u,a,s("arms"))),l.theta.show(null),l.heat.show(f?.theta?_t(t,f.theta,s("heat"),l.theta):null);for(let v of i)l[v.key].
show(d(v.key,v.title,f?.series?.find(X=>X.name===v.title)?.spread));for(let v of r)l[v].spec?.cursor?.(null)};o.addEventListener(
"change",h),h()}function Be(t,e,o,n){let i=o.x.map(()=>0),r=e.arms.map((s,c)=>(i=i.map((a,d)=>a+s[d]),{name:t.armNames[c],
values:i,shown:s,color:O(c+2),fill:.35,over:c>0?c-1:null})),l=s=>r.map(c=>`${c.name} ${rt(c.shown[s])}`).join(", ");return{
...o,label:"Arms: share of the pulls, stacked",format:rt,range:[0,1],tick:s=>Math.round(100*s)+" %",lines:r,cursor:s=>n.
textContent=s==null?"From below: "+r.map(c=>c.name).join(", "):`${t.windowList[s].name}: ${l(s)}`}}B.classList.add("scripted");var re=Array.from(document.querySelectorAll("[data-environment]")),vt=new Set;function se(t){
if(vt.has(t))return;vt.add(t);let e={...y.environments[t],box:re[t]};te(e);for(let o of e.box.querySelectorAll("form"))tt(
o);for(let o of e.box.querySelectorAll("form[data-choose]"))bt(o,o.parentElement);e.compared&&Kt(e),e.policies.length!==
0&&(ee(e),ne(e),oe(e))}function Re(){let t=document.getElementById("environments");if(!t)return se(0);tt(t);let e=()=>{let o=k(
t).environment;re.forEach((n,i)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(vt.has(i))for(let r of n.querySelectorAll(
"form"))for(let l of wt(r))l.dispatchEvent(new Event("change",{bubbles:!0}));se(i);for(let r of document.querySelectorAll(
"nav a")){let l=r.hash.slice(1).replace(/-\d+$/,"");r.setAttribute("href",`#${l}${i>0?`-${i+1}`:""}`)}}})};t.addEventListener(
"change",e),e()}for(let t of document.querySelectorAll("#across form"))tt(t),bt(t,t.parentElement);Re();Bt();Gt();})();
