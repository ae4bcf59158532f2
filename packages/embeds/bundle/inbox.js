/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var Y=globalThis,X=Y.ShadowRoot&&(Y.ShadyCSS===void 0||Y.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ve=Symbol(),Pe=new WeakMap,I=class{constructor(e,t,i){if(this._$cssResult$=!0,i!==ve)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(X&&e===void 0){let i=t!==void 0&&t.length===1;i&&(e=Pe.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&Pe.set(t,e))}return e}toString(){return this.cssText}},Ne=s=>new I(typeof s=="string"?s:s+"",void 0,ve),V=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((i,n,r)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+s[r+1],s[0]);return new I(t,s,ve)},Oe=(s,e)=>{if(X)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let i=document.createElement("style"),n=Y.litNonce;n!==void 0&&i.setAttribute("nonce",n),i.textContent=t.cssText,s.appendChild(i)}},be=X?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let i of e.cssRules)t+=i.cssText;return Ne(t)})(s):s;var{is:ft,defineProperty:gt,getOwnPropertyDescriptor:vt,getOwnPropertyNames:bt,getOwnPropertySymbols:yt,getPrototypeOf:$t}=Object,J=globalThis,Ue=J.trustedTypes,_t=Ue?Ue.emptyScript:"",wt=J.reactiveElementPolyfillSupport,B=(s,e)=>s,ye={toAttribute(s,e){switch(e){case Boolean:s=s?_t:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},De=(s,e)=>!ft(s,e),Le={attribute:!0,type:String,converter:ye,reflect:!1,useDefault:!1,hasChanged:De};Symbol.metadata??=Symbol("metadata"),J.litPropertyMetadata??=new WeakMap;var x=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Le){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let i=Symbol(),n=this.getPropertyDescriptor(e,i,t);n!==void 0&&gt(this.prototype,e,n)}}static getPropertyDescriptor(e,t,i){let{get:n,set:r}=vt(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let h=n?.call(this);r?.call(this,o),this.requestUpdate(e,h,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Le}static _$Ei(){if(this.hasOwnProperty(B("elementProperties")))return;let e=$t(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(B("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(B("properties"))){let t=this.properties,i=[...bt(t),...yt(t)];for(let n of i)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[i,n]of t)this.elementProperties.set(i,n)}this._$Eh=new Map;for(let[t,i]of this.elementProperties){let n=this._$Eu(t,i);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let n of i)t.unshift(be(n))}else e!==void 0&&t.push(be(e));return t}static _$Eu(e,t){let i=t.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let i of t.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Oe(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,i){this._$AK(e,i)}_$ET(e,t){let i=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,i);if(n!==void 0&&i.reflect===!0){let r=(i.converter?.toAttribute!==void 0?i.converter:ye).toAttribute(t,i.type);this._$Em=e,r==null?this.removeAttribute(n):this.setAttribute(n,r),this._$Em=null}}_$AK(e,t){let i=this.constructor,n=i._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let r=i.getPropertyOptions(n),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ye;this._$Em=n;let h=o.fromAttribute(t,r.type);this[n]=h??this._$Ej?.get(n)??h,this._$Em=null}}requestUpdate(e,t,i,n=!1,r){if(e!==void 0){let o=this.constructor;if(n===!1&&(r=this[e]),i??=o.getPropertyOptions(e),!((i.hasChanged??De)(r,t)||i.useDefault&&i.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,i))))return;this.C(e,t,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:i,reflect:n,wrapped:r},o){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,r]of this._$Ep)this[n]=r;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[n,r]of i){let{wrapped:o}=r,h=this[n];o!==!0||this._$AL.has(n)||h===void 0||this.C(n,void 0,r,h)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(t)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};x.elementStyles=[],x.shadowRootOptions={mode:"open"},x[B("elementProperties")]=new Map,x[B("finalized")]=new Map,wt?.({ReactiveElement:x}),(J.reactiveElementVersions??=[]).push("2.1.2");var _e=globalThis,He=s=>s,Z=_e.trustedTypes,Ie=Z?Z.createPolicy("lit-html",{createHTML:s=>s}):void 0,we="$lit$",A=`lit$${Math.random().toFixed(9).slice(2)}$`,xe="?"+A,xt=`<${xe}>`,N=document,z=()=>N.createComment(""),W=s=>s===null||typeof s!="object"&&typeof s!="function",Ae=Array.isArray,qe=s=>Ae(s)||typeof s?.[Symbol.iterator]=="function",$e=`[ 	
\f\r]`,j=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ve=/-->/g,Be=/>/g,M=RegExp(`>|${$e}(?:([^\\s"'>=/]+)(${$e}*=${$e}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),je=/'/g,ze=/"/g,Fe=/^(?:script|style|textarea|title)$/i,ke=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),l=ke(1),b=ke(2),ui=ke(3),v=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),We=new WeakMap,P=N.createTreeWalker(N,129);function Ge(s,e){if(!Ae(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ie!==void 0?Ie.createHTML(e):e}var Ke=(s,e)=>{let t=s.length-1,i=[],n,r=e===2?"<svg>":e===3?"<math>":"",o=j;for(let h=0;h<t;h++){let a=s[h],u,p,c=-1,f=0;for(;f<a.length&&(o.lastIndex=f,p=o.exec(a),p!==null);)f=o.lastIndex,o===j?p[1]==="!--"?o=Ve:p[1]!==void 0?o=Be:p[2]!==void 0?(Fe.test(p[2])&&(n=RegExp("</"+p[2],"g")),o=M):p[3]!==void 0&&(o=M):o===M?p[0]===">"?(o=n??j,c=-1):p[1]===void 0?c=-2:(c=o.lastIndex-p[2].length,u=p[1],o=p[3]===void 0?M:p[3]==='"'?ze:je):o===ze||o===je?o=M:o===Ve||o===Be?o=j:(o=M,n=void 0);let m=o===M&&s[h+1].startsWith("/>")?" ":"";r+=o===j?a+xt:c>=0?(i.push(u),a.slice(0,c)+we+a.slice(c)+A+m):a+A+(c===-2?h:m)}return[Ge(s,r+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},q=class s{constructor({strings:e,_$litType$:t},i){let n;this.parts=[];let r=0,o=0,h=e.length-1,a=this.parts,[u,p]=Ke(e,t);if(this.el=s.createElement(u,i),P.currentNode=this.el.content,t===2||t===3){let c=this.el.content.firstChild;c.replaceWith(...c.childNodes)}for(;(n=P.nextNode())!==null&&a.length<h;){if(n.nodeType===1){if(n.hasAttributes())for(let c of n.getAttributeNames())if(c.endsWith(we)){let f=p[o++],m=n.getAttribute(c).split(A),g=/([.?@])?(.*)/.exec(f);a.push({type:1,index:r,name:g[2],strings:m,ctor:g[1]==="."?ee:g[1]==="?"?te:g[1]==="@"?ie:U}),n.removeAttribute(c)}else c.startsWith(A)&&(a.push({type:6,index:r}),n.removeAttribute(c));if(Fe.test(n.tagName)){let c=n.textContent.split(A),f=c.length-1;if(f>0){n.textContent=Z?Z.emptyScript:"";for(let m=0;m<f;m++)n.append(c[m],z()),P.nextNode(),a.push({type:2,index:++r});n.append(c[f],z())}}}else if(n.nodeType===8)if(n.data===xe)a.push({type:2,index:r});else{let c=-1;for(;(c=n.data.indexOf(A,c+1))!==-1;)a.push({type:7,index:r}),c+=A.length-1}r++}}static createElement(e,t){let i=N.createElement("template");return i.innerHTML=e,i}};function O(s,e,t=s,i){if(e===v)return e;let n=i!==void 0?t._$Co?.[i]:t._$Cl,r=W(e)?void 0:e._$litDirective$;return n?.constructor!==r&&(n?._$AO?.(!1),r===void 0?n=void 0:(n=new r(s),n._$AT(s,t,i)),i!==void 0?(t._$Co??=[])[i]=n:t._$Cl=n),n!==void 0&&(e=O(s,n._$AS(s,e.values),n,i)),e}var Q=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:i}=this._$AD,n=(e?.creationScope??N).importNode(t,!0);P.currentNode=n;let r=P.nextNode(),o=0,h=0,a=i[0];for(;a!==void 0;){if(o===a.index){let u;a.type===2?u=new L(r,r.nextSibling,this,e):a.type===1?u=new a.ctor(r,a.name,a.strings,this,e):a.type===6&&(u=new se(r,this,e)),this._$AV.push(u),a=i[++h]}o!==a?.index&&(r=P.nextNode(),o++)}return P.currentNode=N,n}p(e){let t=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,t),t+=i.strings.length-2):i._$AI(e[t])),t++}},L=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,i,n){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=i,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=O(this,e,t),W(e)?e===d||e==null||e===""?(this._$AH!==d&&this._$AR(),this._$AH=d):e!==this._$AH&&e!==v&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):qe(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==d&&W(this._$AH)?this._$AA.nextSibling.data=e:this.T(N.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:i}=e,n=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=q.createElement(Ge(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===n)this._$AH.p(t);else{let r=new Q(n,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=We.get(e.strings);return t===void 0&&We.set(e.strings,t=new q(e)),t}k(e){Ae(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,i,n=0;for(let r of e)n===t.length?t.push(i=new s(this.O(z()),this.O(z()),this,this.options)):i=t[n],i._$AI(r),n++;n<t.length&&(this._$AR(i&&i._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let i=He(e).nextSibling;He(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},U=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,i,n,r){this.type=1,this._$AH=d,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=r,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=d}_$AI(e,t=this,i,n){let r=this.strings,o=!1;if(r===void 0)e=O(this,e,t,0),o=!W(e)||e!==this._$AH&&e!==v,o&&(this._$AH=e);else{let h=e,a,u;for(e=r[0],a=0;a<r.length-1;a++)u=O(this,h[i+a],t,a),u===v&&(u=this._$AH[a]),o||=!W(u)||u!==this._$AH[a],u===d?e=d:e!==d&&(e+=(u??"")+r[a+1]),this._$AH[a]=u}o&&!n&&this.j(e)}j(e){e===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},ee=class extends U{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===d?void 0:e}},te=class extends U{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==d)}},ie=class extends U{constructor(e,t,i,n,r){super(e,t,i,n,r),this.type=5}_$AI(e,t=this){if((e=O(this,e,t,0)??d)===v)return;let i=this._$AH,n=e===d&&i!==d||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,r=e!==d&&(i===d||n);n&&this.element.removeEventListener(this.name,this,i),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},se=class{constructor(e,t,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){O(this,e)}},Ye={M:we,P:A,A:xe,C:1,L:Ke,R:Q,D:qe,V:O,I:L,H:U,N:te,U:ie,B:ee,F:se},At=_e.litHtmlPolyfillSupport;At?.(q,L),(_e.litHtmlVersions??=[]).push("3.3.3");var Xe=(s,e,t)=>{let i=t?.renderBefore??e,n=i._$litPart$;if(n===void 0){let r=t?.renderBefore??null;i._$litPart$=n=new L(e.insertBefore(z(),r),r,void 0,t??{})}return n._$AI(s),n};var Se=globalThis,T=class extends x{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Xe(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return v}};T._$litElement$=!0,T.finalized=!0,Se.litElementHydrateSupport?.({LitElement:T});var kt=Se.litElementPolyfillSupport;kt?.({LitElement:T});(Se.litElementVersions??=[]).push("4.2.2");var y=class extends Error{code;status;constructor(e,t,i=0){super(t),this.code=e,this.status=i}},St=6e4,ne=class{#t;constructor(e){this.#t=e}socketUrl(e){return`${this.#t.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let i=Object.entries(t).filter(([,r])=>r!==void 0),n=new URLSearchParams(i.map(([r,o])=>[r,String(o)])).toString();return this.#e("GET",n===""?e:`${e}?${n}`,{})}patch(e,t){return this.#e("PATCH",e,{body:t})}post(e,t={},i){return this.#e("POST",e,{body:t,...i!==void 0&&{idempotencyKey:i}})}async#e(e,t,i){let n=await this.#i(e,t,i),r=n.status===401&&await this.#t.renewToken();return Tt(r?await this.#i(e,t,i):n)}async#i(e,t,{body:i,idempotencyKey:n}){let[r,o]=[this.#t.baseUrl(),this.#t.token()];if(o===void 0)throw new y("not_signed_in","There is no session yet.");let h=new Headers({authorization:`Bearer ${o}`});i!==void 0&&h.set("content-type","application/json"),n!==void 0&&h.set("idempotency-key",n);let a={method:e,headers:h,credentials:"omit",...i&&{body:JSON.stringify(i)}},u=new AbortController,p=setTimeout(()=>u.abort(),St);try{let c=await fetch(`${r}/v1${t}`,{...a,signal:u.signal});return{status:c.status,ok:c.ok,text:await c.text()}}catch{throw new y("network_error","The server cannot be reached.")}finally{clearTimeout(p)}}};function Tt({status:s,ok:e,text:t}){let i=Et(t);if(e&&(i!==void 0||t===""))return i;let{code:n="unreadable_reply",message:r=`The server answered ${s}.`}=i?.error??{};throw new y(n,r,s)}function Et(s){try{return JSON.parse(s)}catch{return}}function re(){return[...crypto.getRandomValues(new Uint8Array(16))].map(s=>s.toString(16).padStart(2,"0")).join("")}function _(s){return s instanceof y?s.message:"Something went wrong."}var Ct=6e4,Rt=15e3,Mt=2147483647,F=class extends T{static properties={baseUrl:{attribute:"base-url"},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new ne({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#t;#e;#i;#s;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),clearTimeout(this.#t),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#r(),this.#i?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,i=e.has("baseUrl")||this.session?.tenant_id!==this.#s;this.#s=this.session?.tenant_id,(t||i)&&this.isReady&&this.isConnected&&this.begin()}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#e??=this.#o().finally(()=>{this.#e=void 0}),this.#e}async#o(){let e=this.token,t,i=new Promise(n=>{this.#i=n,t=setTimeout(n,Rt)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#n(e,i),i]),await this.updateComplete}catch(n){this.emit("session-lost",{error:n})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#n(e,t){let i;try{i=await this.renew?.()}catch(n){this.token===e&&this.emit("session-lost",{error:n});return}if(i===void 0)return t;this.token===e&&(typeof i=="string"?this.token=i:this.session=i)}#r(){clearTimeout(this.#t);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),i=Math.max(0,t-Math.min(Ct,t/2));this.#t=setTimeout(()=>{this.renewToken()},Math.min(i,Mt))}};function E(s){if(s==="anonymous")return"Number withheld";let[,e,t,i]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(s)??[];return e===void 0?s:`(${e}) ${t}-${i}`}function Je(s){let e=s.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}function Ee(s){let e=Math.max(0,Math.floor(s)),[t,i,n]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],r=String(n).padStart(2,"0");return t===0?`${i}:${r}`:`${t}:${String(i).padStart(2,"0")}:${r}`}var Ze=new Intl.DateTimeFormat(void 0,{hour:"numeric",minute:"2-digit"}),Pt=new Intl.DateTimeFormat(void 0,{weekday:"long",month:"long",day:"numeric"}),Nt=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Ot=new Intl.DateTimeFormat(void 0,{year:"numeric",month:"short",day:"numeric"}),Qe=s=>Ze.format(new Date(s));function Ce(s,e=new Date){let t=new Date(s);return Te(t,e)?"Today":Te(t,new Date(e.getTime()-864e5))?"Yesterday":Pt.format(t)}function et(s,e=new Date){let t=new Date(s);return Te(t,e)?Ze.format(t):(t.getFullYear()===e.getFullYear()?Nt:Ot).format(t)}function Te(s,e){return s.toDateString()===e.toDateString()}var tt=[1e3,2e3,5e3,1e4,3e4],Ut=1e4,oe=class{#t;#e;#i;#s;#o=0;#n=0;constructor(e,t){this.#t=e,this.#e=t}start(){this.stop(),this.#o=0,this.#r()}stop(){this.#n++,clearTimeout(this.#s);let e=this.#i;this.#i=void 0,e?.close()}async#r(){let e=this.#n;this.#e.onState("connecting");try{let{token:t}=await this.#t.post("/realtime/tokens");e===this.#n&&this.#d(t)}catch(t){if(e!==this.#n)return;t instanceof y&&t.code==="key_not_permitted"?this.#c():this.#l()}}#d(e){let t=new WebSocket(`${this.#t.socketUrl("/v1/realtime")}?token=${encodeURIComponent(e)}`);this.#i=t,t.onopen=()=>{this.#i===t&&(this.#o=0,this.#e.onState("live"),this.#e.onGap())},t.onmessage=({data:i})=>{this.#i===t&&this.#e.onEvent(JSON.parse(i))},t.onclose=()=>{this.#i===t&&(this.#i=void 0,this.#l())}}#l(){this.#e.onState("connecting");let e=tt[Math.min(this.#o++,tt.length-1)];this.#s=setTimeout(()=>{this.#r()},e)}#c(){this.#e.onState("polling"),this.#e.onGap(),this.#s=setTimeout(()=>this.#c(),Ut)}};var it=V`
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
`;var Lt=250,Re=1600,ae=class{text="";verdict=null;isSending=!1;problem=null;#t;#e;#i;#s=0;#o=null;#n;constructor(e,t){this.#t=e,this.#e=t}write(e,t){this.text=e,this.problem=null,this.#n=void 0,this.#r(t),this.#e()}aim(e){this.#o!==null||e===null||this.text===""||(this.problem=null,this.#r(e))}refuse(e){this.problem=e,this.#e()}#r(e){this.#o=e;let t=++this.#s;clearTimeout(this.#i),this.text.trim()===""||e===null?this.verdict=null:this.#i=setTimeout(()=>{this.#d(t,e)},Lt)}clear(){this.write("",null)}async send({from:e,to:t}){if(!(this.text.trim()===""||this.isSending)){this.isSending=!0,this.problem=null,this.#e(),this.#n??=re();try{let i=await this.#t.post("/messages",{from:e,to:t,body:this.text},this.#n);return this.clear(),i}catch(i){this.problem=i instanceof y?i.message:"The text could not be sent.";return}finally{this.isSending=!1,this.#e()}}}async#d(e,{from:t,to:i}){try{let n=await this.#t.post("/messages/check",{from:t,to:i,body:this.text});e===this.#s&&(this.verdict=n)}catch{e===this.#s&&(this.verdict=null)}this.#e()}};var k={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},le=s=>(...e)=>({_$litDirective$:s,values:e}),D=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,i){this._$Ct=e,this._$AM=t,this._$Ci=i}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:Dt}=Ye,st=s=>s;var rt=s=>s.strings===void 0,nt=()=>document.createComment(""),H=(s,e,t)=>{let i=s._$AA.parentNode,n=e===void 0?s._$AB:e._$AA;if(t===void 0){let r=i.insertBefore(nt(),n),o=i.insertBefore(nt(),n);t=new Dt(r,o,s,s.options)}else{let r=t._$AB.nextSibling,o=t._$AM,h=o!==s;if(h){let a;t._$AQ?.(s),t._$AM=s,t._$AP!==void 0&&(a=s._$AU)!==o._$AU&&t._$AP(a)}if(r!==n||h){let a=t._$AA;for(;a!==r;){let u=st(a).nextSibling;st(i).insertBefore(a,n),a=u}}}return t},C=(s,e,t=s)=>(s._$AI(e,t),s),Ht={},de=(s,e=Ht)=>s._$AH=e,ot=s=>s._$AH,ce=s=>{s._$AR(),s._$AA.remove()};var at=(s,e,t)=>{let i=new Map;for(let n=e;n<=t;n++)i.set(s[n],n);return i},he=le(class extends D{constructor(s){if(super(s),s.type!==k.CHILD)throw Error("repeat() can only be used in text expressions")}dt(s,e,t){let i;t===void 0?t=e:e!==void 0&&(i=e);let n=[],r=[],o=0;for(let h of s)n[o]=i?i(h,o):o,r[o]=t(h,o),o++;return{values:r,keys:n}}render(s,e,t){return this.dt(s,e,t).values}update(s,[e,t,i]){let n=ot(s),{values:r,keys:o}=this.dt(e,t,i);if(!Array.isArray(n))return this.ut=o,r;let h=this.ut??=[],a=[],u,p,c=0,f=n.length-1,m=0,g=r.length-1;for(;c<=f&&m<=g;)if(n[c]===null)c++;else if(n[f]===null)f--;else if(h[c]===o[m])a[m]=C(n[c],r[m]),c++,m++;else if(h[f]===o[g])a[g]=C(n[f],r[g]),f--,g--;else if(h[c]===o[g])a[g]=C(n[c],r[g]),H(s,a[g+1],n[c]),c++,g--;else if(h[f]===o[m])a[m]=C(n[f],r[m]),H(s,n[c],n[f]),f--,m++;else if(u===void 0&&(u=at(o,m,g),p=at(h,c,f)),u.has(h[c]))if(u.has(h[f])){let w=p.get(o[m]),ge=w!==void 0?n[w]:null;if(ge===null){let Me=H(s,n[c]);C(Me,r[m]),a[m]=Me}else a[m]=C(ge,r[m]),H(s,n[c],ge),n[w]=null;m++}else ce(n[f]),f--;else ce(n[c]),c++;for(;m<=g;){let w=H(s,a[g+1]);C(w,r[m]),a[m++]=w}for(;c<=f;){let w=n[c++];w!==null&&ce(w)}return this.ut=o,de(s,a),v}});var $=s=>l`<svg viewBox="0 0 24 24" aria-hidden="true">${s}</svg>`,It="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",S={back:$(b`<path d="m15 5-7 7 7 7" />`),phone:$(b`<path d=${It} />`),hangUp:$(b`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:$(b`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:$(b`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:$(b`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:$(b`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:$(b`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:$(b`<path d="M9 5v14M15 5v14" />`),transfer:$(b`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:$(b`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};var Vt={connecting:{text:"Connecting\u2026",isGood:!1},live:{text:"Live",isGood:!0},polling:{text:"Updated every 10 seconds",isGood:!0}};function lt(s,e){let{text:t,isGood:i}=Vt[s.live];return l`<section class="list" part="list" aria-labelledby="list-title">
    <header class="bar">
      <h2 id="list-title">Conversations</h2>
      <span class="state ${i?"good":""}" role="status">${t}</span>
      ${e?l`<button class="icon" type="button" aria-label="New text" @click=${()=>s.openNew()}>
              ${S.write}
            </button>`:d}
    </header>
    ${s.problem===null?d:l`<p class="note error" role="alert">${s.problem}</p>`}
    ${s.conversations.length===0?Bt(s):jt(s)}
  </section>`}function Bt({isLoading:s,problem:e}){return s?l`<p class="note muted">Loading conversations…</p>`:e!==null?l``:l`<p class="note muted">No conversations yet. Texts and calls to your numbers appear here.</p>`}function jt(s){return l`<ul class="items" aria-label="Conversations" @keydown=${Wt}>
      ${he(s.conversations,({id:e})=>e,e=>{let{id:t,external_number:i,last_activity_at:n,last_message_preview:r,opted_out:o}=e,{state:h,assignee:a,snoozed_until:u}=e,p=s.thread?.conversation?.id===t,c=s.isUnread(e);return l`<li>
            <button
              type="button"
              class="item ${c?"unread":""}"
              part="conversation"
              aria-current=${p?"true":d}
              @click=${()=>s.open(e)}
            >
              <span class="who">${E(i)}</span>
              <time class="small muted" datetime=${n}>${et(n)}</time>
              <span class="preview">${r}</span>
              ${c?l`<span class="dot"><span class="hidden">New</span></span>`:d}
              ${o?l`<span class="badge">Opted out</span>`:d}
              ${h==="done"?l`<span class="badge quiet">Done</span>`:d}
              ${u===null?d:l`<span class="badge quiet">Snoozed</span>`}
              ${a===null?d:l`<span class="badge quiet">${a}</span>`}
            </button>
          </li>`})}
    </ul>
    ${s.cursor===null?d:l`<p class="note"><button class="plain" type="button" @click=${()=>s.loadMore()}>
              Older conversations
            </button></p>`}`}var zt={ArrowDown:(s,e)=>Math.min(s+1,e),ArrowUp:s=>Math.max(s-1,0),Home:()=>0,End:(s,e)=>e};function Wt(s){let e=zt[s.key],i=[...s.currentTarget.querySelectorAll("button.item")],n=i.indexOf(s.target);e===void 0||n<0||(s.preventDefault(),i[e(n,i.length-1)]?.focus())}var dt=30,ue=class{live="connecting";conversations=[];cursor=null;isLoading=!0;problem=null;thread=null;numbers=[];#t=new Set;recordings=new Map;#e;#i;#s;#o;#n=0;#r=0;constructor({api:e,tenant:t,onChange:i,announce:n}){this.#e=e,this.#i=t,this.#s=i,this.#o=n}reset(){this.#n++,this.#r++,[this.conversations,this.cursor,this.isLoading,this.problem,this.thread]=[[],null,!0,null,null],this.#t.clear(),this.recordings.clear(),this.#s()}setLive(e){this.live=e,this.#s()}async refresh(){let e=++this.#n;try{let t=await this.#p();if(e!==this.#n)return;let i=new Set(t.data.map(({id:r})=>r)),n=this.conversations.filter(({id:r})=>!i.has(r));(n.length===0||this.cursor===null)&&(this.cursor=t.next_cursor),this.conversations=[...t.data,...n],this.problem=null}catch(t){this.problem=_(t)}this.isLoading=!1,this.#s(),this.thread?.conversation&&await this.#h(this.thread.conversation.id)}async loadMore(){if(this.cursor!==null){try{let e=await this.#p(this.cursor),t=new Set(this.conversations.map(({id:i})=>i));this.conversations=[...this.conversations,...e.data.filter(({id:i})=>!t.has(i))],this.cursor=e.next_cursor}catch(e){this.problem=_(e)}this.#s()}}async open(e){this.#t.delete(e.id),this.thread={conversation:e,items:[],cursor:null,isLoading:!0,problem:null},this.#s(),await Promise.all([this.#h(e.id),this.#c()])}isUnread({id:e,unread_count:t}){return t===void 0?this.#t.has(e):t>0}async change(e){let t=this.thread?.conversation?.id;if(t!==void 0){try{await this.#e.patch(`/conversations/${t}`,e),this.#a({problem:null})}catch(i){this.#a({problem:_(i)})}await this.#l(t)}}async openNew(){this.#r++,this.thread={conversation:null,items:[],cursor:null,isLoading:!1,problem:null},this.#s();try{let{data:e}=await this.#e.get("/phone_numbers",{limit:100});this.numbers=e.filter(({status:t,capabilities:i})=>t==="active"&&i.includes("sms"))}catch(e){this.#a({problem:_(e)})}this.#s()}close(){this.#r++,this.thread=null,this.#s()}async loadEarlier(){let{conversation:e,cursor:t}=this.thread??{};if(!(!e||!t))try{let i=await this.#u(e.id,t);if(this.thread?.conversation?.id!==e.id)return;this.#a({items:G(i.data,this.thread.items),cursor:i.next_cursor})}catch(i){this.#a({problem:_(i)})}}async addSent(e){if(this.thread?.conversation?.id===e.conversation_id){this.#a({items:G(this.thread.items,[e])});return}if(this.thread?.conversation||e.conversation_id===null)return;let t=await this.#l(e.conversation_id);t!==void 0&&await this.open(t)}addNote(e){this.thread?.conversation?.id===e.conversation_id&&this.#a({items:G(this.thread.items,[e])})}async playRecording(e){try{let{audio_url:t}=await this.#e.get(`/recordings/${e}`);this.recordings.set(e,t),this.#s()}catch(t){this.#a({problem:_(t)})}}async take({type:e,data:t,resource_id:i}){if(e==="conversation.updated")return void await this.#l(i);let n=t;if(e==="opt_out.created"||e==="opt_out.removed")return await this.#d(n.external_number);if(typeof n.conversation_id!="string")return;let r=n.conversation_id,o=this.thread?.conversation?.id===r;(e==="message.received"||e==="call.missed"||e==="voicemail.created")&&!o&&this.#t.add(r),o&&n.object==="message"&&this.#a({items:G(this.thread?.items??[],[t])});let a=await this.#l(r);o&&n.object!=="message"&&await this.#h(r),!(e!=="message.received"||a===void 0)&&this.#o(`New text from ${E(a.external_number)}: ${n.body??""}`)}async#d(e){let t=this.conversations.filter(i=>i.external_number===e);for(let{id:i}of t)await this.#l(i)}async#l(e){try{let t=await this.#e.get(`/conversations/${e}`),i=this.conversations.filter(n=>n.id!==e);return this.conversations=[...i,t].sort((n,r)=>r.last_activity_at.localeCompare(n.last_activity_at)),this.thread?.conversation?.id===e&&(this.thread={...this.thread,conversation:t}),this.#s(),await this.#c(),t}catch(t){this.problem=_(t),this.#s();return}}async#c(){let{conversation:e}=this.thread??{};if(!e||(e.unread_count??0)===0)return;try{await this.#e.post(`/conversations/${e.id}/read`)}catch(i){return this.#a({problem:_(i)})}let t={...e,unread_count:0};this.conversations=this.conversations.map(i=>i.id===t.id?t:i),this.thread?.conversation?.id===t.id&&(this.thread={...this.thread,conversation:t}),this.#s()}async#h(e){let t=++this.#r;try{let i=await this.#u(e);if(t!==this.#r||this.thread?.conversation?.id!==e)return;let n=this.thread.items.length===0,r=G(this.thread.items,i.data);this.#a({items:r,isLoading:!1,problem:null,...n&&{cursor:i.next_cursor}})}catch(i){t===this.#r&&this.#a({isLoading:!1,problem:_(i)})}}#p(e){return this.#e.get("/conversations",{limit:dt,after:e,tenant_id:this.#i()})}#u(e,t){return this.#e.get(`/conversations/${e}/timeline`,{limit:dt,after:t})}#a(e){this.thread!==null&&(this.thread={...this.thread,...e}),this.#s()}};function R(s){return s.object==="call"?s.started_at:s.created_at}function G(s,e){return[...new Map([...s,...e].map(i=>[i.id,i])).values()].sort((i,n)=>R(i).localeCompare(R(n))||i.id.localeCompare(n.id))}var ct=4e3,pe=class{text="";isOpen=!1;isSaving=!1;problem=null;#t;#e;#i;constructor(e,t){this.#t=e,this.#e=t}toggle(){this.isOpen=!this.isOpen,this.#e()}write(e){this.text=e,this.problem=null,this.#i=void 0,this.#e()}clear(){this.write(""),this.isOpen=!1}async save(e,t){if(this.text.trim()===""||this.isSaving)return;this.isSaving=!0,this.problem=null,this.#e(),this.#i??=re();let i=this.#i;try{let n={body:this.text,...t!==null&&{author:t}},r=await this.#t.post(`/conversations/${e}/notes`,n,i);return this.#i===i&&this.clear(),r}catch(n){this.problem=n instanceof y?n.message:"The note could not be saved.";return}finally{this.isSaving=!1,this.#e()}}};var ht=V`
  :host {
    height: var(--dialplane-height, 36rem);
    min-height: 20rem;
  }
  .inbox {
    display: grid;
    grid-template-columns: minmax(15rem, 21rem) 1fr;
    height: 100%;
  }
  .list,
  .thread {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  .list {
    border-inline-end: 1px solid var(--_border);
    background: var(--_surface);
  }
  .bar {
    display: flex;
    flex: none;
    align-items: center;
    gap: 0.5em;
    min-height: 3.5em;
    padding: 0.5em 0.75em 0.5em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .bar h2 {
    flex: 1;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .bar h2:focus {
    outline: none;
  }
  .list .icon:hover {
    background: var(--_raised);
  }
  .back {
    display: none;
    margin-inline-start: -0.5em;
  }
  .note {
    padding: 0.75em 1em;
  }
  .thread > .note.error {
    border-block-start: 1px solid var(--_border);
  }
  .items {
    flex: 1;
    overflow-y: auto;
    padding: 0.375em;
  }
  .item {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0.1em 0.75em;
    width: 100%;
    margin-block-end: 0.125em;
    padding: 0.6em 0.75em;
    border: 0;
    border-radius: calc(var(--_radius) * 0.75);
    background: none;
    text-align: start;
  }
  .item:hover {
    background: var(--_raised);
  }
  .item:focus-visible {
    outline-offset: -2px;
  }
  .item[aria-current] {
    background: var(--_background);
    box-shadow: inset 0 0 0 1px var(--_border);
  }
  .item[aria-current] .who::before {
    display: inline-block;
    width: 3px;
    height: 0.9em;
    margin-inline-end: 0.5em;
    border-radius: 2px;
    background: var(--_accent);
    vertical-align: -0.1em;
    content: '';
  }
  .who {
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .item time {
    align-self: center;
  }
  .item:not(.unread) .preview {
    grid-column: 1 / -1;
  }
  .preview {
    overflow: hidden;
    color: var(--_muted);
    font-size: 0.875em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .unread .preview {
    color: var(--_text);
    font-weight: 600;
  }
  .dot {
    justify-self: end;
    align-self: center;
    width: 0.625em;
    height: 0.625em;
    border-radius: 50%;
    background: var(--_accent);
  }
  .work {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25em 0.75em;
    padding: 0.4em 1em;
    border-block-end: 1px solid var(--_border);
  }
  .badge.quiet {
    background: var(--_raised);
    color: var(--_muted);
  }
  .badge {
    grid-column: 1 / -1;
    justify-self: start;
    margin-block-start: 0.25em;
    padding: 0.05em 0.6em;
    border-radius: 1em;
    background: var(--_warning-surface);
    color: var(--_warning-text);
    font-size: 0.75em;
    font-weight: 600;
  }
  .thread.empty {
    place-content: center;
    text-align: center;
  }
  .scroll {
    flex: 1;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 0.5em 1em 1em;
  }
  .scroll:focus-visible {
    outline-offset: -2px;
  }
  .scroll > .note {
    text-align: center;
  }
  .recipient {
    display: grid;
    align-content: start;
    gap: 0.75em;
    padding-block-start: 1em;
  }
  .entries {
    display: flex;
    flex-direction: column;
    gap: 0.6em;
  }
  .day {
    align-self: center;
    margin-block: 0.75em 0.25em;
    color: var(--_muted);
  }
  .day h3 {
    font-weight: 600;
  }
  .entry {
    max-width: min(34rem, 82%);
  }
  .in {
    align-self: flex-start;
  }
  .out {
    align-self: flex-end;
  }
  .out .meta {
    text-align: end;
  }
  .event {
    align-self: center;
    width: min(26rem, 100%);
    max-width: 100%;
  }
  .bubble {
    overflow: hidden;
    padding: 0.55em 0.85em;
    border-radius: 1.1em;
    background: var(--_surface);
  }
  .in .bubble {
    border-end-start-radius: 0.3em;
  }
  .out .bubble {
    border-end-end-radius: 0.3em;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .out .bubble a {
    color: inherit;
  }
  .text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .bubble img,
  .bubble video {
    display: block;
    max-width: 100%;
    max-height: 16rem;
    margin-block-end: 0.35em;
    border-radius: 0.6em;
  }
  .meta {
    margin-block-start: 0.15em;
    padding-inline: 0.35em;
    font-size: 0.75em;
  }
  .card {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.75em;
    padding: 0.75em 1em;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .card.note {
    grid-template-columns: 1fr;
    border-style: dashed;
    background: var(--_surface);
  }
  .card > svg {
    margin-block-start: 0.1em;
    color: var(--_muted);
  }
  .card.missed > svg,
  .card.missed strong {
    color: var(--_danger);
  }
  .card .meta {
    padding: 0;
  }
  .card .plain {
    margin-block: 0.4em;
  }
  audio {
    display: block;
    width: 100%;
    height: 2.5em;
    margin-block: 0.4em;
  }
  .composer {
    display: grid;
    grid-template-columns: 1fr auto;
    flex: none;
    align-items: end;
    gap: 0.35em 0.6em;
    padding: 0.75em 1em 0.6em;
    border-block-start: 1px solid var(--_border);
  }
  .note-form {
    display: grid;
    flex: none;
    justify-items: start;
    gap: 0.35em;
    padding: 0.6em 1em;
    border-block-start: 1px solid var(--_border);
    background: var(--_surface);
  }
  textarea.field {
    display: block;
    field-sizing: content;
    max-height: 9em;
    padding-block: 0.5em;
    resize: none;
  }
  .verdict {
    grid-column: 1 / -1;
    min-height: 1.45em;
  }
  .optout {
    flex: none;
    padding: 0.85em 1em;
    border-block-start: 1px solid var(--_border);
    background: var(--_warning-surface);
    color: var(--_warning-text);
  }
  @container (width < 40rem) {
    .inbox {
      grid-template-columns: 1fr;
    }
    .list {
      border-inline-end: 0;
    }
    .inbox:not(.open) .thread,
    .open .list {
      display: none;
    }
    .back {
      display: inline-grid;
    }
    .composer .label {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .composer .primary {
      width: 2.75em;
      padding: 0;
    }
  }
`;var K=le(class extends D{constructor(s){if(super(s),s.type!==k.PROPERTY&&s.type!==k.ATTRIBUTE&&s.type!==k.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!rt(s))throw Error("`live` bindings can only contain a single expression")}render(s){return s}update(s,[e]){if(e===v||e===d)return e;let t=s.element,i=s.name;if(s.type===k.PROPERTY){if(e===t[i])return v}else if(s.type===k.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(i))return v}else if(s.type===k.ATTRIBUTE&&t.getAttribute(i)===e+"")return v;return de(s),e}});var qt={scheduled:"Scheduled",queued:"Sending\u2026",sent:"Sent",delivered:"Delivered",failed:"Not delivered",canceled:"Canceled"};function ut(s,e){return e.object==="message"?Ft(e):e.object==="note"?Qt(e):e.object==="call"?Xt(s,e):Zt(e)}var me=s=>l`<time datetime=${R(s)}>${Qe(R(s))}</time>`;function Ft(s){let{direction:e,body:t,media:i,status:n,error_code:r,group:o}=s,h=e==="outbound",a=n==="failed";return l`<li class="entry ${h?"out":"in"}">
    <div class="bubble" part=${h?"bubble bubble-out":"bubble bubble-in"}>
      <span class="hidden">${h?"You wrote:":"They wrote:"}</span>
      ${i.map((u,p)=>Gt(u,p))}
      ${t===""?d:l`<p class="text">${t}</p>`}
    </div>
    <p class="meta ${a?"error":"muted"}">
      ${me(s)}${o?" \xB7 Group text":d}${h?` \xB7 ${qt[n]??n}`:d}${a&&r!==null?` (${r.replaceAll("_"," ")})`:d}
    </p>
  </li>`}function Gt({url:s,content_type:e},t){let i=`Attachment ${t+1}`;return/^https?:\/\//.test(s)?e?.startsWith("image/")?l`<a href=${s} target="_blank" rel="noopener noreferrer"
      ><img src=${s} alt=${`${i}, a picture`} loading="lazy" referrerpolicy="no-referrer"
    /></a>`:e?.startsWith("audio/")?l`<audio controls preload="none" src=${s} aria-label=${i}></audio>`:e?.startsWith("video/")?l`<video controls preload="none" src=${s} aria-label=${i}></video>`:l`<p><a href=${s} target="_blank" rel="noopener noreferrer">${i}${e?` (${e})`:""}</a></p>`:l`<p class="muted">${i}</p>`}var Kt={voicemail:"Went to voicemail",missed:"Missed call",no_answer:"No answer",busy:"Busy",canceled:"Canceled",failed:"Call failed",no_application:"Call failed"};function Yt({direction:s,outcome:e,status:t}){return e===null?t==="in_progress"?"Call in progress":"Ringing\u2026":e!=="answered"?Kt[e]??"Call":s==="inbound"?"Incoming call":"Outgoing call"}function Xt(s,e){let{direction:t,outcome:i,duration_seconds:n,recording_id:r,summary:o}=e;return l`<li class="entry event">
    <div class="card ${t==="inbound"&&(i==="missed"||i==="no_answer")?"missed":""}" part="call">
      ${S.phone}
      <div>
        <p>
          <strong>${Yt(e)}</strong>${i==="answered"?`, ${Ee(n)}`:d}
        </p>
        ${o===null?d:l`<p class="small">${o}</p>`}
        ${r===null?d:Jt(s,r)}
        <p class="meta muted">${me(e)}</p>
      </div>
    </div>
  </li>`}function Jt(s,e){let t=s.recordings.get(e);return t===void 0?l`<button class="plain small" type="button" @click=${()=>s.playRecording(e)}>
      Play recording
    </button>`:l`<audio controls autoplay src=${t} aria-label="Recording of the call"></audio>`}function Zt(s){let{duration_seconds:e,transcript:t,audio_url:i}=s;return l`<li class="entry event">
    <div class="card" part="voicemail">
      ${S.voicemail}
      <div>
        <p><strong>Voicemail</strong>, ${Ee(e)}</p>
        ${t===null?d:l`<p class="small">${t}</p>`}
        <audio controls preload="none" src=${i} aria-label="Voicemail"></audio>
        <p class="meta muted">${me(s)}</p>
      </div>
    </div>
  </li>`}function Qt(s){let{author:e,body:t}=s;return l`<li class="entry event">
    <div class="card note" part="note">
      <div>
        <p class="small"><strong>Note${e===null?d:` of ${e}`}</strong>, not sent</p>
        <p class="text">${t}</p>
        <p class="meta muted">${me(s)}</p>
      </div>
    </div>
  </li>`}function pt(s,e){if(!s.isOpen)return d;let{text:t,isSaving:i,problem:n}=s;return l`<form class="note-form" part="note-form" @submit=${o=>{o.preventDefault(),e()}}>
    <label for="note" class="small muted">Note for the team, not sent</label>
    <textarea
      id="note"
      class="field"
      rows="2"
      maxlength=${ct}
      .value=${K(t)}
      @input=${o=>s.write(o.target.value)}
    ></textarea>
    <button class="plain" type="submit" ?disabled=${i||t.trim()===""}>Save note</button>
    ${n===null?d:l`<p class="small error" role="alert">${n}</p>`}
  </form>`}function mt(s){let{thread:e}=s.model;if(e===null)return l`<section class="thread empty" part="thread"><p class="muted">Choose a conversation.</p></section>`;let t=e.conversation?.external_number;return l`<section class="thread" part="thread" aria-labelledby="thread-title">
    <header class="bar">
      <button class="icon back" type="button" aria-label="Back to conversations" @click=${s.onBack}>
        ${S.back}
      </button>
      <h2 id="thread-title" tabindex="-1">${t===void 0?"New text":E(t)}</h2>
      ${s.mayCall&&t!==void 0&&t!=="anonymous"?l`<button
              class="icon"
              type="button"
              aria-label=${`Call ${E(t)}`}
              @click=${()=>s.onCall(t)}
            >
              ${S.phone}
            </button>`:d}
    </header>
    ${s.mayChange&&e.conversation?ei(s,e.conversation):d}
    ${t===void 0?si(s):ti(s.model,e)}
    ${e.problem===null?d:l`<p class="note error" role="alert">${e.problem}</p>`}
    ${s.mayChange&&e.conversation?pt(s.note,s.onSaveNote):d}
    ${ni(s,e)}
  </section>`}function ei({model:s,note:e,reader:t},{state:i,assignee:n}){let r=i==="done",o=t!==null&&n===t;return l`<div class="work" part="work">
    <span class="small muted">${n===null?"Nobody has it":`${n} has it`}</span>
    ${t===null?d:l`<button
            class="plain"
            type="button"
            @click=${()=>s.change({assignee:o?null:t})}
          >
            ${o?"Give it up":"Take it"}
          </button>`}
    <button class="plain" type="button" @click=${()=>s.change({state:r?"open":"done"})}>
      ${r?"Open again":"Mark as done"}
    </button>
    <button class="plain" type="button" aria-expanded=${e.isOpen} @click=${()=>e.toggle()}>Write a note</button>
  </div>`}function ti(s,e){let{items:t,cursor:i,isLoading:n}=e;return l`<div class="scroll" tabindex="0" role="region" aria-label="Messages and calls">
    ${i===null?d:l`<p class="note">
            <button class="plain" type="button" @click=${()=>s.loadEarlier()}>Earlier</button>
          </p>`}
    ${n&&t.length===0?l`<p class="note muted">Loading…</p>`:d}
    <ol class="entries">
      ${he(t,({id:r})=>r,(r,o)=>l`${ii(r,t[o-1])}${ut(s,r)}`)}
    </ol>
  </div>`}function ii(s,e){let t=Ce(R(s));return e!==void 0&&Ce(R(e))===t?d:l`<li class="day"><h3 class="small">${t}</h3></li>`}function si({model:s,draft:e,onDraft:t}){let i=l`<label>
    <span class="small muted">From</span>
    <select class="field" @change=${n=>t({from:n.target.value})}>
      ${s.numbers.map(({id:n,phone_number:r})=>l`<option value=${n} ?selected=${n===e.from}>${E(r)}</option>`)}
    </select>
  </label>`;return l`<div class="scroll recipient">
    <label>
      <span class="small muted">To</span>
      <input
        id="to"
        class="field"
        type="tel"
        autocomplete="off"
        placeholder="(602) 555-0143"
        .value=${K(e.to)}
        @input=${n=>t({to:n.target.value})}
      />
    </label>
    ${s.numbers.length>1?i:d}
  </div>`}function ni(s,{conversation:e}){return e?.opted_out?l`<p class="optout" part="opt-out" role="status">
      <strong>Opted out.</strong> This person asked to get no more texts. They can write START to get them again.
    </p>`:!s.mayWrite||e?.external_number==="anonymous"?d:ri(s)}function ri({composer:s,onWrite:e,onSend:t}){let{text:i,isSending:n,problem:r,verdict:o}=s,h=o?.accepted===!1,a=p=>{p.preventDefault(),t()},u=p=>{p.key!=="Enter"||p.shiftKey||p.isComposing||a(p)};return l`<form class="composer" part="composer" @submit=${a}>
    <label class="hidden" for="text">Text</label>
    <textarea
      id="text"
      class="field"
      rows="1"
      maxlength=${Re}
      placeholder="Write a text"
      aria-describedby="verdict"
      aria-invalid=${h?"true":"false"}
      .value=${K(i)}
      @input=${p=>e(p.target.value)}
      @keydown=${u}
    ></textarea>
    <button class="primary" part="send" type="submit" ?disabled=${n||h||i.trim()===""}>
      ${S.send}<span class="label">Send</span>
    </button>
    <p id="verdict" class="verdict small" role="status">${oi(s,r)}</p>
  </form>`}function oi({text:s,verdict:e},t){if(t!==null)return l`<span class="error">${t}</span>`;if(s==="")return l`<span class="muted">Enter sends, Shift+Enter begins a line.</span>`;if(e?.error)return l`<span class="error">${e.error.message}</span>`;let i=`${[...s].length} of ${Re} characters`;if(e===null)return l`<span class="muted">${i}</span>`;let n=e.segments===1?"1 part":`${e.segments} parts`,r=e.encoding==="ucs2"?", with special characters":"";return l`<span class="muted">${n}${r} · ${i}</span>`}var ai=80,fe=class extends F{static styles=[it,ht];static properties={...F.properties,calls:{type:Boolean}};#t=new ue({api:this.api,tenant:()=>this.tenant,onChange:()=>{this.#e.aim(this.#l()),this.requestUpdate()},announce:e=>this.#g(e)});#e=new ae(this.api,()=>this.requestUpdate());#i=new pe(this.api,()=>this.requestUpdate());#s=new oe(this.api,{onEvent:e=>{this.#t.take(e)},onState:e=>this.#t.setLive(e),onGap:()=>{this.#t.refresh()}});#o="";#n={to:"",from:""};#r;begin(){this.#t.reset(),this.#e.clear(),this.#i.clear(),this.#t.refresh(),this.#s.start()}end(){this.#s.stop()}render(){let e=this.#t.thread!==null;return l`<div class="inbox ${e?"open":""}" @keydown=${this.#a}>
      ${this.isReady?this.#d():l`<p class="note muted">Waiting for a session.</p>`}
      <p class="hidden" aria-live="polite">${this.#o||d}</p>
    </div>`}#d(){let e=this.may("messages:send");return l`${lt(this.#t,e)}
    ${mt({model:this.#t,composer:this.#e,note:this.#i,onSaveNote:()=>{this.#p()},mayWrite:e,mayChange:this.session?.abilities?.includes("conversations:write")??!1,reader:this.session?.reader??null,mayCall:this.calls===!0,draft:this.#n,onDraft:t=>{this.#n={...this.#n,...t},this.#e.write(this.#e.text,this.#l())},onWrite:t=>this.#e.write(t,this.#l()),onSend:()=>{this.#h()},onBack:()=>this.#u(),onCall:t=>this.emit("call-requested",{to:t})})}`}#l(){let{thread:e,numbers:t}=this.#t;if(e?.conversation)return{from:e.conversation.phone_number_id,to:e.conversation.external_number};let i=this.#n.from||t[0]?.id,n=Je(this.#n.to);return i===void 0||n.length<3?null:{from:i,to:n}}#c(){return this.#t.numbers.length===0?"There is no number to send from yet.":"Enter the number of the person."}async#h(){let e=this.#l();if(e===null)return this.#e.refuse(this.#c());let t=await this.#e.send(e);t!==void 0&&(this.#n={to:"",from:""},this.emit("text-sent",{id:t.id}),await this.#t.addSent(t),await this.updateComplete,this.#m("#text")?.focus())}async#p(){let e=this.#t.thread?.conversation?.id;if(e===void 0)return;let t=await this.#i.save(e,this.session?.reader??null);t!==void 0&&this.#t.addNote(t)}#u(){let e=this.#t.thread?.conversation?.id;this.#t.close(),this.updateComplete.then(()=>{let t=this.#t.conversations.findIndex(i=>i.id===e);this.renderRoot.querySelectorAll("button.item")[t]?.focus()})}#a(e){e.key!=="Escape"||this.#t.thread===null||e.defaultPrevented||(e.preventDefault(),this.#u())}#g(e){this.#o=e,this.requestUpdate()}#m(e){return this.renderRoot.querySelector(e)}willUpdate(e){super.willUpdate(e);let t=this.hasUpdated?this.#m(".scroll"):null,i=this.#f;if(t===null||i===void 0){this.#r=void 0;return}let n=t.scrollHeight-t.scrollTop;this.#r={id:i,fromEnd:n,isNearEnd:n-t.clientHeight<ai}}#f;updated(){let e=this.#t.thread?.conversation?.id??(this.#t.thread===null?void 0:"new"),t=e!==this.#f;this.#f=e;let i=this.#m(".scroll");if(i!==null){let n=t?void 0:this.#r;i.scrollTop=i.scrollHeight-(n===void 0||n.isNearEnd?0:n.fromEnd)}!t||e===void 0||(this.#e.clear(),this.#i.clear(),this.#m(e==="new"?"#to":"#thread-title")?.focus())}};customElements.get("dialplane-inbox")===void 0&&customElements.define("dialplane-inbox",fe);export{fe as DialplaneInbox};
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
