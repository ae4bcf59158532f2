/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var W=globalThis,F=W.ShadowRoot&&(W.ShadyCSS===void 0||W.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ce=Symbol(),Te=new WeakMap,U=class{constructor(e,t,s){if(this._$cssResult$=!0,s!==ce)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(F&&e===void 0){let s=t!==void 0&&t.length===1;s&&(e=Te.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&Te.set(t,e))}return e}toString(){return this.cssText}},xe=i=>new U(typeof i=="string"?i:i+"",void 0,ce),D=(i,...e)=>{let t=i.length===1?i[0]:e.reduce((s,n,r)=>s+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+i[r+1],i[0]);return new U(t,i,ce)},Ee=(i,e)=>{if(F)i.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let s=document.createElement("style"),n=W.litNonce;n!==void 0&&s.setAttribute("nonce",n),s.textContent=t.cssText,i.appendChild(s)}},de=F?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let t="";for(let s of e.cssRules)t+=s.cssText;return xe(t)})(i):i;var{is:ht,defineProperty:ut,getOwnPropertyDescriptor:pt,getOwnPropertyNames:ft,getOwnPropertySymbols:mt,getPrototypeOf:gt}=Object,q=globalThis,Ce=q.trustedTypes,yt=Ce?Ce.emptyScript:"",bt=q.reactiveElementPolyfillSupport,L=(i,e)=>i,he={toAttribute(i,e){switch(e){case Boolean:i=i?yt:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let t=i;switch(e){case Boolean:t=i!==null;break;case Number:t=i===null?null:Number(i);break;case Object:case Array:try{t=JSON.parse(i)}catch{t=null}}return t}},Pe=(i,e)=>!ht(i,e),Me={attribute:!0,type:String,converter:he,reflect:!1,useDefault:!1,hasChanged:Pe};Symbol.metadata??=Symbol("metadata"),q.litPropertyMetadata??=new WeakMap;var A=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Me){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let s=Symbol(),n=this.getPropertyDescriptor(e,s,t);n!==void 0&&ut(this.prototype,e,n)}}static getPropertyDescriptor(e,t,s){let{get:n,set:r}=pt(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let l=n?.call(this);r?.call(this,o),this.requestUpdate(e,l,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Me}static _$Ei(){if(this.hasOwnProperty(L("elementProperties")))return;let e=gt(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(L("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(L("properties"))){let t=this.properties,s=[...ft(t),...mt(t)];for(let n of s)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[s,n]of t)this.elementProperties.set(s,n)}this._$Eh=new Map;for(let[t,s]of this.elementProperties){let n=this._$Eu(t,s);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let n of s)t.unshift(de(n))}else e!==void 0&&t.push(de(e));return t}static _$Eu(e,t){let s=t.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let s of t.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ee(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,s){this._$AK(e,s)}_$ET(e,t){let s=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,s);if(n!==void 0&&s.reflect===!0){let r=(s.converter?.toAttribute!==void 0?s.converter:he).toAttribute(t,s.type);this._$Em=e,r==null?this.removeAttribute(n):this.setAttribute(n,r),this._$Em=null}}_$AK(e,t){let s=this.constructor,n=s._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let r=s.getPropertyOptions(n),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:he;this._$Em=n;let l=o.fromAttribute(t,r.type);this[n]=l??this._$Ej?.get(n)??l,this._$Em=null}}requestUpdate(e,t,s,n=!1,r){if(e!==void 0){let o=this.constructor;if(n===!1&&(r=this[e]),s??=o.getPropertyOptions(e),!((s.hasChanged??Pe)(r,t)||s.useDefault&&s.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,s))))return;this.C(e,t,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:s,reflect:n,wrapped:r},o){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,r]of this._$Ep)this[n]=r;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[n,r]of s){let{wrapped:o}=r,l=this[n];o!==!0||this._$AL.has(n)||l===void 0||this.C(n,void 0,r,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(t)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};A.elementStyles=[],A.shadowRootOptions={mode:"open"},A[L("elementProperties")]=new Map,A[L("finalized")]=new Map,bt?.({ReactiveElement:A}),(q.reactiveElementVersions??=[]).push("2.1.2");var pe=globalThis,Re=i=>i,K=pe.trustedTypes,Ne=K?K.createPolicy("lit-html",{createHTML:i=>i}):void 0,fe="$lit$",S=`lit$${Math.random().toFixed(9).slice(2)}$`,me="?"+S,_t=`<${me}>`,C=document,H=()=>C.createComment(""),B=i=>i===null||typeof i!="object"&&typeof i!="function",ge=Array.isArray,He=i=>ge(i)||typeof i?.[Symbol.iterator]=="function",ue=`[ 	
\f\r]`,I=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Oe=/-->/g,Ue=/>/g,x=RegExp(`>|${ue}(?:([^\\s"'>=/]+)(${ue}*=${ue}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),De=/'/g,Le=/"/g,Be=/^(?:script|style|textarea|title)$/i,ye=i=>(e,...t)=>({_$litType$:i,strings:e,values:t}),f=ye(1),_=ye(2),cs=ye(3),b=Symbol.for("lit-noChange"),h=Symbol.for("lit-nothing"),Ie=new WeakMap,E=C.createTreeWalker(C,129);function je(i,e){if(!ge(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ne!==void 0?Ne.createHTML(e):e}var ze=(i,e)=>{let t=i.length-1,s=[],n,r=e===2?"<svg>":e===3?"<math>":"",o=I;for(let l=0;l<t;l++){let a=i[l],c,u,d=-1,p=0;for(;p<a.length&&(o.lastIndex=p,u=o.exec(a),u!==null);)p=o.lastIndex,o===I?u[1]==="!--"?o=Oe:u[1]!==void 0?o=Ue:u[2]!==void 0?(Be.test(u[2])&&(n=RegExp("</"+u[2],"g")),o=x):u[3]!==void 0&&(o=x):o===x?u[0]===">"?(o=n??I,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?x:u[3]==='"'?Le:De):o===Le||o===De?o=x:o===Oe||o===Ue?o=I:(o=x,n=void 0);let m=o===x&&i[l+1].startsWith("/>")?" ":"";r+=o===I?a+_t:d>=0?(s.push(c),a.slice(0,d)+fe+a.slice(d)+S+m):a+S+(d===-2?l:m)}return[je(i,r+(i[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},j=class i{constructor({strings:e,_$litType$:t},s){let n;this.parts=[];let r=0,o=0,l=e.length-1,a=this.parts,[c,u]=ze(e,t);if(this.el=i.createElement(c,s),E.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(n=E.nextNode())!==null&&a.length<l;){if(n.nodeType===1){if(n.hasAttributes())for(let d of n.getAttributeNames())if(d.endsWith(fe)){let p=u[o++],m=n.getAttribute(d).split(S),v=/([.?@])?(.*)/.exec(p);a.push({type:1,index:r,name:v[2],strings:m,ctor:v[1]==="."?J:v[1]==="?"?G:v[1]==="@"?Z:P}),n.removeAttribute(d)}else d.startsWith(S)&&(a.push({type:6,index:r}),n.removeAttribute(d));if(Be.test(n.tagName)){let d=n.textContent.split(S),p=d.length-1;if(p>0){n.textContent=K?K.emptyScript:"";for(let m=0;m<p;m++)n.append(d[m],H()),E.nextNode(),a.push({type:2,index:++r});n.append(d[p],H())}}}else if(n.nodeType===8)if(n.data===me)a.push({type:2,index:r});else{let d=-1;for(;(d=n.data.indexOf(S,d+1))!==-1;)a.push({type:7,index:r}),d+=S.length-1}r++}}static createElement(e,t){let s=C.createElement("template");return s.innerHTML=e,s}};function M(i,e,t=i,s){if(e===b)return e;let n=s!==void 0?t._$Co?.[s]:t._$Cl,r=B(e)?void 0:e._$litDirective$;return n?.constructor!==r&&(n?._$AO?.(!1),r===void 0?n=void 0:(n=new r(i),n._$AT(i,t,s)),s!==void 0?(t._$Co??=[])[s]=n:t._$Cl=n),n!==void 0&&(e=M(i,n._$AS(i,e.values),n,s)),e}var Y=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:s}=this._$AD,n=(e?.creationScope??C).importNode(t,!0);E.currentNode=n;let r=E.nextNode(),o=0,l=0,a=s[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new N(r,r.nextSibling,this,e):a.type===1?c=new a.ctor(r,a.name,a.strings,this,e):a.type===6&&(c=new X(r,this,e)),this._$AV.push(c),a=s[++l]}o!==a?.index&&(r=E.nextNode(),o++)}return E.currentNode=C,n}p(e){let t=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,t),t+=s.strings.length-2):s._$AI(e[t])),t++}},N=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,s,n){this.type=2,this._$AH=h,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=s,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=M(this,e,t),B(e)?e===h||e==null||e===""?(this._$AH!==h&&this._$AR(),this._$AH=h):e!==this._$AH&&e!==b&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):He(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==h&&B(this._$AH)?this._$AA.nextSibling.data=e:this.T(C.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:s}=e,n=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=j.createElement(je(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===n)this._$AH.p(t);else{let r=new Y(n,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=Ie.get(e.strings);return t===void 0&&Ie.set(e.strings,t=new j(e)),t}k(e){ge(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,s,n=0;for(let r of e)n===t.length?t.push(s=new i(this.O(H()),this.O(H()),this,this.options)):s=t[n],s._$AI(r),n++;n<t.length&&(this._$AR(s&&s._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let s=Re(e).nextSibling;Re(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},P=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,s,n,r){this.type=1,this._$AH=h,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=r,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=h}_$AI(e,t=this,s,n){let r=this.strings,o=!1;if(r===void 0)e=M(this,e,t,0),o=!B(e)||e!==this._$AH&&e!==b,o&&(this._$AH=e);else{let l=e,a,c;for(e=r[0],a=0;a<r.length-1;a++)c=M(this,l[s+a],t,a),c===b&&(c=this._$AH[a]),o||=!B(c)||c!==this._$AH[a],c===h?e=h:e!==h&&(e+=(c??"")+r[a+1]),this._$AH[a]=c}o&&!n&&this.j(e)}j(e){e===h?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},J=class extends P{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===h?void 0:e}},G=class extends P{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==h)}},Z=class extends P{constructor(e,t,s,n,r){super(e,t,s,n,r),this.type=5}_$AI(e,t=this){if((e=M(this,e,t,0)??h)===b)return;let s=this._$AH,n=e===h&&s!==h||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,r=e!==h&&(s===h||n);n&&this.element.removeEventListener(this.name,this,s),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},X=class{constructor(e,t,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){M(this,e)}},Ve={M:fe,P:S,A:me,C:1,L:ze,R:Y,D:He,V:M,I:N,H:P,N:G,U:Z,B:J,F:X},vt=pe.litHtmlPolyfillSupport;vt?.(j,N),(pe.litHtmlVersions??=[]).push("3.3.3");var We=(i,e,t)=>{let s=t?.renderBefore??e,n=s._$litPart$;if(n===void 0){let r=t?.renderBefore??null;s._$litPart$=n=new N(e.insertBefore(H(),r),r,void 0,t??{})}return n._$AI(i),n};var be=globalThis,k=class extends A{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=We(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return b}};k._$litElement$=!0,k.finalized=!0,be.litElementHydrateSupport?.({LitElement:k});var $t=be.litElementPolyfillSupport;$t?.({LitElement:k});(be.litElementVersions??=[]).push("4.2.2");var T=class extends Error{code;status;constructor(e,t,s=0){super(t),this.code=e,this.status=s}},wt=6e4,Q=class{#t;constructor(e){this.#t=e}socketUrl(e){return`${this.#t.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let s=Object.entries(t).filter(([,r])=>r!==void 0),n=new URLSearchParams(s.map(([r,o])=>[r,String(o)])).toString();return this.#e("GET",n===""?e:`${e}?${n}`,{})}patch(e,t){return this.#e("PATCH",e,{body:t})}post(e,t={},s){return this.#e("POST",e,{body:t,...s!==void 0&&{idempotencyKey:s}})}async#e(e,t,s){let n=await this.#s(e,t,s),r=n.status===401&&await this.#t.renewToken();return At(r?await this.#s(e,t,s):n)}async#s(e,t,{body:s,idempotencyKey:n}){let[r,o]=[this.#t.baseUrl(),this.#t.token()];if(o===void 0)throw new T("not_signed_in","There is no session yet.");let l=new Headers({authorization:`Bearer ${o}`});s!==void 0&&l.set("content-type","application/json"),n!==void 0&&l.set("idempotency-key",n);let a={method:e,headers:l,credentials:"omit",...s&&{body:JSON.stringify(s)}},c=new AbortController,u=setTimeout(()=>c.abort(),wt);try{let d=await fetch(`${r}/v1${t}`,{...a,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{throw new T("network_error","The server cannot be reached.")}finally{clearTimeout(u)}}};function At({status:i,ok:e,text:t}){let s=St(t);if(e&&(s!==void 0||t===""))return s;let{code:n="unreadable_reply",message:r=`The server answered ${i}.`}=s?.error??{};throw new T(n,r,i)}function St(i){try{return JSON.parse(i)}catch{return}}var kt=6e4,Tt=15e3,xt=2147483647,z=class extends k{static properties={baseUrl:{attribute:"base-url"},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new Q({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#t;#e;#s;#n;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),clearTimeout(this.#t),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#i(),this.#s?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,s=e.has("baseUrl")||this.session?.tenant_id!==this.#n;this.#n=this.session?.tenant_id,(t||s)&&this.isReady&&this.isConnected&&this.begin()}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#e??=this.#l().finally(()=>{this.#e=void 0}),this.#e}async#l(){let e=this.token,t,s=new Promise(n=>{this.#s=n,t=setTimeout(n,Tt)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#o(e,s),s]),await this.updateComplete}catch(n){this.emit("session-lost",{error:n})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#o(e,t){let s;try{s=await this.renew?.()}catch(n){this.token===e&&this.emit("session-lost",{error:n});return}if(s===void 0)return t;this.token===e&&(typeof s=="string"?this.token=s:this.session=s)}#i(){clearTimeout(this.#t);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),s=Math.max(0,t-Math.min(kt,t/2));this.#t=setTimeout(()=>{this.renewToken()},Math.min(s,xt))}};function O(i){if(i==="anonymous")return"Number withheld";let[,e,t,s]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(i)??[];return e===void 0?i:`(${e}) ${t}-${s}`}function ee(i){let e=i.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}function _e(i){let e=Math.max(0,Math.floor(i)),[t,s,n]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],r=String(n).padStart(2,"0");return t===0?`${s}:${r}`:`${t}:${String(s).padStart(2,"0")}:${r}`}var Ts=new Intl.DateTimeFormat(void 0,{hour:"numeric",minute:"2-digit"}),xs=new Intl.DateTimeFormat(void 0,{weekday:"long",month:"long",day:"numeric"}),Es=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Cs=new Intl.DateTimeFormat(void 0,{year:"numeric",month:"short",day:"numeric"});var Fe=D`
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
`;var Et=/[\s().\p{Pd}\u2212\u2043\u02d7\u30fc\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,Ct=/^\+?1?(911|933)$/;function qe(i){return Ct.exec(String(i).normalize("NFKC").replaceAll(Et,""))?.[1]}function Ke(){let i=new Map;return{on:(e,t)=>{let s=i.get(e)??new Set;return i.set(e,s.add(t)),()=>s.delete(t)},emit:(e,t)=>{for(let s of[...i.get(e)??[]])s(t)}}}async function ve(){let i=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>i.flatMap(({kind:s,deviceId:n,label:r})=>s===t&&n!==""?[{id:n,label:r}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function Ye({onOnline:i,onDevices:e}){let t=globalThis.navigator?.mediaDevices,s=()=>{ve().then(e)};return globalThis.addEventListener?.("online",i),t?.addEventListener("devicechange",s),()=>{globalThis.removeEventListener?.("online",i),t?.removeEventListener("devicechange",s)}}var y=class extends Error{constructor(e,t,s=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=s}};var Je=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var g=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return g[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return w(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function w(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var _=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(_);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<_)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#a=0;#r=null;#o=0;#h=Number.NaN;stats={received:0,late:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#a=0,this.#r=t,t)}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#h=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#h)?0:Math.abs(e-this.#h);this.#h=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?this.#t++:++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#a>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#n();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#n(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0}};registerProcessor("dialplane-playback",p);})();
`;var Mt=12e3,Pt={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},Rt=new Set([1006,1011,1012,1013]),se=class{#t;#e;#s;#n;#l="";#o=new Set;constructor({microphone:e,workletUrl:t}={}){this.#s={...Pt,...e},this.#n=t}async prepare(){let[e]=await Promise.all([this.#i(),this.#c()]);await e.resume()}async link({url:e,token:t},{onFlow:s,onLost:n,onNoMicrophone:r},{isSilent:o=!1,isPlaying:l=!0}={}){let a=await this.#i();a.resume().catch(()=>{});let c=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),u=Ot(a,c,s),d=Ut(a,g=>{c.readyState!==WebSocket.OPEN||c.bufferedAmount>Mt||c.send(JSON.stringify({event:"media",payload:Lt(g)}))}),p=!1,m=!0,v,we=g=>{c.readyState>WebSocket.OPEN||(v??=a.createMediaStreamSource(g),m||v.connect(d))},Ae=g=>{v?.disconnect(),v=void 0,m||g.then(we,r)};this.#o.add(Ae);let Se=g=>{m!==g&&(m=g,g?v?.disconnect():this.#c().then(we,r))},ke=g=>{u.disconnect(),g&&u.connect(a.destination)};return Se(o),ke(l),c.onclose=({code:g})=>{this.#o.delete(Ae),u.disconnect(),u.port.close(),v?.disconnect(),d.port.close(),!p&&Rt.has(g)&&n()},{setSilent:Se,setPlaying:ke,play:g=>Dt(a,d,g),close:()=>{p=!0,c.close()}}}async useMicrophone(e){let{deviceId:t,...s}=this.#s,n=e===""?s:{...s,deviceId:{exact:e}},r=this.#e;if(r===void 0&&this.#o.size===0){this.#s=n;return}let o=await Xe(n).catch(l=>{throw te("microphone_refused",l)});this.#s=n,this.#a(Promise.resolve(o)),Ge(await r?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new y("speaker_refused","This browser cannot choose the speaker.");let t=await this.#t;t!==void 0&&await Ze(t,e),this.#l=e}async decode(e){return await(await this.#i()).decodeAudioData(e)}async close(){let[e,t]=[this.#t,this.#e];this.#t=void 0,this.#e=void 0,await Promise.all([t?.then(Ge),e?.then(s=>s.close())])}#i(){return this.#t??=this.#r().catch(e=>{throw this.#t=void 0,te("audio_failed",e)}),this.#t}async#r(){let e=await Nt(this.#n);return this.#l!==""&&await Ze(e,this.#l).catch(()=>{}),e}#c(){if(this.#e===void 0){let e=Xe(this.#s).catch(t=>{throw this.#e=void 0,te("microphone_refused",t)});this.#d(e)}return this.#e}#a(e){this.#d(e);for(let t of this.#o)t(e)}#d(e){this.#e=e;let t=()=>{if(this.#e!==e)return;this.#e=void 0;let{deviceId:s,...n}=this.#s;this.#s=n,this.#o.size>0&&this.#a(this.#c())};e.then(s=>{for(let n of s.getTracks())n.addEventListener("ended",t)},()=>{})}};function Ge(i){for(let e of i?.getTracks()??[])e.stop()}async function Ze(i,e){try{await i.setSinkId(e)}catch(t){throw te("speaker_refused",t)}}async function Xe(i){return await navigator.mediaDevices.getUserMedia({audio:i})}async function Nt(i){let e=new AudioContext({latencyHint:"interactive"});if(i!==void 0)return await e.audioWorklet.addModule(i),e;let t=URL.createObjectURL(new Blob([Je],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function Ot(i,e,t){let s=new AudioWorkletNode(i,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]});return e.onmessage=({data:n})=>{let r=JSON.parse(n);if(r.event!=="media")return;let o=It(r.payload);t(o),s.port.postMessage({seq:r.seq,codes:o},[o.buffer])},s}function Ut(i,e){let t=new AudioWorkletNode(i,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:s})=>e(s),t}function Dt(i,e,t){let s=new AudioBufferSourceNode(i,{buffer:t}),n=new Promise(r=>{s.onended=()=>r(void 0)});return s.connect(e),s.start(),{ended:n,stop:()=>s.stop()}}function te(i,e){return new y(i,e instanceof Error?e.message:String(e))}function Lt(i){return btoa(String.fromCharCode(...i))}function It(i){return Uint8Array.from(atob(i),e=>e.charCodeAt(0))}var Ht="/v1/softphone",Qe=[500,1e3,2e3,5e3],Bt=new Set(["carrier_unavailable","rate_limited"]),ne=class{listener=()=>{};#t;#e;#s;#n=new Map;#l=new Map;#o=new Set;constructor({url:e,microphone:t,workletUrl:s}){this.#t=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${Ht}`,this.#e=new se({microphone:t,workletUrl:s})}open(e){this.close();let t=new WebSocket(this.#t);this.#s=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:s})=>this.#r(JSON.parse(s)),t.onclose=({code:s,reason:n})=>{this.#s===t&&(this.#s=void 0,this.listener({type:"closed",code:s,reason:n}))}}async prepareAudio(){await this.#e.prepare()}async useMicrophone(e){await this.#e.useMicrophone(e)}async useSpeaker(e){await this.#e.useSpeaker(e)}answer(e){this.#i({type:"answer",call_id:e})}decline(e){this.#i({type:"decline",call_id:e})}hangUp(e){this.#i({type:"hang_up",call_id:e})}place(e){this.#i({type:"place",...e})}setMuted(e,t){this.#i({type:"mute",call_id:e,on:t}),this.#u(`mute:${e}`,e,t)}setHeld(e,t){this.#i({type:"hold",call_id:e,on:t}),this.#u(`hold:${e}`,e,t)}sendDigits(e,t){this.#i({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:s,announceText:n}){let r={...s&&{mode:s},...n&&{announce_text:n}};this.#i({type:"transfer",call_id:e,to:t,...r})}completeTransfer(e){this.#i({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#i({type:"cancel_transfer",call_id:e})}close(){let e=this.#s;this.#s=void 0,e?.close();for(let t of[...this.#n.keys()])this.#d(t);this.#l.clear(),this.#o.clear(),this.#e.close().catch(()=>{})}#i(e){this.#s?.readyState===WebSocket.OPEN&&this.#s.send(JSON.stringify(e))}#r(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"incoming":case"dialing":{let{type:s,direction:n,from:r,to:o,caller_name:l=null,ref:a,listener:c}=e,u={...a===void 0?{}:{ref:a},...c===void 0?{}:{listener:{id:c.id,speaksTo:c.speaks_to}}};return this.listener({type:s,callId:t,direction:n,from:r,to:o,callerName:l,...u})}case"media":return this.#c(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer});case"ended":return this.#d(t),this.#l.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:s,message:n,ref:r,request:o}=e;if(o==="media")return Bt.has(s)?this.#a(t):void 0;let l={type:"error",code:s,message:n,callId:t??null};return this.listener({...l,...r===void 0?{}:{ref:r}})}default:}}#c(e,t){this.#d(e);let s=({code:r="audio_failed",message:o})=>this.listener({type:"error",code:r,message:o,callId:e}),n=this.#e.link({url:t.url,token:t.token},{onFlow:()=>this.#l.delete(e),onLost:()=>{this.#n.get(e)===n&&this.#a(e)},onNoMicrophone:s}).catch(r=>{s(r)});this.#n.set(e,n),this.#h(e)}#a(e){let t=this.#l.get(e)??0;this.#l.set(e,t+1);let s=this.#n.get(e);setTimeout(()=>{s!==void 0&&this.#n.get(e)===s&&this.#i({type:"media",call_id:e})},Qe[Math.min(t,Qe.length-1)])}#d(e){let t=this.#n.get(e);this.#n.delete(e),t?.then(s=>s?.close())}#u(e,t,s){s?this.#o.add(e):this.#o.delete(e),this.#h(t)}#h(e){let t=this.#o.has(`mute:${e}`)||this.#o.has(`hold:${e}`);this.#n.get(e)?.then(s=>s?.setSilent(t))}};var et=new Set([4401,4403,4408,4409]),tt=[500,1e3,2e3,5e3,1e4],V=class{#t;#e=new Map;#s=Ke();on=this.#s.on;#n=new Map;#l=0;#o=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");#i;#r;#c;#a=0;#d=!1;#u=()=>{};constructor({url:e,transport:t,microphone:s,workletUrl:n}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#t=t??new ne({url:e??"",microphone:s,workletUrl:n}),this.#t.listener=r=>this.#b(r)}get calls(){return[...this.#e.values()]}get isRegistered(){return this.#d}async connect(e){this.disconnect(),this.#i=e,this.#u=Ye({onOnline:()=>this.#y(),onDevices:s=>this.#s.emit("devices",s)});let t=Promise.withResolvers();return this.#r=t,await this.#p(),t.promise}disconnect(){clearTimeout(this.#c),this.#c=void 0,this.#u(),this.#i=void 0,this.#a=0,this.#d=!1,this.#r?.reject(new y("disconnected","The softphone was disconnected.")),this.#r=void 0,this.#g("disconnected","The softphone was disconnected."),this.#e.clear(),this.#t.close()}async devices(){return await ve()}async useMicrophone(e=""){await this.#t.useMicrophone(e)}async useSpeaker(e=""){await this.#t.useSpeaker(e)}async answer(e){let t=this.#h(e,s=>s.state==="incoming");await this.#t.prepareAudio(),this.#t.answer(t.id)}decline(e){this.#t.decline(this.#h(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:s=`${this.#o}-${++this.#l}`}={}){if(!this.#d)throw new y("not_registered","The softphone is not connected.");let n=qe(e);n===void 0&&await this.#t.prepareAudio();let r=this.#n.get(s);if(r!==void 0)return r.promise;let o=Promise.withResolvers();return this.#n.set(s,o),this.#t.place({to:n??e,ref:s,...t===void 0?{}:{from:t}}),o.promise}hangUp(e){this.#t.hangUp(this.#h(e).id)}mute(e=!0,t){let s=this.#h(t);this.#t.setMuted(s.id,e),this.#e.set(s.id,{...s,muted:e})}hold(e=!0,t){let s=this.#h(t);this.#t.setHeld(s.id,e),this.#e.set(s.id,{...s,held:e})}sendDigits(e,t){this.#t.sendDigits(this.#h(t).id,e)}transfer(e,{mode:t,announceText:s,callId:n}={}){let r={...t&&{mode:t},...s&&{announceText:s}};this.#t.transfer(this.#h(n).id,{to:e,...r})}completeTransfer(e){this.#t.completeTransfer(this.#h(e).id)}cancelTransfer(e){this.#t.cancelTransfer(this.#h(e).id)}#h(e,t=()=>!0){let s=e===void 0?this.calls.filter(t).at(-1):this.#e.get(e);if(s===void 0)throw new y("call_not_found","There is no such call.",e);return s}async#p(){let e=this.#i;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#i===e&&this.#t.open(t)}catch(t){this.#i===e&&this.#m(0,`no token: ${t instanceof Error?t.message:t}`)}}#y(){this.#c!==void 0&&(clearTimeout(this.#c),this.#c=void 0,this.#a=0,this.#p())}#b(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:s,callIds:n}=e;this.#d=!0,this.#a=0,this.#_(n),this.#s.emit("registered",{webClientId:t,expiresAt:s}),this.#r?.resolve(),this.#r=void 0;return}case"incoming":case"dialing":return this.#v(e);case"ringing":return this.#f(e.callId,"ringing","ringing");case"answered":return this.#f(e.callId,"connected","answered");case"transfer":{let t=this.#e.get(e.callId);if(t===void 0)return;let s={...t,transfer:e.transfer};this.#e.set(t.id,s),this.#s.emit("transfer",s);return}case"ended":{let t=this.#e.get(e.callId);this.#e.delete(e.callId);let{reason:s,outcome:n}=e;t!==void 0&&this.#s.emit("ended",{...t,state:"ended",reason:s,outcome:n});return}case"error":{let t=new y(e.code,e.message,e.callId),s=this.#n.get(e.ref??"");this.#n.delete(e.ref??""),s!==void 0?s.reject(t):this.#s.emit("error",t);return}case"closed":return this.#m(e.code,e.reason)}}#_(e){for(let t of this.calls.filter(({id:s})=>!e.includes(s)))this.#e.delete(t.id),this.#s.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#v({type:e,callId:t,direction:s,from:n,to:r,callerName:o=null,ref:l,listener:a}){let c=this.#e.get(t),d={id:t,direction:s,from:n,to:r,callerName:o,state:e,...a===void 0?{}:{listener:a}},p=c?{...c,transfer:null}:{...d,muted:!1,held:!1,transfer:null};this.#e.set(t,p),p.muted&&this.#t.setMuted(t,!0),p.held&&this.#t.setHeld(t,!0);let m=this.#n.get(l??"");this.#n.delete(l??""),m?.resolve(p),c===void 0&&e==="incoming"&&this.#s.emit("incoming",p)}#f(e,t,s){let n=this.#e.get(e);if(n===void 0||n.state===t)return;let r={...n,state:t};this.#e.set(e,r),this.#s.emit(s,r)}#m(e,t){this.#d=!1,this.#g("disconnected","The connection was lost.");let s=typeof this.#i=="function"&&!et.has(e)&&this.#r===void 0;if(this.#r!==void 0){let r=et.has(e);this.#r.reject(new y(r?"login_refused":"disconnected",t)),this.#r=void 0,this.#i=void 0}if(s||this.#e.clear(),this.#s.emit("disconnected",{code:e,reason:t,willReconnect:s}),!s)return;let n=tt[Math.min(this.#a++,tt.length-1)];this.#c=setTimeout(()=>(this.#c=void 0,this.#p()),n)}#g(e,t){for(let s of this.#n.values())s.reject(new y(e,t));this.#n.clear()}};var jt=4408,zt=4409,Vt=4e3,Wt={microphone_refused:"Allow the microphone for this page to make and answer calls.",audio_failed:"The sound of this call failed.",key_not_permitted:"This page may not place calls. 911 can always be called.",not_registered:"The phone is not connected.",network_error:"The server cannot be reached."},re=class{state="connecting";problem=null;active=null;ended=null;#t;#e;#s;constructor(e){this.#t=e}async connect(){this.disconnect();let e=new V({url:this.#t.baseUrl()});this.#e=e,this.#i(e),this.#a({state:"connecting",problem:null});try{await e.connect(()=>this.#l())}catch(t){this.#e===e&&this.#a({state:"out",problem:ie(t)})}}disconnect(){clearTimeout(this.#s);let e=this.#e;this.#e=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#n((e,t)=>e.answer(t));decline=()=>this.#n((e,t)=>e.decline(t));hangUp=()=>this.#n((e,t)=>e.hangUp(t));mute=e=>this.#n((t,s)=>t.mute(e,s));hold=e=>this.#n((t,s)=>t.hold(e,s));transfer=(e,t)=>this.#n((s,n)=>s.transfer(e,{...t,callId:n}));completeTransfer=()=>this.#n((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#n((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#n((t,s)=>t.sendDigits(e,s));async dial(e){let t=this.#e;if(!(t===void 0||this.active!==null)){this.#a({problem:null,ended:null});try{let s=await t.place(e);this.#a({active:{call:s,connectedAtMs:null}})}catch(s){this.#a({problem:ie(s)})}}}async#n(e){let[t,s]=[this.#e,this.active?.call.id];if(!(t===void 0||s===void 0)){this.problem=null;try{await e(t,s)}catch(n){this.problem=ie(n)}this.#r(t)}}async#l(){let{api:e,webClientId:t}=this.#t,s=t()??await this.#o();return(await e.post(`/web_clients/${s}/tokens`)).token}async#o(){let{data:e}=await this.#t.api.get("/web_clients",{limit:100}),t=e.find(({status:s})=>s==="active");if(t===void 0)throw new T("web_client_not_found","There is no web client for this phone.");return t.id}#i(e){let{onCall:t}=this.#t,s=n=>()=>{this.#e===e&&n()};e.on("registered",s(()=>this.#a({state:"ready",problem:null}))),e.on("incoming",n=>{this.#r(e),t("incoming",n)}),e.on("ringing",()=>this.#r(e)),e.on("transfer",()=>this.#r(e)),e.on("answered",n=>{this.active={call:n,connectedAtMs:Date.now()},this.#r(e),t("answered",n)}),e.on("ended",n=>{this.active?.call.id===n.id&&this.#c(n),this.#r(e),t("ended",n)}),e.on("error",n=>this.#a({problem:ie(n)})),e.on("disconnected",({code:n,willReconnect:r})=>{this.#e===e&&(this.#r(e),r?this.#a({state:"reconnecting"}):n===jt?this.connect():this.#a({state:n===zt?"elsewhere":"out"}))})}#r(e){if(this.#e!==e)return;let t=e.calls.find(({id:s})=>s===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#t.onChange()}#c(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#s),this.#s=setTimeout(()=>this.#a({ended:null}),Vt)}#a(e){Object.assign(this,e),this.#t.onChange()}};function ie(i){return i instanceof y||i instanceof T?Wt[i.code]??i.message:"Something went wrong."}var Ft=[440,480],qt=2e3,Kt=6e3,Yt=.08,oe=class{#t;#e;start(){this.#e===void 0&&(this.#t=new AudioContext,this.#s(this.#t),this.#e=setInterval(()=>this.#t&&this.#s(this.#t),Kt))}stop(){clearInterval(this.#e),this.#e=void 0,this.#t?.close(),this.#t=void 0}#s(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:Yt});t.connect(e.destination);for(let s of Ft){let n=new OscillatorNode(e,{frequency:s});n.connect(t),n.start(),n.stop(e.currentTime+qt/1e3)}}};var st=D`
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
`;var R={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},nt=i=>(...e)=>({_$litDirective$:i,values:e}),ae=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,s){this._$Ct=e,this._$AM=t,this._$Ci=s}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:an}=Ve;var it=i=>i.strings===void 0;var Jt={},rt=(i,e=Jt)=>i._$AH=e;var ot=nt(class extends ae{constructor(i){if(super(i),i.type!==R.PROPERTY&&i.type!==R.ATTRIBUTE&&i.type!==R.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!it(i))throw Error("`live` bindings can only contain a single expression")}render(i){return i}update(i,[e]){if(e===b||e===h)return e;let t=i.element,s=i.name;if(i.type===R.PROPERTY){if(e===t[s])return b}else if(i.type===R.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(s))return b}else if(i.type===R.ATTRIBUTE&&t.getAttribute(s)===e+"")return b;return rt(i),e}});var $=i=>f`<svg viewBox="0 0 24 24" aria-hidden="true">${i}</svg>`,Gt="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",w={back:$(_`<path d="m15 5-7 7 7 7" />`),phone:$(_`<path d=${Gt} />`),hangUp:$(_`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:$(_`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:$(_`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:$(_`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:$(_`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:$(_`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:$(_`<path d="M9 5v14M15 5v14" />`),transfer:$(_`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:$(_`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function at(i){return f`<form class="transfer" part="transfer" @submit=${t=>{t.preventDefault();let s=new FormData(t.target),n=String(s.get("to")).trim(),r=/[a-z]/i.test(n)?n:ee(n),o=String(s.get("announce")).trim(),l=t.submitter?.getAttribute("value")==="consult";i.transfer(r,{mode:l?"consult":"announce",...o&&{announceText:o}})}}>
    <label>Transfer to<input class="field" name="to" required autocomplete="off" /></label>
    <label>Say first (optional)<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">Talk first</button>
    <button type="submit" value="announce">Transfer</button>
  </form>`}function lt(i,{transfer:e}){if(e===null)return h;let{to:t,mode:s,state:n}=e;return f`<div class="transfer">
    <p role="status">${n==="talking"?"Talking to":"Transfer rings"} ${O(t)}</p>
    ${s==="consult"?f`<button type="button" @click=${i.cancelTransfer}>Cancel transfer</button>
            <button class="primary" type="button" @click=${i.completeTransfer}>Complete transfer</button>`:h}
  </div>`}var Zt={connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"};function dt(i){let{line:e}=i;return f`<section class="phone" part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">Phone</h2>
      <span class="state ${e.state==="ready"?"good":""}" role="status">${Zt[e.state]}</span>
    </header>
    ${e.active===null?Xt(i):Qt(i,e.active)}
    ${e.problem===null?h:f`<p class="problem error" role="alert">${e.problem}</p>`}
  </section>`}function Xt(i){let{line:e,mayDial:t,number:s,onNumber:n,onDial:r}=i,{ended:o}=e,l=a=>{a.preventDefault(),r()};return f`<div class="body">
    ${o===null?h:f`<p class="ended" role="status">
            Call with ${O($e(o.call))} ended${o.seconds===null?"":`, ${_e(o.seconds)}`}
          </p>`}
    ${e.state==="elsewhere"||e.state==="out"?f`<button class="primary" type="button" @click=${()=>e.connect()}>
            ${e.state==="elsewhere"?"Use here":"Connect"}
          </button>`:f`<form class="dial" part="dial" @submit=${l}>
            <label for="number" class="small muted">${t?"Number":"Emergency number (911)"}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${t?"(602) 555-0143":"911"}
              .value=${ot(s)}
              @input=${a=>n(a.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${e.state!=="ready"||s.trim()===""}>
              ${w.phone}Call
            </button>
          </form>`}
  </div>`}function Qt(i,e){let{call:t}=e,s=t.state==="incoming";return f`<div class="body call ${s?"ringing":""}">
    <p class="small muted" aria-live=${s?"assertive":"polite"}>
      ${ns(t)}<span class="hidden"> ${O($e(t))}</span>
    </p>
    <p class="other" aria-hidden="true">${O($e(t))}</p>
    ${s?es(i.line):ts(i,e)}
  </div>`}function es(i){return f`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${i.decline}>
      ${w.hangUp}<span>Decline</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${i.answer}>
      ${w.phone}<span>Answer</span>
    </button>
  </div>`}function ts(i,{call:e,connectedAtMs:t}){let{line:s,mayDial:n,isKeypadOpen:r,onKeypad:o,isTransferOpen:l,onTransfer:a,nowMs:c}=i,u=n&&e.listener===void 0&&e.transfer===null,d=e.state==="connected",p=m=>f`<button
    class="round"
    type="button"
    aria-pressed=${m.on?"true":"false"}
    ?disabled=${!d}
    @click=${m.act}
  >
    ${m.icon}<span>${m.label}</span>
  </button>`;return f`${t===null?h:f`<p class="timer" role="timer" aria-label="Length of the call">
          ${_e((c-t)/1e3)}
        </p>`}
  ${lt(s,e)} ${l&&d&&u?at(s):h}
  ${r&&d?ss(i):h}
  <div class="actions">
    ${p({label:"Mute",icon:e.muted?w.micOff:w.mic,on:e.muted,act:()=>s.mute(!e.muted)})}
    ${p({label:"Hold",icon:w.hold,on:e.held,act:()=>s.hold(!e.held)})}
    ${p({label:"Keypad",icon:w.keypad,on:r,act:o})}
    ${u?p({label:"Transfer",icon:w.transfer,on:l,act:a}):h}
    <button class="round danger" part="hang-up" type="button" @click=${s.hangUp}>
      ${w.hangUp}<span>Hang up</span>
    </button>
  </div>`}var ct=["1","2","3","4","5","6","7","8","9","*","0","#"];function ss({digits:i,onDigit:e}){return f`<div class="keypad" part="keypad" role="group" aria-label="Keypad" @keydown=${({key:s})=>{ct.includes(s)&&e(s)}}>
    <p class="digits" aria-label="Digits sent">${i||f`&nbsp;`}</p>
    ${ct.map(s=>f`<button class="key" type="button" @click=${()=>e(s)}>${s}</button>`)}
  </div>`}function ns({state:i,held:e,direction:t}){return i==="incoming"?"Incoming call from":i==="connected"?e?"On hold with":"Connected with":t==="outbound"&&i==="ringing"?"Ringing":"Calling"}function $e({direction:i,from:e,to:t}){return i==="inbound"?e:t}var is={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},le=class extends z{static styles=[Fe,st];static properties={...z.properties,webClient:{attribute:"web-client"},silent:{type:Boolean}};#t=new oe;#e=new re({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:s,to:n,direction:r})=>this.emit(is[e],{id:t,from:s,to:n,direction:r})});#s="";#n=!1;#l=!1;#o="";#i;async dial(e){this.#s=e,await this.#r()}begin(){this.#e.connect()}end(){this.#e.disconnect(),this.#t.stop(),clearInterval(this.#i),this.#i=void 0}render(){return this.isReady?dt({line:this.#e,mayDial:this.may("calls:place"),number:this.#s,onNumber:e=>{this.#s=e,this.requestUpdate()},onDial:()=>{this.#r()},isKeypadOpen:this.#n,onKeypad:()=>{this.#n=!this.#n,this.requestUpdate()},isTransferOpen:this.#l,onTransfer:()=>{this.#l=!this.#l,this.requestUpdate()},digits:this.#o,onDigit:e=>{this.#o+=e,this.#e.sendDigits(e)},nowMs:Date.now()}):f`<p class="problem muted">Waiting for a session.</p>`}updated(){let{active:e}=this.#e;e?.call.state==="incoming"&&this.silent!==!0?this.#t.start():this.#t.stop(),e===null&&([this.#n,this.#o]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#l=!1),e?.connectedAtMs!=null?this.#i??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#i),this.#i=void 0)}async#r(){let e=ee(this.#s);await this.#e.dial(e),this.#e.active!==null&&(this.#s=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",le);export{le as DialplanePhone};
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
