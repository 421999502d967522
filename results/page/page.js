// Made by go generate ./results/page. SHA-256 of js/*.js: 0be93d957665a92578573108cbb0b7a1ffea1d43e183aa8eb9991ed4937deb1a
"use strict";
(()=>{var N=JSON.parse(document.getElementById("data").textContent);function m(t,e={},...o){let n=document.createElement(t);for(let[l,r]of Object.entries(e))l in n?n[l]=r:n.setAttribute(l,
r);return n.append(...o),n}function v(t){let e={};for(let o of t.elements)o.type==="checkbox"?(e[o.name]??=[]).push(...o.
checked?[o.value]:[]):o.name&&(o.type!=="radio"||o.checked)&&(e[o.name]=o.value);return e}function F(t,e,...o){let n=document.
createElementNS("http://www.w3.org/2000/svg",t);for(let[l,r]of Object.entries(e))n.setAttribute(l,r);return n.append(...o),
n}var K=({style:t})=>F("svg",{class:`swatch c${t%N.colors} d${t%N.dashes.length}`,viewBox:"0 0 24 8","aria-hidden":"true"},
F("path",{d:"M0 4h24"})),B=t=>`--c${t%N.colors}`,U=t=>N.dashes[t%N.dashes.length];function It(t,e,o){let n=(l,r)=>m("tr",
{},...r.map((i,s)=>l==="th"||s===0?m("th",{scope:l==="th"?"col":"row"},i):m("td",{},i)));return m("table",{},m("caption",
{},t),m("thead",{},n("th",e)),m("tbody",{},...o.map(l=>n("td",l))))}var At=t=>document.getElementById("say").textContent=
t;function zt(t,e){let o=Math.abs(t).toFixed(e);return Math.abs(t)*2**(e+1)%2===1&&o.at(-1)%2===1?o.slice(0,-1)+(o.at(-1)-
1):o}function z(t,e){if(t==null||!Number.isFinite(t))return"–";let o=Math.abs(t);if(o>=1e15||o!==0&&o<1e-9)return(t<0?
"−":"")+Number(o.toPrecision(4)).toExponential();let n=zt(t,e);if(Number(n)===0)return"0";let[l,...r]=n.split("."),i=[];
for(let s=l.length;s>0;s-=3)i.unshift(l.slice(Math.max(s-3,0),s));return(t<0?"−":"")+[i.join(","),...r].join(".")}var st=t=>Number(
t.toExponential(9).split("e")[1]);function qt(t){let e=Math.abs(t);return!Number.isFinite(t)||e===0||e>=99.95?0:Math.min(
2-st(e),12)}var k=t=>z(t,t==null?0:qt(t));function jt(t,e){let o=Math.max(0,-st(e));return t===0?0 .toFixed(Math.min(o,9)):
z(t,o)}var ae=t=>t==null||!Number.isFinite(t)?"–":z(t,1)+" %",Tt=(t,e)=>e<=1e-12*Math.abs(t),G=(t,e)=>e>0&&Number.isFinite(
e)&&!Tt(t,e)?Math.min(Math.max(1-st(e),0),12):qt(t);function D(t){return t==null||Number.isNaN(t)?"–":t<.001?"< 0.001":
t>.999?"1":zt(t,3)}var b=t=>z(t,0);function Z(t,e){if(t==null||e==null||!Number.isFinite(e))return[k(t)];let o=G(t,e);return[
z(t,o),"± "+z(Tt(t,e)?0:e,o)]}var P=(t,e)=>`${b(t)} ${e}${t===1?"":"s"}`,rt=t=>ae(t==null?t:100*t);var O=document.documentElement,at=new Set,lt=document.body.appendChild(document.createElement("span"));lt.hidden=!0;var J=new Map,
R=!1;function it(t){return J.has(t)||(lt.style.color=`var(${t})`,J.set(t,getComputedStyle(lt).color.match(/[\d.]+/g).slice(
0,3).map(Number))),J.get(t)}var x=(t,e=1)=>`rgb(${it(t).join(" ")} / ${e})`;function Pt(t,e,o){let n=it(e);return`rgb(${it(
t).map((l,r)=>Math.round(l+(n[r]-l)*o)).join(" ")})`}var Bt=matchMedia("(prefers-color-scheme: dark)"),Ft=()=>O.dataset.
theme?O.dataset.theme==="dark":Bt.matches;function Ot(){let t=document.getElementById("theme"),e=()=>{t.textContent=Ft()?
"Light":"Dark",t.setAttribute("aria-label",`${t.textContent} colors`),J=new Map;for(let n of at)n.draw()};t.addEventListener(
"click",()=>{O.dataset.theme=Ft()?"light":"dark",e()}),Bt.addEventListener("change",e);let o=n=>{R=n,O.classList.toggle(
"printing",n),e()};addEventListener("beforeprint",()=>o(!0)),addEventListener("afterprint",()=>o(!1)),e()}var ct=1e-6;function ce(t){let e=Math.min(Math.max(1-Math.log10(Math.max(t,ct))/Math.log10(ct),0),1);return Pt("--paper",
"--heat",e)}function he(t){if(t.length===1)return[t[0]-.5,t[0]+.5];let e=t.slice(1).map((o,n)=>(o+t[n])/2);return[2*t[0]-
e[0],...e,2*t[t.length-1]-e[e.length-1]]}function ue(t,e,o){let n=he(e.rounds).map(i=>Math.round(t.valToPos(i,"x",!0))),
l=e.values[0].length,r=Array.from({length:l+1},(i,s)=>Math.round(t.valToPos(s+.5,"y",!0)));e.values.forEach((i,s)=>i.forEach(
(c,a)=>{o(n[s],r[a+1],n[s+1]-n[s]+1,r[a]-r[a+1]+1,ce(c))}))}function Rt(t,e){let{left:o,top:n,width:l,height:r}=t.bbox;t.
ctx.save(),t.ctx.beginPath(),t.ctx.rect(o,n,l,r),t.ctx.clip(),e(t,(i,s,c,a,d)=>{t.ctx.fillStyle=d,t.ctx.fillRect(i,s,c,a)}),
t.ctx.restore()}function _t(t,e,o,n){let l=e.values[0].length,r=Array.from({length:l},(d,h)=>h+1),i=e.values.map(d=>1+d.
indexOf(Math.max(...d))),s=d=>{let h=e.values[d];return{x:r,at:u=>`bin ${u+1}`,label:`θ in round ${b(e.rounds[d])}`,xLabel:"\
Energy bin",height:240,format:k,log:!0,lines:[{name:"θ",values:h.map(u=>u>=ct?u:null),shown:h,color:"--accent",fill:0}],
title:`θ in round ${b(e.rounds[d])}`}},c=d=>{let h=s(d);n.figure.querySelector("h3").textContent=h.title,n.show(h)},a=e.
rounds.length-1;return c(a),{x:e.rounds,at:d=>`round ${b(e.rounds[d])}`,label:"Histogram of energies by round: the heavi\
est bin",xLabel:t.xLabel,height:240,format:k,lines:[{name:"heaviest bin",values:i,color:"--alert",width:1.25}],range:[.5,
l+.5],under:(d,h)=>ue(d,e,h),sync:null,cursor:(d,h)=>{let u=d??e.rounds.length-1;u!==a&&c(a=u);let p=d==null?null:Math.round(
h.posToVal(h.cursor.top,"y")),g=p>=1&&p<=l?e.values[u][p-1]:null;o.textContent=g==null?"The line is the bin of the large\
st share.":`Round ${b(e.rounds[u])}, bin ${p}: ${k(g)}`}}}function _(t,e){let o=1;for(let n=0;n<e;n++)o+=t.lines[n].low?3:1;return t.lines[e].low?{high:o,low:o+1,mean:o+2,all:[o,
o+1,o+2]}:{mean:o,all:[o]}}var ht=(t,e)=>t.lines.find((o,n)=>_(t,n).mean===e);function ut(t,e){let{values:o,low:n,high:l}=t.
lines[e];if(!t.log)return{values:o,low:n,high:l};let r=i=>i?.map((s,c)=>o[c]>0?Math.max(s,o[c]/1e6):null);return{values:r(
o),low:r(n),high:r(l)}}function Vt(t){let e=[t.x];return t.lines.forEach((o,n)=>{let{values:l,low:r,high:i}=ut(t,n);e.push(
...r?[i,r,l]:[l])}),e}function Wt(t){let e=t.spec,o=R?2:1,n=[{}],l=[];return e.lines.forEach((r,i)=>{let s=_(e,i),c={show:!r.
hidden,points:{show:!1},spanGaps:!1};r.low&&(n.push({...c},{...c,auto:!e.log}),l.push({series:[s.high,s.low],fill:x(r.color,
e.lines.length>3?.12:.18)})),r.over!=null&&l.push({series:[s.mean,_(e,r.over).mean],fill:x(r.color,r.fill)}),n.push({...c,
stroke:x(r.color),width:(r.width??1.75)*o,dash:(r.dash??[]).map(a=>a*o),fill:r.fill&&r.over==null?x(r.color,r.fill):void 0,
points:{show:e.x.length<3,size:5*o,fill:x(r.color)}})}),{width:t.plot.clientWidth*o,height:e.height*o,series:n,bands:l,padding:[
20*o,26*o,0,0],pxAlign:!1,legend:{show:!1},scales:{x:{time:!1,distr:e.logX?3:1,range:(r,i,s)=>pe(e,i,s)},y:{distr:e.log?
3:1,range:(r,i,s)=>me(t,i,s)}},focus:{alpha:.15},axes:de(e,o),cursor:{y:!1,drag:{x:!0,y:!1,dist:4},points:{show:(r,i)=>ht(
e,i)&&m("div"),size:8,width:2,fill:x("--paper"),stroke:(r,i)=>ht(e,i)&&x(ht(e,i).color)},...e.sync&&{sync:{key:e.sync,setSeries:!1,
scales:["x",null]}}},hooks:{drawClear:[r=>e.under&&Rt(r,e.under)],drawSeries:[],draw:[r=>ge(r,e,o)],setCursor:[r=>e.cursor?.(
r.cursor.idx??null,r)],setScale:[(r,i)=>i==="x"&&t.u===r&&t.showZoom()]}}}function de(t,e){let o=`${12*e}px ${getComputedStyle(
document.body).fontFamily}`,n={show:!t.under,stroke:x("--rule"),width:e},l={stroke:x("--faded"),font:o,labelFont:o,gap:6*
e,grid:n,ticks:{show:!1},border:{show:!1},filter:(c,a)=>a},r=(c,a,d,h)=>Y(d,h,a===0?t.logX:t.log,(a===0?c.bbox.width:c.bbox.
height)/devicePixelRatio/e,a===0?80:40),i={...l,splits:r,label:t.xLabel,labelSize:20*e,size:30*e,values:(c,a)=>a.map(dt)},
s={...l,splits:r,size:fe,values:(c,a)=>ft(t,a,c.scales.y)};return[i,s]}var dt=t=>Number.isInteger(t)?b(t):"",Ht=(t,e,o)=>o&&
e/t>=10;function ft(t,e,{min:o,max:n}){if(t.tick)return e.map(t.tick);let l=Math.min(...e.slice(1).map((r,i)=>r-e[i]));return e.
map(r=>jt(r,Ht(o,n,t.log)||!Number.isFinite(l)?Math.abs(r)||1:l))}function Y(t,e,o,n,l){let r=Math.max(Math.floor(n/l),2),
i=[];if(Ht(t,e,o)){let d=Math.log10(e/t),h=Math.ceil(d/r),u=d*3<=r?[1,2,5]:[1];for(let p=Math.floor(Math.log10(t));p<=Math.
log10(e);p++)if(p%h===0)for(let g of u){let E=+`${g}e${p}`;E>=t*.999&&E<=e*1.001&&i.push(E)}return i}let s=(e-t)/r,c=10**
Math.floor(Math.log10(s)),a=[1,2,5,10].map(d=>d*c).find(d=>d>=s*.999);for(let d=Math.ceil(t/a-1e-9);d*a<=e+a*1e-9;d++)i.
push(Number((d*a).toPrecision(12)));return i}function fe(t,e,o){let n=(e??[]).reduce((r,i)=>i.length>r.length?i:r,"");t.
ctx.save(),t.ctx.font=t.axes[o].font[0];let l=t.ctx.measureText(n).width/devicePixelRatio;return t.ctx.restore(),Math.ceil(
l)+t.axes[o].gap+4}function pe(t,e,o){return e==null?t.logX?[1,10]:[0,1]:e===o?t.logX?[e/2,o*2]:[e-.5,o+.5]:[e,o]}function me(t,e,o){
let{spec:n}=t;if(e==null)return n.log?[1,10]:[0,1];if(n.range)return n.range;if(n.log)return[e/1.15,o*1.15];t.zoomed||([
e,o]=[Math.min(e,0),Math.max(o,0)]),e===o&&(o=e+1);let l=(o-e)/30;return[e<0||t.zoomed&&e>l?e-l:e,o+l]}function ge(t,e,o){
if(!e.burnIn||e.burnIn<=t.scales.x.min||e.burnIn>=t.scales.x.max)return;let n=Math.round(t.valToPos(e.burnIn,"x",!0)),{top:l,
height:r,left:i,width:s}=t.bbox,c=devicePixelRatio*o;t.ctx.save(),t.ctx.strokeStyle=t.ctx.fillStyle=x("--faded"),t.ctx.lineWidth=
c,t.ctx.setLineDash([2*c,3*c]),t.ctx.beginPath(),t.ctx.moveTo(n,l),t.ctx.lineTo(n,l+r),t.ctx.stroke(),t.ctx.font=`${11*c}\
px ${getComputedStyle(document.body).fontFamily}`;let a=n>i+.7*s;t.ctx.textAlign=a?"right":"left",t.ctx.fillText("burn-i\
n ends",n+(a?-5:5)*c,l-6*c),t.ctx.restore()}function Dt(t){let e=(o,n,l)=>{let r=m("button",{type:"button","aria-label":`Save ${n}`,title:`Save ${n}`},o);return r.addEventListener(
"click",l),r};return m("div",{className:"save",role:"group","aria-label":"Save"},e("SVG","the figure as SVG",()=>pt(t,"s\
vg",new Blob([Xt(t)],{type:"image/svg+xml"}))),e("PNG","the figure as PNG",()=>$e(t).then(o=>pt(t,"png",o))),e("CSV","th\
e numbers as CSV",()=>pt(t,"csv",new Blob([we(t.spec)],{type:"text/csv"}))))}function pt(t,e,o){let n=t.figure.closest("\
[data-environment]").dataset.environment;mt([n,t.figure.querySelector("h3").textContent],e,o)}function mt(t,e,o){let n=[
document.querySelector("h1").textContent,...t].filter(r=>r).join(" ").replace(/[^\p{L}\p{N}.]+/gu,"-").slice(0,100),l=m(
"a",{href:URL.createObjectURL(o),download:`${n}.${e}`});l.click(),setTimeout(()=>URL.revokeObjectURL(l.href),1e3)}function xe(t){
if(t==null)return"";if(typeof t=="number")return Number.isFinite(t)?String(t):"";let e=/^[=+\-@\t\r']/.test(t)?`'${t}`:t;
return/[",\n\r]/.test(e)?`"${e.replaceAll('"','""')}"`:e}var gt=t=>t.map(e=>e.map(xe).join(",")).join(`
`)+`
`;function we(t){let e=[["line",t.columns?.x??"round","value","low","high"]];for(let o of t.lines){if(o.hidden)continue;
let n=(i,s)=>c=>o.half?o.values[c]+i*o.half[c]:s?.[c],[l,r]=[n(-1,o.low),n(1,o.high)];t.x.forEach((i,s)=>o.values[s]!=null&&
e.push([o.name,i,(o.shown??o.values)[s],l(s),r(s)]))}return gt(e)}var be=t=>t.replace(/[&<>"]/g,e=>`&#${e.charCodeAt(0)}\
;`);function ye(t,e){let o=[""];for(let n of t.split(" "))o.at(-1)&&o.at(-1).length+n.length>=e&&o.push(""),o[o.length-1]+=
(o.at(-1)&&" ")+n;return o}function Xt(t){let{spec:e,u:o}=t,n=devicePixelRatio,[l,r,i,s]=[o.bbox.left,o.bbox.top,o.bbox.
width,o.bbox.height].map(f=>f/n),c=ye(t.figure.querySelector("figcaption p").textContent,(l+i)/6),a=20+14*c.length,d=18,
h=f=>Math.round(f*100)/100,u=f=>h(l+o.valToPos(f,"x")),p=f=>h(r+a+o.valToPos(f,"y")),g=e.lines.map((f,w)=>({...f,...ut(e,
w)})).filter(f=>!f.hidden&&f.values.some(w=>w!=null)),E=g.filter(f=>f.name),$=h(l+i+26),y=Math.max(Math.floor($/210),1),
X=r+a+s+56,tt=Math.ceil(X+Math.ceil(E.length/y)*d+6),T=(f,w,L,S="")=>`<text x="${h(f)}" y="${h(w)}" ${S}>${be(L)}</text>`,
A=[`<svg xmlns="http://www.w3.org/2000/svg" width="${$}" height="${tt}" viewBox="0 0 ${$} ${tt}" font-family="Liberation\
 Sans, Arial, sans-serif" font-size="12" fill="${x("--faded")}">`,`<rect width="${$}" height="${tt}" fill="${x("--paper")}\
"/>`,T(8,20,t.figure.querySelector("h3").textContent,`font-size="15" font-weight="bold" fill="${x("--ink")}"`),...c.map(
(f,w)=>T(8,36+14*w,f)),`<clipPath id="area"><rect x="${h(l)}" y="${h(r+a)}" width="${h(i)}" height="${h(s)}"/></clipPath\
>`],{min:kt,max:St}=o.scales.x,{min:Mt,max:le}=o.scales.y,Lt=e.under?"none":x("--rule");for(let f of Y(kt,St,e.logX,i,80))
A.push(`<path d="M${u(f)} ${h(r+a)}v${h(s)}" stroke="${Lt}"/>`,T(u(f),r+a+s+18,dt(f),'text-anchor="middle"'));let Et=Y(Mt,
le,e.log,s,40),ie=ft(e,Et,o.scales.y);Et.forEach((f,w)=>{A.push(`<path d="M${h(l)} ${p(f)}h${h(i)}" stroke="${Lt}"/>`,T(
l-6,p(f)+4,ie[w],'text-anchor="end"'))}),A.push(T(l+i/2,r+a+s+38,e.xLabel,'text-anchor="middle"'),'<g clip-path="url(#ar\
ea)" fill="none">'),e.under?.(o,(f,w,L,S,et)=>A.push(`<rect x="${h(f/n)}" y="${h(w/n+a)}" width="${h(L/n)}" height="${h(
S/n)}" fill="${et}"/>`));for(let f of g){let w=(L,S,et)=>{let ot=e.x.map((H,nt)=>nt).filter(H=>L[H]!=null&&S[H]!=null),Nt=(H,nt)=>nt.
map(Ct=>`${u(e.x[Ct])} ${p(H[Ct])}`).join("L");ot.length>1&&A.push(`<path d="M${Nt(L,ot)}L${Nt(S,ot.toReversed())}Z" fil\
l="${x(f.color)}" fill-opacity="${et}"/>`)};f.low&&w(f.high,f.low,e.lines.length>3?.12:.18),f.fill&&w(f.values,f.over!=null?
e.lines[f.over].values:e.x.map(()=>e.log?Mt:0),f.fill)}for(let f of g){let w="";f.values.forEach((L,S)=>w+=L==null?"":`${S>
0&&f.values[S-1]!=null?"L":"M"}${u(e.x[S])} ${p(L)}`),A.push(`<path d="${w}" stroke="${x(f.color)}" stroke-width="${f.width??
1.75}" stroke-dasharray="${(f.dash??[]).join(" ")}"/>`)}if(A.push("</g>"),e.burnIn>kt&&e.burnIn<St){let f=o.valToPos(e.burnIn,
"x")>.7*i;A.push(`<path d="M${u(e.burnIn)} ${h(r+a)}v${h(s)}" stroke="${x("--faded")}" stroke-dasharray="2 3"/>`,T(u(e.burnIn)+
(f?-5:5),r+a-6,"burn-in ends",`font-size="11" text-anchor="${f?"end":"start"}"`))}return E.forEach((f,w)=>{let[L,S]=[8+w%
y*(($-16)/y),X+Math.floor(w/y)*d];A.push(`<path d="M${h(L)} ${h(S-4)}h24" stroke="${x(f.color)}" stroke-width="2.5" stro\
ke-dasharray="${(f.dash??[]).join(" ")}"/>`,T(L+30,S,f.name.length>28?f.name.slice(0,27)+"…":f.name,`fill="${x("--ink")}\
"`))}),A.join(`
`)+`
</svg>
`}async function $e(t){let e=new Image;e.src="data:image/svg+xml;charset=utf-8,"+encodeURIComponent(Xt(t)),await e.decode();
let o=m("canvas",{width:2*e.width,height:2*e.height});return o.getContext("2d").drawImage(e,0,0,o.width,o.height),new Promise(
n=>o.toBlob(n))}function ve(t,e,o){let n=[];t.policies.forEach((i,s)=>{let c=o.policy;if(s===c)return;let[a,d]=s>c?[s*(s-1)/2+c,1]:[c*(c-
1)/2+s,-1],[h,u]=[e.mean[a]??NaN,e.halfInterval[a]??NaN];n.push({policy:i,cells:e.cells[s],other:o.cells?.[s],n:e.seeds[a],
mean:d*h,low:d*h-u,high:d*h+u,needed:e.needed[a],p:e.p[a],signFlip:e.signFlip[a],holm:o.holm[s],signFlipHolm:o.signFlipHolm[s],
mark:o.marks[s].trim()})});let l=i=>Number.isNaN(i.mean);n.sort((i,s)=>l(i)-l(s)||(l(i)?0:i.mean-s.mean));let r=o.policy;
return{policy:t.policies[r],cells:e.cells[r],other:o.cells?.[r],caption:o.caption,notes:o.notes,differences:n}}function ke(t,e){
let o=t.differences.flatMap(s=>[s.low,s.mean,s.high]).filter(s=>!Number.isNaN(s)),[n,l]=[Math.min(0,...o),Math.max(0,...o)];
if(n===l||Number.isNaN(e.mean))return"";let r=s=>Math.round(10*(6+148*(s-n)/(l-n)))/10,i=F("svg",{class:"interval",viewBox:"\
0 0 160 16","aria-hidden":"true"},F("path",{class:"zero",d:`M${r(0)} 0v16`}));return e.n>1&&i.append(F("path",{d:`M${r(e.
low)} 8H${r(e.high)}M${r(e.low)} 4v8M${r(e.high)} 4v8`})),i.append(F("circle",{cx:r(e.mean),cy:8,r:3.5})),i}var Se={seeds:t=>String(
t.n),difference:t=>z(t.mean,G(t.mean,(t.high-t.low)/2)),interval:t=>{let e=G(t.mean,(t.high-t.low)/2);return Number.isNaN(
t.low)?"–":`[${z(t.low,e)}, ${z(t.high,e)}]`},p:t=>D(t.p),signFlip:t=>D(t.signFlip),holm:t=>D(t.holm),signFlipHolm:t=>D(
t.signFlipHolm),mark:t=>t.mark,needed:t=>t.n<2?"–":t.needed===0?"~":b(t.needed)},Me={difference:"baseline",mark:""};function Le(t,{
policy:e,cells:o,other:n},l){let r=o.values(),i=(n??[]).values();return t.map(s=>s==="policy"?e.label:s==="own"?r.next().
value:s==="other"?i.next().value:l?Se[s](l):Me[s]??"–")}function Ee(t,{columns:e,texts:o},n){let l=t.querySelector("th\
ead tr").childElementCount>e.length,r=(s,c)=>{let[a,...d]=Le(e,s,c),h=l?[m("td",{},c?ke(n,c):"")]:[];return m("tr",{},m(
"th",{scope:"row"},...s.policy.style>=0?[K(s.policy)]:[],a),...h,...d.map(u=>m("td",{},u)))};t.querySelector("tbody").replaceChildren(
r(n),...n.differences.map(s=>r(s,s))),t.querySelector(".caption").replaceChildren(...n.caption.flatMap(s=>[m("span",{},o[s]),
" "]));let i=n.notes.map(s=>m("li",{className:o[s].startsWith("warning: ")?"warning":""},o[s]));t.querySelector(".notes")?.
remove(),i.length>0&&t.append(m("ul",{className:"notes"},...i))}function Ne(t,e){let o=n=>Number(n.toPrecision(9));return gt(
[["policy","baseline","metric","seeds","difference","low","high","p","p_holm","sign_flip_p","sign_flip_p_holm","seeds_ne\
eded"],...e.differences.map(n=>[n.policy.label,e.policy.label,t,n.n,n.mean,o(n.low),o(n.high),n.p,n.holm,n.signFlip,n.signFlipHolm,
n.needed||null])])}function Kt({box:t,name:e,compared:o}){let n=t.querySelector('[data-section="comparison"]'),l=n.querySelector(
"form"),r=Array.from(n.querySelectorAll("[data-compared]")),i=r.map(d=>Array.from(d.childNodes,h=>h.cloneNode(!0))),s=(d,h)=>{
let u=o.metrics[d],p=o.policies.findIndex(g=>g.label===h);return ve(o,u,p<0?u.picked:u.baselines[p])},c=()=>{let{baseline:d}=v(
l);r.forEach((h,u)=>{h.replaceChildren(...i[u].map(p=>p.cloneNode(!0))),d&&Ee(h,o,s(h.dataset.compared,d))})};l.addEventListener(
"change",c),c();let a=m("button",{type:"button"},"CSV");a.setAttribute("aria-label","Save the differences as CSV"),a.addEventListener(
"click",()=>{let{compared:d,baseline:h}=v(l),u=s(d,h);mt([e,d,"differences to",u.policy.label],"csv",new Blob([Ne(d,u)],
{type:"text/csv"}))}),l.append(a)}function Ut(t){let e=t.u,o=new Map,n=null,l=s=>s.clientX-e.over.getBoundingClientRect().left,r=()=>[...o.values()].sort(
(s,c)=>s-c);e.over.addEventListener("pointerdown",s=>{s.pointerType==="touch"&&(o.set(s.pointerId,l(s)),o.size===2&&(n=r().
map(c=>e.posToVal(c,"x"))))}),e.over.addEventListener("pointermove",s=>{if(!o.has(s.pointerId))return;if(o.set(s.pointerId,
l(s)),o.size===1)return e.setCursor({left:l(s),top:1});let[c,a]=r();if(a-c<20||!n)return;let d=(n[1]-n[0])/(a-c),h=n[0]-
c*d;t.between(h,h+e.over.clientWidth*d)});let i=s=>{o.delete(s.pointerId),n=null};e.over.addEventListener("pointerup",i),
e.over.addEventListener("pointercancel",i)}var xt=new Map,C=new URLSearchParams(location.hash.split("?")[1]??""),V=location.hash.slice(1).split("?")[0];function q(t,...e){
C.delete(t);for(let n of e)C.append(t,n);let o=C.size>0?`#${V}?${C}`:V&&`#${V}`;history.replaceState(null,"",o||location.
pathname+location.search)}function wt(t){let e=new Set;for(let[o,n]of Object.entries(xt.get(t))){let l=C.has(o)?C.getAll(
o):[n].flat(),r=Array.from(t.elements).filter(i=>i.name===o&&!i.disabled);if(!(r[0]?.type==="radio"&&!r.some(i=>l.includes(
i.value))))for(let i of r){let s=[i.checked,i.value].join();i.type==="checkbox"||i.type==="radio"?i.checked=l.includes(i.
value):i.value=Array.from(i.options).some(c=>c.value===l[0])?l[0]:n,s!==[i.checked,i.value].join()&&e.add(i)}}return e}function Q(t){
xt.set(t,v(t)),wt(t),t.addEventListener("submit",e=>e.preventDefault()),t.addEventListener("change",({target:{name:e}})=>{
let o=v(t)[e];q(e,...String(o)===String(xt.get(t)[e])?[]:[o].flat())})}function Gt(){addEventListener("hashchange",()=>{
let[t,e]=location.hash.slice(1).split("?");if(e!=null&&e!==String(C))return location.reload();V=t,q("")}),V&&location.hash.
includes("?")&&document.getElementById(V)?.scrollIntoView({behavior:"instant"})}function bt(t,e){let o=()=>{let n=Object.
values(v(t))[0];for(let l of e.querySelectorAll(t.dataset.choose))l.hidden=Object.values(l.dataset)[0]!==n};t.addEventListener(
"change",o),o()}var j=class{constructor(e,o){this.figure=e,this.zoomKey=o,this.plot=e.querySelector(".plot"),this.plot.tabIndex=0,this.plot.
setAttribute("role","application"),this.plot.setAttribute("aria-roledescription","chart"),this.plot.addEventListener("ke\
ydown",l=>this.key(l)),this.numbers=e.querySelector(".numbers"),this.numbers.addEventListener("toggle",()=>this.fillNumbers());
let n=(l,r,i)=>{let s=m("button",{type:"button","aria-label":r,title:r},l);return s.addEventListener("click",i),s};this.
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
idx,[r,i]=this.spec.logX?[Math.log,Math.exp]:[c=>c,c=>c],s=l==null?(r(o)+r(n))/2:r(this.spec.x[l]);this.between(i(s-(s-r(
o))*e),i(s+(r(n)-s)*e))}between(e,o){let[n,l]=this.ends();[e,o]=[Math.max(e,n),Math.min(o,l)],!(this.spec.x.filter(r=>r>=
e&&r<=o).length<3)&&this.u.setScale("x",{min:e,max:o})}showZoom(){let{min:e,max:o}=this.u.scales.x,[n,l]=this.ends(),r=!(e>
n||o<l);this.zoomed=r?null:{min:e,max:o},this.all.disabled=r,this.zoomKey&&q(this.zoomKey,...r?[]:[[e,o].map(i=>Number(i.
toPrecision(7))).join("-")])}move(e){e=Math.min(Math.max(e,0),this.spec.x.length-1);let{min:o,max:n}=this.u.scales.x,l=this.
spec.x[e];(l<o||l>n)&&this.between(l-(n-o)/2,l+(n-o)/2),this.u.setCursor({left:this.u.valToPos(l,"x"),top:this.u.over.clientHeight/
2}),At(this.describe(e))}describe(e){let o=this.spec.lines.filter(n=>!n.hidden&&n.name);return`${this.spec.at(e)}: ${o.map(
n=>`${n.name} ${this.cell(n,e)}`).join("; ")}`}cell(e,o){let n=this.spec.format;return e.half?Z(e.values[o],e.half[o]).join(
" "):e.low?e.values[o]==null?"–":`${n(e.values[o])} (${n(e.low[o])} to ${n(e.high[o])})`:n((e.shown??e.values)[o])}key(e){
if(e.ctrlKey||e.metaKey||e.altKey||!this.u)return;let o=this.u.cursor.idx??this.spec.x.length-1,n=e.shiftKey?10:1,l={ArrowLeft:()=>this.
move(o-n),ArrowRight:()=>this.move(o+n),Home:()=>this.move(0),End:()=>this.move(this.spec.x.length-1),"+":()=>this.zoom(
.5),"=":()=>this.zoom(.5),"-":()=>this.zoom(2),_:()=>this.zoom(2),Escape:()=>this.reset(),0:()=>this.reset()};l[e.key]&&
(e.preventDefault(),l[e.key]())}fillNumbers(){if(!this.spec||!this.numbers.open)return;let e=this.spec.lines.filter(r=>!r.
hidden&&r.name),o=this.spec.x.length,n=Math.max(Math.ceil(o/25),1),l=[];for(let r=(o-1)%n;r<o;r+=n)l.push([this.spec.at(
r),...e.map(i=>this.cell(i,r))]);this.numbers.querySelector(".scroll").replaceChildren(It(this.spec.label,["",...e.map(r=>r.
name)],l))}};var M=new Set(C.getAll("hide")),W=[];function Zt(t){M.clear();for(let e of t)M.add(e);q("hide",...M);for(let e of W)e()}
function Jt(t,e,o){let{label:n}=t.policies[e],l=m("button",{type:"button",className:"policy"},K(t.policies[e]),n);l.addEventListener(
"click",()=>Zt(M.has(n)?[...M].filter(i=>i!==n):[...M,n]));for(let[i,s]of[["mouseenter",e],["focus",e],["mouseleave",null],
["blur",null]])l.addEventListener(i,()=>o?.(s));let r=()=>l.setAttribute("aria-pressed",!M.has(n));return W.push(r),r(),
l}function Yt(t,e,o){e.append(...t.policies.map((n,l)=>Jt(t,l,o)))}var I=6;function Qt(t,e,o){let n=t.policies.map(()=>[
m("td"),m("td")]),l=m("caption");e.append(m("table",{},l,m("thead",{className:"unseen"},m("tr",{},...["policy","mean","h\
alf of the interval"].map(c=>m("th",{scope:"col"},c)))),m("tbody",{},...t.policies.map((c,a)=>m("tr",{},m("th",{scope:"r\
ow"},Jt(t,a,o)),...n[a])))));let r=t.policies.map(c=>c.label),i=(c,a)=>{let d=m("button",{type:"button"},c);return d.addEventListener(
"click",()=>Zt(a)),d},s=[i("Show all",[]),i("Hide all",r)];return r.length>I&&s.push(i(`Best ${I}`,r.slice(I))),r.length>
1&&e.append(m("div",{className:"all"},...s)),(c,a)=>{l.textContent=c,a.forEach(([d,h],u)=>{[n[u][0].textContent,n[u][1].
textContent=""]=d==null?["–"]:Z(d,h)})}}function te(t){let{windows:e,rounds:o,pulls:n}=t.axes;t.windowList=Array.from({length:e.n},(l,r)=>{let i=Math.max(r*e.width-
e.offset,0)+1,s=Math.min((r+1)*e.width-e.offset,o);return{first:i,last:s,middle:(i+s)/2,name:i===s?`round ${b(i)}`:`roun\
ds ${b(i)} to ${b(s)}`}}),t.windowWords=e.width===1?"round":`window of ${e.width} rounds`,t.xLabel=`Round of ${P(n,"pull")}`}
var $t=(t,e)=>t.windowList.filter(o=>e!=="after"||o.first>t.axes.burnIn);function Ce(t,{metric:e,form:o,from:n}){let{title:l}=N.
metrics.find(s=>s.name===e),r=t.policies.map(s=>s.regret[e]);if(o==="window"){let s=$t(t,n),c=a=>a?.slice(-s.length);return{
x:s.map(a=>a.middle),at:a=>s[a].name,bands:r.map(a=>({mean:c(a.window.mean),half:c(a.window.half)})),title:`${l} regret \
a round`,note:`in the mean over each ${t.windowWords}`}}let i=n==="after"?t.axes.after:t.axes.all;return{x:i,at:s=>`afte\
r round ${b(i[s])}`,bands:r.map(s=>n==="after"?s.after:s.all),title:`Cumulative ${e} regret`,note:n==="after"?`from roun\
d ${b(t.axes.burnIn+1)} on, when burn-in has ended`:"in units of reward"}}function Ie(t,e){let o=e.x.map(n=>n*t.axes.pulls);
return{...e,x:o,at:n=>`after pull ${b(o[n])}`,xLabel:"Pull",burnIn:t.axes.burnIn*t.axes.pulls}}var yt=400;function Ae(t,e,o){
let n=t.policies.map(({steps:h})=>h&&e.x.map(u=>h.each*Math.max(u-h.before,0))),l=n.filter(h=>h!=null),r=l.map(h=>h.at(-1)),
i=Math.min(...l.map(h=>h.find(u=>u>0)??1/0)),s=Math.max(...r),c=Array.from({length:yt},(h,u)=>{let p=u/(yt-1);return o?i*
(s/i)**p:s*p});c[yt-1]=s;let a=t.policies.filter(h=>!h.steps).map(h=>h.label),d=(h,u)=>u&&c.map(p=>ze(h,u,p));return{...e,
x:c,at:h=>`after ${P(Math.round(c[h]),"gradient step")}`,xLabel:"Gradient step, of all chains",burnIn:0,note:e.note+(a.length>
0?`; not shown, as their gradient steps are none or unknown: ${a.slice(0,I).join(", ")}${a.length>I?` and ${a.length-I} \
more`:""}`:""),bands:e.bands.map((h,u)=>n[u]?{mean:d(n[u],h.mean),half:d(n[u],h.half)}:{mean:c.map(()=>null),half:null})}}
function ze(t,e,o){if(o>t.at(-1))return null;let n=0,l=t.length-1;for(;l-n>1;){let i=n+l>>1;t[i]<=o?n=i:l=i}let r=t[l]-t[n];
return r>0?e[n]+(e[l]-e[n])*(o-t[n])/r:e[l]}function qe(t,e){if(e.includes("x")){let o=t.x.map((l,r)=>l>0?r:-1).filter(l=>l>=
0),n=l=>l&&o.map(r=>l[r]);t={...t,x:n(t.x),at:(l=>r=>l(o[r]))(t.at),bands:t.bands.map(l=>({mean:n(l.mean),half:n(l.half)}))}}
if(e.includes("y")){let o=t.bands.filter(n=>n.mean.some((l,r)=>l!=null&&l<=0&&t.x[r]>0)).length;o>0&&(t={...t,note:`${t.
note}; values of 0 and below, which ${P(o,"curve")} ${o===1?"has":"have"}, have no place on a logarithmic axis`})}return t}
function ee(t){let e=t.box.querySelector('[data-chart="regret"]'),o=new j(e,"zoom"),n=Qt(t,t.box.querySelector('[data-le\
gend="values"]'),i=>o.focus(i)),l=t.box.querySelector('[data-section="regret"] form'),r=()=>{let i=v(l),s={xLabel:t.xLabel,
burnIn:t.axes.burnIn,...Ce(t,i)};i.x==="pulls"&&(s=Ie(t,s)),i.x==="steps"&&(s=Ae(t,s,i.log.includes("x"))),s=qe(s,i.log);
let c=N.metrics.find(h=>h.name===i.metric).nonNegative?0:-1/0;e.querySelector("h3").textContent=s.title,e.querySelector(
"figcaption p").textContent=s.note;let a=h=>{h??=s.x.length-1,n(s.at(h)[0].toUpperCase()+s.at(h).slice(1),s.bands.map(u=>[
u.mean[h],u.half?.[h]]))},d=i.bands==="shown";o.show({x:s.x,at:s.at,label:s.title,note:s.note,xLabel:s.xLabel,height:innerWidth<
860?360:Math.min(Math.max(420,30*t.policies.length),600),format:k,cursor:a,logX:i.log.includes("x"),log:i.log.includes("\
y"),burnIn:i.from==="all"?s.burnIn:0,columns:{x:i.x==="rounds"?"round":i.x==="pulls"?"pull":"gradient_step"},lines:s.bands.
map((h,u)=>({name:t.policies[u].label,values:h.mean,half:h.half,color:B(t.policies[u].style),dash:U(t.policies[u].style),
hidden:M.has(t.policies[u].label),low:d&&h.half?h.half.map((p,g)=>p==null?null:Math.max(h.mean[g]-p,c)):void 0,high:d&&h.
half?h.half.map((p,g)=>p==null?null:h.mean[g]+p):void 0}))}),a(null)};W.push(()=>t.policies.forEach((i,s)=>o.hide(s,M.has(
i.label)))),l.addEventListener("change",i=>{["x","log","from","form"].includes(i.target.name)&&q("zoom"),r()}),r()}function oe(t){let e=t.box.querySelector('[data-section="mistakes"]'),o=e.querySelector("form"),n=Array.from(e.querySelectorAll(
'[data-chart="wrong"]'),r=>new j(r));Yt(t,e.querySelector('[data-legend="plain"]'),r=>n.forEach(i=>i.focus(r)));let l=()=>{
let r=v(o).wrong;n.forEach((i,s)=>i.show(Pe(t,s,r,i.figure.querySelector(".readout"))))};W.push(()=>t.policies.forEach((r,i)=>n.
forEach(s=>s.hide(i,M.has(r.label))))),o.addEventListener("change",l),l()}var je=8,Te=24;function Fe(t,e){let o=e>je?Math.
max(Math.floor(t.length/Te),1):1,n=Array.from({length:Math.ceil(t.length/o)},(s,c)=>t.slice(c*o,(c+1)*o)),l=s=>s.last-s.
first+1,r=n.map(s=>{let[c,a]=[s[0].first,s.at(-1).last];return{first:c,last:a,middle:(c+a)/2,name:c===a?s[0].name:`round\
s ${b(c)} to ${b(a)}`}});return[r,s=>r.map((c,a)=>n[a].reduce((d,h,u)=>d+s[a*o+u]*l(h),0)/l(c))]}function Pe(t,e,o,n){let l=$t(
t,o),[r,i]=Fe(l,t.policies.length),s=t.policies.map(a=>({name:a.label,values:i(a.mistakes[e].slice(-l.length)),color:B(a.
style),dash:U(a.style),width:1.5,hidden:M.has(a.label)})),c=a=>{let d=s.filter(u=>!u.hidden).sort((u,p)=>p.values[a]-u.values[a]),
h=d.length>I?` and ${d.length-I} with fewer`:"";return d.slice(0,I).map(u=>`${u.name} ${k(u.values[a])}`).join(", ")+h};
return{x:r.map(a=>a.middle),at:a=>r[a].name,xLabel:t.xLabel,height:260,burnIn:o==="all"?t.axes.burnIn:0,sync:"mistakes"+
t.name,label:`${t.armNames[e]}, wrongly: times a round`,format:k,lines:s,cursor:a=>n.textContent=a==null?"Lines: means o\
ver seeds.":`${r[a].name}: ${c(a)}`}}function ne(t){let e=t.box.querySelector('[data-section="sampler"]'),o=e.querySelector("form"),n=u=>e.querySelector(`[da\
ta-chart="${u}"]`),l=t.series,r=["energy","arms","multiplier","ess","heat","theta",...l.map(u=>u.key)],i=Object.fromEntries(
r.map(u=>[u,new j(n(u))])),s=u=>n(u).querySelector(".readout"),a={x:t.windowList.map(u=>u.middle),at:u=>t.windowList[u].
name,xLabel:t.xLabel,height:240,burnIn:t.axes.burnIn,sync:"sampler"+t.name},d=(u,p,g,E)=>g&&{...a,label:p,format:k,lines:[
{name:"mean",values:g.mean,low:g.low,high:g.high,color:"--accent"}],cursor:$=>s(u).textContent=$==null||g.mean[$]==null?
"Line: mean; band: lowest to highest.":`${t.windowList[$].name}: ${k(g.mean[$])}, from ${k(g.low[$])} to ${k(g.high[$])}`,
...E},h=()=>{let u=t.policies.find(({label:y})=>y===v(o).policy),p=u.sampler,g=u.seeds===1?"1 seed":`${u.seeds} seeds`,E=`\
over ${g}, by ${t.windowWords}.`;e.querySelector('[data-sampler="note"]').textContent=p?`${u.label}, ${E} ${g==="1 seed"?
"It has":"Each has"} ${P(p.chains,"chain")}.`+(p.notFinite?` ${P(p.notFinite,"value")} were not finite and are left out.`:
""):`${u.label}, ${E} `+(u.steps?"It has a sampler, but its diagnostics are not in these files: archives of 'banditsim e\
xport' leave them out.":"These files have no diagnostics of a sampler: it has none, or an archive left them out.");let $=p?.
energy;i.energy.show(d("energy","Energy",$,{log:$?.low.every(y=>y==null||y>0)})),i.multiplier.show(d("multiplier","Conto\
ur multiplier",p?.multiplier)),i.ess.show(d("ess","Effective sample size",p?.ess,{range:p&&[0,p.chains*1.05]})),i.arms.show(
Be(t,u,a,s("arms"))),i.theta.show(null),i.heat.show(p?.theta?_t(t,p.theta,s("heat"),i.theta):null);for(let y of l)i[y.key].
show(d(y.key,y.title,p?.series?.find(X=>X.name===y.title)?.spread));for(let y of r)i[y].spec?.cursor?.(null)};o.addEventListener(
"change",h),h()}function Be(t,e,o,n){let l=o.x.map(()=>0),r=e.arms.map((s,c)=>(l=l.map((a,d)=>a+s[d]),{name:t.armNames[c],
values:l,shown:s,color:B(c+2),fill:.35,over:c>0?c-1:null})),i=s=>r.map(c=>`${c.name} ${rt(c.shown[s])}`).join(", ");return{
...o,label:"Arms: share of the pulls, stacked",format:rt,range:[0,1],tick:s=>Math.round(100*s)+" %",lines:r,cursor:s=>n.
textContent=s==null?"From below: "+r.map(c=>c.name).join(", "):`${t.windowList[s].name}: ${i(s)}`}}O.classList.add("scripted");var re=Array.from(document.querySelectorAll("[data-environment]")),vt=new Set;function se(t){
if(vt.has(t))return;vt.add(t);let e={...N.environments[t],box:re[t]};te(e);for(let o of e.box.querySelectorAll("form"))Q(
o);for(let o of e.box.querySelectorAll("form[data-choose]"))bt(o,o.parentElement);e.compared&&Kt(e),e.policies.length!==
0&&(ee(e),ne(e),oe(e))}function Oe(){let t=document.getElementById("environments");if(!t)return se(0);Q(t);let e=()=>{let o=v(
t).environment;re.forEach((n,l)=>{if(n.hidden=n.dataset.environment!==o,!n.hidden){if(vt.has(l))for(let r of n.querySelectorAll(
"form"))for(let i of wt(r))i.dispatchEvent(new Event("change",{bubbles:!0}));se(l);for(let r of document.querySelectorAll(
"nav a")){let i=r.hash.slice(1).replace(/-\d+$/,"");r.setAttribute("href",`#${i}${l>0?`-${l+1}`:""}`)}}})};t.addEventListener(
"change",e),e()}for(let t of document.querySelectorAll("#across form"))Q(t),bt(t,t.parentElement);Oe();Ot();Gt();})();
