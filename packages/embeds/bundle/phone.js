/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var ee=globalThis,te=ee.ShadowRoot&&(ee.ShadyCSS===void 0||ee.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Te=Symbol(),Be=new WeakMap,z=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==Te)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(te&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=Be.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&Be.set(t,e))}return e}toString(){return this.cssText}},We=i=>new z(typeof i=="string"?i:i+"",void 0,Te),B=(i,...e)=>{let t=i.length===1?i[0]:e.reduce((n,s,o)=>n+(r=>{if(r._$cssResult$===!0)return r.cssText;if(typeof r=="number")return r;throw Error("Value passed to 'css' function must be a 'css' function result: "+r+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+i[o+1],i[0]);return new z(t,i,Te)},Ve=(i,e)=>{if(te)i.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),s=ee.litNonce;s!==void 0&&n.setAttribute("nonce",s),n.textContent=t.cssText,i.appendChild(n)}},Se=te?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return We(t)})(i):i;var{is:Gt,defineProperty:Jt,getOwnPropertyDescriptor:Xt,getOwnPropertyNames:Zt,getOwnPropertySymbols:en,getPrototypeOf:tn}=Object,ne=globalThis,Ke=ne.trustedTypes,nn=Ke?Ke.emptyScript:"",sn=ne.reactiveElementPolyfillSupport,W=(i,e)=>i,Ce={toAttribute(i,e){switch(e){case Boolean:i=i?nn:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let t=i;switch(e){case Boolean:t=i!==null;break;case Number:t=i===null?null:Number(i);break;case Object:case Array:try{t=JSON.parse(i)}catch{t=null}}return t}},Qe=(i,e)=>!Gt(i,e),Ye={attribute:!0,type:String,converter:Ce,reflect:!1,useDefault:!1,hasChanged:Qe};Symbol.metadata??=Symbol("metadata"),ne.litPropertyMetadata??=new WeakMap;var T=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Ye){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),s=this.getPropertyDescriptor(e,n,t);s!==void 0&&Jt(this.prototype,e,s)}}static getPropertyDescriptor(e,t,n){let{get:s,set:o}=Xt(this.prototype,e)??{get(){return this[t]},set(r){this[t]=r}};return{get:s,set(r){let a=s?.call(this);o?.call(this,r),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Ye}static _$Ei(){if(this.hasOwnProperty(W("elementProperties")))return;let e=tn(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(W("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(W("properties"))){let t=this.properties,n=[...Zt(t),...en(t)];for(let s of n)this.createProperty(s,t[s])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,s]of t)this.elementProperties.set(n,s)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let s=this._$Eu(t,n);s!==void 0&&this._$Eh.set(s,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let s of n)t.unshift(Se(s))}else e!==void 0&&t.push(Se(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ve(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),s=this.constructor._$Eu(e,n);if(s!==void 0&&n.reflect===!0){let o=(n.converter?.toAttribute!==void 0?n.converter:Ce).toAttribute(t,n.type);this._$Em=e,o==null?this.removeAttribute(s):this.setAttribute(s,o),this._$Em=null}}_$AK(e,t){let n=this.constructor,s=n._$Eh.get(e);if(s!==void 0&&this._$Em!==s){let o=n.getPropertyOptions(s),r=typeof o.converter=="function"?{fromAttribute:o.converter}:o.converter?.fromAttribute!==void 0?o.converter:Ce;this._$Em=s;let a=r.fromAttribute(t,o.type);this[s]=a??this._$Ej?.get(s)??a,this._$Em=null}}requestUpdate(e,t,n,s=!1,o){if(e!==void 0){let r=this.constructor;if(s===!1&&(o=this[e]),n??=r.getPropertyOptions(e),!((n.hasChanged??Qe)(o,t)||n.useDefault&&n.reflect&&o===this._$Ej?.get(e)&&!this.hasAttribute(r._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:s,wrapped:o},r){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,r??t??this[e]),o!==!0||r!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),s===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,o]of this._$Ep)this[s]=o;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[s,o]of n){let{wrapped:r}=o,a=this[s];r!==!0||this._$AL.has(s)||a===void 0||this.C(s,void 0,o,a)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};T.elementStyles=[],T.shadowRootOptions={mode:"open"},T[W("elementProperties")]=new Map,T[W("finalized")]=new Map,sn?.({ReactiveElement:T}),(ne.reactiveElementVersions??=[]).push("2.1.2");var Pe=globalThis,Ge=i=>i,se=Pe.trustedTypes,Je=se?se.createPolicy("lit-html",{createHTML:i=>i}):void 0,Me="$lit$",S=`lit$${Math.random().toFixed(9).slice(2)}$`,Re="?"+S,on=`<${Re}>`,N=document,K=()=>N.createComment(""),Y=i=>i===null||typeof i!="object"&&typeof i!="function",Ne=Array.isArray,st=i=>Ne(i)||typeof i?.[Symbol.iterator]=="function",Ee=`[ 	
\f\r]`,V=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Xe=/-->/g,Ze=/>/g,M=RegExp(`>|${Ee}(?:([^\\s"'>=/]+)(${Ee}*=${Ee}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),et=/'/g,tt=/"/g,it=/^(?:script|style|textarea|title)$/i,Oe=i=>(e,...t)=>({_$litType$:i,strings:e,values:t}),f=Oe(1),w=Oe(2),is=Oe(3),_=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),nt=new WeakMap,R=N.createTreeWalker(N,129);function ot(i,e){if(!Ne(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return Je!==void 0?Je.createHTML(e):e}var rt=(i,e)=>{let t=i.length-1,n=[],s,o=e===2?"<svg>":e===3?"<math>":"",r=V;for(let a=0;a<t;a++){let l=i[a],c,u,d=-1,m=0;for(;m<l.length&&(r.lastIndex=m,u=r.exec(l),u!==null);)m=r.lastIndex,r===V?u[1]==="!--"?r=Xe:u[1]!==void 0?r=Ze:u[2]!==void 0?(it.test(u[2])&&(s=RegExp("</"+u[2],"g")),r=M):u[3]!==void 0&&(r=M):r===M?u[0]===">"?(r=s??V,d=-1):u[1]===void 0?d=-2:(d=r.lastIndex-u[2].length,c=u[1],r=u[3]===void 0?M:u[3]==='"'?tt:et):r===tt||r===et?r=M:r===Xe||r===Ze?r=V:(r=M,s=void 0);let h=r===M&&i[a+1].startsWith("/>")?" ":"";o+=r===V?l+on:d>=0?(n.push(c),l.slice(0,d)+Me+l.slice(d)+S+h):l+S+(d===-2?a:h)}return[ot(i,o+(i[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},Q=class i{constructor({strings:e,_$litType$:t},n){let s;this.parts=[];let o=0,r=0,a=e.length-1,l=this.parts,[c,u]=rt(e,t);if(this.el=i.createElement(c,n),R.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(s=R.nextNode())!==null&&l.length<a;){if(s.nodeType===1){if(s.hasAttributes())for(let d of s.getAttributeNames())if(d.endsWith(Me)){let m=u[r++],h=s.getAttribute(d).split(S),g=/([.?@])?(.*)/.exec(m);l.push({type:1,index:o,name:g[2],strings:h,ctor:g[1]==="."?oe:g[1]==="?"?re:g[1]==="@"?ae:L}),s.removeAttribute(d)}else d.startsWith(S)&&(l.push({type:6,index:o}),s.removeAttribute(d));if(it.test(s.tagName)){let d=s.textContent.split(S),m=d.length-1;if(m>0){s.textContent=se?se.emptyScript:"";for(let h=0;h<m;h++)s.append(d[h],K()),R.nextNode(),l.push({type:2,index:++o});s.append(d[m],K())}}}else if(s.nodeType===8)if(s.data===Re)l.push({type:2,index:o});else{let d=-1;for(;(d=s.data.indexOf(S,d+1))!==-1;)l.push({type:7,index:o}),d+=S.length-1}o++}}static createElement(e,t){let n=N.createElement("template");return n.innerHTML=e,n}};function O(i,e,t=i,n){if(e===_)return e;let s=n!==void 0?t._$Co?.[n]:t._$Cl,o=Y(e)?void 0:e._$litDirective$;return s?.constructor!==o&&(s?._$AO?.(!1),o===void 0?s=void 0:(s=new o(i),s._$AT(i,t,n)),n!==void 0?(t._$Co??=[])[n]=s:t._$Cl=s),s!==void 0&&(e=O(i,s._$AS(i,e.values),s,n)),e}var ie=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,s=(e?.creationScope??N).importNode(t,!0);R.currentNode=s;let o=R.nextNode(),r=0,a=0,l=n[0];for(;l!==void 0;){if(r===l.index){let c;l.type===2?c=new U(o,o.nextSibling,this,e):l.type===1?c=new l.ctor(o,l.name,l.strings,this,e):l.type===6&&(c=new le(o,this,e)),this._$AV.push(c),l=n[++a]}r!==l?.index&&(o=R.nextNode(),r++)}return R.currentNode=N,s}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},U=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,s){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=O(this,e,t),Y(e)?e===p||e==null||e===""?(this._$AH!==p&&this._$AR(),this._$AH=p):e!==this._$AH&&e!==_&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):st(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==p&&Y(this._$AH)?this._$AA.nextSibling.data=e:this.T(N.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,s=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=Q.createElement(ot(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===s)this._$AH.p(t);else{let o=new ie(s,this),r=o.u(this.options);o.p(t),this.T(r),this._$AH=o}}_$AC(e){let t=nt.get(e.strings);return t===void 0&&nt.set(e.strings,t=new Q(e)),t}k(e){Ne(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,s=0;for(let o of e)s===t.length?t.push(n=new i(this.O(K()),this.O(K()),this,this.options)):n=t[s],n._$AI(o),s++;s<t.length&&(this._$AR(n&&n._$AB.nextSibling,s),t.length=s)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=Ge(e).nextSibling;Ge(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},L=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,s,o){this.type=1,this._$AH=p,this._$AN=void 0,this.element=e,this.name=t,this._$AM=s,this.options=o,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=p}_$AI(e,t=this,n,s){let o=this.strings,r=!1;if(o===void 0)e=O(this,e,t,0),r=!Y(e)||e!==this._$AH&&e!==_,r&&(this._$AH=e);else{let a=e,l,c;for(e=o[0],l=0;l<o.length-1;l++)c=O(this,a[n+l],t,l),c===_&&(c=this._$AH[l]),r||=!Y(c)||c!==this._$AH[l],c===p?e=p:e!==p&&(e+=(c??"")+o[l+1]),this._$AH[l]=c}r&&!s&&this.j(e)}j(e){e===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},oe=class extends L{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===p?void 0:e}},re=class extends L{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==p)}},ae=class extends L{constructor(e,t,n,s,o){super(e,t,n,s,o),this.type=5}_$AI(e,t=this){if((e=O(this,e,t,0)??p)===_)return;let n=this._$AH,s=e===p&&n!==p||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,o=e!==p&&(n===p||s);s&&this.element.removeEventListener(this.name,this,n),o&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},le=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){O(this,e)}},at={M:Me,P:S,A:Re,C:1,L:rt,R:ie,D:st,V:O,I:U,H:L,N:re,U:ae,B:oe,F:le},rn=Pe.litHtmlPolyfillSupport;rn?.(Q,U),(Pe.litHtmlVersions??=[]).push("3.3.3");var lt=(i,e,t)=>{let n=t?.renderBefore??e,s=n._$litPart$;if(s===void 0){let o=t?.renderBefore??null;n._$litPart$=s=new U(e.insertBefore(K(),o),o,void 0,t??{})}return s._$AI(i),s};var Le=globalThis,E=class extends T{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=lt(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return _}};E._$litElement$=!0,E.finalized=!0,Le.litElementHydrateSupport?.({LitElement:E});var an=Le.litElementPolyfillSupport;an?.({LitElement:E});(Le.litElementVersions??=[]).push("4.2.2");var $=class extends Error{code;status;constructor(e,t="",n=0){super(t),this.code=e,this.status=n}},ln=6e4,de=class{#e;constructor(e){this.#e=e}socketUrl(e){return`${this.#e.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let n=Object.entries(t).filter(([,o])=>o!==void 0),s=new URLSearchParams(n.map(([o,r])=>[o,String(r)])).toString();return this.#t("GET",s===""?e:`${e}?${s}`,{})}patch(e,t){return this.#t("PATCH",e,{body:t})}post(e,t={},n){return this.#t("POST",e,{body:t,...n!==void 0&&{idempotencyKey:n}})}async#t(e,t,n){let s=await this.#n(e,t,n),o=s.status===401&&await this.#e.renewToken();return dn(o?await this.#n(e,t,n):s)}async#n(e,t,{body:n,idempotencyKey:s}){let[o,r]=[this.#e.baseUrl(),this.#e.token()];if(r===void 0)throw new $("not_signed_in");let a=new Headers({authorization:`Bearer ${r}`});n!==void 0&&a.set("content-type","application/json"),s!==void 0&&a.set("idempotency-key",s);let l={method:e,headers:a,credentials:"omit",...n&&{body:JSON.stringify(n)}},c=new AbortController,u=setTimeout(()=>c.abort(),ln);try{let d=await fetch(`${o}/v1${t}`,{...l,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{throw new $("network_error")}finally{clearTimeout(u)}}};function dn({status:i,ok:e,text:t}){let n=cn(t);if(e&&(n!==void 0||t===""))return n;let{code:s="unreadable_reply",message:o}=n?.error??{};throw new $(s,o,i)}function cn(i){try{return JSON.parse(i)}catch{return}}function dt(i,e="unexpected"){return i instanceof $?i:{code:e}}var ct=50,ce=class{#e;#t=new Map;constructor(e){this.#e=e}find(e){return this.#t.get(e)?.contact??void 0}clear(){this.#t.clear()}async read(e){for(let{number:n,contactId:s}of e)s===null&&this.#t.set(n,{contact:null,contactId:s});let t=e.filter(({number:n,contactId:s})=>un.test(n)&&(s===void 0||this.#t.get(n)?.contactId!==s));if(!(t.length===0||!this.#e.mayRead())){try{for(let n=0;n<t.length;n+=ct)await this.#n(t.slice(n,n+ct))}catch(n){if(!(n instanceof $))throw n}this.#e.onChange()}}async#n(e){let{api:t,tenant:n}=this.#e,s=[...new Set(e.map(({number:r})=>r))].join(","),{data:o}=await t.get("/contacts",{phone_numbers:s,limit:100,tenant_id:n()});for(let{number:r,contactId:a}of e){let l=o.find(({phone_numbers:d})=>d.includes(r))??null,u=a!=null&&a!==l?.id?await t.get(`/contacts/${a}`):l;this.#t.set(r,{contact:u,contactId:u?.id??null})}}},un=/^\+[1-9][0-9]{6,14}$/;function Ue(i){let e=new Intl.NumberFormat(i),t=new Intl.PluralRules(i),n=new Map;return{number:s=>e.format(s),plural:(s,o)=>o[t.select(s)]??o.other,date:(s,o)=>{let r=n.get(s)??new Intl.DateTimeFormat(i,s);return n.set(s,r),r.format(o)}}}var pt={en:"en-US",es:"es-US"};function De(i,e){let t=(i===void 0?e:[i]).map(ut),n=t.map(ht).find(o=>o!==void 0)??"en",s=[...t,...e.map(ut)].find(o=>ht(o)===n&&o?.region!==void 0);return{language:n,tag:s?.toString()??pt[n]}}function ut(i){try{return new Intl.Locale(i.trim().replaceAll("_","-"))}catch{return}}function ht(i){return Object.keys(pt).find(e=>e===i?.language)}function qe(i){let e=i;for(;e!==void 0;){let t=e.closest("[lang]");if(t!==null)return t.getAttribute("lang")||void 0;let n=e.getRootNode();e=n instanceof ShadowRoot?n.host:void 0}}function Ie(i,e){let t=new MutationObserver(e);for(let n=i.getRootNode();t.observe(n,{subtree:!0,attributeFilter:["lang"]}),n instanceof ShadowRoot;n=n.host.getRootNode());return addEventListener("languagechange",e),()=>{t.disconnect(),removeEventListener("languagechange",e)}}function ue(i,e){return Object.hasOwn(i,e)?i[e]:void 0}var mt=({number:i,plural:e})=>({waiting:"Waiting for a session.",withheld:"Number withheld",today:"Today",yesterday:"Yesterday",problems:{network_error:"The server cannot be reached.",not_signed_in:"There is no session yet.",unexpected:"Something went wrong.",text_not_sent:"The text could not be sent.",note_not_saved:"The note could not be saved.",no_sender:"There is no number to send from yet.",no_recipient:"Enter the number of the person.",no_web_client:"There is no web client for this phone.",calls_not_permitted:"This page may not place calls. 911 can always be called.",microphone_refused:"Allow the microphone for this page to make and answer calls.",speaker_refused:"This speaker cannot be used.",audio_failed:"The sound of this call failed.",not_registered:"The phone is not connected.",disconnected:"The connection was lost.",login_refused:"The server refused the login.",transfer_no_answer:"The transfer failed: nobody answered. The call continues here.",transfer_busy:"The transfer failed: that line is busy. The call continues here.",transfer_rejected:"The transfer failed: that person declined or hung up. The call continues here.",transfer_failed:"The transfer failed: that line could not be reached. The call continues here."},unreadableReply:t=>`The server answered ${t}.`,list:{title:"Conversations",states:{connecting:"Connecting\u2026",live:"Live",polling:"Updated every 10 seconds"},newText:"New text",loading:"Loading conversations\u2026",empty:"No conversations yet. Texts and calls to your numbers appear here.",older:"Older conversations",unread:"New",optedOut:"Opted out",done:"Done",snoozed:"Snoozed",previews:{call:"Call",missedCall:"Missed call",voicemail:t=>`Voicemail, ${t}`,files:t=>t===1?"[media]":`[${t} media]`}},thread:{none:"Choose a conversation.",back:"Back to conversations",newText:"New text",call:t=>`Call ${t}`,contact:"Contact",items:"Messages and calls",earlier:"Earlier",loading:"Loading\u2026",from:"From",to:"To",optedOut:"Opted out.",optedOutMeans:"This person asked to get no more texts. They can write START to get them again.",arrived:(t,n)=>`New text from ${t}: ${n}`},work:{nobody:"Nobody has it",assigned:t=>`${t} has it`,take:"Take it",giveUp:"Give it up",reopen:"Open again",finish:"Mark as done",writeNote:"Write a note",snooze:"Snooze",snoozedUntil:t=>`Snoozed until ${t}`,endSnooze:"End the snooze",lengths:{hour:"For an hour",hours:"For 4 hours",day:"For a day",week:"For a week"}},note:{label:"Note for the team, not sent",save:"Save note",title:"Note",titleOf:t=>`Note of ${t}`,notSent:"not sent"},composer:{label:"Text",placeholder:"Write a text",send:"Send",keys:"Enter sends, Shift+Enter begins a line.",characters:(t,n)=>`${i(t)} of ${i(n)} characters`,parts:t=>e(t,{one:"1 part",other:`${i(t)} parts`}),specialParts:t=>e(t,{one:"1 part, with special characters",other:`${i(t)} parts, with special characters`})},message:{you:"You wrote:",they:"They wrote:",group:"Group text",attachment:t=>`Attachment ${i(t)}`,picture:t=>`Attachment ${i(t)}, a picture`,statuses:{scheduled:"Scheduled",queued:"Sending\u2026",sent:"Sent",delivered:"Delivered",failed:"Not delivered",canceled:"Canceled"},failures:{carrier_rejected:"carrier rejected",send_failed:"send failed",unreachable:"unreachable",spam_blocked:"spam blocked",daily_cap_exceeded:"daily cap exceeded",expired:"expired",recipient_opted_out:"recipient opted out",campaign_suspended:"campaign suspended",insufficient_balance:"insufficient balance"}},call:{inProgress:"Call in progress",ringing:"Ringing\u2026",incoming:"Incoming call",outgoing:"Outgoing call",other:"Call",outcomes:{voicemail:"Went to voicemail",missed:"Missed call",no_answer:"No answer",busy:"Busy",canceled:"Canceled",failed:"Call failed",no_application:"Call failed"},callback:"Callback asked for",callbackIn:t=>`Callback asked for (${t})`,calledBack:t=>`Called back: ${t}`,notCalledBack:"Not called back yet",play:"Play recording",recording:"Recording of the call",voicemail:"Voicemail"},phone:{title:"Phone",states:{connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"},useHere:"Use here",connect:"Connect",number:"Number",emergencyNumber:"Emergency number (911)",call:"Call",ended:t=>`Call with ${t} ended`,endedAfter:(t,n)=>`Call with ${t} ended, ${n}`,incomingFrom:t=>`Incoming call from ${t}`,progress:{incoming:"Incoming call from",connected:"Connected with",held:"On hold with",ringing:"Ringing",calling:"Calling"},decline:"Decline",answer:"Answer",hangUp:"Hang up",time:"Length of the call",mute:"Mute",hold:"Hold",keypad:"Keypad",digits:"Digits sent",transfer:"Transfer"},transfer:{colleague:"Colleague",noColleague:"Enter a number below",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"available",away:"away",ringing:"a call rings there",busy:"on a call",wrap_up:"just after a call"},to:"Transfer to",sayFirst:"Say first (optional)",talkFirst:"Talk first",atOnce:"Transfer",talking:t=>`Talking to ${t}`,ringing:t=>`Transfer rings ${t}`,cancel:"Cancel transfer",complete:"Complete transfer"},desk:{queues:"Queues",takeAll:"Take callers of queues",takeOf:t=>`Take callers of ${t}`,sound:"Sound",microphone:"Microphone",speaker:"Speaker",standard:"Default",notify:"Notify me of calls"}});var ft=({number:i,plural:e})=>({waiting:"Esperando una sesi\xF3n.",withheld:"N\xFAmero oculto",today:"Hoy",yesterday:"Ayer",problems:{network_error:"No se puede conectar con el servidor.",not_signed_in:"Todav\xEDa no hay una sesi\xF3n.",unexpected:"Algo sali\xF3 mal.",text_not_sent:"No se pudo enviar el mensaje.",note_not_saved:"No se pudo guardar la nota.",no_sender:"Todav\xEDa no hay un n\xFAmero desde el cual enviar.",no_recipient:"Ingrese el n\xFAmero de la persona.",no_web_client:"No hay un cliente web para este tel\xE9fono.",calls_not_permitted:"Esta p\xE1gina no puede hacer llamadas. Siempre se puede llamar al 911.",microphone_refused:"Permita que esta p\xE1gina use el micr\xF3fono para hacer y contestar llamadas.",speaker_refused:"No se puede usar este altavoz.",audio_failed:"Fall\xF3 el sonido de esta llamada.",not_registered:"El tel\xE9fono no est\xE1 conectado.",disconnected:"Se perdi\xF3 la conexi\xF3n.",login_refused:"El servidor rechaz\xF3 el inicio de sesi\xF3n.",transfer_no_answer:"La transferencia fall\xF3: nadie contest\xF3. La llamada contin\xFAa aqu\xED.",transfer_busy:"La transferencia fall\xF3: esa l\xEDnea est\xE1 ocupada. La llamada contin\xFAa aqu\xED.",transfer_rejected:"La transferencia fall\xF3: esa persona rechaz\xF3 la llamada o colg\xF3. La llamada contin\xFAa aqu\xED.",transfer_failed:"La transferencia fall\xF3: no se pudo comunicar con esa l\xEDnea. La llamada contin\xFAa aqu\xED."},refusals:{invalid_api_key:"La sesi\xF3n termin\xF3 o no es v\xE1lida.",account_suspended:"Esta cuenta est\xE1 suspendida.",tenant_restricted_key:"Esta sesi\xF3n es de otra empresa.",rate_limited:"Hay demasiadas solicitudes. Espere un momento e int\xE9ntelo de nuevo.",idempotency_in_progress:"Esta solicitud todav\xEDa se est\xE1 procesando. Espere un momento.",not_found:"No se encontr\xF3.",empty_message:"El mensaje est\xE1 vac\xEDo.",body_too_long:"El mensaje tiene m\xE1s de 1600 caracteres.",message_too_long:"El mensaje tiene m\xE1s partes de las que acepta el operador.",invalid_to:"Este no es un n\xFAmero al que se pueda escribir o llamar.",invalid_to_number:"Este no es un n\xFAmero al que se pueda llamar.",recipient_opted_out:"Esta persona pidi\xF3 no recibir m\xE1s mensajes ni llamadas autom\xE1ticas.",from_number_not_found:"El n\xFAmero desde el cual se env\xEDa no est\xE1 activo.",number_not_sms_capable:"Este n\xFAmero es solo para llamadas.",destination_not_supported:"No se ofrece servicio a este destino.",campaign_not_approved:"El n\xFAmero todav\xEDa no tiene una campa\xF1a aprobada, as\xED que no puede enviar mensajes.",conversation_not_found:"No existe esta conversaci\xF3n.",too_many_notes:"Esta conversaci\xF3n ya tiene todas las notas que puede tener.",recording_not_found:"No existe esta grabaci\xF3n.",web_client_not_found:"No existe este cliente web.",queue_not_found:"No existe esta cola.",call_not_found:"No existe esta llamada.",call_not_active:"El estado de la llamada no lo permite.",transfer_in_progress:"Ya hay una transferencia en curso.",no_consult_in_progress:"No hay una consulta en curso para esta llamada.",insufficient_balance:"El saldo de la cuenta es insuficiente.",internal_error:"Algo sali\xF3 mal en el servidor.",database_unavailable:"El servicio no est\xE1 disponible en este momento.",service_paused:"El servicio est\xE1 en pausa: por ahora solo se puede leer.",storage_unavailable:"Las grabaciones no est\xE1n disponibles en este momento.",carrier_unavailable:"Ning\xFAn operador puede hacerlo en este momento."},unreadableReply:t=>`El servidor respondi\xF3 ${t}.`,list:{title:"Conversaciones",states:{connecting:"Conectando\u2026",live:"En vivo",polling:"Se actualiza cada 10 segundos"},newText:"Mensaje nuevo",loading:"Cargando conversaciones\u2026",empty:"Todav\xEDa no hay conversaciones. Aqu\xED aparecen los mensajes y las llamadas a sus n\xFAmeros.",older:"Conversaciones anteriores",unread:"Sin leer",optedOut:"Se dio de baja",done:"Resuelta",snoozed:"Pospuesta",previews:{call:"Llamada",missedCall:"Llamada perdida",voicemail:t=>`Mensaje de voz, ${t}`,files:t=>t===1?"[archivo]":`[${t} archivos]`}},thread:{none:"Elija una conversaci\xF3n.",back:"Volver a las conversaciones",newText:"Mensaje nuevo",call:t=>`Llamar a ${t}`,contact:"Contacto",items:"Mensajes y llamadas",earlier:"Anteriores",loading:"Cargando\u2026",from:"Desde",to:"Para",optedOut:"Se dio de baja.",optedOutMeans:"Esta persona pidi\xF3 no recibir m\xE1s mensajes. Puede escribir START para volver a recibirlos.",arrived:(t,n)=>`Mensaje nuevo de ${t}: ${n}`},work:{nobody:"Nadie la atiende",assigned:t=>`La atiende ${t}`,take:"Atender",giveUp:"Dejar de atender",reopen:"Abrir de nuevo",finish:"Marcar como resuelta",writeNote:"Escribir una nota",snooze:"Posponer",snoozedUntil:t=>`Pospuesta hasta: ${t}`,endSnooze:"Dejar de posponer",lengths:{hour:"Una hora",hours:"4 horas",day:"Un d\xEDa",week:"Una semana"}},note:{label:"Nota para el equipo, no se env\xEDa",save:"Guardar nota",title:"Nota",titleOf:t=>`Nota de ${t}`,notSent:"no enviada"},composer:{label:"Mensaje",placeholder:"Escriba un mensaje",send:"Enviar",keys:"Enter env\xEDa; May\xFAs + Enter empieza otra l\xEDnea.",characters:(t,n)=>`${i(t)} de ${i(n)} caracteres`,parts:t=>e(t,{one:"1 parte",other:`${i(t)} partes`}),specialParts:t=>e(t,{one:"1 parte, con caracteres especiales",other:`${i(t)} partes, con caracteres especiales`})},message:{you:"Usted escribi\xF3:",they:"La otra persona escribi\xF3:",group:"Mensaje grupal",attachment:t=>`Archivo adjunto ${i(t)}`,picture:t=>`Archivo adjunto ${i(t)}, una imagen`,statuses:{scheduled:"Programado",queued:"Enviando\u2026",sent:"Enviado",delivered:"Entregado",failed:"No entregado",canceled:"Cancelado"},failures:{carrier_rejected:"rechazado por el operador",send_failed:"no se pudo enviar",unreachable:"n\xFAmero fuera de alcance",spam_blocked:"bloqueado como spam",daily_cap_exceeded:"l\xEDmite diario alcanzado",expired:"vencido",recipient_opted_out:"la persona se dio de baja",campaign_suspended:"campa\xF1a suspendida",insufficient_balance:"saldo insuficiente"}},call:{inProgress:"Llamada en curso",ringing:"Timbrando\u2026",incoming:"Llamada entrante",outgoing:"Llamada saliente",other:"Llamada",outcomes:{voicemail:"Pas\xF3 al buz\xF3n de voz",missed:"Llamada perdida",no_answer:"Sin respuesta",busy:"Ocupado",canceled:"Cancelada",failed:"Fall\xF3 la llamada",no_application:"Fall\xF3 la llamada"},callback:"Pidi\xF3 que le devuelvan la llamada",callbackIn:t=>`Pidi\xF3 que le devuelvan la llamada (${t})`,calledBack:t=>`Se le devolvi\xF3 la llamada: ${t}`,notCalledBack:"Todav\xEDa no se le devolvi\xF3 la llamada",play:"Reproducir grabaci\xF3n",recording:"Grabaci\xF3n de la llamada",voicemail:"Mensaje de voz"},phone:{title:"Tel\xE9fono",states:{connecting:"Conectando\u2026",ready:"Listo",reconnecting:"Conectando de nuevo\u2026",elsewhere:"En uso en otra p\xE1gina",out:"Sin conexi\xF3n"},useHere:"Usar aqu\xED",connect:"Conectar",number:"N\xFAmero",emergencyNumber:"N\xFAmero de emergencia (911)",call:"Llamar",ended:t=>`Termin\xF3 la llamada con ${t}`,endedAfter:(t,n)=>`Termin\xF3 la llamada con ${t}, ${n}`,incomingFrom:t=>`Llamada entrante de ${t}`,progress:{incoming:"Llamada entrante de",connected:"En llamada con",held:"En espera con",ringing:"Timbrando a",calling:"Llamando a"},decline:"Rechazar",answer:"Contestar",hangUp:"Colgar",time:"Duraci\xF3n de la llamada",mute:"Silenciar",hold:"En espera",keypad:"Teclado",digits:"D\xEDgitos enviados",transfer:"Transferir"},transfer:{colleague:"Compa\xF1ero",noColleague:"Ingresar un n\xFAmero abajo",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"disponible",away:"ausente",ringing:"le suena una llamada",busy:"en una llamada",wrap_up:"acaba de terminar una llamada"},to:"Transferir a",sayFirst:"Decir antes (opcional)",talkFirst:"Consultar antes",atOnce:"Transferir",talking:t=>`Consultando con ${t}`,ringing:t=>`Llamando a ${t} para transferir`,cancel:"Cancelar transferencia",complete:"Completar transferencia"},desk:{queues:"Colas",takeAll:"Atender llamadas de las colas",takeOf:t=>`Atender llamadas de ${t}`,sound:"Sonido",microphone:"Micr\xF3fono",speaker:"Altavoz",standard:"Predeterminado",notify:"Avisarme de las llamadas"}});var hn={en:mt,es:ft};function gt({language:i,tag:e}){let t=Ue(e);return{...hn[i](t),language:i,formats:t}}function yt(i,{code:e,message:t,status:n=0}){return e==="unreadable_reply"?i.unreadableReply(n):ue(i.problems,e)??ue(i.refusals??{},e)??(t||i.problems.unexpected)}var pn=6e4,mn=15e3,fn=2147483647,G=class extends E{static properties={baseUrl:{attribute:"base-url"},language:{},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new de({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#e;#t;#n;#o;#s;#a;#i;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.#i=Ie(this,()=>this.requestUpdate()),this.requestUpdate(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),this.#i?.(),clearTimeout(this.#e),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#c(),this.#n?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,n=e.has("baseUrl")||this.session?.tenant_id!==this.#o;this.#o=this.session?.tenant_id,(t||n)&&this.isReady&&this.isConnected&&this.begin()}get texts(){let e=De(this.language||qe(this),navigator.languages);return(this.#a===void 0||this.#s?.tag!==e.tag)&&(this.#a=gt(e)),this.#s=e,this.#a}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#t??=this.#d().finally(()=>{this.#t=void 0}),this.#t}async#d(){let e=this.token,t,n=new Promise(s=>{this.#n=s,t=setTimeout(s,mn)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#l(e,n),n]),await this.updateComplete}catch(s){this.emit("session-lost",{error:s})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#l(e,t){let n;try{n=await this.renew?.()}catch(s){this.token===e&&this.emit("session-lost",{error:s});return}if(n===void 0)return t;this.token===e&&(typeof n=="string"?this.token=n:this.session=n)}#c(){clearTimeout(this.#e);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),n=Math.max(0,t-Math.min(pn,t/2));this.#e=setTimeout(()=>{this.renewToken()},Math.min(n,fn))}};function D(i,e){if(e==="anonymous")return i.withheld;let[,t,n,s]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(e)??[];return t===void 0?e:`(${t}) ${n}-${s}`}function J(i,e,t){return e.find(t)?.name??D(i,t)}function je(i){let e=Math.max(0,Math.floor(i)),[t,n,s]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],o=String(s).padStart(2,"0");return t===0?`${n}:${o}`:`${t}:${String(n).padStart(2,"0")}:${o}`}function he(i){let e=i.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}var bt=B`
  :host {
    --_accent: var(--dialplane-accent, light-dark(#0f62d6, #7cb5ff));
    --_on-accent: var(--dialplane-on-accent, light-dark(#ffffff, #06172e));
    --_background: var(--dialplane-background, light-dark(#ffffff, #14181f));
    --_surface: var(--dialplane-surface, light-dark(#f3f5f9, #1d232d));
    --_raised: var(--dialplane-raised, light-dark(#e6eaf1, #2a323f));
    --_text: var(--dialplane-text, light-dark(#18202b, #e8edf5));
    --_muted: var(--dialplane-muted, light-dark(#566073, #a4b0c2));
    --_border: var(--dialplane-border, light-dark(#d9dfe9, #323b49));
    --_control: var(--dialplane-control, light-dark(#7f8a9c, #77849a));
    --_danger: var(--dialplane-danger, light-dark(#b3261e, #ff9d94));
    --_on-danger: var(--dialplane-on-danger, light-dark(#ffffff, #3a0906));
    --_success: var(--dialplane-success, light-dark(#15722f, #73d88c));
    --_on-success: var(--dialplane-on-success, light-dark(#ffffff, #04240e));
    --_warning-surface: var(--dialplane-warning-surface, light-dark(#fdf1d8, #3a2f14));
    --_warning-text: var(--dialplane-warning-text, light-dark(#5c4300, #f6dda0));
    --_radius: var(--dialplane-radius, 12px);
    --_font: var(--dialplane-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif);
    display: block;
    box-sizing: border-box;
    container-type: inline-size;
    overflow: hidden;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font: var(--dialplane-font-size, 0.9375rem) / 1.45 var(--_font);
    -webkit-font-smoothing: antialiased;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  ul,
  ol {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: 1.0625em;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    cursor: pointer;
  }
  button:disabled {
    cursor: default;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  svg {
    display: block;
    width: 1.25em;
    height: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .muted {
    color: var(--_muted);
  }
  .small {
    font-size: 0.8125em;
  }
  .error {
    color: var(--_danger);
  }
  .primary,
  .plain {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4em;
    min-height: 2.5em;
    padding: 0.35em 0.95em;
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) * 0.75);
    font-weight: 600;
  }
  .primary {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .primary:disabled {
    background: var(--_raised);
    color: var(--_muted);
  }
  .plain {
    border-color: var(--_border);
    background: var(--_background);
  }
  .plain:hover:enabled {
    background: var(--_surface);
  }
  .icon {
    display: inline-grid;
    place-items: center;
    width: 2.5em;
    height: 2.5em;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: transparent;
    color: var(--_muted);
  }
  .icon:hover:enabled {
    background: var(--_surface);
    color: var(--_text);
  }
  .field {
    width: 100%;
    min-height: 2.5em;
    padding: 0.4em 0.75em;
    border: 1px solid var(--_control);
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_background);
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 0.45em;
    color: var(--_muted);
    font-size: 0.8125em;
    white-space: nowrap;
  }
  .state::before {
    width: 0.5em;
    height: 0.5em;
    border-radius: 50%;
    background: var(--_control);
    content: '';
  }
  .state.good::before {
    background: var(--_success);
  }
  @media (forced-colors: active) {
    .state::before {
      border: 1px solid;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
      transition: none !important;
    }
  }
`;var pe=class{#e;#t="";#n;get mayAsk(){return"Notification"in globalThis&&Notification.permission==="default"}async ask(){await Notification.requestPermission()}start(e){if(this.#e?.id===e.id){this.#o(e);return}this.stop(),this.#e=e,this.#t=document.title,document.title=e.text,document.hasFocus()||this.#s(e)}stop(){let e=this.#e;e!==void 0&&(this.#e=void 0,document.title===e.text&&(document.title=this.#t),this.#n?.close(),this.#n=void 0)}#o(e){document.title===this.#e?.text&&(document.title=e.text),this.#e=e}#s({id:e,text:t}){if(!(!("Notification"in globalThis)||Notification.permission!=="granted"))try{let n=new Notification(t,{tag:`dialplane-${e}`,requireInteraction:!0});n.onclick=()=>{window.focus(),n.close()},this.#n=n}catch{}}};var vt=["busy","ringing","available","wrap_up","away"],gn=5,me=class{list=[];#e;#t;constructor(e,t){this.#e=e,this.#t=t}nameOf(e){return this.list.find(t=>t.address===e)?.name??void 0}clear(){this.list=[]}async read(e){try{let[t,n]=await Promise.all([this.#n("/web_clients"),this.#n("/queues")]);this.list=yn(t,n).filter(({address:s})=>s!==e)}catch(t){if(!(t instanceof $))throw t}this.#t()}async#n(e){let t=[],n;for(let s=0;s<gn;s++){let o=await this.#e.get(e,{limit:100,after:n});if(t.push(...o.data),o.next_cursor===null)break;n=o.next_cursor}return t}};function yn(i,e){let t=new Map;for(let{id:n,name:s,status:o}of i)o==="active"&&t.set(n,{address:n,name:s,state:null});for(let{agent:n,state:s}of e.flatMap(({agents:o})=>o)){let o=t.get(n);if(o===void 0&&n.startsWith("wcl_"))continue;let r=o?.state??null,a=r===null||vt.indexOf(s)<vt.indexOf(r);t.set(n,{address:n,name:o?.name??null,state:a?s:r})}return[...t.values()].sort((n,s)=>_t(n)-_t(s)||wt(n).localeCompare(wt(s)))}var _t=({state:i})=>i==="available"?0:i===null?1:2,wt=({name:i,address:e})=>i??e;var bn=/[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,vn=/^\+?1?(911|933)$/;function $t(i){return vn.exec(String(i).normalize("NFKC").replaceAll(bn,""))?.[1]}function At(){let i=new Map;return{on:(e,t)=>{let n=i.get(e)??new Set;return i.set(e,n.add(t)),()=>n.delete(t)},emit:(e,t)=>{for(let n of[...i.get(e)??[]])n(t)}}}async function He(){let i=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>i.flatMap(({kind:n,deviceId:s,label:o})=>n===t&&s!==""?[{id:s,label:o}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function kt({onOnline:i,onDevices:e}){let t=globalThis.navigator?.mediaDevices,n=()=>{He().then(e)};return globalThis.addEventListener?.("online",i),t?.addEventListener("devicechange",n),()=>{globalThis.removeEventListener?.("online",i),t?.removeEventListener("devicechange",n)}}var fe=class{#e=new Map;#t=0;#n=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");nextRef(){return`${this.#n}-${++this.#t}`}place(e,t){let n=this.#e.get(e);if(n!==void 0)return n.promise;let s=Promise.withResolvers();return this.#e.set(e,s),t(),s.promise}take(e=""){let t=this.#e.get(e);return this.#e.delete(e),t}refuseAll(e){for(let t of this.#e.values())t.reject(e());this.#e.clear()}};var b=class extends Error{constructor(e,t,n=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=n}};var xt=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var _=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return _[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return R(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function R(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var g=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(g);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<g)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#h=0;#r=null;#o=0;#a=Number.NaN;stats={received:0,late:0,missing:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#h=0,this.#r=t,t)}get counts(){let{received:t,late:s,missing:e,dropped:n}=this.stats;return{due:t-s+e,lost:e+n,jitterMs:this.#o}}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#a=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#a)?0:Math.abs(e-this.#a);this.#a=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?(this.#t++,this.stats.missing++):++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#h>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),y=5e3/20,p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;#n=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#h();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#h(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0,++this.#n%y===0&&this.port.postMessage(this.#t.counts)}};registerProcessor("dialplane-playback",p);})();
`;function Tt(i,e,t=()=>performance.now()){let n={due:0,lost:0},s=0,o=0,r=null,a=()=>{i.readyState===WebSocket.OPEN&&(s++,o=t(),i.send(JSON.stringify({event:"mark",name:`quality-${s}`})))};return i.addEventListener("open",a),{handleMark(l){l===`quality-${s}`&&(r=t()-o)},handleReport({due:l,lost:c,jitterMs:u}){let[d,m]=[l-n.due,c-n.lost];n={due:l,lost:c},d>0&&e({lossPercent:Math.min(100,100*m/d),jitterMs:u,roundTripMs:r}),r=null,a()}}}var _n=12e3,wn={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},$n=new Set([1006,1011,1012,1013]),ye=class{#e;#t;#n;#o;#s="";#a=new Set;constructor({microphone:e,workletUrl:t}={}){this.#n={...wn,...e},this.#o=t}async prepare(){let[e]=await Promise.all([this.#i(),this.#l()]);await e.resume()}async link({url:e,token:t},{onFlow:n,onLost:s,onNoMicrophone:o,onQuality:r=()=>{}},{isSilent:a=!1,isPlaying:l=!0}={}){let c=await this.#i();c.resume().catch(()=>{});let u=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),d=kn(c,u,{onFlow:n,onQuality:r}),m=xn(c,v=>{u.readyState!==WebSocket.OPEN||u.bufferedAmount>_n||u.send(JSON.stringify({event:"media",payload:Sn(v)}))}),h=!1,g=!0,y,A=v=>{u.readyState>WebSocket.OPEN||(y??=c.createMediaStreamSource(v),g||y.connect(m))},F=v=>{y?.disconnect(),y=void 0,g||v.then(A,o)};this.#a.add(F);let Fe=v=>{g!==v&&(g=v,v?y?.disconnect():this.#l().then(A,o))},ze=v=>{d.disconnect(),v&&d.connect(c.destination)};return Fe(a),ze(l),u.onclose=({code:v})=>{this.#a.delete(F),d.disconnect(),d.port.close(),y?.disconnect(),m.port.close(),!h&&$n.has(v)&&s()},{setSilent:Fe,setPlaying:ze,play:v=>Tn(c,m,v),close:()=>{h=!0,u.close()}}}async useMicrophone(e){let{deviceId:t,...n}=this.#n,s=e===""?n:{...n,deviceId:{exact:e}},o=this.#t;if(o===void 0&&this.#a.size===0){this.#n=s;return}let r=await Et(s).catch(a=>{throw ge("microphone_refused",a)});this.#n=s,this.#c(Promise.resolve(r)),St(await o?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new b("speaker_refused","This browser cannot choose the speaker.");let t=await this.#e;t!==void 0&&await Ct(t,e),this.#s=e}async decode(e){return await(await this.#i()).decodeAudioData(e)}async close(){let[e,t]=[this.#e,this.#t];this.#e=void 0,this.#t=void 0,await Promise.all([t?.then(St),e?.then(n=>n.close())])}#i(){return this.#e??=this.#d().catch(e=>{throw this.#e=void 0,ge("audio_failed",e)}),this.#e}async#d(){let e=await An(this.#o);return this.#s!==""&&await Ct(e,this.#s).catch(()=>{}),e}#l(){if(this.#t===void 0){let e=Et(this.#n).catch(t=>{throw this.#t=void 0,ge("microphone_refused",t)});this.#r(e)}return this.#t}#c(e){this.#r(e);for(let t of this.#a)t(e)}#r(e){this.#t=e;let t=()=>{if(this.#t!==e)return;this.#t=void 0;let{deviceId:n,...s}=this.#n;this.#n=s,this.#a.size>0&&this.#c(this.#l())};e.then(n=>{for(let s of n.getTracks())s.addEventListener("ended",t)},()=>{})}};function St(i){for(let e of i?.getTracks()??[])e.stop()}async function Ct(i,e){try{await i.setSinkId(e)}catch(t){throw ge("speaker_refused",t)}}async function Et(i){return await navigator.mediaDevices.getUserMedia({audio:i})}async function An(i){let e=new AudioContext({latencyHint:"interactive"});if(i!==void 0)return await e.audioWorklet.addModule(i),e;let t=URL.createObjectURL(new Blob([xt],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function kn(i,e,{onFlow:t,onQuality:n}){let s=new AudioWorkletNode(i,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]}),o=Tt(e,n);return s.port.onmessage=({data:r})=>o.handleReport(r),e.onmessage=({data:r})=>{let a=JSON.parse(r);if(a.event==="mark"&&o.handleMark(a.name),a.event!=="media")return;let l=Cn(a.payload);t(l),s.port.postMessage({seq:a.seq,codes:l},[l.buffer])},s}function xn(i,e){let t=new AudioWorkletNode(i,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:n})=>e(n),t}function Tn(i,e,t){let n=new AudioBufferSourceNode(i,{buffer:t}),s=new Promise(o=>{n.onended=()=>o(void 0)});return n.connect(e),n.start(),{ended:s,stop:()=>n.stop()}}function ge(i,e){return new b(i,e instanceof Error?e.message:String(e))}function Sn(i){return btoa(String.fromCharCode(...i))}function Cn(i){return Uint8Array.from(atob(i),e=>e.charCodeAt(0))}var En="/v1/softphone",Pt=[500,1e3,2e3,5e3],Pn=new Set(["carrier_unavailable","rate_limited"]),be=class{listener=()=>{};#e;#t;#n;#o=new Map;#s=new Map;#a=new Set;constructor({url:e,microphone:t,workletUrl:n}){this.#e=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${En}`,this.#t=new ye({microphone:t,workletUrl:n})}open(e){this.close();let t=new WebSocket(this.#e);this.#n=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:n})=>this.#d(JSON.parse(n)),t.onclose=({code:n,reason:s})=>{this.#n===t&&(this.#n=void 0,this.listener({type:"closed",code:n,reason:s}))}}async prepareAudio(){await this.#t.prepare()}async useMicrophone(e){await this.#t.useMicrophone(e)}async useSpeaker(e){await this.#t.useSpeaker(e)}answer(e){this.#i({type:"answer",call_id:e})}decline(e){this.#i({type:"decline",call_id:e})}hangUp(e){this.#i({type:"hang_up",call_id:e})}place(e){this.#i({type:"place",...e})}setMuted(e,t){this.#i({type:"mute",call_id:e,on:t}),this.#u(`mute:${e}`,e,t)}setHeld(e,t){this.#i({type:"hold",call_id:e,on:t}),this.#u(`hold:${e}`,e,t)}sendDigits(e,t){this.#i({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:n,announceText:s}){let o={...n&&{mode:n},...s&&{announce_text:s}};this.#i({type:"transfer",call_id:e,to:t,...o})}completeTransfer(e){this.#i({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#i({type:"cancel_transfer",call_id:e})}setAvailability(e,t){this.#i({type:"availability",availability:e,...t===void 0?{}:{queue_id:t}})}close(){let e=this.#n;this.#n=void 0,e?.close();for(let t of[...this.#o.keys()])this.#r(t);this.#s.clear(),this.#a.clear(),this.#t.close().catch(()=>{})}#i(e){this.#n?.readyState===WebSocket.OPEN&&this.#n.send(JSON.stringify(e))}#d(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"queues":{let n=e.queues;return this.listener({type:"queues",queues:n.map(({queue_id:s,...o})=>({id:s,...o}))})}case"incoming":case"dialing":{let{type:n,direction:s,from:o,to:r,caller_name:a=null,contact_name:l=null,ref:c,listener:u}=e,d={...c===void 0?{}:{ref:c},...u===void 0?{}:{listener:{id:u.id,speaksTo:u.speaks_to}}};return this.listener({type:n,callId:t,direction:s,from:o,to:r,callerName:a,contactName:l,...d})}case"media":return this.#l(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer,...e.failure===void 0?{}:{failure:e.failure}});case"ended":return this.#r(t),this.#s.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:n,message:s,ref:o,request:r}=e;if(r==="media")return Pn.has(n)?this.#c(t):void 0;let a={type:"error",code:n,message:s,callId:t??null};return this.listener({...a,...o===void 0?{}:{ref:o}})}default:}}#l(e,t){this.#r(e);let n=({code:o="audio_failed",message:r})=>this.listener({type:"error",code:o,message:r,callId:e}),s=this.#t.link({url:t.url,token:t.token},{onFlow:()=>this.#s.delete(e),onLost:()=>{this.#o.get(e)===s&&this.#c(e)},onNoMicrophone:n,onQuality:o=>this.listener({type:"quality",callId:e,...o})}).catch(o=>{n(o)});this.#o.set(e,s),this.#h(e)}#c(e){let t=this.#s.get(e)??0;this.#s.set(e,t+1);let n=this.#o.get(e);setTimeout(()=>{n!==void 0&&this.#o.get(e)===n&&this.#i({type:"media",call_id:e})},Pt[Math.min(t,Pt.length-1)])}#r(e){let t=this.#o.get(e);this.#o.delete(e),t?.then(n=>n?.close())}#u(e,t,n){n?this.#a.add(e):this.#a.delete(e),this.#h(t)}#h(e){let t=this.#a.has(`mute:${e}`)||this.#a.has(`hold:${e}`);this.#o.get(e)?.then(n=>n?.setSilent(t))}};var Mt=new Set([4401,4403,4408,4409]),Rt=[500,1e3,2e3,5e3,1e4],X=class{#e;#t=new Map;#n=At();on=this.#n.on;#o=new fe;#s;#a;#i;#d=0;#l=!1;#c=[];#r=()=>{};constructor({url:e,transport:t,microphone:n,workletUrl:s}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#e=t??new be({url:e??"",microphone:n,workletUrl:s}),this.#e.listener=o=>this.#g(o)}get calls(){return[...this.#t.values()]}get queues(){return this.#c}get isRegistered(){return this.#l}async connect(e){this.disconnect(),this.#s=e,this.#r=kt({onOnline:()=>this.#f(),onDevices:n=>this.#n.emit("devices",n)});let t=Promise.withResolvers();return this.#a=t,await this.#h(),t.promise}disconnect(){clearTimeout(this.#i),this.#i=void 0,this.#r(),this.#s=void 0,this.#d=0,this.#l=!1,this.#a?.reject(new b("disconnected","The softphone was disconnected.")),this.#a=void 0,this.#o.refuseAll(()=>new b("disconnected","The softphone was disconnected.")),this.#t.clear(),this.#e.close()}async devices(){return await He()}async useMicrophone(e=""){await this.#e.useMicrophone(e)}async useSpeaker(e=""){await this.#e.useSpeaker(e)}async answer(e){let t=this.#u(e,n=>n.state==="incoming");await this.#e.prepareAudio(),this.#e.answer(t.id)}decline(e){this.#e.decline(this.#u(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:n=this.#o.nextRef()}={}){if(!this.#l)throw new b("not_registered","The softphone is not connected.");let s=$t(e);s===void 0&&await this.#e.prepareAudio();let o={to:s??e,ref:n,...t===void 0?{}:{from:t}};return this.#o.place(n,()=>this.#e.place(o))}hangUp(e){this.#e.hangUp(this.#u(e).id)}mute(e=!0,t){let n=this.#u(t);this.#e.setMuted(n.id,e),this.#t.set(n.id,{...n,muted:e})}hold(e=!0,t){let n=this.#u(t);this.#e.setHeld(n.id,e),this.#t.set(n.id,{...n,held:e})}sendDigits(e,t){this.#e.sendDigits(this.#u(t).id,e)}transfer(e,{mode:t,announceText:n,callId:s}={}){let o={...t&&{mode:t},...n&&{announceText:n}};this.#e.transfer(this.#u(s).id,{to:e,...o})}completeTransfer(e){this.#e.completeTransfer(this.#u(e).id)}cancelTransfer(e){this.#e.cancelTransfer(this.#u(e).id)}setAvailability(e,t){this.#e.setAvailability(e,t)}#u(e,t=()=>!0){let n=e===void 0?this.calls.filter(t).at(-1):this.#t.get(e);if(n===void 0)throw new b("call_not_found","There is no such call.",e);return n}async#h(){let e=this.#s;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#s===e&&this.#e.open(t)}catch(t){this.#s===e&&this.#m(0,`no token: ${t instanceof Error?t.message:t}`)}}#f(){this.#i!==void 0&&(clearTimeout(this.#i),this.#i=void 0,this.#d=0,this.#h())}#g(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:n,callIds:s}=e;this.#l=!0,this.#d=0,this.#y(s),this.#n.emit("registered",{webClientId:t,expiresAt:n}),this.#a?.resolve(),this.#a=void 0;return}case"queues":return this.#c=e.queues,this.#n.emit("queues",e.queues);case"incoming":case"dialing":return this.#b(e);case"ringing":return this.#p(e.callId,"ringing","ringing");case"answered":return this.#p(e.callId,"connected","answered");case"transfer":{let t=this.#t.get(e.callId);if(t===void 0)return;let n={...t,transfer:e.transfer};this.#t.set(t.id,n),this.#n.emit("transfer",n),e.failure!==void 0&&this.#n.emit("transferFailed",{...n,reason:e.failure});return}case"quality":{let{callId:t,lossPercent:n,jitterMs:s,roundTripMs:o}=e;this.#t.has(t)&&this.#n.emit("quality",{callId:t,lossPercent:n,jitterMs:s,roundTripMs:o});return}case"ended":{let t=this.#t.get(e.callId);this.#t.delete(e.callId);let{reason:n,outcome:s}=e;t!==void 0&&this.#n.emit("ended",{...t,state:"ended",reason:n,outcome:s});return}case"error":{let t=new b(e.code,e.message,e.callId),n=this.#o.take(e.ref);n!==void 0?n.reject(t):this.#n.emit("error",t);return}case"closed":return this.#m(e.code,e.reason)}}#y(e){for(let t of this.calls.filter(({id:n})=>!e.includes(n)))this.#t.delete(t.id),this.#n.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#b({type:e,callId:t,direction:n,from:s,to:o,callerName:r=null,contactName:a=null,ref:l,listener:c}){let u=this.#t.get(t),m={id:t,direction:n,from:s,to:o,callerName:r,contactName:a,state:e,...c===void 0?{}:{listener:c}},h=u?{...u,transfer:null}:{...m,muted:!1,held:!1,transfer:null};this.#t.set(t,h),h.muted&&this.#e.setMuted(t,!0),h.held&&this.#e.setHeld(t,!0),this.#o.take(l)?.resolve(h),u===void 0&&e==="incoming"&&this.#n.emit("incoming",h)}#p(e,t,n){let s=this.#t.get(e);if(s===void 0||s.state===t)return;let o={...s,state:t};this.#t.set(e,o),this.#n.emit(n,o)}#m(e,t){this.#l=!1,this.#o.refuseAll(()=>new b("disconnected","The connection was lost."));let n=typeof this.#s=="function"&&!Mt.has(e)&&this.#a===void 0;if(this.#a!==void 0){let o=Mt.has(e);this.#a.reject(new b(o?"login_refused":"disconnected",t)),this.#a=void 0,this.#s=void 0}if(n||this.#t.clear(),this.#n.emit("disconnected",{code:e,reason:t,willReconnect:n}),!n)return;let s=Rt[Math.min(this.#d++,Rt.length-1)];this.#i=setTimeout(()=>(this.#i=void 0,this.#h()),s)}};var Ot="dialplane-phone-devices",ve=class{devices={microphones:[],speakers:[]};used={microphone:"",speaker:""};#e={microphone:"",speaker:""};#t;#n;constructor(e){this.#t=e}get mayChooseSpeaker(){return"setSinkId"in AudioContext.prototype}async follow(e){this.#n=e,this.used={microphone:"",speaker:""},this.#e=Rn(),e.on("devices",t=>this.#o(e,t)),this.#o(e,await e.devices())}async list(){let e=this.#n;if(e===void 0)return;let t=await e.devices();t.microphones.length===0&&(await Mn(),t=await e.devices()),this.#o(e,t)}async choose(e,t){let n=this.#n;if(n===void 0)return;await Nt(n,e,t),this.used[e]=t;let{microphones:s,speakers:o}=this.devices,r=e==="microphone"?s:o;this.#e[e]=r.find(a=>a.id===t)?.label??"",On(this.#e),this.#t()}#o(e,t){this.#n===e&&(this.devices=t,this.#s(e,"microphone",t.microphones),this.mayChooseSpeaker&&this.#s(e,"speaker",t.speakers),this.#t())}#s(e,t,n){let[s,o]=[this.used[t],this.#e[t]],r=o!==""&&n.find(({label:a})=>a===o)?.id||"";r!==s&&(this.used[t]=r,Nt(e,t,r).catch(()=>{this.used[t]=s,this.#t()}))}};function Nt(i,e,t){return e==="microphone"?i.useMicrophone(t):i.useSpeaker(t)}async function Mn(){try{let i=await navigator.mediaDevices.getUserMedia({audio:!0});for(let e of i.getTracks())e.stop()}catch(i){throw new b("microphone_refused",String(i))}}function Rn(){let{microphone:i="",speaker:e=""}=Nn()??{};return{microphone:String(i),speaker:String(e)}}function Nn(){try{return JSON.parse(localStorage.getItem(Ot)??"{}")}catch{return null}}function On(i){try{localStorage.setItem(Ot,JSON.stringify(i))}catch{}}var Ln=4408,Un=4409,Dn=4e3,_e=class{state="connecting";problem=null;active=null;ended=null;queues=[];webClientId=null;sound;#e;#t;#n;constructor(e){this.#e=e,this.sound=new ve(e.onChange)}async connect(){this.disconnect();let e=new X({url:this.#e.baseUrl()});this.#t=e,this.#d(e),this.#r({state:"connecting",problem:null,queues:[]}),this.sound.follow(e);let t,n=()=>this.#a().catch(s=>{throw t=s,s});try{await e.connect(n)}catch(s){this.#t===e&&this.#r({state:"out",problem:Z(t??s)})}}disconnect(){clearTimeout(this.#n);let e=this.#t;this.#t=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#s((e,t)=>e.answer(t));decline=()=>this.#s((e,t)=>e.decline(t));hangUp=()=>this.#s((e,t)=>e.hangUp(t));mute=e=>this.#s((t,n)=>t.mute(e,n));hold=e=>this.#s((t,n)=>t.hold(e,n));transfer=(e,t)=>this.#s((n,s)=>n.transfer(e,{...t,callId:s}));completeTransfer=()=>this.#s((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#s((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#s((t,n)=>t.sendDigits(e,n));async dial(e){let t=this.#t;if(!(t===void 0||this.active!==null)){this.#r({problem:null,ended:null});try{let n=await t.place(e);this.#r({active:{call:n,connectedAtMs:null}})}catch(n){this.#r({problem:Z(n)})}}}setAvailable(e,t){this.#t?.setAvailability(e?"available":"away",t),this.#r({problem:null})}listDevices=()=>this.#o(this.sound.list());chooseDevice=(e,t)=>this.#o(this.sound.choose(e,t));async#o(e){try{await e,this.#r({problem:null})}catch(t){this.#r({problem:Z(t)})}}async#s(e){let[t,n]=[this.#t,this.active?.call.id];if(!(t===void 0||n===void 0)){this.problem=null;try{await e(t,n)}catch(s){this.problem=Z(s)}this.#l(t)}}async#a(){let{api:e,webClientId:t}=this.#e,n=t()??await this.#i();return(await e.post(`/web_clients/${n}/tokens`)).token}async#i(){let{data:e}=await this.#e.api.get("/web_clients",{limit:100}),t=e.find(({status:n})=>n==="active");if(t===void 0)throw new $("no_web_client");return t.id}#d(e){let{onCall:t,onQuality:n}=this.#e;e.on("registered",({webClientId:s})=>{this.#t===e&&this.#r({state:"ready",problem:null,webClientId:s})}),e.on("incoming",s=>{this.#l(e),t("incoming",s)}),e.on("queues",s=>{this.#t===e&&this.#r({queues:s})}),e.on("quality",({callId:s,...o})=>n(s,o)),e.on("ringing",()=>this.#l(e)),e.on("transfer",()=>this.#l(e)),e.on("transferFailed",({reason:s})=>{this.#t===e&&s!=="canceled"&&this.#r({problem:{code:`transfer_${s}`}})}),e.on("answered",s=>{this.active={call:s,connectedAtMs:Date.now()},this.#l(e),t("answered",s)}),e.on("ended",s=>{this.active?.call.id===s.id&&this.#c(s),this.#l(e),t("ended",s)}),e.on("error",s=>this.#r({problem:Z(s)})),e.on("disconnected",({code:s,willReconnect:o})=>{this.#t===e&&(this.#l(e),o?this.#r({state:"reconnecting"}):s===Ln?this.connect():this.#r({state:s===Un?"elsewhere":"out"}))})}#l(e){if(this.#t!==e)return;let t=e.calls.find(({id:n})=>n===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#e.onChange()}#c(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#n),this.#n=setTimeout(()=>this.#r({ended:null}),Dn)}#r(e){Object.assign(this,e),this.#e.onChange()}};function Z(i){return i instanceof b?i.code==="key_not_permitted"?{code:"calls_not_permitted"}:i:dt(i)}var qn=[440,480],In=2e3,jn=6e3,Hn=.08,we=class{#e;#t;start(){this.#t===void 0&&(this.#e=new AudioContext,this.#n(this.#e),this.#t=setInterval(()=>this.#e&&this.#n(this.#e),jn))}stop(){clearInterval(this.#t),this.#t=void 0,this.#e?.close(),this.#e=void 0}#n(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:Hn});t.connect(e.destination);for(let n of qn){let s=new OscillatorNode(e,{frequency:n});s.connect(t),s.start(),s.stop(e.currentTime+In/1e3)}}};var Lt=B`
  :host {
    max-width: 24rem;
  }
  .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75em;
    padding: 0.75em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .body {
    display: grid;
    gap: 0.75em;
    padding: 1em;
  }
  .dial {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.35em 0.6em;
  }
  .dial label {
    grid-column: 1 / -1;
  }
  .call {
    justify-items: center;
    gap: 0.25em;
    padding-block: 1.5em 1.25em;
    text-align: center;
  }
  .other {
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .timer {
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .ended {
    padding: 0.5em 0.75em;
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_surface);
    color: var(--_muted);
    font-size: 0.875em;
  }
  .problem {
    padding: 0 1em 1em;
  }
  .queues {
    margin: 0;
    padding: 0.75em 1em;
    border: 0;
    border-block-end: 1px solid var(--_border);
  }
  .queues ul {
    display: grid;
    gap: 0.25em;
    padding-block-start: 0.35em;
    padding-inline-start: 1.5em;
  }
  .switch {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-height: 1.75em;
  }
  .switch input {
    width: 1.15em;
    height: 1.15em;
    accent-color: var(--_accent);
  }
  .switch span {
    overflow-wrap: anywhere;
  }
  .settings {
    padding: 0.75em 1em;
    border-block-start: 1px solid var(--_border);
  }
  .settings summary {
    color: var(--_muted);
    font-size: 0.8125em;
    cursor: pointer;
  }
  .settings > label,
  .settings > button {
    display: block;
    margin-block-start: 0.6em;
    font-size: 0.875em;
  }
  :host > .problem,
  .problem.muted {
    padding-block-start: 1em;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0.75em;
    margin-block-start: 1em;
  }
  .ringing .actions {
    gap: 3em;
  }
  .round {
    display: grid;
    justify-items: center;
    gap: 0.35em;
    width: 4.25em;
    padding: 0;
    border: 0;
    background: none;
    font-size: 0.8125em;
  }
  .round svg {
    width: 4.2em;
    height: 4.2em;
    padding: 1.2em;
    border-radius: 50%;
    background: var(--_raised);
    color: var(--_text);
  }
  .round:hover:enabled svg {
    background: var(--_border);
  }
  .round:focus-visible {
    outline: none;
  }
  .round:focus-visible svg {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .round:disabled {
    color: var(--_muted);
  }
  .round:disabled svg {
    opacity: 0.55;
  }
  .round[aria-pressed='true'] svg {
    background: var(--_text);
    color: var(--_background);
  }
  .round.danger svg,
  .round.danger:hover:enabled svg {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .round.success svg,
  .round.success:hover:enabled svg {
    background: var(--_success);
    color: var(--_on-success);
  }
  .ringing .success svg {
    animation: pulse 1.5s ease-in-out infinite;
  }
  @keyframes pulse {
    50% {
      box-shadow: 0 0 0 0.6em color-mix(in srgb, var(--_success) 22%, transparent);
    }
  }
  .transfer {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.5em;
    width: 100%;
    margin-block-start: 0.75em;
    text-align: start;
  }
  .transfer label,
  .transfer p {
    grid-column: 1 / -1;
  }
  .keypad {
    display: grid;
    grid-template-columns: repeat(3, 3.5em);
    gap: 0.5em;
    margin-block-start: 0.75em;
  }
  .digits {
    grid-column: 1 / -1;
    overflow: hidden;
    font-size: 1.125em;
    font-variant-numeric: tabular-nums;
    letter-spacing: 0.1em;
    direction: rtl;
    unicode-bidi: plaintext;
  }
  .key {
    height: 2.75em;
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_background);
    font-size: 1.125em;
  }
  .key:hover {
    background: var(--_surface);
  }
  @container (width < 18rem) {
    .actions {
      gap: 0.5em;
    }
    .ringing .actions {
      gap: 1.5em;
    }
  }
`;var C={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},$e=i=>(...e)=>({_$litDirective$:i,values:e}),q=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,n){this._$Ct=e,this._$AM=t,this._$Ci=n}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:Fn}=at,Ut=i=>i;var qt=i=>i.strings===void 0,Dt=()=>document.createComment(""),I=(i,e,t)=>{let n=i._$AA.parentNode,s=e===void 0?i._$AB:e._$AA;if(t===void 0){let o=n.insertBefore(Dt(),s),r=n.insertBefore(Dt(),s);t=new Fn(o,r,i,i.options)}else{let o=t._$AB.nextSibling,r=t._$AM,a=r!==i;if(a){let l;t._$AQ?.(i),t._$AM=i,t._$AP!==void 0&&(l=i._$AU)!==r._$AU&&t._$AP(l)}if(o!==s||a){let l=t._$AA;for(;l!==o;){let c=Ut(l).nextSibling;Ut(n).insertBefore(l,s),l=c}}}return t},P=(i,e,t=i)=>(i._$AI(e,t),i),zn={},Ae=(i,e=zn)=>i._$AH=e,It=i=>i._$AH,ke=i=>{i._$AR(),i._$AA.remove()};var j=$e(class extends q{constructor(i){if(super(i),i.type!==C.PROPERTY&&i.type!==C.ATTRIBUTE&&i.type!==C.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!qt(i))throw Error("`live` bindings can only contain a single expression")}render(i){return i}update(i,[e]){if(e===_||e===p)return e;let t=i.element,n=i.name;if(i.type===C.PROPERTY){if(e===t[n])return _}else if(i.type===C.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(n))return _}else if(i.type===C.ATTRIBUTE&&t.getAttribute(n)===e+"")return _;return Ae(i),e}});var k=i=>f`<svg viewBox="0 0 24 24" aria-hidden="true">${i}</svg>`,Bn="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",x={back:k(w`<path d="m15 5-7 7 7 7" />`),phone:k(w`<path d=${Bn} />`),hangUp:k(w`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:k(w`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:k(w`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:k(w`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:k(w`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:k(w`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:k(w`<path d="M9 5v14M15 5v14" />`),transfer:k(w`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:k(w`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function Ft({desk:i},e){let{queues:t}=e;if(t.length===0||e.state!=="ready")return p;let n=t.some(({availability:r})=>r==="available"),[s]=t,o=s!==void 0&&t.length===1?i.takeOf(s.name):i.takeAll;return f`<fieldset class="queues" part="queues">
    <legend class="hidden">${i.queues}</legend>
    ${jt(o,n,r=>e.setAvailable(r))}
    ${t.length===1?p:f`<ul>
            ${t.map(({id:r,name:a,availability:l})=>f`<li>${jt(a,l==="available",c=>e.setAvailable(c,r))}</li>`)}
          </ul>`}
  </fieldset>`}function jt(i,e,t){let n=s=>t(s.target.checked);return f`<label class="switch">
    <input type="checkbox" role="switch" .checked=${j(e)} @change=${n} /><span>${i}</span>
  </label>`}function zt({desk:i},e,t){let{sound:n}=e,{microphones:s,speakers:o}=n.devices;return f`<details class="settings" part="settings" @toggle=${a=>{a.target.open&&e.listDevices()}}>
    <summary>${i.sound}</summary>
    ${Ht(i,e,"microphone",s)}
    ${n.mayChooseSpeaker?Ht(i,e,"speaker",o):p}
    ${t.mayAsk?f`<button class="plain" type="button" @click=${t.onAsk}>${i.notify}</button>`:p}
  </details>`}function Ht(i,e,t,n){let s=e.sound.used[t],o=a=>{e.chooseDevice(t,a.target.value)},r=n.filter(({id:a})=>a!=="default");return f`<label
    >${i[t]}<select class="field" @change=${o}>
      <option value="" .selected=${j(s==="")}>${i.standard}</option>
      ${r.map(({id:a,label:l})=>f`<option value=${a} .selected=${j(s===a)}>${l}</option>`)}
    </select></label
  >`}var Bt=(i,e,t)=>{let n=new Map;for(let s=e;s<=t;s++)n.set(i[s],s);return n},Wt=$e(class extends q{constructor(i){if(super(i),i.type!==C.CHILD)throw Error("repeat() can only be used in text expressions")}dt(i,e,t){let n;t===void 0?t=e:e!==void 0&&(n=e);let s=[],o=[],r=0;for(let a of i)s[r]=n?n(a,r):r,o[r]=t(a,r),r++;return{values:o,keys:s}}render(i,e,t){return this.dt(i,e,t).values}update(i,[e,t,n]){let s=It(i),{values:o,keys:r}=this.dt(e,t,n);if(!Array.isArray(s))return this.ut=r,o;let a=this.ut??=[],l=[],c,u,d=0,m=s.length-1,h=0,g=o.length-1;for(;d<=m&&h<=g;)if(s[d]===null)d++;else if(s[m]===null)m--;else if(a[d]===r[h])l[h]=P(s[d],o[h]),d++,h++;else if(a[m]===r[g])l[g]=P(s[m],o[g]),m--,g--;else if(a[d]===r[g])l[g]=P(s[d],o[g]),I(i,l[g+1],s[d]),d++,g--;else if(a[m]===r[h])l[h]=P(s[m],o[h]),I(i,s[d],s[m]),m--,h++;else if(c===void 0&&(c=Bt(r,h,g),u=Bt(a,d,m)),c.has(a[d]))if(c.has(a[m])){let y=u.get(r[h]),A=y!==void 0?s[y]:null;if(A===null){let F=I(i,s[d]);P(F,o[h]),l[h]=F}else l[h]=P(A,o[h]),I(i,s[d],A),s[y]=null;h++}else ke(s[m]),m--;else ke(s[d]),d++;for(;h<=g;){let y=I(i,l[g+1]);P(y,o[h]),l[h++]=y}for(;d<=m;){let y=s[d++];y!==null&&ke(y)}return this.ut=r,Ae(i,l),_}});function Vt({texts:i,line:e,colleagues:t}){let{transfer:n}=i;return f`<form class="transfer" part="transfer" @submit=${o=>{o.preventDefault();let r=new FormData(o.target),a=String(r.get("colleague")||r.get("to")).trim(),l=/[a-z]/i.test(a)?a:he(a),c=String(r.get("announce")).trim(),u=o.submitter?.getAttribute("value")==="consult";e.transfer(l,{mode:u?"consult":"announce",...c&&{announceText:c}})}}>
    ${t.list.length===0?p:Wn(i,t)}
    <label>${n.to}<input class="field" name="to" required autocomplete="off" /></label>
    <label>${n.sayFirst}<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">${n.talkFirst}</button>
    <button type="submit" value="announce">${n.atOnce}</button>
  </form>`}function Wn(i,{list:e}){let{transfer:t}=i,n=({target:o})=>{let{form:r,value:a}=o,l=r?.elements.namedItem("to");l.disabled=a!==""},s=({address:o,name:r,state:a})=>{let l=r??D(i,o);return a===null?l:t.colleagueIn(l,t.states[a])};return f`<label
    >${t.colleague}<select class="field" name="colleague" @change=${n}>
      <option value="">${t.noColleague}</option>
      ${Wt(e,({address:o})=>o,o=>f`<option value=${o.address}>${s(o)}</option>`)}
    </select></label
  >`}function Kt({texts:i,line:e,colleagues:t},{transfer:n}){if(n===null)return p;let{mode:s,state:o}=n,{talking:r,ringing:a,cancel:l,complete:c}=i.transfer,u=t.nameOf(n.to)??D(i,n.to);return f`<div class="transfer">
    <p role="status">${o==="talking"?r(u):a(u)}</p>
    ${s==="consult"?f`<button type="button" @click=${e.cancelTransfer}>${l}</button>
            <button class="primary" type="button" @click=${e.completeTransfer}>${c}</button>`:p}
  </div>`}function Qt(i){let{texts:e,line:t}=i;return f`<section class="phone" lang=${e.language} part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">${e.phone.title}</h2>
      <span class="state ${t.state==="ready"?"good":""}" role="status">${e.phone.states[t.state]}</span>
    </header>
    ${Ft(e,t)}
    ${t.active===null?Vn(i):Yn(i,t.active)}
    ${t.problem===null?p:f`<p class="problem error" role="alert">${yt(e,t.problem)}</p>`}
    ${zt(e,t,{mayAsk:i.mayAskToNotify,onAsk:i.onAskToNotify})}
  </section>`}function Vn(i){let{texts:e,line:t,contacts:n,mayDial:s,number:o,onNumber:r,onDial:a}=i,{phone:l}=e,{ended:c}=t,u=d=>{d.preventDefault(),a()};return f`<div class="body">
    ${c===null?p:f`<p class="ended" role="status">${Kn(e,n,c)}</p>`}
    ${t.state==="elsewhere"||t.state==="out"?f`<button class="primary" type="button" @click=${()=>t.connect()}>
            ${t.state==="elsewhere"?l.useHere:l.connect}
          </button>`:f`<form class="dial" part="dial" @submit=${u}>
            <label for="number" class="small muted">${s?l.number:l.emergencyNumber}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${s?"(602) 555-0143":"911"}
              .value=${j(o)}
              @input=${d=>r(d.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${t.state!=="ready"||o.trim()===""}>
              ${x.phone}${l.call}
            </button>
          </form>`}
  </div>`}function Kn(i,e,{call:t,seconds:n}){let s=J(i,e,H(t));return n===null?i.phone.ended(s):i.phone.endedAfter(s,je(n))}function Yn(i,e){let{texts:t,contacts:n}=i,{call:s}=e,o=D(t,H(s)),r=J(t,n,H(s)),a=s.state==="incoming";return f`<div class="body call ${a?"ringing":""}">
    <p class="small muted" aria-live=${a?"assertive":"polite"}>
      ${Xn(t.phone,s)}<span class="hidden"> ${r}</span>
    </p>
    <p class="other" aria-hidden="true">${r}</p>
    ${r===o?p:f`<p class="small muted" part="number">${o}</p>`}
    ${a?Qn(t,i.line):Gn(i,e)}
  </div>`}function Qn({phone:i},e){return f`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${e.decline}>
      ${x.hangUp}<span>${i.decline}</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${e.answer}>
      ${x.phone}<span>${i.answer}</span>
    </button>
  </div>`}function Gn(i,{call:e,connectedAtMs:t}){let{texts:n,line:s,mayDial:o,isKeypadOpen:r,onKeypad:a,isTransferOpen:l,onTransfer:c,nowMs:u}=i,{phone:d}=n,m=e.to==="911"||e.to==="933",h=o&&e.listener===void 0&&e.transfer===null&&!m,g=e.state==="connected",y=A=>f`<button
    class="round"
    type="button"
    aria-pressed=${A.on?"true":"false"}
    ?disabled=${!g}
    @click=${A.act}
  >
    ${A.icon}<span>${A.label}</span>
  </button>`;return f`${t===null?p:f`<p class="timer" role="timer" aria-label=${d.time}>
          ${je((u-t)/1e3)}
        </p>`}
  ${Kt(i,e)} ${l&&g&&h?Vt(i):p}
  ${r&&g?Jn(i):p}
  <div class="actions">
    ${y({label:d.mute,icon:e.muted?x.micOff:x.mic,on:e.muted,act:()=>s.mute(!e.muted)})}
    ${y({label:d.hold,icon:x.hold,on:e.held,act:()=>s.hold(!e.held)})}
    ${y({label:d.keypad,icon:x.keypad,on:r,act:a})}
    ${h?y({label:d.transfer,icon:x.transfer,on:l,act:c}):p}
    <button class="round danger" part="hang-up" type="button" @click=${s.hangUp}>
      ${x.hangUp}<span>${d.hangUp}</span>
    </button>
  </div>`}var Yt=["1","2","3","4","5","6","7","8","9","*","0","#"];function Jn({texts:i,digits:e,onDigit:t}){let{phone:n}=i,s=({key:o})=>{Yt.includes(o)&&t(o)};return f`<div class="keypad" part="keypad" role="group" aria-label=${n.keypad} @keydown=${s}>
    <p class="digits" aria-label=${n.digits}>${e||f`&nbsp;`}</p>
    ${Yt.map(o=>f`<button class="key" type="button" @click=${()=>t(o)}>${o}</button>`)}
  </div>`}function Xn({progress:i},{state:e,held:t,direction:n}){return e==="incoming"?i.incoming:e==="connected"?t?i.held:i.connected:n==="outbound"&&e==="ringing"?i.ringing:i.calling}function H({direction:i,from:e,to:t}){return i==="inbound"?e:t}var Zn={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},xe=class extends G{static styles=[bt,Lt];static properties={...G.properties,webClient:{attribute:"web-client"},silent:{type:Boolean},notify:{type:Boolean}};#e=new we;#t=new pe;#n=new ce({api:this.api,tenant:()=>this.tenant,mayRead:()=>this.may("conversations:read"),onChange:()=>this.requestUpdate()});#o=new me(this.api,()=>this.requestUpdate());#s=new _e({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:n,to:s,direction:o})=>this.emit(Zn[e],{id:t,from:n,to:s,direction:o}),onQuality:(e,t)=>this.emit("call-quality",{id:e,...t})});#a;#i="";#d=!1;#l=!1;#c="";#r;async dial(e){this.#i=e,await this.#h()}begin(){this.#n.clear(),this.#o.clear(),this.#s.connect()}end(){this.#s.disconnect(),this.#e.stop(),this.#t.stop(),clearInterval(this.#r),this.#r=void 0}render(){let{texts:e}=this;return this.isReady?Qt({texts:e,line:this.#s,contacts:this.#n,colleagues:this.#o,mayDial:this.may("calls:place"),number:this.#i,onNumber:t=>{this.#i=t,this.requestUpdate()},onDial:()=>{this.#h()},isKeypadOpen:this.#d,onKeypad:()=>{this.#d=!this.#d,this.requestUpdate()},isTransferOpen:this.#l,onTransfer:()=>{this.#l=!this.#l,this.#l&&this.#o.read(this.#s.webClientId),this.requestUpdate()},digits:this.#c,onDigit:t=>{this.#c+=t,this.#s.sendDigits(t)},nowMs:Date.now(),mayAskToNotify:this.notify===!0&&this.#t.mayAsk,onAskToNotify:()=>{this.#t.ask().then(()=>this.requestUpdate())}}):f`<p class="problem muted" lang=${e.language}>${e.waiting}</p>`}updated(){let{active:e}=this.#s;this.#u(e);let t=e?.call.state==="incoming"?e.call:void 0;if(t!==void 0&&this.silent!==!0?this.#e.start():this.#e.stop(),t!==void 0&&this.notify===!0){let s=this.texts.phone.incomingFrom(J(this.texts,this.#n,H(t)));this.#t.start({id:t.id,text:s})}else this.#t.stop();e===null&&([this.#d,this.#c]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#l=!1),e?.connectedAtMs!=null?this.#r??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#r),this.#r=void 0)}#u(e){e===null||e.call.id===this.#a||(this.#a=e.call.id,this.#n.read([{number:H(e.call)}]))}async#h(){let e=he(this.#i);await this.#s.dial(e),this.#s.active!==null&&(this.#i=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",xe);export{xe as DialplanePhone};
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
