/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var V=globalThis,W=V.ShadowRoot&&(V.ShadyCSS===void 0||V.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,de=Symbol(),xe=new WeakMap,U=class{constructor(e,t,s){if(this._$cssResult$=!0,s!==de)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(W&&e===void 0){let s=t!==void 0&&t.length===1;s&&(e=xe.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&xe.set(t,e))}return e}toString(){return this.cssText}},Ee=n=>new U(typeof n=="string"?n:n+"",void 0,de),D=(n,...e)=>{let t=n.length===1?n[0]:e.reduce((s,i,r)=>s+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+n[r+1],n[0]);return new U(t,n,de)},Ce=(n,e)=>{if(W)n.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let s=document.createElement("style"),i=V.litNonce;i!==void 0&&s.setAttribute("nonce",i),s.textContent=t.cssText,n.appendChild(s)}},he=W?n=>n:n=>n instanceof CSSStyleSheet?(e=>{let t="";for(let s of e.cssRules)t+=s.cssText;return Ee(t)})(n):n;var{is:ut,defineProperty:pt,getOwnPropertyDescriptor:ft,getOwnPropertyNames:mt,getOwnPropertySymbols:gt,getPrototypeOf:yt}=Object,F=globalThis,Me=F.trustedTypes,bt=Me?Me.emptyScript:"",_t=F.reactiveElementPolyfillSupport,L=(n,e)=>n,ue={toAttribute(n,e){switch(e){case Boolean:n=n?bt:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,e){let t=n;switch(e){case Boolean:t=n!==null;break;case Number:t=n===null?null:Number(n);break;case Object:case Array:try{t=JSON.parse(n)}catch{t=null}}return t}},Re=(n,e)=>!ut(n,e),Pe={attribute:!0,type:String,converter:ue,reflect:!1,useDefault:!1,hasChanged:Re};Symbol.metadata??=Symbol("metadata"),F.litPropertyMetadata??=new WeakMap;var A=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Pe){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let s=Symbol(),i=this.getPropertyDescriptor(e,s,t);i!==void 0&&pt(this.prototype,e,i)}}static getPropertyDescriptor(e,t,s){let{get:i,set:r}=ft(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:i,set(o){let l=i?.call(this);r?.call(this,o),this.requestUpdate(e,l,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Pe}static _$Ei(){if(this.hasOwnProperty(L("elementProperties")))return;let e=yt(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(L("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(L("properties"))){let t=this.properties,s=[...mt(t),...gt(t)];for(let i of s)this.createProperty(i,t[i])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[s,i]of t)this.elementProperties.set(s,i)}this._$Eh=new Map;for(let[t,s]of this.elementProperties){let i=this._$Eu(t,s);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let i of s)t.unshift(he(i))}else e!==void 0&&t.push(he(e));return t}static _$Eu(e,t){let s=t.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let s of t.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ce(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,s){this._$AK(e,s)}_$ET(e,t){let s=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,s);if(i!==void 0&&s.reflect===!0){let r=(s.converter?.toAttribute!==void 0?s.converter:ue).toAttribute(t,s.type);this._$Em=e,r==null?this.removeAttribute(i):this.setAttribute(i,r),this._$Em=null}}_$AK(e,t){let s=this.constructor,i=s._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let r=s.getPropertyOptions(i),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:ue;this._$Em=i;let l=o.fromAttribute(t,r.type);this[i]=l??this._$Ej?.get(i)??l,this._$Em=null}}requestUpdate(e,t,s,i=!1,r){if(e!==void 0){let o=this.constructor;if(i===!1&&(r=this[e]),s??=o.getPropertyOptions(e),!((s.hasChanged??Re)(r,t)||s.useDefault&&s.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,s))))return;this.C(e,t,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:s,reflect:i,wrapped:r},o){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(t=void 0),this._$AL.set(e,t)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,r]of this._$Ep)this[i]=r;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[i,r]of s){let{wrapped:o}=r,l=this[i];o!==!0||this._$AL.has(i)||l===void 0||this.C(i,void 0,r,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(t)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};A.elementStyles=[],A.shadowRootOptions={mode:"open"},A[L("elementProperties")]=new Map,A[L("finalized")]=new Map,_t?.({ReactiveElement:A}),(F.reactiveElementVersions??=[]).push("2.1.2");var fe=globalThis,Ne=n=>n,K=fe.trustedTypes,Oe=K?K.createPolicy("lit-html",{createHTML:n=>n}):void 0,me="$lit$",k=`lit$${Math.random().toFixed(9).slice(2)}$`,ge="?"+k,vt=`<${ge}>`,C=document,I=()=>C.createComment(""),B=n=>n===null||typeof n!="object"&&typeof n!="function",ye=Array.isArray,Be=n=>ye(n)||typeof n?.[Symbol.iterator]=="function",pe=`[ 	
\f\r]`,H=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ue=/-->/g,De=/>/g,x=RegExp(`>|${pe}(?:([^\\s"'>=/]+)(${pe}*=${pe}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Le=/'/g,He=/"/g,je=/^(?:script|style|textarea|title)$/i,be=n=>(e,...t)=>({_$litType$:n,strings:e,values:t}),f=be(1),_=be(2),ds=be(3),b=Symbol.for("lit-noChange"),h=Symbol.for("lit-nothing"),Ie=new WeakMap,E=C.createTreeWalker(C,129);function qe(n,e){if(!ye(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return Oe!==void 0?Oe.createHTML(e):e}var ze=(n,e)=>{let t=n.length-1,s=[],i,r=e===2?"<svg>":e===3?"<math>":"",o=H;for(let l=0;l<t;l++){let a=n[l],c,u,d=-1,p=0;for(;p<a.length&&(o.lastIndex=p,u=o.exec(a),u!==null);)p=o.lastIndex,o===H?u[1]==="!--"?o=Ue:u[1]!==void 0?o=De:u[2]!==void 0?(je.test(u[2])&&(i=RegExp("</"+u[2],"g")),o=x):u[3]!==void 0&&(o=x):o===x?u[0]===">"?(o=i??H,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?x:u[3]==='"'?He:Le):o===He||o===Le?o=x:o===Ue||o===De?o=H:(o=x,i=void 0);let m=o===x&&n[l+1].startsWith("/>")?" ":"";r+=o===H?a+vt:d>=0?(s.push(c),a.slice(0,d)+me+a.slice(d)+k+m):a+k+(d===-2?l:m)}return[qe(n,r+(n[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},j=class n{constructor({strings:e,_$litType$:t},s){let i;this.parts=[];let r=0,o=0,l=e.length-1,a=this.parts,[c,u]=ze(e,t);if(this.el=n.createElement(c,s),E.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=E.nextNode())!==null&&a.length<l;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(me)){let p=u[o++],m=i.getAttribute(d).split(k),v=/([.?@])?(.*)/.exec(p);a.push({type:1,index:r,name:v[2],strings:m,ctor:v[1]==="."?J:v[1]==="?"?G:v[1]==="@"?Z:P}),i.removeAttribute(d)}else d.startsWith(k)&&(a.push({type:6,index:r}),i.removeAttribute(d));if(je.test(i.tagName)){let d=i.textContent.split(k),p=d.length-1;if(p>0){i.textContent=K?K.emptyScript:"";for(let m=0;m<p;m++)i.append(d[m],I()),E.nextNode(),a.push({type:2,index:++r});i.append(d[p],I())}}}else if(i.nodeType===8)if(i.data===ge)a.push({type:2,index:r});else{let d=-1;for(;(d=i.data.indexOf(k,d+1))!==-1;)a.push({type:7,index:r}),d+=k.length-1}r++}}static createElement(e,t){let s=C.createElement("template");return s.innerHTML=e,s}};function M(n,e,t=n,s){if(e===b)return e;let i=s!==void 0?t._$Co?.[s]:t._$Cl,r=B(e)?void 0:e._$litDirective$;return i?.constructor!==r&&(i?._$AO?.(!1),r===void 0?i=void 0:(i=new r(n),i._$AT(n,t,s)),s!==void 0?(t._$Co??=[])[s]=i:t._$Cl=i),i!==void 0&&(e=M(n,i._$AS(n,e.values),i,s)),e}var Y=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:s}=this._$AD,i=(e?.creationScope??C).importNode(t,!0);E.currentNode=i;let r=E.nextNode(),o=0,l=0,a=s[0];for(;a!==void 0;){if(o===a.index){let c;a.type===2?c=new N(r,r.nextSibling,this,e):a.type===1?c=new a.ctor(r,a.name,a.strings,this,e):a.type===6&&(c=new X(r,this,e)),this._$AV.push(c),a=s[++l]}o!==a?.index&&(r=E.nextNode(),o++)}return E.currentNode=C,i}p(e){let t=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,t),t+=s.strings.length-2):s._$AI(e[t])),t++}},N=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,s,i){this.type=2,this._$AH=h,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=s,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=M(this,e,t),B(e)?e===h||e==null||e===""?(this._$AH!==h&&this._$AR(),this._$AH=h):e!==this._$AH&&e!==b&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Be(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==h&&B(this._$AH)?this._$AA.nextSibling.data=e:this.T(C.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:s}=e,i=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=j.createElement(qe(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===i)this._$AH.p(t);else{let r=new Y(i,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=Ie.get(e.strings);return t===void 0&&Ie.set(e.strings,t=new j(e)),t}k(e){ye(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,s,i=0;for(let r of e)i===t.length?t.push(s=new n(this.O(I()),this.O(I()),this,this.options)):s=t[i],s._$AI(r),i++;i<t.length&&(this._$AR(s&&s._$AB.nextSibling,i),t.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let s=Ne(e).nextSibling;Ne(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},P=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,s,i,r){this.type=1,this._$AH=h,this._$AN=void 0,this.element=e,this.name=t,this._$AM=i,this.options=r,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=h}_$AI(e,t=this,s,i){let r=this.strings,o=!1;if(r===void 0)e=M(this,e,t,0),o=!B(e)||e!==this._$AH&&e!==b,o&&(this._$AH=e);else{let l=e,a,c;for(e=r[0],a=0;a<r.length-1;a++)c=M(this,l[s+a],t,a),c===b&&(c=this._$AH[a]),o||=!B(c)||c!==this._$AH[a],c===h?e=h:e!==h&&(e+=(c??"")+r[a+1]),this._$AH[a]=c}o&&!i&&this.j(e)}j(e){e===h?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},J=class extends P{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===h?void 0:e}},G=class extends P{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==h)}},Z=class extends P{constructor(e,t,s,i,r){super(e,t,s,i,r),this.type=5}_$AI(e,t=this){if((e=M(this,e,t,0)??h)===b)return;let s=this._$AH,i=e===h&&s!==h||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,r=e!==h&&(s===h||i);i&&this.element.removeEventListener(this.name,this,s),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},X=class{constructor(e,t,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){M(this,e)}},Ve={M:me,P:k,A:ge,C:1,L:ze,R:Y,D:Be,V:M,I:N,H:P,N:G,U:Z,B:J,F:X},wt=fe.litHtmlPolyfillSupport;wt?.(j,N),(fe.litHtmlVersions??=[]).push("3.3.3");var We=(n,e,t)=>{let s=t?.renderBefore??e,i=s._$litPart$;if(i===void 0){let r=t?.renderBefore??null;s._$litPart$=i=new N(e.insertBefore(I(),r),r,void 0,t??{})}return i._$AI(n),i};var _e=globalThis,S=class extends A{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=We(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return b}};S._$litElement$=!0,S.finalized=!0,_e.litElementHydrateSupport?.({LitElement:S});var $t=_e.litElementPolyfillSupport;$t?.({LitElement:S});(_e.litElementVersions??=[]).push("4.2.2");var T=class extends Error{code;status;constructor(e,t,s=0){super(t),this.code=e,this.status=s}},At=6e4,Q=class{#e;constructor(e){this.#e=e}socketUrl(e){return`${this.#e.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let s=Object.entries(t).filter(([,r])=>r!==void 0),i=new URLSearchParams(s.map(([r,o])=>[r,String(o)])).toString();return this.#t("GET",i===""?e:`${e}?${i}`,{})}patch(e,t){return this.#t("PATCH",e,{body:t})}post(e,t={},s){return this.#t("POST",e,{body:t,...s!==void 0&&{idempotencyKey:s}})}async#t(e,t,s){let i=await this.#s(e,t,s),r=i.status===401&&await this.#e.renewToken();return kt(r?await this.#s(e,t,s):i)}async#s(e,t,{body:s,idempotencyKey:i}){let[r,o]=[this.#e.baseUrl(),this.#e.token()];if(o===void 0)throw new T("not_signed_in","There is no session yet.");let l=new Headers({authorization:`Bearer ${o}`});s!==void 0&&l.set("content-type","application/json"),i!==void 0&&l.set("idempotency-key",i);let a={method:e,headers:l,credentials:"omit",...s&&{body:JSON.stringify(s)}},c=new AbortController,u=setTimeout(()=>c.abort(),At);try{let d=await fetch(`${r}/v1${t}`,{...a,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{throw new T("network_error","The server cannot be reached.")}finally{clearTimeout(u)}}};function kt({status:n,ok:e,text:t}){let s=St(t);if(e&&(s!==void 0||t===""))return s;let{code:i="unreadable_reply",message:r=`The server answered ${n}.`}=s?.error??{};throw new T(i,r,n)}function St(n){try{return JSON.parse(n)}catch{return}}var Tt=6e4,xt=15e3,Et=2147483647,q=class extends S{static properties={baseUrl:{attribute:"base-url"},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new Q({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#e;#t;#s;#i;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),clearTimeout(this.#e),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#n(),this.#s?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,s=e.has("baseUrl")||this.session?.tenant_id!==this.#i;this.#i=this.session?.tenant_id,(t||s)&&this.isReady&&this.isConnected&&this.begin()}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#t??=this.#o().finally(()=>{this.#t=void 0}),this.#t}async#o(){let e=this.token,t,s=new Promise(i=>{this.#s=i,t=setTimeout(i,xt)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#r(e,s),s]),await this.updateComplete}catch(i){this.emit("session-lost",{error:i})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#r(e,t){let s;try{s=await this.renew?.()}catch(i){this.token===e&&this.emit("session-lost",{error:i});return}if(s===void 0)return t;this.token===e&&(typeof s=="string"?this.token=s:this.session=s)}#n(){clearTimeout(this.#e);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),s=Math.max(0,t-Math.min(Tt,t/2));this.#e=setTimeout(()=>{this.renewToken()},Math.min(s,Et))}};function O(n){if(n==="anonymous")return"Number withheld";let[,e,t,s]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(n)??[];return e===void 0?n:`(${e}) ${t}-${s}`}function ee(n){let e=n.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}function ve(n){let e=Math.max(0,Math.floor(n)),[t,s,i]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],r=String(i).padStart(2,"0");return t===0?`${s}:${r}`:`${t}:${String(s).padStart(2,"0")}:${r}`}var xs=new Intl.DateTimeFormat(void 0,{hour:"numeric",minute:"2-digit"}),Es=new Intl.DateTimeFormat(void 0,{weekday:"long",month:"long",day:"numeric"}),Cs=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),Ms=new Intl.DateTimeFormat(void 0,{year:"numeric",month:"short",day:"numeric"});var Fe=D`
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
`;var Ct=/[\s().\p{Pd}\u2212\u2043\u02d7\u30fc\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,Mt=/^\+?1?(911|933)$/;function Ke(n){return Mt.exec(String(n).normalize("NFKC").replaceAll(Ct,""))?.[1]}function Ye(){let n=new Map;return{on:(e,t)=>{let s=n.get(e)??new Set;return n.set(e,s.add(t)),()=>s.delete(t)},emit:(e,t)=>{for(let s of[...n.get(e)??[]])s(t)}}}async function we(){let n=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>n.flatMap(({kind:s,deviceId:i,label:r})=>s===t&&i!==""?[{id:i,label:r}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function Je({onOnline:n,onDevices:e}){let t=globalThis.navigator?.mediaDevices,s=()=>{we().then(e)};return globalThis.addEventListener?.("online",n),t?.addEventListener("devicechange",s),()=>{globalThis.removeEventListener?.("online",n),t?.removeEventListener("devicechange",s)}}var te=class{#e=new Map;#t=0;#s=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");nextRef(){return`${this.#s}-${++this.#t}`}place(e,t){let s=this.#e.get(e);if(s!==void 0)return s.promise;let i=Promise.withResolvers();return this.#e.set(e,i),t(),i.promise}take(e=""){let t=this.#e.get(e);return this.#e.delete(e),t}refuseAll(e){for(let t of this.#e.values())t.reject(e());this.#e.clear()}};var g=class extends Error{constructor(e,t,s=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=s}};var Ge=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var g=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return g[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return w(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function w(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var _=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(_);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<_)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#a=0;#r=null;#o=0;#h=Number.NaN;stats={received:0,late:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#a=0,this.#r=t,t)}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#h=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#h)?0:Math.abs(e-this.#h);this.#h=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?this.#t++:++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#a>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#n();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#n(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0}};registerProcessor("dialplane-playback",p);})();
`;var Pt=12e3,Rt={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},Nt=new Set([1006,1011,1012,1013]),ie=class{#e;#t;#s;#i;#o="";#r=new Set;constructor({microphone:e,workletUrl:t}={}){this.#s={...Rt,...e},this.#i=t}async prepare(){let[e]=await Promise.all([this.#n(),this.#c()]);await e.resume()}async link({url:e,token:t},{onFlow:s,onLost:i,onNoMicrophone:r},{isSilent:o=!1,isPlaying:l=!0}={}){let a=await this.#n();a.resume().catch(()=>{});let c=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),u=Ut(a,c,s),d=Dt(a,y=>{c.readyState!==WebSocket.OPEN||c.bufferedAmount>Pt||c.send(JSON.stringify({event:"media",payload:Ht(y)}))}),p=!1,m=!0,v,Ae=y=>{c.readyState>WebSocket.OPEN||(v??=a.createMediaStreamSource(y),m||v.connect(d))},ke=y=>{v?.disconnect(),v=void 0,m||y.then(Ae,r)};this.#r.add(ke);let Se=y=>{m!==y&&(m=y,y?v?.disconnect():this.#c().then(Ae,r))},Te=y=>{u.disconnect(),y&&u.connect(a.destination)};return Se(o),Te(l),c.onclose=({code:y})=>{this.#r.delete(ke),u.disconnect(),u.port.close(),v?.disconnect(),d.port.close(),!p&&Nt.has(y)&&i()},{setSilent:Se,setPlaying:Te,play:y=>Lt(a,d,y),close:()=>{p=!0,c.close()}}}async useMicrophone(e){let{deviceId:t,...s}=this.#s,i=e===""?s:{...s,deviceId:{exact:e}},r=this.#t;if(r===void 0&&this.#r.size===0){this.#s=i;return}let o=await Qe(i).catch(l=>{throw se("microphone_refused",l)});this.#s=i,this.#l(Promise.resolve(o)),Ze(await r?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new g("speaker_refused","This browser cannot choose the speaker.");let t=await this.#e;t!==void 0&&await Xe(t,e),this.#o=e}async decode(e){return await(await this.#n()).decodeAudioData(e)}async close(){let[e,t]=[this.#e,this.#t];this.#e=void 0,this.#t=void 0,await Promise.all([t?.then(Ze),e?.then(s=>s.close())])}#n(){return this.#e??=this.#a().catch(e=>{throw this.#e=void 0,se("audio_failed",e)}),this.#e}async#a(){let e=await Ot(this.#i);return this.#o!==""&&await Xe(e,this.#o).catch(()=>{}),e}#c(){if(this.#t===void 0){let e=Qe(this.#s).catch(t=>{throw this.#t=void 0,se("microphone_refused",t)});this.#h(e)}return this.#t}#l(e){this.#h(e);for(let t of this.#r)t(e)}#h(e){this.#t=e;let t=()=>{if(this.#t!==e)return;this.#t=void 0;let{deviceId:s,...i}=this.#s;this.#s=i,this.#r.size>0&&this.#l(this.#c())};e.then(s=>{for(let i of s.getTracks())i.addEventListener("ended",t)},()=>{})}};function Ze(n){for(let e of n?.getTracks()??[])e.stop()}async function Xe(n,e){try{await n.setSinkId(e)}catch(t){throw se("speaker_refused",t)}}async function Qe(n){return await navigator.mediaDevices.getUserMedia({audio:n})}async function Ot(n){let e=new AudioContext({latencyHint:"interactive"});if(n!==void 0)return await e.audioWorklet.addModule(n),e;let t=URL.createObjectURL(new Blob([Ge],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function Ut(n,e,t){let s=new AudioWorkletNode(n,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]});return e.onmessage=({data:i})=>{let r=JSON.parse(i);if(r.event!=="media")return;let o=It(r.payload);t(o),s.port.postMessage({seq:r.seq,codes:o},[o.buffer])},s}function Dt(n,e){let t=new AudioWorkletNode(n,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:s})=>e(s),t}function Lt(n,e,t){let s=new AudioBufferSourceNode(n,{buffer:t}),i=new Promise(r=>{s.onended=()=>r(void 0)});return s.connect(e),s.start(),{ended:i,stop:()=>s.stop()}}function se(n,e){return new g(n,e instanceof Error?e.message:String(e))}function Ht(n){return btoa(String.fromCharCode(...n))}function It(n){return Uint8Array.from(atob(n),e=>e.charCodeAt(0))}var Bt="/v1/softphone",et=[500,1e3,2e3,5e3],jt=new Set(["carrier_unavailable","rate_limited"]),ne=class{listener=()=>{};#e;#t;#s;#i=new Map;#o=new Map;#r=new Set;constructor({url:e,microphone:t,workletUrl:s}){this.#e=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${Bt}`,this.#t=new ie({microphone:t,workletUrl:s})}open(e){this.close();let t=new WebSocket(this.#e);this.#s=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:s})=>this.#a(JSON.parse(s)),t.onclose=({code:s,reason:i})=>{this.#s===t&&(this.#s=void 0,this.listener({type:"closed",code:s,reason:i}))}}async prepareAudio(){await this.#t.prepare()}async useMicrophone(e){await this.#t.useMicrophone(e)}async useSpeaker(e){await this.#t.useSpeaker(e)}answer(e){this.#n({type:"answer",call_id:e})}decline(e){this.#n({type:"decline",call_id:e})}hangUp(e){this.#n({type:"hang_up",call_id:e})}place(e){this.#n({type:"place",...e})}setMuted(e,t){this.#n({type:"mute",call_id:e,on:t}),this.#d(`mute:${e}`,e,t)}setHeld(e,t){this.#n({type:"hold",call_id:e,on:t}),this.#d(`hold:${e}`,e,t)}sendDigits(e,t){this.#n({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:s,announceText:i}){let r={...s&&{mode:s},...i&&{announce_text:i}};this.#n({type:"transfer",call_id:e,to:t,...r})}completeTransfer(e){this.#n({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#n({type:"cancel_transfer",call_id:e})}setAvailability(e,t){this.#n({type:"availability",availability:e,...t===void 0?{}:{queue_id:t}})}close(){let e=this.#s;this.#s=void 0,e?.close();for(let t of[...this.#i.keys()])this.#h(t);this.#o.clear(),this.#r.clear(),this.#t.close().catch(()=>{})}#n(e){this.#s?.readyState===WebSocket.OPEN&&this.#s.send(JSON.stringify(e))}#a(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"queues":{let s=e.queues;return this.listener({type:"queues",queues:s.map(({queue_id:i,...r})=>({id:i,...r}))})}case"incoming":case"dialing":{let{type:s,direction:i,from:r,to:o,caller_name:l=null,ref:a,listener:c}=e,u={...a===void 0?{}:{ref:a},...c===void 0?{}:{listener:{id:c.id,speaksTo:c.speaks_to}}};return this.listener({type:s,callId:t,direction:i,from:r,to:o,callerName:l,...u})}case"media":return this.#c(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer});case"ended":return this.#h(t),this.#o.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:s,message:i,ref:r,request:o}=e;if(o==="media")return jt.has(s)?this.#l(t):void 0;let l={type:"error",code:s,message:i,callId:t??null};return this.listener({...l,...r===void 0?{}:{ref:r}})}default:}}#c(e,t){this.#h(e);let s=({code:r="audio_failed",message:o})=>this.listener({type:"error",code:r,message:o,callId:e}),i=this.#t.link({url:t.url,token:t.token},{onFlow:()=>this.#o.delete(e),onLost:()=>{this.#i.get(e)===i&&this.#l(e)},onNoMicrophone:s}).catch(r=>{s(r)});this.#i.set(e,i),this.#u(e)}#l(e){let t=this.#o.get(e)??0;this.#o.set(e,t+1);let s=this.#i.get(e);setTimeout(()=>{s!==void 0&&this.#i.get(e)===s&&this.#n({type:"media",call_id:e})},et[Math.min(t,et.length-1)])}#h(e){let t=this.#i.get(e);this.#i.delete(e),t?.then(s=>s?.close())}#d(e,t,s){s?this.#r.add(e):this.#r.delete(e),this.#u(t)}#u(e){let t=this.#r.has(`mute:${e}`)||this.#r.has(`hold:${e}`);this.#i.get(e)?.then(s=>s?.setSilent(t))}};var tt=new Set([4401,4403,4408,4409]),st=[500,1e3,2e3,5e3,1e4],z=class{#e;#t=new Map;#s=Ye();on=this.#s.on;#i=new te;#o;#r;#n;#a=0;#c=!1;#l=[];#h=()=>{};constructor({url:e,transport:t,microphone:s,workletUrl:i}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#e=t??new ne({url:e??"",microphone:s,workletUrl:i}),this.#e.listener=r=>this.#g(r)}get calls(){return[...this.#t.values()]}get queues(){return this.#l}get isRegistered(){return this.#c}async connect(e){this.disconnect(),this.#o=e,this.#h=Je({onOnline:()=>this.#m(),onDevices:s=>this.#s.emit("devices",s)});let t=Promise.withResolvers();return this.#r=t,await this.#u(),t.promise}disconnect(){clearTimeout(this.#n),this.#n=void 0,this.#h(),this.#o=void 0,this.#a=0,this.#c=!1,this.#r?.reject(new g("disconnected","The softphone was disconnected.")),this.#r=void 0,this.#i.refuseAll(()=>new g("disconnected","The softphone was disconnected.")),this.#t.clear(),this.#e.close()}async devices(){return await we()}async useMicrophone(e=""){await this.#e.useMicrophone(e)}async useSpeaker(e=""){await this.#e.useSpeaker(e)}async answer(e){let t=this.#d(e,s=>s.state==="incoming");await this.#e.prepareAudio(),this.#e.answer(t.id)}decline(e){this.#e.decline(this.#d(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:s=this.#i.nextRef()}={}){if(!this.#c)throw new g("not_registered","The softphone is not connected.");let i=Ke(e);i===void 0&&await this.#e.prepareAudio();let r={to:i??e,ref:s,...t===void 0?{}:{from:t}};return this.#i.place(s,()=>this.#e.place(r))}hangUp(e){this.#e.hangUp(this.#d(e).id)}mute(e=!0,t){let s=this.#d(t);this.#e.setMuted(s.id,e),this.#t.set(s.id,{...s,muted:e})}hold(e=!0,t){let s=this.#d(t);this.#e.setHeld(s.id,e),this.#t.set(s.id,{...s,held:e})}sendDigits(e,t){this.#e.sendDigits(this.#d(t).id,e)}transfer(e,{mode:t,announceText:s,callId:i}={}){let r={...t&&{mode:t},...s&&{announceText:s}};this.#e.transfer(this.#d(i).id,{to:e,...r})}completeTransfer(e){this.#e.completeTransfer(this.#d(e).id)}cancelTransfer(e){this.#e.cancelTransfer(this.#d(e).id)}setAvailability(e,t){this.#e.setAvailability(e,t)}#d(e,t=()=>!0){let s=e===void 0?this.calls.filter(t).at(-1):this.#t.get(e);if(s===void 0)throw new g("call_not_found","There is no such call.",e);return s}async#u(){let e=this.#o;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#o===e&&this.#e.open(t)}catch(t){this.#o===e&&this.#f(0,`no token: ${t instanceof Error?t.message:t}`)}}#m(){this.#n!==void 0&&(clearTimeout(this.#n),this.#n=void 0,this.#a=0,this.#u())}#g(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:s,callIds:i}=e;this.#c=!0,this.#a=0,this.#y(i),this.#s.emit("registered",{webClientId:t,expiresAt:s}),this.#r?.resolve(),this.#r=void 0;return}case"queues":return this.#l=e.queues,this.#s.emit("queues",e.queues);case"incoming":case"dialing":return this.#b(e);case"ringing":return this.#p(e.callId,"ringing","ringing");case"answered":return this.#p(e.callId,"connected","answered");case"transfer":{let t=this.#t.get(e.callId);if(t===void 0)return;let s={...t,transfer:e.transfer};this.#t.set(t.id,s),this.#s.emit("transfer",s);return}case"ended":{let t=this.#t.get(e.callId);this.#t.delete(e.callId);let{reason:s,outcome:i}=e;t!==void 0&&this.#s.emit("ended",{...t,state:"ended",reason:s,outcome:i});return}case"error":{let t=new g(e.code,e.message,e.callId),s=this.#i.take(e.ref);s!==void 0?s.reject(t):this.#s.emit("error",t);return}case"closed":return this.#f(e.code,e.reason)}}#y(e){for(let t of this.calls.filter(({id:s})=>!e.includes(s)))this.#t.delete(t.id),this.#s.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#b({type:e,callId:t,direction:s,from:i,to:r,callerName:o=null,ref:l,listener:a}){let c=this.#t.get(t),d={id:t,direction:s,from:i,to:r,callerName:o,state:e,...a===void 0?{}:{listener:a}},p=c?{...c,transfer:null}:{...d,muted:!1,held:!1,transfer:null};this.#t.set(t,p),p.muted&&this.#e.setMuted(t,!0),p.held&&this.#e.setHeld(t,!0),this.#i.take(l)?.resolve(p),c===void 0&&e==="incoming"&&this.#s.emit("incoming",p)}#p(e,t,s){let i=this.#t.get(e);if(i===void 0||i.state===t)return;let r={...i,state:t};this.#t.set(e,r),this.#s.emit(s,r)}#f(e,t){this.#c=!1,this.#i.refuseAll(()=>new g("disconnected","The connection was lost."));let s=typeof this.#o=="function"&&!tt.has(e)&&this.#r===void 0;if(this.#r!==void 0){let r=tt.has(e);this.#r.reject(new g(r?"login_refused":"disconnected",t)),this.#r=void 0,this.#o=void 0}if(s||this.#t.clear(),this.#s.emit("disconnected",{code:e,reason:t,willReconnect:s}),!s)return;let i=st[Math.min(this.#a++,st.length-1)];this.#n=setTimeout(()=>(this.#n=void 0,this.#u()),i)}};var qt=4408,zt=4409,Vt=4e3,Wt={microphone_refused:"Allow the microphone for this page to make and answer calls.",audio_failed:"The sound of this call failed.",key_not_permitted:"This page may not place calls. 911 can always be called.",not_registered:"The phone is not connected.",network_error:"The server cannot be reached."},oe=class{state="connecting";problem=null;active=null;ended=null;#e;#t;#s;constructor(e){this.#e=e}async connect(){this.disconnect();let e=new z({url:this.#e.baseUrl()});this.#t=e,this.#n(e),this.#l({state:"connecting",problem:null});try{await e.connect(()=>this.#o())}catch(t){this.#t===e&&this.#l({state:"out",problem:re(t)})}}disconnect(){clearTimeout(this.#s);let e=this.#t;this.#t=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#i((e,t)=>e.answer(t));decline=()=>this.#i((e,t)=>e.decline(t));hangUp=()=>this.#i((e,t)=>e.hangUp(t));mute=e=>this.#i((t,s)=>t.mute(e,s));hold=e=>this.#i((t,s)=>t.hold(e,s));transfer=(e,t)=>this.#i((s,i)=>s.transfer(e,{...t,callId:i}));completeTransfer=()=>this.#i((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#i((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#i((t,s)=>t.sendDigits(e,s));async dial(e){let t=this.#t;if(!(t===void 0||this.active!==null)){this.#l({problem:null,ended:null});try{let s=await t.place(e);this.#l({active:{call:s,connectedAtMs:null}})}catch(s){this.#l({problem:re(s)})}}}async#i(e){let[t,s]=[this.#t,this.active?.call.id];if(!(t===void 0||s===void 0)){this.problem=null;try{await e(t,s)}catch(i){this.problem=re(i)}this.#a(t)}}async#o(){let{api:e,webClientId:t}=this.#e,s=t()??await this.#r();return(await e.post(`/web_clients/${s}/tokens`)).token}async#r(){let{data:e}=await this.#e.api.get("/web_clients",{limit:100}),t=e.find(({status:s})=>s==="active");if(t===void 0)throw new T("web_client_not_found","There is no web client for this phone.");return t.id}#n(e){let{onCall:t}=this.#e,s=i=>()=>{this.#t===e&&i()};e.on("registered",s(()=>this.#l({state:"ready",problem:null}))),e.on("incoming",i=>{this.#a(e),t("incoming",i)}),e.on("ringing",()=>this.#a(e)),e.on("transfer",()=>this.#a(e)),e.on("answered",i=>{this.active={call:i,connectedAtMs:Date.now()},this.#a(e),t("answered",i)}),e.on("ended",i=>{this.active?.call.id===i.id&&this.#c(i),this.#a(e),t("ended",i)}),e.on("error",i=>this.#l({problem:re(i)})),e.on("disconnected",({code:i,willReconnect:r})=>{this.#t===e&&(this.#a(e),r?this.#l({state:"reconnecting"}):i===qt?this.connect():this.#l({state:i===zt?"elsewhere":"out"}))})}#a(e){if(this.#t!==e)return;let t=e.calls.find(({id:s})=>s===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#e.onChange()}#c(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#s),this.#s=setTimeout(()=>this.#l({ended:null}),Vt)}#l(e){Object.assign(this,e),this.#e.onChange()}};function re(n){return n instanceof g||n instanceof T?Wt[n.code]??n.message:"Something went wrong."}var Ft=[440,480],Kt=2e3,Yt=6e3,Jt=.08,ae=class{#e;#t;start(){this.#t===void 0&&(this.#e=new AudioContext,this.#s(this.#e),this.#t=setInterval(()=>this.#e&&this.#s(this.#e),Yt))}stop(){clearInterval(this.#t),this.#t=void 0,this.#e?.close(),this.#e=void 0}#s(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:Jt});t.connect(e.destination);for(let s of Ft){let i=new OscillatorNode(e,{frequency:s});i.connect(t),i.start(),i.stop(e.currentTime+Kt/1e3)}}};var it=D`
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
`;var R={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},nt=n=>(...e)=>({_$litDirective$:n,values:e}),le=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,s){this._$Ct=e,this._$AM=t,this._$Ci=s}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:ci}=Ve;var rt=n=>n.strings===void 0;var Gt={},ot=(n,e=Gt)=>n._$AH=e;var at=nt(class extends le{constructor(n){if(super(n),n.type!==R.PROPERTY&&n.type!==R.ATTRIBUTE&&n.type!==R.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!rt(n))throw Error("`live` bindings can only contain a single expression")}render(n){return n}update(n,[e]){if(e===b||e===h)return e;let t=n.element,s=n.name;if(n.type===R.PROPERTY){if(e===t[s])return b}else if(n.type===R.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(s))return b}else if(n.type===R.ATTRIBUTE&&t.getAttribute(s)===e+"")return b;return ot(n),e}});var w=n=>f`<svg viewBox="0 0 24 24" aria-hidden="true">${n}</svg>`,Zt="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",$={back:w(_`<path d="m15 5-7 7 7 7" />`),phone:w(_`<path d=${Zt} />`),hangUp:w(_`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:w(_`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:w(_`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:w(_`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:w(_`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:w(_`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:w(_`<path d="M9 5v14M15 5v14" />`),transfer:w(_`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:w(_`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function lt(n){return f`<form class="transfer" part="transfer" @submit=${t=>{t.preventDefault();let s=new FormData(t.target),i=String(s.get("to")).trim(),r=/[a-z]/i.test(i)?i:ee(i),o=String(s.get("announce")).trim(),l=t.submitter?.getAttribute("value")==="consult";n.transfer(r,{mode:l?"consult":"announce",...o&&{announceText:o}})}}>
    <label>Transfer to<input class="field" name="to" required autocomplete="off" /></label>
    <label>Say first (optional)<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">Talk first</button>
    <button type="submit" value="announce">Transfer</button>
  </form>`}function ct(n,{transfer:e}){if(e===null)return h;let{to:t,mode:s,state:i}=e;return f`<div class="transfer">
    <p role="status">${i==="talking"?"Talking to":"Transfer rings"} ${O(t)}</p>
    ${s==="consult"?f`<button type="button" @click=${n.cancelTransfer}>Cancel transfer</button>
            <button class="primary" type="button" @click=${n.completeTransfer}>Complete transfer</button>`:h}
  </div>`}var Xt={connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"};function ht(n){let{line:e}=n;return f`<section class="phone" part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">Phone</h2>
      <span class="state ${e.state==="ready"?"good":""}" role="status">${Xt[e.state]}</span>
    </header>
    ${e.active===null?Qt(n):es(n,e.active)}
    ${e.problem===null?h:f`<p class="problem error" role="alert">${e.problem}</p>`}
  </section>`}function Qt(n){let{line:e,mayDial:t,number:s,onNumber:i,onDial:r}=n,{ended:o}=e,l=a=>{a.preventDefault(),r()};return f`<div class="body">
    ${o===null?h:f`<p class="ended" role="status">
            Call with ${O($e(o.call))} ended${o.seconds===null?"":`, ${ve(o.seconds)}`}
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
              .value=${at(s)}
              @input=${a=>i(a.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${e.state!=="ready"||s.trim()===""}>
              ${$.phone}Call
            </button>
          </form>`}
  </div>`}function es(n,e){let{call:t}=e,s=t.state==="incoming";return f`<div class="body call ${s?"ringing":""}">
    <p class="small muted" aria-live=${s?"assertive":"polite"}>
      ${ns(t)}<span class="hidden"> ${O($e(t))}</span>
    </p>
    <p class="other" aria-hidden="true">${O($e(t))}</p>
    ${s?ts(n.line):ss(n,e)}
  </div>`}function ts(n){return f`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${n.decline}>
      ${$.hangUp}<span>Decline</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${n.answer}>
      ${$.phone}<span>Answer</span>
    </button>
  </div>`}function ss(n,{call:e,connectedAtMs:t}){let{line:s,mayDial:i,isKeypadOpen:r,onKeypad:o,isTransferOpen:l,onTransfer:a,nowMs:c}=n,u=i&&e.listener===void 0&&e.transfer===null,d=e.state==="connected",p=m=>f`<button
    class="round"
    type="button"
    aria-pressed=${m.on?"true":"false"}
    ?disabled=${!d}
    @click=${m.act}
  >
    ${m.icon}<span>${m.label}</span>
  </button>`;return f`${t===null?h:f`<p class="timer" role="timer" aria-label="Length of the call">
          ${ve((c-t)/1e3)}
        </p>`}
  ${ct(s,e)} ${l&&d&&u?lt(s):h}
  ${r&&d?is(n):h}
  <div class="actions">
    ${p({label:"Mute",icon:e.muted?$.micOff:$.mic,on:e.muted,act:()=>s.mute(!e.muted)})}
    ${p({label:"Hold",icon:$.hold,on:e.held,act:()=>s.hold(!e.held)})}
    ${p({label:"Keypad",icon:$.keypad,on:r,act:o})}
    ${u?p({label:"Transfer",icon:$.transfer,on:l,act:a}):h}
    <button class="round danger" part="hang-up" type="button" @click=${s.hangUp}>
      ${$.hangUp}<span>Hang up</span>
    </button>
  </div>`}var dt=["1","2","3","4","5","6","7","8","9","*","0","#"];function is({digits:n,onDigit:e}){return f`<div class="keypad" part="keypad" role="group" aria-label="Keypad" @keydown=${({key:s})=>{dt.includes(s)&&e(s)}}>
    <p class="digits" aria-label="Digits sent">${n||f`&nbsp;`}</p>
    ${dt.map(s=>f`<button class="key" type="button" @click=${()=>e(s)}>${s}</button>`)}
  </div>`}function ns({state:n,held:e,direction:t}){return n==="incoming"?"Incoming call from":n==="connected"?e?"On hold with":"Connected with":t==="outbound"&&n==="ringing"?"Ringing":"Calling"}function $e({direction:n,from:e,to:t}){return n==="inbound"?e:t}var rs={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},ce=class extends q{static styles=[Fe,it];static properties={...q.properties,webClient:{attribute:"web-client"},silent:{type:Boolean}};#e=new ae;#t=new oe({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:s,to:i,direction:r})=>this.emit(rs[e],{id:t,from:s,to:i,direction:r})});#s="";#i=!1;#o=!1;#r="";#n;async dial(e){this.#s=e,await this.#a()}begin(){this.#t.connect()}end(){this.#t.disconnect(),this.#e.stop(),clearInterval(this.#n),this.#n=void 0}render(){return this.isReady?ht({line:this.#t,mayDial:this.may("calls:place"),number:this.#s,onNumber:e=>{this.#s=e,this.requestUpdate()},onDial:()=>{this.#a()},isKeypadOpen:this.#i,onKeypad:()=>{this.#i=!this.#i,this.requestUpdate()},isTransferOpen:this.#o,onTransfer:()=>{this.#o=!this.#o,this.requestUpdate()},digits:this.#r,onDigit:e=>{this.#r+=e,this.#t.sendDigits(e)},nowMs:Date.now()}):f`<p class="problem muted">Waiting for a session.</p>`}updated(){let{active:e}=this.#t;e?.call.state==="incoming"&&this.silent!==!0?this.#e.start():this.#e.stop(),e===null&&([this.#i,this.#r]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#o=!1),e?.connectedAtMs!=null?this.#n??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#n),this.#n=void 0)}async#a(){let e=ee(this.#s);await this.#t.dial(e),this.#t.active!==null&&(this.#s=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",ce);export{ce as DialplanePhone};
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
