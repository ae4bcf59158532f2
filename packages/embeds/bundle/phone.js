/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var J=globalThis,Q=J.ShadowRoot&&(J.ShadyCSS===void 0||J.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,me=Symbol(),Pe=new WeakMap,L=class{constructor(e,t,s){if(this._$cssResult$=!0,s!==me)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(Q&&e===void 0){let s=t!==void 0&&t.length===1;s&&(e=Pe.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&Pe.set(t,e))}return e}toString(){return this.cssText}},Re=i=>new L(typeof i=="string"?i:i+"",void 0,me),H=(i,...e)=>{let t=i.length===1?i[0]:e.reduce((s,n,r)=>s+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+i[r+1],i[0]);return new L(t,i,me)},Ne=(i,e)=>{if(Q)i.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let s=document.createElement("style"),n=J.litNonce;n!==void 0&&s.setAttribute("nonce",n),s.textContent=t.cssText,i.appendChild(s)}},ge=Q?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let t="";for(let s of e.cssRules)t+=s.cssText;return Re(t)})(i):i;var{is:$t,defineProperty:At,getOwnPropertyDescriptor:kt,getOwnPropertyNames:St,getOwnPropertySymbols:Tt,getPrototypeOf:xt}=Object,Y=globalThis,Oe=Y.trustedTypes,Et=Oe?Oe.emptyScript:"",Ct=Y.reactiveElementPolyfillSupport,I=(i,e)=>i,ye={toAttribute(i,e){switch(e){case Boolean:i=i?Et:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let t=i;switch(e){case Boolean:t=i!==null;break;case Number:t=i===null?null:Number(i);break;case Object:case Array:try{t=JSON.parse(i)}catch{t=null}}return t}},Ue=(i,e)=>!$t(i,e),De={attribute:!0,type:String,converter:ye,reflect:!1,useDefault:!1,hasChanged:Ue};Symbol.metadata??=Symbol("metadata"),Y.litPropertyMetadata??=new WeakMap;var A=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=De){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let s=Symbol(),n=this.getPropertyDescriptor(e,s,t);n!==void 0&&At(this.prototype,e,n)}}static getPropertyDescriptor(e,t,s){let{get:n,set:r}=kt(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let l=n?.call(this);r?.call(this,o),this.requestUpdate(e,l,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??De}static _$Ei(){if(this.hasOwnProperty(I("elementProperties")))return;let e=xt(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(I("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(I("properties"))){let t=this.properties,s=[...St(t),...Tt(t)];for(let n of s)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[s,n]of t)this.elementProperties.set(s,n)}this._$Eh=new Map;for(let[t,s]of this.elementProperties){let n=this._$Eu(t,s);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let n of s)t.unshift(ge(n))}else e!==void 0&&t.push(ge(e));return t}static _$Eu(e,t){let s=t.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let s of t.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ne(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,s){this._$AK(e,s)}_$ET(e,t){let s=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,s);if(n!==void 0&&s.reflect===!0){let r=(s.converter?.toAttribute!==void 0?s.converter:ye).toAttribute(t,s.type);this._$Em=e,r==null?this.removeAttribute(n):this.setAttribute(n,r),this._$Em=null}}_$AK(e,t){let s=this.constructor,n=s._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let r=s.getPropertyOptions(n),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ye;this._$Em=n;let l=o.fromAttribute(t,r.type);this[n]=l??this._$Ej?.get(n)??l,this._$Em=null}}requestUpdate(e,t,s,n=!1,r){if(e!==void 0){let o=this.constructor;if(n===!1&&(r=this[e]),s??=o.getPropertyOptions(e),!((s.hasChanged??Ue)(r,t)||s.useDefault&&s.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,s))))return;this.C(e,t,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:s,reflect:n,wrapped:r},o){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,r]of this._$Ep)this[n]=r;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[n,r]of s){let{wrapped:o}=r,l=this[n];o!==!0||this._$AL.has(n)||l===void 0||this.C(n,void 0,r,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(t)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};A.elementStyles=[],A.shadowRootOptions={mode:"open"},A[I("elementProperties")]=new Map,A[I("finalized")]=new Map,Ct?.({ReactiveElement:A}),(Y.reactiveElementVersions??=[]).push("2.1.2");var ve=globalThis,Le=i=>i,G=ve.trustedTypes,He=G?G.createPolicy("lit-html",{createHTML:i=>i}):void 0,_e="$lit$",k=`lit$${Math.random().toFixed(9).slice(2)}$`,we="?"+k,Mt=`<${we}>`,M=document,j=()=>M.createComment(""),B=i=>i===null||typeof i!="object"&&typeof i!="function",$e=Array.isArray,Ve=i=>$e(i)||typeof i?.[Symbol.iterator]=="function",be=`[ 	
\f\r]`,q=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ie=/-->/g,qe=/>/g,E=RegExp(`>|${be}(?:([^\\s"'>=/]+)(${be}*=${be}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),je=/'/g,Be=/"/g,We=/^(?:script|style|textarea|title)$/i,Ae=i=>(e,...t)=>({_$litType$:i,strings:e,values:t}),p=Ae(1),_=Ae(2),ks=Ae(3),v=Symbol.for("lit-noChange"),h=Symbol.for("lit-nothing"),ze=new WeakMap,C=M.createTreeWalker(M,129);function Fe(i,e){if(!$e(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return He!==void 0?He.createHTML(e):e}var Ke=(i,e)=>{let t=i.length-1,s=[],n,r=e===2?"<svg>":e===3?"<math>":"",o=q;for(let l=0;l<t;l++){let a=i[l],c,u,d=-1,f=0;for(;f<a.length&&(o.lastIndex=f,u=o.exec(a),u!==null);)f=o.lastIndex,o===q?u[1]==="!--"?o=Ie:u[1]!==void 0?o=qe:u[2]!==void 0?(We.test(u[2])&&(n=RegExp("</"+u[2],"g")),o=E):u[3]!==void 0&&(o=E):o===E?u[0]===">"?(o=n??q,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?E:u[3]==='"'?Be:je):o===Be||o===je?o=E:o===Ie||o===qe?o=q:(o=E,n=void 0);let g=o===E&&i[l+1].startsWith("/>")?" ":"";r+=o===q?a+Mt:d>=0?(s.push(c),a.slice(0,d)+_e+a.slice(d)+k+g):a+k+(d===-2?l:g)}return[Fe(i,r+(i[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},z=class i{constructor({strings:e,_$litType$:t},s){let n;this.parts=[];let r=0,o=0,l=e.length-1,a=this.parts,[c,u]=Ke(e,t);if(this.el=i.createElement(c,s),C.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(n=C.nextNode())!==null&&a.length<l;){if(n.nodeType===1){if(n.hasAttributes())for(let d of n.getAttributeNames())if(d.endsWith(_e)){let f=u[o++],g=n.getAttribute(d).split(k),b=/([.?@])?(.*)/.exec(f);a.push({type:1,index:r,name:b[2],strings:g,ctor:b[1]==="."?X:b[1]==="?"?ee:b[1]==="@"?te:R}),n.removeAttribute(d)}else d.startsWith(k)&&(a.push({type:6,index:r}),n.removeAttribute(d));if(We.test(n.tagName)){let d=n.textContent.split(k),f=d.length-1;if(f>0){n.textContent=G?G.emptyScript:"";for(let g=0;g<f;g++)n.append(d[g],j()),C.nextNode(),a.push({type:2,index:++r});n.append(d[f],j())}}}else if(n.nodeType===8)if(n.data===we)a.push({type:2,index:r});else{let d=-1;for(;(d=n.data.indexOf(k,d+1))!==-1;)a.push({type:7,index:r}),d+=k.length-1}r++}}static createElement(e,t){let s=M.createElement("template");return s.innerHTML=e,s}};function P(i,e,t=i,s){if(e===v)return e;let n=s!==void 0?t._$Co?.[s]:t._$Cl,r=B(e)?void 0:e._$litDirective$;return n?.constructor!==r&&(n?._$AO?.(!1),r===void 0?n=void 0:(n=new r(i),n._$AT(i,t,s)),s!==void 0?(t._$Co??=[])[s]=n:t._$Cl=n),n!==void 0&&(e=P(i,n._$AS(i,e.values),n,s)),e}var Z=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:s}=this._$AD,n=(e?.creationScope??M).importNode(t,!0);C.currentNode=n;let r=C.nextNode(),o=0,l=0,a=s[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new D(r,r.nextSibling,this,e):a.type===1?c=new a.ctor(r,a.name,a.strings,this,e):a.type===6&&(c=new se(r,this,e)),this._$AV.push(c),a=s[++l]}o!==a?.index&&(r=C.nextNode(),o++)}return C.currentNode=M,n}p(e){let t=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,t),t+=s.strings.length-2):s._$AI(e[t])),t++}},D=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,s,n){this.type=2,this._$AH=h,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=s,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=P(this,e,t),B(e)?e===h||e==null||e===""?(this._$AH!==h&&this._$AR(),this._$AH=h):e!==this._$AH&&e!==v&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Ve(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==h&&B(this._$AH)?this._$AA.nextSibling.data=e:this.T(M.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:s}=e,n=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=z.createElement(Fe(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===n)this._$AH.p(t);else{let r=new Z(n,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=ze.get(e.strings);return t===void 0&&ze.set(e.strings,t=new z(e)),t}k(e){$e(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,s,n=0;for(let r of e)n===t.length?t.push(s=new i(this.O(j()),this.O(j()),this,this.options)):s=t[n],s._$AI(r),n++;n<t.length&&(this._$AR(s&&s._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let s=Le(e).nextSibling;Le(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,s,n,r){this.type=1,this._$AH=h,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=r,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=h}_$AI(e,t=this,s,n){let r=this.strings,o=!1;if(r===void 0)e=P(this,e,t,0),o=!B(e)||e!==this._$AH&&e!==v,o&&(this._$AH=e);else{let l=e,a,c;for(e=r[0],a=0;a<r.length-1;a++)c=P(this,l[s+a],t,a),c===v&&(c=this._$AH[a]),o||=!B(c)||c!==this._$AH[a],c===h?e=h:e!==h&&(e+=(c??"")+r[a+1]),this._$AH[a]=c}o&&!n&&this.j(e)}j(e){e===h?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},X=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===h?void 0:e}},ee=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==h)}},te=class extends R{constructor(e,t,s,n,r){super(e,t,s,n,r),this.type=5}_$AI(e,t=this){if((e=P(this,e,t,0)??h)===v)return;let s=this._$AH,n=e===h&&s!==h||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,r=e!==h&&(s===h||n);n&&this.element.removeEventListener(this.name,this,s),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},se=class{constructor(e,t,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){P(this,e)}},Je={M:_e,P:k,A:we,C:1,L:Ke,R:Z,D:Ve,V:P,I:D,H:R,N:ee,U:te,B:X,F:se},Pt=ve.litHtmlPolyfillSupport;Pt?.(z,D),(ve.litHtmlVersions??=[]).push("3.3.3");var Qe=(i,e,t)=>{let s=t?.renderBefore??e,n=s._$litPart$;if(n===void 0){let r=t?.renderBefore??null;s._$litPart$=n=new D(e.insertBefore(j(),r),r,void 0,t??{})}return n._$AI(i),n};var ke=globalThis,T=class extends A{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Qe(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return v}};T._$litElement$=!0,T.finalized=!0,ke.litElementHydrateSupport?.({LitElement:T});var Rt=ke.litElementPolyfillSupport;Rt?.({LitElement:T});(ke.litElementVersions??=[]).push("4.2.2");var S=class extends Error{code;status;constructor(e,t,s=0){super(t),this.code=e,this.status=s}},Nt=6e4,ie=class{#e;constructor(e){this.#e=e}socketUrl(e){return`${this.#e.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let s=Object.entries(t).filter(([,r])=>r!==void 0),n=new URLSearchParams(s.map(([r,o])=>[r,String(o)])).toString();return this.#t("GET",n===""?e:`${e}?${n}`,{})}patch(e,t){return this.#t("PATCH",e,{body:t})}post(e,t={},s){return this.#t("POST",e,{body:t,...s!==void 0&&{idempotencyKey:s}})}async#t(e,t,s){let n=await this.#s(e,t,s),r=n.status===401&&await this.#e.renewToken();return Ot(r?await this.#s(e,t,s):n)}async#s(e,t,{body:s,idempotencyKey:n}){let[r,o]=[this.#e.baseUrl(),this.#e.token()];if(o===void 0)throw new S("not_signed_in","There is no session yet.");let l=new Headers({authorization:`Bearer ${o}`});s!==void 0&&l.set("content-type","application/json"),n!==void 0&&l.set("idempotency-key",n);let a={method:e,headers:l,credentials:"omit",...s&&{body:JSON.stringify(s)}},c=new AbortController,u=setTimeout(()=>c.abort(),Nt);try{let d=await fetch(`${r}/v1${t}`,{...a,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{throw new S("network_error","The server cannot be reached.")}finally{clearTimeout(u)}}};function Ot({status:i,ok:e,text:t}){let s=Dt(t);if(e&&(s!==void 0||t===""))return s;let{code:n="unreadable_reply",message:r=`The server answered ${i}.`}=s?.error??{};throw new S(n,r,i)}function Dt(i){try{return JSON.parse(i)}catch{return}}var Ut=6e4,Lt=15e3,Ht=2147483647,V=class extends T{static properties={baseUrl:{attribute:"base-url"},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new ie({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#e;#t;#s;#n;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),clearTimeout(this.#e),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#r(),this.#s?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,s=e.has("baseUrl")||this.session?.tenant_id!==this.#n;this.#n=this.session?.tenant_id,(t||s)&&this.isReady&&this.isConnected&&this.begin()}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#t??=this.#i().finally(()=>{this.#t=void 0}),this.#t}async#i(){let e=this.token,t,s=new Promise(n=>{this.#s=n,t=setTimeout(n,Lt)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#o(e,s),s]),await this.updateComplete}catch(n){this.emit("session-lost",{error:n})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#o(e,t){let s;try{s=await this.renew?.()}catch(n){this.token===e&&this.emit("session-lost",{error:n});return}if(s===void 0)return t;this.token===e&&(typeof s=="string"?this.token=s:this.session=s)}#r(){clearTimeout(this.#e);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),s=Math.max(0,t-Math.min(Ut,t/2));this.#e=setTimeout(()=>{this.renewToken()},Math.min(s,Ht))}};function x(i){if(i==="anonymous")return"Number withheld";let[,e,t,s]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(i)??[];return e===void 0?i:`(${e}) ${t}-${s}`}function ne(i){let e=i.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}function Se(i){let e=Math.max(0,Math.floor(i)),[t,s,n]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],r=String(n).padStart(2,"0");return t===0?`${s}:${r}`:`${t}:${String(s).padStart(2,"0")}:${r}`}var js=new Intl.DateTimeFormat(void 0,{hour:"numeric",minute:"2-digit"}),Bs=new Intl.DateTimeFormat(void 0,{weekday:"long",month:"long",day:"numeric"}),zs=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Vs=new Intl.DateTimeFormat(void 0,{year:"numeric",month:"short",day:"numeric"});var Ye=H`
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
`;var re=class{#e;#t="";#s;get mayAsk(){return"Notification"in globalThis&&Notification.permission==="default"}async ask(){await Notification.requestPermission()}start(e){this.#e?.id!==e.id&&(this.stop(),this.#e=e,this.#t=document.title,document.title=e.text,document.hasFocus()||this.#n(e))}stop(){let e=this.#e;e!==void 0&&(this.#e=void 0,document.title===e.text&&(document.title=this.#t),this.#s?.close(),this.#s=void 0)}#n({id:e,text:t}){if(!(!("Notification"in globalThis)||Notification.permission!=="granted"))try{let s=new Notification(t,{tag:`dialplane-${e}`,requireInteraction:!0});s.onclick=()=>{window.focus(),s.close()},this.#s=s}catch{}}};var It=/[\s().\p{Pd}\u2212\u2043\u02d7\u30fc\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,qt=/^\+?1?(911|933)$/;function Ge(i){return qt.exec(String(i).normalize("NFKC").replaceAll(It,""))?.[1]}function Ze(){let i=new Map;return{on:(e,t)=>{let s=i.get(e)??new Set;return i.set(e,s.add(t)),()=>s.delete(t)},emit:(e,t)=>{for(let s of[...i.get(e)??[]])s(t)}}}async function Te(){let i=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>i.flatMap(({kind:s,deviceId:n,label:r})=>s===t&&n!==""?[{id:n,label:r}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function Xe({onOnline:i,onDevices:e}){let t=globalThis.navigator?.mediaDevices,s=()=>{Te().then(e)};return globalThis.addEventListener?.("online",i),t?.addEventListener("devicechange",s),()=>{globalThis.removeEventListener?.("online",i),t?.removeEventListener("devicechange",s)}}var oe=class{#e=new Map;#t=0;#s=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");nextRef(){return`${this.#s}-${++this.#t}`}place(e,t){let s=this.#e.get(e);if(s!==void 0)return s.promise;let n=Promise.withResolvers();return this.#e.set(e,n),t(),n.promise}take(e=""){let t=this.#e.get(e);return this.#e.delete(e),t}refuseAll(e){for(let t of this.#e.values())t.reject(e());this.#e.clear()}};var m=class extends Error{constructor(e,t,s=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=s}};var et=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var _=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return _[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return R(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function R(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var g=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(g);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<g)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#h=0;#r=null;#o=0;#a=Number.NaN;stats={received:0,late:0,missing:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#h=0,this.#r=t,t)}get counts(){let{received:t,late:s,missing:e,dropped:n}=this.stats;return{due:t-s+e,lost:e+n,jitterMs:this.#o}}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#a=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#a)?0:Math.abs(e-this.#a);this.#a=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?(this.#t++,this.stats.missing++):++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#h>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),y=5e3/20,p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;#n=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#h();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#h(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0,++this.#n%y===0&&this.port.postMessage(this.#t.counts)}};registerProcessor("dialplane-playback",p);})();
`;function tt(i,e,t=()=>performance.now()){let s={due:0,lost:0},n=0,r=0,o=null,l=()=>{i.readyState===WebSocket.OPEN&&(n++,r=t(),i.send(JSON.stringify({event:"mark",name:`quality-${n}`})))};return i.addEventListener("open",l),{handleMark(a){a===`quality-${n}`&&(o=t()-r)},handleReport({due:a,lost:c,jitterMs:u}){let[d,f]=[a-s.due,c-s.lost];s={due:a,lost:c},d>0&&e({lossPercent:Math.min(100,100*f/d),jitterMs:u,roundTripMs:o}),o=null,l()}}}var jt=12e3,Bt={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},zt=new Set([1006,1011,1012,1013]),le=class{#e;#t;#s;#n;#i="";#o=new Set;constructor({microphone:e,workletUrl:t}={}){this.#s={...Bt,...e},this.#n=t}async prepare(){let[e]=await Promise.all([this.#r(),this.#l()]);await e.resume()}async link({url:e,token:t},{onFlow:s,onLost:n,onNoMicrophone:r,onQuality:o=()=>{}},{isSilent:l=!1,isPlaying:a=!0}={}){let c=await this.#r();c.resume().catch(()=>{});let u=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),d=Wt(c,u,{onFlow:s,onQuality:o}),f=Ft(c,y=>{u.readyState!==WebSocket.OPEN||u.bufferedAmount>jt||u.send(JSON.stringify({event:"media",payload:Jt(y)}))}),g=!1,b=!0,O,xe=y=>{u.readyState>WebSocket.OPEN||(O??=c.createMediaStreamSource(y),b||O.connect(f))},Ee=y=>{O?.disconnect(),O=void 0,b||y.then(xe,r)};this.#o.add(Ee);let Ce=y=>{b!==y&&(b=y,y?O?.disconnect():this.#l().then(xe,r))},Me=y=>{d.disconnect(),y&&d.connect(c.destination)};return Ce(l),Me(a),u.onclose=({code:y})=>{this.#o.delete(Ee),d.disconnect(),d.port.close(),O?.disconnect(),f.port.close(),!g&&zt.has(y)&&n()},{setSilent:Ce,setPlaying:Me,play:y=>Kt(c,f,y),close:()=>{g=!0,u.close()}}}async useMicrophone(e){let{deviceId:t,...s}=this.#s,n=e===""?s:{...s,deviceId:{exact:e}},r=this.#t;if(r===void 0&&this.#o.size===0){this.#s=n;return}let o=await nt(n).catch(l=>{throw ae("microphone_refused",l)});this.#s=n,this.#h(Promise.resolve(o)),st(await r?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new m("speaker_refused","This browser cannot choose the speaker.");let t=await this.#e;t!==void 0&&await it(t,e),this.#i=e}async decode(e){return await(await this.#r()).decodeAudioData(e)}async close(){let[e,t]=[this.#e,this.#t];this.#e=void 0,this.#t=void 0,await Promise.all([t?.then(st),e?.then(s=>s.close())])}#r(){return this.#e??=this.#c().catch(e=>{throw this.#e=void 0,ae("audio_failed",e)}),this.#e}async#c(){let e=await Vt(this.#n);return this.#i!==""&&await it(e,this.#i).catch(()=>{}),e}#l(){if(this.#t===void 0){let e=nt(this.#s).catch(t=>{throw this.#t=void 0,ae("microphone_refused",t)});this.#a(e)}return this.#t}#h(e){this.#a(e);for(let t of this.#o)t(e)}#a(e){this.#t=e;let t=()=>{if(this.#t!==e)return;this.#t=void 0;let{deviceId:s,...n}=this.#s;this.#s=n,this.#o.size>0&&this.#h(this.#l())};e.then(s=>{for(let n of s.getTracks())n.addEventListener("ended",t)},()=>{})}};function st(i){for(let e of i?.getTracks()??[])e.stop()}async function it(i,e){try{await i.setSinkId(e)}catch(t){throw ae("speaker_refused",t)}}async function nt(i){return await navigator.mediaDevices.getUserMedia({audio:i})}async function Vt(i){let e=new AudioContext({latencyHint:"interactive"});if(i!==void 0)return await e.audioWorklet.addModule(i),e;let t=URL.createObjectURL(new Blob([et],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function Wt(i,e,{onFlow:t,onQuality:s}){let n=new AudioWorkletNode(i,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]}),r=tt(e,s);return n.port.onmessage=({data:o})=>r.handleReport(o),e.onmessage=({data:o})=>{let l=JSON.parse(o);if(l.event==="mark"&&r.handleMark(l.name),l.event!=="media")return;let a=Qt(l.payload);t(a),n.port.postMessage({seq:l.seq,codes:a},[a.buffer])},n}function Ft(i,e){let t=new AudioWorkletNode(i,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:s})=>e(s),t}function Kt(i,e,t){let s=new AudioBufferSourceNode(i,{buffer:t}),n=new Promise(r=>{s.onended=()=>r(void 0)});return s.connect(e),s.start(),{ended:n,stop:()=>s.stop()}}function ae(i,e){return new m(i,e instanceof Error?e.message:String(e))}function Jt(i){return btoa(String.fromCharCode(...i))}function Qt(i){return Uint8Array.from(atob(i),e=>e.charCodeAt(0))}var Yt="/v1/softphone",rt=[500,1e3,2e3,5e3],Gt=new Set(["carrier_unavailable","rate_limited"]),ce=class{listener=()=>{};#e;#t;#s;#n=new Map;#i=new Map;#o=new Set;constructor({url:e,microphone:t,workletUrl:s}){this.#e=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${Yt}`,this.#t=new le({microphone:t,workletUrl:s})}open(e){this.close();let t=new WebSocket(this.#e);this.#s=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:s})=>this.#c(JSON.parse(s)),t.onclose=({code:s,reason:n})=>{this.#s===t&&(this.#s=void 0,this.listener({type:"closed",code:s,reason:n}))}}async prepareAudio(){await this.#t.prepare()}async useMicrophone(e){await this.#t.useMicrophone(e)}async useSpeaker(e){await this.#t.useSpeaker(e)}answer(e){this.#r({type:"answer",call_id:e})}decline(e){this.#r({type:"decline",call_id:e})}hangUp(e){this.#r({type:"hang_up",call_id:e})}place(e){this.#r({type:"place",...e})}setMuted(e,t){this.#r({type:"mute",call_id:e,on:t}),this.#d(`mute:${e}`,e,t)}setHeld(e,t){this.#r({type:"hold",call_id:e,on:t}),this.#d(`hold:${e}`,e,t)}sendDigits(e,t){this.#r({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:s,announceText:n}){let r={...s&&{mode:s},...n&&{announce_text:n}};this.#r({type:"transfer",call_id:e,to:t,...r})}completeTransfer(e){this.#r({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#r({type:"cancel_transfer",call_id:e})}setAvailability(e,t){this.#r({type:"availability",availability:e,...t===void 0?{}:{queue_id:t}})}close(){let e=this.#s;this.#s=void 0,e?.close();for(let t of[...this.#n.keys()])this.#a(t);this.#i.clear(),this.#o.clear(),this.#t.close().catch(()=>{})}#r(e){this.#s?.readyState===WebSocket.OPEN&&this.#s.send(JSON.stringify(e))}#c(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"queues":{let s=e.queues;return this.listener({type:"queues",queues:s.map(({queue_id:n,...r})=>({id:n,...r}))})}case"incoming":case"dialing":{let{type:s,direction:n,from:r,to:o,caller_name:l=null,ref:a,listener:c}=e,u={...a===void 0?{}:{ref:a},...c===void 0?{}:{listener:{id:c.id,speaksTo:c.speaks_to}}};return this.listener({type:s,callId:t,direction:n,from:r,to:o,callerName:l,...u})}case"media":return this.#l(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer});case"ended":return this.#a(t),this.#i.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:s,message:n,ref:r,request:o}=e;if(o==="media")return Gt.has(s)?this.#h(t):void 0;let l={type:"error",code:s,message:n,callId:t??null};return this.listener({...l,...r===void 0?{}:{ref:r}})}default:}}#l(e,t){this.#a(e);let s=({code:r="audio_failed",message:o})=>this.listener({type:"error",code:r,message:o,callId:e}),n=this.#t.link({url:t.url,token:t.token},{onFlow:()=>this.#i.delete(e),onLost:()=>{this.#n.get(e)===n&&this.#h(e)},onNoMicrophone:s,onQuality:r=>this.listener({type:"quality",callId:e,...r})}).catch(r=>{s(r)});this.#n.set(e,n),this.#u(e)}#h(e){let t=this.#i.get(e)??0;this.#i.set(e,t+1);let s=this.#n.get(e);setTimeout(()=>{s!==void 0&&this.#n.get(e)===s&&this.#r({type:"media",call_id:e})},rt[Math.min(t,rt.length-1)])}#a(e){let t=this.#n.get(e);this.#n.delete(e),t?.then(s=>s?.close())}#d(e,t,s){s?this.#o.add(e):this.#o.delete(e),this.#u(t)}#u(e){let t=this.#o.has(`mute:${e}`)||this.#o.has(`hold:${e}`);this.#n.get(e)?.then(s=>s?.setSilent(t))}};var ot=new Set([4401,4403,4408,4409]),at=[500,1e3,2e3,5e3,1e4],W=class{#e;#t=new Map;#s=Ze();on=this.#s.on;#n=new oe;#i;#o;#r;#c=0;#l=!1;#h=[];#a=()=>{};constructor({url:e,transport:t,microphone:s,workletUrl:n}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#e=t??new ce({url:e??"",microphone:s,workletUrl:n}),this.#e.listener=r=>this.#g(r)}get calls(){return[...this.#t.values()]}get queues(){return this.#h}get isRegistered(){return this.#l}async connect(e){this.disconnect(),this.#i=e,this.#a=Xe({onOnline:()=>this.#m(),onDevices:s=>this.#s.emit("devices",s)});let t=Promise.withResolvers();return this.#o=t,await this.#u(),t.promise}disconnect(){clearTimeout(this.#r),this.#r=void 0,this.#a(),this.#i=void 0,this.#c=0,this.#l=!1,this.#o?.reject(new m("disconnected","The softphone was disconnected.")),this.#o=void 0,this.#n.refuseAll(()=>new m("disconnected","The softphone was disconnected.")),this.#t.clear(),this.#e.close()}async devices(){return await Te()}async useMicrophone(e=""){await this.#e.useMicrophone(e)}async useSpeaker(e=""){await this.#e.useSpeaker(e)}async answer(e){let t=this.#d(e,s=>s.state==="incoming");await this.#e.prepareAudio(),this.#e.answer(t.id)}decline(e){this.#e.decline(this.#d(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:s=this.#n.nextRef()}={}){if(!this.#l)throw new m("not_registered","The softphone is not connected.");let n=Ge(e);n===void 0&&await this.#e.prepareAudio();let r={to:n??e,ref:s,...t===void 0?{}:{from:t}};return this.#n.place(s,()=>this.#e.place(r))}hangUp(e){this.#e.hangUp(this.#d(e).id)}mute(e=!0,t){let s=this.#d(t);this.#e.setMuted(s.id,e),this.#t.set(s.id,{...s,muted:e})}hold(e=!0,t){let s=this.#d(t);this.#e.setHeld(s.id,e),this.#t.set(s.id,{...s,held:e})}sendDigits(e,t){this.#e.sendDigits(this.#d(t).id,e)}transfer(e,{mode:t,announceText:s,callId:n}={}){let r={...t&&{mode:t},...s&&{announceText:s}};this.#e.transfer(this.#d(n).id,{to:e,...r})}completeTransfer(e){this.#e.completeTransfer(this.#d(e).id)}cancelTransfer(e){this.#e.cancelTransfer(this.#d(e).id)}setAvailability(e,t){this.#e.setAvailability(e,t)}#d(e,t=()=>!0){let s=e===void 0?this.calls.filter(t).at(-1):this.#t.get(e);if(s===void 0)throw new m("call_not_found","There is no such call.",e);return s}async#u(){let e=this.#i;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#i===e&&this.#e.open(t)}catch(t){this.#i===e&&this.#f(0,`no token: ${t instanceof Error?t.message:t}`)}}#m(){this.#r!==void 0&&(clearTimeout(this.#r),this.#r=void 0,this.#c=0,this.#u())}#g(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:s,callIds:n}=e;this.#l=!0,this.#c=0,this.#y(n),this.#s.emit("registered",{webClientId:t,expiresAt:s}),this.#o?.resolve(),this.#o=void 0;return}case"queues":return this.#h=e.queues,this.#s.emit("queues",e.queues);case"incoming":case"dialing":return this.#b(e);case"ringing":return this.#p(e.callId,"ringing","ringing");case"answered":return this.#p(e.callId,"connected","answered");case"transfer":{let t=this.#t.get(e.callId);if(t===void 0)return;let s={...t,transfer:e.transfer};this.#t.set(t.id,s),this.#s.emit("transfer",s);return}case"quality":{let{callId:t,lossPercent:s,jitterMs:n,roundTripMs:r}=e;this.#t.has(t)&&this.#s.emit("quality",{callId:t,lossPercent:s,jitterMs:n,roundTripMs:r});return}case"ended":{let t=this.#t.get(e.callId);this.#t.delete(e.callId);let{reason:s,outcome:n}=e;t!==void 0&&this.#s.emit("ended",{...t,state:"ended",reason:s,outcome:n});return}case"error":{let t=new m(e.code,e.message,e.callId),s=this.#n.take(e.ref);s!==void 0?s.reject(t):this.#s.emit("error",t);return}case"closed":return this.#f(e.code,e.reason)}}#y(e){for(let t of this.calls.filter(({id:s})=>!e.includes(s)))this.#t.delete(t.id),this.#s.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#b({type:e,callId:t,direction:s,from:n,to:r,callerName:o=null,ref:l,listener:a}){let c=this.#t.get(t),d={id:t,direction:s,from:n,to:r,callerName:o,state:e,...a===void 0?{}:{listener:a}},f=c?{...c,transfer:null}:{...d,muted:!1,held:!1,transfer:null};this.#t.set(t,f),f.muted&&this.#e.setMuted(t,!0),f.held&&this.#e.setHeld(t,!0),this.#n.take(l)?.resolve(f),c===void 0&&e==="incoming"&&this.#s.emit("incoming",f)}#p(e,t,s){let n=this.#t.get(e);if(n===void 0||n.state===t)return;let r={...n,state:t};this.#t.set(e,r),this.#s.emit(s,r)}#f(e,t){this.#l=!1,this.#n.refuseAll(()=>new m("disconnected","The connection was lost."));let s=typeof this.#i=="function"&&!ot.has(e)&&this.#o===void 0;if(this.#o!==void 0){let r=ot.has(e);this.#o.reject(new m(r?"login_refused":"disconnected",t)),this.#o=void 0,this.#i=void 0}if(s||this.#t.clear(),this.#s.emit("disconnected",{code:e,reason:t,willReconnect:s}),!s)return;let n=at[Math.min(this.#c++,at.length-1)];this.#r=setTimeout(()=>(this.#r=void 0,this.#u()),n)}};var ct="dialplane-phone-devices",de=class{devices={microphones:[],speakers:[]};used={microphone:"",speaker:""};#e={microphone:"",speaker:""};#t;#s;constructor(e){this.#t=e}get mayChooseSpeaker(){return"setSinkId"in AudioContext.prototype}async follow(e){this.#s=e,this.used={microphone:"",speaker:""},this.#e=Xt(),e.on("devices",t=>this.#n(e,t)),this.#n(e,await e.devices())}async list(){let e=this.#s;if(e===void 0)return;let t=await e.devices();t.microphones.length===0&&(await Zt(),t=await e.devices()),this.#n(e,t)}async choose(e,t){let s=this.#s;if(s===void 0)return;await lt(s,e,t),this.used[e]=t;let{microphones:n,speakers:r}=this.devices,o=e==="microphone"?n:r;this.#e[e]=o.find(l=>l.id===t)?.label??"",ts(this.#e),this.#t()}#n(e,t){this.#s===e&&(this.devices=t,this.#i(e,"microphone",t.microphones),this.mayChooseSpeaker&&this.#i(e,"speaker",t.speakers),this.#t())}#i(e,t,s){let[n,r]=[this.used[t],this.#e[t]],o=r!==""&&s.find(({label:l})=>l===r)?.id||"";o!==n&&(this.used[t]=o,lt(e,t,o).catch(()=>{this.used[t]=n,this.#t()}))}};function lt(i,e,t){return e==="microphone"?i.useMicrophone(t):i.useSpeaker(t)}async function Zt(){try{let i=await navigator.mediaDevices.getUserMedia({audio:!0});for(let e of i.getTracks())e.stop()}catch(i){throw new m("microphone_refused",String(i))}}function Xt(){let{microphone:i="",speaker:e=""}=es()??{};return{microphone:String(i),speaker:String(e)}}function es(){try{return JSON.parse(localStorage.getItem(ct)??"{}")}catch{return null}}function ts(i){try{localStorage.setItem(ct,JSON.stringify(i))}catch{}}var ss=4408,is=4409,ns=4e3,rs={microphone_refused:"Allow the microphone for this page to make and answer calls.",speaker_refused:"This speaker cannot be used.",audio_failed:"The sound of this call failed.",key_not_permitted:"This page may not place calls. 911 can always be called.",not_registered:"The phone is not connected.",network_error:"The server cannot be reached."},he=class{state="connecting";problem=null;active=null;ended=null;queues=[];sound;#e;#t;#s;constructor(e){this.#e=e,this.sound=new de(e.onChange)}async connect(){this.disconnect();let e=new W({url:this.#e.baseUrl()});this.#t=e,this.#c(e),this.#a({state:"connecting",problem:null,queues:[]}),this.sound.follow(e);let t,s=()=>this.#o().catch(n=>{throw t=n,n});try{await e.connect(s)}catch(n){this.#t===e&&this.#a({state:"out",problem:F(t??n)})}}disconnect(){clearTimeout(this.#s);let e=this.#t;this.#t=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#i((e,t)=>e.answer(t));decline=()=>this.#i((e,t)=>e.decline(t));hangUp=()=>this.#i((e,t)=>e.hangUp(t));mute=e=>this.#i((t,s)=>t.mute(e,s));hold=e=>this.#i((t,s)=>t.hold(e,s));transfer=(e,t)=>this.#i((s,n)=>s.transfer(e,{...t,callId:n}));completeTransfer=()=>this.#i((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#i((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#i((t,s)=>t.sendDigits(e,s));async dial(e){let t=this.#t;if(!(t===void 0||this.active!==null)){this.#a({problem:null,ended:null});try{let s=await t.place(e);this.#a({active:{call:s,connectedAtMs:null}})}catch(s){this.#a({problem:F(s)})}}}setAvailable(e,t){this.#t?.setAvailability(e?"available":"away",t),this.#a({problem:null})}listDevices=()=>this.#n(this.sound.list());chooseDevice=(e,t)=>this.#n(this.sound.choose(e,t));async#n(e){try{await e,this.#a({problem:null})}catch(t){this.#a({problem:F(t)})}}async#i(e){let[t,s]=[this.#t,this.active?.call.id];if(!(t===void 0||s===void 0)){this.problem=null;try{await e(t,s)}catch(n){this.problem=F(n)}this.#l(t)}}async#o(){let{api:e,webClientId:t}=this.#e,s=t()??await this.#r();return(await e.post(`/web_clients/${s}/tokens`)).token}async#r(){let{data:e}=await this.#e.api.get("/web_clients",{limit:100}),t=e.find(({status:s})=>s==="active");if(t===void 0)throw new S("web_client_not_found","There is no web client for this phone.");return t.id}#c(e){let{onCall:t,onQuality:s}=this.#e,n=r=>()=>{this.#t===e&&r()};e.on("registered",n(()=>this.#a({state:"ready",problem:null}))),e.on("incoming",r=>{this.#l(e),t("incoming",r)}),e.on("queues",r=>{this.#t===e&&this.#a({queues:r})}),e.on("quality",({callId:r,...o})=>s(r,o)),e.on("ringing",()=>this.#l(e)),e.on("transfer",()=>this.#l(e)),e.on("answered",r=>{this.active={call:r,connectedAtMs:Date.now()},this.#l(e),t("answered",r)}),e.on("ended",r=>{this.active?.call.id===r.id&&this.#h(r),this.#l(e),t("ended",r)}),e.on("error",r=>this.#a({problem:F(r)})),e.on("disconnected",({code:r,willReconnect:o})=>{this.#t===e&&(this.#l(e),o?this.#a({state:"reconnecting"}):r===ss?this.connect():this.#a({state:r===is?"elsewhere":"out"}))})}#l(e){if(this.#t!==e)return;let t=e.calls.find(({id:s})=>s===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#e.onChange()}#h(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#s),this.#s=setTimeout(()=>this.#a({ended:null}),ns)}#a(e){Object.assign(this,e),this.#e.onChange()}};function F(i){return i instanceof S&&i.code==="key_not_permitted"?i.message:i instanceof m||i instanceof S?rs[i.code]??i.message:"Something went wrong."}var os=[440,480],as=2e3,ls=6e3,cs=.08,ue=class{#e;#t;start(){this.#t===void 0&&(this.#e=new AudioContext,this.#s(this.#e),this.#t=setInterval(()=>this.#e&&this.#s(this.#e),ls))}stop(){clearInterval(this.#t),this.#t=void 0,this.#e?.close(),this.#e=void 0}#s(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:cs});t.connect(e.destination);for(let s of os){let n=new OscillatorNode(e,{frequency:s});n.connect(t),n.start(),n.stop(e.currentTime+as/1e3)}}};var dt=H`
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
`;var N={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},ht=i=>(...e)=>({_$litDirective$:i,values:e}),pe=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,s){this._$Ct=e,this._$AM=t,this._$Ci=s}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:Ci}=Je;var ut=i=>i.strings===void 0;var ds={},pt=(i,e=ds)=>i._$AH=e;var U=ht(class extends pe{constructor(i){if(super(i),i.type!==N.PROPERTY&&i.type!==N.ATTRIBUTE&&i.type!==N.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!ut(i))throw Error("`live` bindings can only contain a single expression")}render(i){return i}update(i,[e]){if(e===v||e===h)return e;let t=i.element,s=i.name;if(i.type===N.PROPERTY){if(e===t[s])return v}else if(i.type===N.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(s))return v}else if(i.type===N.ATTRIBUTE&&t.getAttribute(s)===e+"")return v;return pt(i),e}});var w=i=>p`<svg viewBox="0 0 24 24" aria-hidden="true">${i}</svg>`,hs="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",$={back:w(_`<path d="m15 5-7 7 7 7" />`),phone:w(_`<path d=${hs} />`),hangUp:w(_`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:w(_`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:w(_`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:w(_`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:w(_`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:w(_`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:w(_`<path d="M9 5v14M15 5v14" />`),transfer:w(_`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:w(_`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function gt(i){let{queues:e}=i;if(e.length===0||i.state!=="ready")return h;let t=e.some(({availability:r})=>r==="available"),[s]=e,n=e.length===1?`Take callers of ${s?.name}`:"Take callers of queues";return p`<fieldset class="queues" part="queues">
    <legend class="hidden">Queues</legend>
    ${ft(n,t,r=>i.setAvailable(r))}
    ${e.length===1?h:p`<ul>
            ${e.map(({id:r,name:o,availability:l})=>p`<li>${ft(o,l==="available",a=>i.setAvailable(a,r))}</li>`)}
          </ul>`}
  </fieldset>`}function ft(i,e,t){let s=n=>t(n.target.checked);return p`<label class="switch">
    <input type="checkbox" role="switch" .checked=${U(e)} @change=${s} /><span>${i}</span>
  </label>`}function yt(i,e){let{sound:t}=i,{microphones:s,speakers:n}=t.devices;return p`<details class="settings" part="settings" @toggle=${o=>{o.target.open&&i.listDevices()}}>
    <summary>Sound</summary>
    ${mt(i,"microphone","Microphone",s)}
    ${t.mayChooseSpeaker?mt(i,"speaker","Speaker",n):h}
    ${e.mayAsk?p`<button class="plain" type="button" @click=${e.onAsk}>Notify me of calls</button>`:h}
  </details>`}function mt(i,e,t,s){let n=i.sound.used[e],r=l=>{i.chooseDevice(e,l.target.value)},o=s.filter(({id:l})=>l!=="default");return p`<label
    >${t}<select class="field" @change=${r}>
      <option value="" .selected=${U(n==="")}>Default</option>
      ${o.map(({id:l,label:a})=>p`<option value=${l} .selected=${U(n===l)}>${a}</option>`)}
    </select></label
  >`}function bt(i){return p`<form class="transfer" part="transfer" @submit=${t=>{t.preventDefault();let s=new FormData(t.target),n=String(s.get("to")).trim(),r=/[a-z]/i.test(n)?n:ne(n),o=String(s.get("announce")).trim(),l=t.submitter?.getAttribute("value")==="consult";i.transfer(r,{mode:l?"consult":"announce",...o&&{announceText:o}})}}>
    <label>Transfer to<input class="field" name="to" required autocomplete="off" /></label>
    <label>Say first (optional)<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">Talk first</button>
    <button type="submit" value="announce">Transfer</button>
  </form>`}function vt(i,{transfer:e}){if(e===null)return h;let{to:t,mode:s,state:n}=e;return p`<div class="transfer">
    <p role="status">${n==="talking"?"Talking to":"Transfer rings"} ${x(t)}</p>
    ${s==="consult"?p`<button type="button" @click=${i.cancelTransfer}>Cancel transfer</button>
            <button class="primary" type="button" @click=${i.completeTransfer}>Complete transfer</button>`:h}
  </div>`}var us={connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"};function wt(i){let{line:e}=i;return p`<section class="phone" part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">Phone</h2>
      <span class="state ${e.state==="ready"?"good":""}" role="status">${us[e.state]}</span>
    </header>
    ${gt(e)}
    ${e.active===null?ps(i):fs(i,e.active)}
    ${e.problem===null?h:p`<p class="problem error" role="alert">${e.problem}</p>`}
    ${yt(e,{mayAsk:i.mayAskToNotify,onAsk:i.onAskToNotify})}
  </section>`}function ps(i){let{line:e,mayDial:t,number:s,onNumber:n,onDial:r}=i,{ended:o}=e,l=a=>{a.preventDefault(),r()};return p`<div class="body">
    ${o===null?h:p`<p class="ended" role="status">
            Call with ${x(K(o.call))} ended${o.seconds===null?"":`, ${Se(o.seconds)}`}
          </p>`}
    ${e.state==="elsewhere"||e.state==="out"?p`<button class="primary" type="button" @click=${()=>e.connect()}>
            ${e.state==="elsewhere"?"Use here":"Connect"}
          </button>`:p`<form class="dial" part="dial" @submit=${l}>
            <label for="number" class="small muted">${t?"Number":"Emergency number (911)"}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${t?"(602) 555-0143":"911"}
              .value=${U(s)}
              @input=${a=>n(a.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${e.state!=="ready"||s.trim()===""}>
              ${$.phone}Call
            </button>
          </form>`}
  </div>`}function fs(i,e){let{call:t}=e,s=t.state==="incoming";return p`<div class="body call ${s?"ringing":""}">
    <p class="small muted" aria-live=${s?"assertive":"polite"}>
      ${bs(t)}<span class="hidden"> ${x(K(t))}</span>
    </p>
    <p class="other" aria-hidden="true">${x(K(t))}</p>
    ${s?ms(i.line):gs(i,e)}
  </div>`}function ms(i){return p`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${i.decline}>
      ${$.hangUp}<span>Decline</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${i.answer}>
      ${$.phone}<span>Answer</span>
    </button>
  </div>`}function gs(i,{call:e,connectedAtMs:t}){let{line:s,mayDial:n,isKeypadOpen:r,onKeypad:o,isTransferOpen:l,onTransfer:a,nowMs:c}=i,u=e.to==="911"||e.to==="933",d=n&&e.listener===void 0&&e.transfer===null&&!u,f=e.state==="connected",g=b=>p`<button
    class="round"
    type="button"
    aria-pressed=${b.on?"true":"false"}
    ?disabled=${!f}
    @click=${b.act}
  >
    ${b.icon}<span>${b.label}</span>
  </button>`;return p`${t===null?h:p`<p class="timer" role="timer" aria-label="Length of the call">
          ${Se((c-t)/1e3)}
        </p>`}
  ${vt(s,e)} ${l&&f&&d?bt(s):h}
  ${r&&f?ys(i):h}
  <div class="actions">
    ${g({label:"Mute",icon:e.muted?$.micOff:$.mic,on:e.muted,act:()=>s.mute(!e.muted)})}
    ${g({label:"Hold",icon:$.hold,on:e.held,act:()=>s.hold(!e.held)})}
    ${g({label:"Keypad",icon:$.keypad,on:r,act:o})}
    ${d?g({label:"Transfer",icon:$.transfer,on:l,act:a}):h}
    <button class="round danger" part="hang-up" type="button" @click=${s.hangUp}>
      ${$.hangUp}<span>Hang up</span>
    </button>
  </div>`}var _t=["1","2","3","4","5","6","7","8","9","*","0","#"];function ys({digits:i,onDigit:e}){return p`<div class="keypad" part="keypad" role="group" aria-label="Keypad" @keydown=${({key:s})=>{_t.includes(s)&&e(s)}}>
    <p class="digits" aria-label="Digits sent">${i||p`&nbsp;`}</p>
    ${_t.map(s=>p`<button class="key" type="button" @click=${()=>e(s)}>${s}</button>`)}
  </div>`}function bs({state:i,held:e,direction:t}){return i==="incoming"?"Incoming call from":i==="connected"?e?"On hold with":"Connected with":t==="outbound"&&i==="ringing"?"Ringing":"Calling"}function K({direction:i,from:e,to:t}){return i==="inbound"?e:t}var vs={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},fe=class extends V{static styles=[Ye,dt];static properties={...V.properties,webClient:{attribute:"web-client"},silent:{type:Boolean},notify:{type:Boolean}};#e=new ue;#t=new re;#s=new he({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:s,to:n,direction:r})=>this.emit(vs[e],{id:t,from:s,to:n,direction:r}),onQuality:(e,t)=>this.emit("call-quality",{id:e,...t})});#n="";#i=!1;#o=!1;#r="";#c;async dial(e){this.#n=e,await this.#l()}begin(){this.#s.connect()}end(){this.#s.disconnect(),this.#e.stop(),this.#t.stop(),clearInterval(this.#c),this.#c=void 0}render(){return this.isReady?wt({line:this.#s,mayDial:this.may("calls:place"),number:this.#n,onNumber:e=>{this.#n=e,this.requestUpdate()},onDial:()=>{this.#l()},isKeypadOpen:this.#i,onKeypad:()=>{this.#i=!this.#i,this.requestUpdate()},isTransferOpen:this.#o,onTransfer:()=>{this.#o=!this.#o,this.requestUpdate()},digits:this.#r,onDigit:e=>{this.#r+=e,this.#s.sendDigits(e)},nowMs:Date.now(),mayAskToNotify:this.notify===!0&&this.#t.mayAsk,onAskToNotify:()=>{this.#t.ask().then(()=>this.requestUpdate())}}):p`<p class="problem muted">Waiting for a session.</p>`}updated(){let{active:e}=this.#s,t=e?.call.state==="incoming"?e.call:void 0;t!==void 0&&this.silent!==!0?this.#e.start():this.#e.stop(),t!==void 0&&this.notify===!0?this.#t.start({id:t.id,text:`Incoming call from ${x(K(t))}`}):this.#t.stop(),e===null&&([this.#i,this.#r]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#o=!1),e?.connectedAtMs!=null?this.#c??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#c),this.#c=void 0)}async#l(){let e=ne(this.#n);await this.#s.dial(e),this.#s.active!==null&&(this.#n=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",fe);export{fe as DialplanePhone};
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
