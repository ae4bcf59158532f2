/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var W=globalThis,V=W.ShadowRoot&&(W.ShadyCSS===void 0||W.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ae=Symbol(),$e=new WeakMap,U=class{constructor(e,t,s){if(this._$cssResult$=!0,s!==ae)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(V&&e===void 0){let s=t!==void 0&&t.length===1;s&&(e=$e.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),s&&$e.set(t,e))}return e}toString(){return this.cssText}},we=n=>new U(typeof n=="string"?n:n+"",void 0,ae),O=(n,...e)=>{let t=n.length===1?n[0]:e.reduce((s,i,r)=>s+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+n[r+1],n[0]);return new U(t,n,ae)},Ae=(n,e)=>{if(V)n.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let s=document.createElement("style"),i=W.litNonce;i!==void 0&&s.setAttribute("nonce",i),s.textContent=t.cssText,n.appendChild(s)}},le=V?n=>n:n=>n instanceof CSSStyleSheet?(e=>{let t="";for(let s of e.cssRules)t+=s.cssText;return we(t)})(n):n;var{is:tt,defineProperty:st,getOwnPropertyDescriptor:it,getOwnPropertyNames:nt,getOwnPropertySymbols:rt,getPrototypeOf:ot}=Object,q=globalThis,Se=q.trustedTypes,at=Se?Se.emptyScript:"",lt=q.reactiveElementPolyfillSupport,D=(n,e)=>n,de={toAttribute(n,e){switch(e){case Boolean:n=n?at:null;break;case Object:case Array:n=n==null?n:JSON.stringify(n)}return n},fromAttribute(n,e){let t=n;switch(e){case Boolean:t=n!==null;break;case Number:t=n===null?null:Number(n);break;case Object:case Array:try{t=JSON.parse(n)}catch{t=null}}return t}},Ee=(n,e)=>!tt(n,e),ke={attribute:!0,type:String,converter:de,reflect:!1,useDefault:!1,hasChanged:Ee};Symbol.metadata??=Symbol("metadata"),q.litPropertyMetadata??=new WeakMap;var w=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ke){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let s=Symbol(),i=this.getPropertyDescriptor(e,s,t);i!==void 0&&st(this.prototype,e,i)}}static getPropertyDescriptor(e,t,s){let{get:i,set:r}=it(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:i,set(o){let d=i?.call(this);r?.call(this,o),this.requestUpdate(e,d,s)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ke}static _$Ei(){if(this.hasOwnProperty(D("elementProperties")))return;let e=ot(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(D("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(D("properties"))){let t=this.properties,s=[...nt(t),...rt(t)];for(let i of s)this.createProperty(i,t[i])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[s,i]of t)this.elementProperties.set(s,i)}this._$Eh=new Map;for(let[t,s]of this.elementProperties){let i=this._$Eu(t,s);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let s=new Set(e.flat(1/0).reverse());for(let i of s)t.unshift(le(i))}else e!==void 0&&t.push(le(e));return t}static _$Eu(e,t){let s=t.attribute;return s===!1?void 0:typeof s=="string"?s:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let s of t.keys())this.hasOwnProperty(s)&&(e.set(s,this[s]),delete this[s]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ae(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,s){this._$AK(e,s)}_$ET(e,t){let s=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,s);if(i!==void 0&&s.reflect===!0){let r=(s.converter?.toAttribute!==void 0?s.converter:de).toAttribute(t,s.type);this._$Em=e,r==null?this.removeAttribute(i):this.setAttribute(i,r),this._$Em=null}}_$AK(e,t){let s=this.constructor,i=s._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let r=s.getPropertyOptions(i),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:de;this._$Em=i;let d=o.fromAttribute(t,r.type);this[i]=d??this._$Ej?.get(i)??d,this._$Em=null}}requestUpdate(e,t,s,i=!1,r){if(e!==void 0){let o=this.constructor;if(i===!1&&(r=this[e]),s??=o.getPropertyOptions(e),!((s.hasChanged??Ee)(r,t)||s.useDefault&&s.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,s))))return;this.C(e,t,s)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:s,reflect:i,wrapped:r},o){s&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||s||(t=void 0),this._$AL.set(e,t)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,r]of this._$Ep)this[i]=r;this._$Ep=void 0}let s=this.constructor.elementProperties;if(s.size>0)for(let[i,r]of s){let{wrapped:o}=r,d=this[i];o!==!0||this._$AL.has(i)||d===void 0||this.C(i,void 0,r,d)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(s=>s.hostUpdate?.()),this.update(t)):this._$EM()}catch(s){throw e=!1,this._$EM(),s}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};w.elementStyles=[],w.shadowRootOptions={mode:"open"},w[D("elementProperties")]=new Map,w[D("finalized")]=new Map,lt?.({ReactiveElement:w}),(q.reactiveElementVersions??=[]).push("2.1.2");var he=globalThis,xe=n=>n,F=he.trustedTypes,Te=F?F.createPolicy("lit-html",{createHTML:n=>n}):void 0,ue="$lit$",A=`lit$${Math.random().toFixed(9).slice(2)}$`,pe="?"+A,dt=`<${pe}>`,C=document,H=()=>C.createComment(""),I=n=>n===null||typeof n!="object"&&typeof n!="function",fe=Array.isArray,Ue=n=>fe(n)||typeof n?.[Symbol.iterator]=="function",ce=`[ 	
\f\r]`,L=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ce=/-->/g,Me=/>/g,x=RegExp(`>|${ce}(?:([^\\s"'>=/]+)(${ce}*=${ce}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Pe=/'/g,Re=/"/g,Oe=/^(?:script|style|textarea|title)$/i,me=n=>(e,...t)=>({_$litType$:n,strings:e,values:t}),p=me(1),b=me(2),es=me(3),_=Symbol.for("lit-noChange"),u=Symbol.for("lit-nothing"),Ne=new WeakMap,T=C.createTreeWalker(C,129);function De(n,e){if(!fe(n)||!n.hasOwnProperty("raw"))throw Error("invalid template strings array");return Te!==void 0?Te.createHTML(e):e}var Le=(n,e)=>{let t=n.length-1,s=[],i,r=e===2?"<svg>":e===3?"<math>":"",o=L;for(let d=0;d<t;d++){let a=n[d],l,h,c=-1,f=0;for(;f<a.length&&(o.lastIndex=f,h=o.exec(a),h!==null);)f=o.lastIndex,o===L?h[1]==="!--"?o=Ce:h[1]!==void 0?o=Me:h[2]!==void 0?(Oe.test(h[2])&&(i=RegExp("</"+h[2],"g")),o=x):h[3]!==void 0&&(o=x):o===x?h[0]===">"?(o=i??L,c=-1):h[1]===void 0?c=-2:(c=o.lastIndex-h[2].length,l=h[1],o=h[3]===void 0?x:h[3]==='"'?Re:Pe):o===Re||o===Pe?o=x:o===Ce||o===Me?o=L:(o=x,i=void 0);let m=o===x&&n[d+1].startsWith("/>")?" ":"";r+=o===L?a+dt:c>=0?(s.push(l),a.slice(0,c)+ue+a.slice(c)+A+m):a+A+(c===-2?d:m)}return[De(n,r+(n[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),s]},B=class n{constructor({strings:e,_$litType$:t},s){let i;this.parts=[];let r=0,o=0,d=e.length-1,a=this.parts,[l,h]=Le(e,t);if(this.el=n.createElement(l,s),T.currentNode=this.el.content,t===2||t===3){let c=this.el.content.firstChild;c.replaceWith(...c.childNodes)}for(;(i=T.nextNode())!==null&&a.length<d;){if(i.nodeType===1){if(i.hasAttributes())for(let c of i.getAttributeNames())if(c.endsWith(ue)){let f=h[o++],m=i.getAttribute(c).split(A),$=/([.?@])?(.*)/.exec(f);a.push({type:1,index:r,name:$[2],strings:m,ctor:$[1]==="."?Y:$[1]==="?"?J:$[1]==="@"?G:P}),i.removeAttribute(c)}else c.startsWith(A)&&(a.push({type:6,index:r}),i.removeAttribute(c));if(Oe.test(i.tagName)){let c=i.textContent.split(A),f=c.length-1;if(f>0){i.textContent=F?F.emptyScript:"";for(let m=0;m<f;m++)i.append(c[m],H()),T.nextNode(),a.push({type:2,index:++r});i.append(c[f],H())}}}else if(i.nodeType===8)if(i.data===pe)a.push({type:2,index:r});else{let c=-1;for(;(c=i.data.indexOf(A,c+1))!==-1;)a.push({type:7,index:r}),c+=A.length-1}r++}}static createElement(e,t){let s=C.createElement("template");return s.innerHTML=e,s}};function M(n,e,t=n,s){if(e===_)return e;let i=s!==void 0?t._$Co?.[s]:t._$Cl,r=I(e)?void 0:e._$litDirective$;return i?.constructor!==r&&(i?._$AO?.(!1),r===void 0?i=void 0:(i=new r(n),i._$AT(n,t,s)),s!==void 0?(t._$Co??=[])[s]=i:t._$Cl=i),i!==void 0&&(e=M(n,i._$AS(n,e.values),i,s)),e}var K=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:s}=this._$AD,i=(e?.creationScope??C).importNode(t,!0);T.currentNode=i;let r=T.nextNode(),o=0,d=0,a=s[0];for(;a!==void 0;){if(o===a.index){let l;a.type===2?l=new N(r,r.nextSibling,this,e):a.type===1?l=new a.ctor(r,a.name,a.strings,this,e):a.type===6&&(l=new Z(r,this,e)),this._$AV.push(l),a=s[++d]}o!==a?.index&&(r=T.nextNode(),o++)}return T.currentNode=C,i}p(e){let t=0;for(let s of this._$AV)s!==void 0&&(s.strings!==void 0?(s._$AI(e,s,t),t+=s.strings.length-2):s._$AI(e[t])),t++}},N=class n{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,s,i){this.type=2,this._$AH=u,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=s,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=M(this,e,t),I(e)?e===u||e==null||e===""?(this._$AH!==u&&this._$AR(),this._$AH=u):e!==this._$AH&&e!==_&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Ue(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==u&&I(this._$AH)?this._$AA.nextSibling.data=e:this.T(C.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:s}=e,i=typeof s=="number"?this._$AC(e):(s.el===void 0&&(s.el=B.createElement(De(s.h,s.h[0]),this.options)),s);if(this._$AH?._$AD===i)this._$AH.p(t);else{let r=new K(i,this),o=r.u(this.options);r.p(t),this.T(o),this._$AH=r}}_$AC(e){let t=Ne.get(e.strings);return t===void 0&&Ne.set(e.strings,t=new B(e)),t}k(e){fe(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,s,i=0;for(let r of e)i===t.length?t.push(s=new n(this.O(H()),this.O(H()),this,this.options)):s=t[i],s._$AI(r),i++;i<t.length&&(this._$AR(s&&s._$AB.nextSibling,i),t.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let s=xe(e).nextSibling;xe(e).remove(),e=s}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},P=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,s,i,r){this.type=1,this._$AH=u,this._$AN=void 0,this.element=e,this.name=t,this._$AM=i,this.options=r,s.length>2||s[0]!==""||s[1]!==""?(this._$AH=Array(s.length-1).fill(new String),this.strings=s):this._$AH=u}_$AI(e,t=this,s,i){let r=this.strings,o=!1;if(r===void 0)e=M(this,e,t,0),o=!I(e)||e!==this._$AH&&e!==_,o&&(this._$AH=e);else{let d=e,a,l;for(e=r[0],a=0;a<r.length-1;a++)l=M(this,d[s+a],t,a),l===_&&(l=this._$AH[a]),o||=!I(l)||l!==this._$AH[a],l===u?e=u:e!==u&&(e+=(l??"")+r[a+1]),this._$AH[a]=l}o&&!i&&this.j(e)}j(e){e===u?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Y=class extends P{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===u?void 0:e}},J=class extends P{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==u)}},G=class extends P{constructor(e,t,s,i,r){super(e,t,s,i,r),this.type=5}_$AI(e,t=this){if((e=M(this,e,t,0)??u)===_)return;let s=this._$AH,i=e===u&&s!==u||e.capture!==s.capture||e.once!==s.once||e.passive!==s.passive,r=e!==u&&(s===u||i);i&&this.element.removeEventListener(this.name,this,s),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Z=class{constructor(e,t,s){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(e){M(this,e)}},He={M:ue,P:A,A:pe,C:1,L:Le,R:K,D:Ue,V:M,I:N,H:P,N:J,U:G,B:Y,F:Z},ct=he.litHtmlPolyfillSupport;ct?.(B,N),(he.litHtmlVersions??=[]).push("3.3.3");var Ie=(n,e,t)=>{let s=t?.renderBefore??e,i=s._$litPart$;if(i===void 0){let r=t?.renderBefore??null;s._$litPart$=i=new N(e.insertBefore(H(),r),r,void 0,t??{})}return i._$AI(n),i};var ge=globalThis,k=class extends w{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Ie(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return _}};k._$litElement$=!0,k.finalized=!0,ge.litElementHydrateSupport?.({LitElement:k});var ht=ge.litElementPolyfillSupport;ht?.({LitElement:k});(ge.litElementVersions??=[]).push("4.2.2");var E=class extends Error{code;status;constructor(e,t,s=0){super(t),this.code=e,this.status=s}},ut=6e4,X=class{#t;constructor(e){this.#t=e}socketUrl(e){return`${this.#t.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let s=Object.entries(t).filter(([,r])=>r!==void 0),i=new URLSearchParams(s.map(([r,o])=>[r,String(o)])).toString();return this.#e("GET",i===""?e:`${e}?${i}`,{})}post(e,t={},s){return this.#e("POST",e,{body:t,...s!==void 0&&{idempotencyKey:s}})}async#e(e,t,s){let i=await this.#i(e,t,s),r=i.status===401&&await this.#t.renewToken();return pt(r?await this.#i(e,t,s):i)}async#i(e,t,{body:s,idempotencyKey:i}){let[r,o]=[this.#t.baseUrl(),this.#t.token()];if(o===void 0)throw new E("not_signed_in","There is no session yet.");let d=new Headers({authorization:`Bearer ${o}`});s!==void 0&&d.set("content-type","application/json"),i!==void 0&&d.set("idempotency-key",i);let a={method:e,headers:d,credentials:"omit",...s&&{body:JSON.stringify(s)}},l=new AbortController,h=setTimeout(()=>l.abort(),ut);try{let c=await fetch(`${r}/v1${t}`,{...a,signal:l.signal});return{status:c.status,ok:c.ok,text:await c.text()}}catch{throw new E("network_error","The server cannot be reached.")}finally{clearTimeout(h)}}};function pt({status:n,ok:e,text:t}){let s=ft(t);if(e&&(s!==void 0||t===""))return s;let{code:i="unreadable_reply",message:r=`The server answered ${n}.`}=s?.error??{};throw new E(i,r,n)}function ft(n){try{return JSON.parse(n)}catch{return}}var mt=6e4,gt=15e3,yt=2147483647,j=class extends k{static properties={baseUrl:{attribute:"base-url"},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new X({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#t;#e;#i;#s;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),clearTimeout(this.#t),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#n(),this.#i?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,s=e.has("baseUrl")||this.session?.tenant_id!==this.#s;this.#s=this.session?.tenant_id,(t||s)&&this.isReady&&this.isConnected&&this.begin()}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#e??=this.#o().finally(()=>{this.#e=void 0}),this.#e}async#o(){let e=this.token,t,s=new Promise(i=>{this.#i=i,t=setTimeout(i,gt)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#r(e,s),s]),await this.updateComplete}catch(i){this.emit("session-lost",{error:i})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#r(e,t){let s;try{s=await this.renew?.()}catch(i){this.token===e&&this.emit("session-lost",{error:i});return}if(s===void 0)return t;this.token===e&&(typeof s=="string"?this.token=s:this.session=s)}#n(){clearTimeout(this.#t);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),s=Math.max(0,t-Math.min(mt,t/2));this.#t=setTimeout(()=>{this.renewToken()},Math.min(s,yt))}};function Q(n){if(n==="anonymous")return"Number withheld";let[,e,t,s]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(n)??[];return e===void 0?n:`(${e}) ${t}-${s}`}function Be(n){let e=n.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}function ye(n){let e=Math.max(0,Math.floor(n)),[t,s,i]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],r=String(i).padStart(2,"0");return t===0?`${s}:${r}`:`${t}:${String(s).padStart(2,"0")}:${r}`}var ys=new Intl.DateTimeFormat(void 0,{hour:"numeric",minute:"2-digit"}),_s=new Intl.DateTimeFormat(void 0,{weekday:"long",month:"long",day:"numeric"}),bs=new Intl.DateTimeFormat(void 0,{month:"short",day:"numeric"}),vs=new Intl.DateTimeFormat(void 0,{year:"numeric",month:"short",day:"numeric"});var je=O`
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
`;var g=class extends Error{constructor(e,t,s=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=s}};var ze=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var g=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return g[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return w(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function w(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var _=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(_);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<_)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#a=0;#r=null;#o=0;#h=Number.NaN;stats={received:0,late:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#a=0,this.#r=t,t)}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#h=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#h)?0:Math.abs(e-this.#h);this.#h=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?this.#t++:++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#a>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#n();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#n(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0}};registerProcessor("dialplane-playback",p);})();
`;var _t=12e3,bt={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},vt=new Set([1006,1011,1012,1013]),ee=class{#t;#e;#i;#s;constructor({microphone:e,workletUrl:t}={}){this.#i={...bt,...e},this.#s=t}async prepare(){let[e]=await Promise.all([this.#o(),this.#r()]);await e.resume()}async link({url:e,token:t},{onFlow:s,onLost:i,onNoMicrophone:r},{isSilent:o=!1,isPlaying:d=!0}={}){let a=await this.#o();a.resume().catch(()=>{});let l=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),h=At(a,l,s),c=St(a,y=>{l.readyState!==WebSocket.OPEN||l.bufferedAmount>_t||l.send(JSON.stringify({event:"media",payload:Et(y)}))}),f=!1,m=!0,$,et=y=>{l.readyState>WebSocket.OPEN||($??=a.createMediaStreamSource(y),m||$.connect(c))},be=y=>{m!==y&&(m=y,y?$?.disconnect():this.#r().then(et,r))},ve=y=>{h.disconnect(),y&&h.connect(a.destination)};return be(o),ve(d),l.onclose=({code:y})=>{h.disconnect(),h.port.close(),$?.disconnect(),c.port.close(),!f&&vt.has(y)&&i()},{setSilent:be,setPlaying:ve,play:y=>kt(a,c,y),close:()=>{f=!0,l.close()}}}async decode(e){return await(await this.#o()).decodeAudioData(e)}async close(){let[e,t]=[this.#t,this.#e];this.#t=void 0,this.#e=void 0;let s=t?.then(i=>{for(let r of i.getTracks())r.stop()});await Promise.all([s,e?.then(i=>i.close())])}#o(){return this.#t??=wt(this.#s).catch(e=>{throw this.#t=void 0,We("audio_failed",e)}),this.#t}#r(){return this.#e??=$t(this.#i).catch(e=>{throw this.#e=void 0,We("microphone_refused",e)}),this.#e}};async function $t(n){return await navigator.mediaDevices.getUserMedia({audio:n})}async function wt(n){let e=new AudioContext({latencyHint:"interactive"});if(n!==void 0)return await e.audioWorklet.addModule(n),e;let t=URL.createObjectURL(new Blob([ze],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function At(n,e,t){let s=new AudioWorkletNode(n,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]});return e.onmessage=({data:i})=>{let r=JSON.parse(i);if(r.event!=="media")return;let o=xt(r.payload);t(o),s.port.postMessage({seq:r.seq,codes:o},[o.buffer])},s}function St(n,e){let t=new AudioWorkletNode(n,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:s})=>e(s),t}function kt(n,e,t){let s=new AudioBufferSourceNode(n,{buffer:t}),i=new Promise(r=>{s.onended=()=>r(void 0)});return s.connect(e),s.start(),{ended:i,stop:()=>s.stop()}}function We(n,e){return new g(n,e instanceof Error?e.message:String(e))}function Et(n){return btoa(String.fromCharCode(...n))}function xt(n){return Uint8Array.from(atob(n),e=>e.charCodeAt(0))}var Tt="/v1/softphone",Ve=[500,1e3,2e3,5e3],Ct=new Set(["carrier_unavailable","rate_limited"]),te=class{listener=()=>{};#t;#e;#i;#s=new Map;#o=new Map;#r=new Set;constructor({url:e,microphone:t,workletUrl:s}){this.#t=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${Tt}`,this.#e=new ee({microphone:t,workletUrl:s})}open(e){this.close();let t=new WebSocket(this.#t);this.#i=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:s})=>this.#a(JSON.parse(s)),t.onclose=({code:s,reason:i})=>{this.#i===t&&(this.#i=void 0,this.listener({type:"closed",code:s,reason:i}))}}async prepareAudio(){await this.#e.prepare()}answer(e){this.#n({type:"answer",call_id:e})}decline(e){this.#n({type:"decline",call_id:e})}hangUp(e){this.#n({type:"hang_up",call_id:e})}place(e){this.#n({type:"place",...e})}setMuted(e,t){this.#n({type:"mute",call_id:e,on:t}),this.#d(`mute:${e}`,e,t)}setHeld(e,t){this.#n({type:"hold",call_id:e,on:t}),this.#d(`hold:${e}`,e,t)}sendDigits(e,t){this.#n({type:"dtmf",call_id:e,digits:t})}close(){let e=this.#i;this.#i=void 0,e?.close();for(let t of[...this.#s.keys()])this.#c(t);this.#o.clear(),this.#r.clear(),this.#e.close().catch(()=>{})}#n(e){this.#i?.readyState===WebSocket.OPEN&&this.#i.send(JSON.stringify(e))}#a(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"incoming":case"dialing":{let{type:s,direction:i,from:r,to:o,caller_name:d=null,ref:a,listener:l}=e,h={...a===void 0?{}:{ref:a},...l===void 0?{}:{listener:{id:l.id,speaksTo:l.speaks_to}}};return this.listener({type:s,callId:t,direction:i,from:r,to:o,callerName:d,...h})}case"media":return this.#u(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"ended":return this.#c(t),this.#o.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:s,message:i,ref:r,request:o}=e;if(o==="media")return Ct.has(s)?this.#l(t):void 0;let d={type:"error",code:s,message:i,callId:t??null};return this.listener({...d,...r===void 0?{}:{ref:r}})}default:}}#u(e,t){this.#c(e);let s=({code:r="audio_failed",message:o})=>this.listener({type:"error",code:r,message:o,callId:e}),i=this.#e.link({url:t.url,token:t.token},{onFlow:()=>this.#o.delete(e),onLost:()=>{this.#s.get(e)===i&&this.#l(e)},onNoMicrophone:s}).catch(r=>{s(r)});this.#s.set(e,i),this.#h(e)}#l(e){let t=this.#o.get(e)??0;this.#o.set(e,t+1);let s=this.#s.get(e);setTimeout(()=>{s!==void 0&&this.#s.get(e)===s&&this.#n({type:"media",call_id:e})},Ve[Math.min(t,Ve.length-1)])}#c(e){let t=this.#s.get(e);this.#s.delete(e),t?.then(s=>s?.close())}#d(e,t,s){s?this.#r.add(e):this.#r.delete(e),this.#h(t)}#h(e){let t=this.#r.has(`mute:${e}`)||this.#r.has(`hold:${e}`);this.#s.get(e)?.then(s=>s?.setSilent(t))}};var qe=new Set([4401,4403,4408,4409]),Mt=/[\s().\p{Pd}\u2212\u2043\u02d7\u30fc\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,Pt=/^\+?1?(911|933)$/,Fe=[500,1e3,2e3,5e3,1e4],z=class{#t;#e=new Map;#i=new Map;#s=new Map;#o=0;#r=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");#n;#a;#u;#l=0;#c=!1;constructor({url:e,transport:t,microphone:s,workletUrl:i}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#t=t??new te({url:e??"",microphone:s,workletUrl:i}),this.#t.listener=r=>this.#y(r)}get calls(){return[...this.#e.values()]}get isRegistered(){return this.#c}async connect(e){this.disconnect(),this.#n=e;let t=Promise.withResolvers();return this.#a=t,await this.#p(),t.promise}disconnect(){clearTimeout(this.#u),this.#n=void 0,this.#l=0,this.#c=!1,this.#a?.reject(new g("disconnected","The softphone was disconnected.")),this.#a=void 0,this.#g("disconnected","The softphone was disconnected."),this.#e.clear(),this.#t.close()}async answer(e){let t=this.#h(e,s=>s.state==="incoming");await this.#t.prepareAudio(),this.#t.answer(t.id)}decline(e){this.#t.decline(this.#h(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:s=`${this.#r}-${++this.#o}`}={}){if(!this.#c)throw new g("not_registered","The softphone is not connected.");let i=Pt.exec(String(e).normalize("NFKC").replaceAll(Mt,""))?.[1];i===void 0&&await this.#t.prepareAudio();let r=this.#s.get(s);if(r!==void 0)return r.promise;let o=Promise.withResolvers();return this.#s.set(s,o),this.#t.place({to:i??e,ref:s,...t===void 0?{}:{from:t}}),o.promise}hangUp(e){this.#t.hangUp(this.#h(e).id)}mute(e=!0,t){let s=this.#h(t);this.#t.setMuted(s.id,e),this.#e.set(s.id,{...s,muted:e})}hold(e=!0,t){let s=this.#h(t);this.#t.setHeld(s.id,e),this.#e.set(s.id,{...s,held:e})}sendDigits(e,t){this.#t.sendDigits(this.#h(t).id,e)}on(e,t){let s=this.#i.get(e)??new Set;return this.#i.set(e,s.add(t)),()=>s.delete(t)}#d(e,t){for(let s of[...this.#i.get(e)??[]])s(t)}#h(e,t=()=>!0){let s=e===void 0?this.calls.filter(t).at(-1):this.#e.get(e);if(s===void 0)throw new g("call_not_found","There is no such call.",e);return s}async#p(){let e=this.#n;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#n===e&&this.#t.open(t)}catch(t){this.#n===e&&this.#m(0,`no token: ${t instanceof Error?t.message:t}`)}}#y(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:s,callIds:i}=e;this.#c=!0,this.#l=0,this.#_(i),this.#d("registered",{webClientId:t,expiresAt:s}),this.#a?.resolve(),this.#a=void 0;return}case"incoming":case"dialing":return this.#b(e);case"ringing":return this.#f(e.callId,"ringing","ringing");case"answered":return this.#f(e.callId,"connected","answered");case"ended":{let t=this.#e.get(e.callId);this.#e.delete(e.callId);let{reason:s,outcome:i}=e;t!==void 0&&this.#d("ended",{...t,state:"ended",reason:s,outcome:i});return}case"error":{let t=new g(e.code,e.message,e.callId),s=this.#s.get(e.ref??"");this.#s.delete(e.ref??""),s!==void 0?s.reject(t):this.#d("error",t);return}case"closed":return this.#m(e.code,e.reason)}}#_(e){for(let t of this.calls.filter(({id:s})=>!e.includes(s)))this.#e.delete(t.id),this.#d("ended",{...t,state:"ended",reason:"ended",outcome:null})}#b({type:e,callId:t,direction:s,from:i,to:r,callerName:o=null,ref:d,listener:a}){let l=this.#e.get(t),c={id:t,direction:s,from:i,to:r,callerName:o,state:e,...a===void 0?{}:{listener:a}},f=l??{...c,muted:!1,held:!1};this.#e.set(t,f),f.muted&&this.#t.setMuted(t,!0),f.held&&this.#t.setHeld(t,!0);let m=this.#s.get(d??"");this.#s.delete(d??""),m?.resolve(f),l===void 0&&e==="incoming"&&this.#d("incoming",f)}#f(e,t,s){let i=this.#e.get(e);if(i===void 0||i.state===t)return;let r={...i,state:t};this.#e.set(e,r),this.#d(s,r)}#m(e,t){this.#c=!1,this.#g("disconnected","The connection was lost.");let s=typeof this.#n=="function"&&!qe.has(e)&&this.#a===void 0;if(this.#a!==void 0){let r=qe.has(e);this.#a.reject(new g(r?"login_refused":"disconnected",t)),this.#a=void 0,this.#n=void 0}if(s||this.#e.clear(),this.#d("disconnected",{code:e,reason:t,willReconnect:s}),!s)return;let i=Fe[Math.min(this.#l++,Fe.length-1)];this.#u=setTimeout(()=>this.#p(),i)}#g(e,t){for(let s of this.#s.values())s.reject(new g(e,t));this.#s.clear()}};var Rt=4408,Nt=4409,Ut=4e3,Ot={microphone_refused:"Allow the microphone for this page to make and answer calls.",audio_failed:"The sound of this call failed.",key_not_permitted:"This page may not place calls. 911 can always be called.",not_registered:"The phone is not connected.",network_error:"The server cannot be reached."},ie=class{state="connecting";problem=null;active=null;ended=null;#t;#e;#i;constructor(e){this.#t=e}async connect(){this.disconnect();let e=new z({url:this.#t.baseUrl()});this.#e=e,this.#n(e),this.#l({state:"connecting",problem:null});try{await e.connect(()=>this.#o())}catch(t){this.#e===e&&this.#l({state:"out",problem:se(t)})}}disconnect(){clearTimeout(this.#i);let e=this.#e;this.#e=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#s((e,t)=>e.answer(t));decline=()=>this.#s((e,t)=>e.decline(t));hangUp=()=>this.#s((e,t)=>e.hangUp(t));mute=e=>this.#s((t,s)=>t.mute(e,s));hold=e=>this.#s((t,s)=>t.hold(e,s));sendDigits=e=>this.#s((t,s)=>t.sendDigits(e,s));async dial(e){let t=this.#e;if(!(t===void 0||this.active!==null)){this.#l({problem:null,ended:null});try{let s=await t.place(e);this.#l({active:{call:s,connectedAtMs:null}})}catch(s){this.#l({problem:se(s)})}}}async#s(e){let[t,s]=[this.#e,this.active?.call.id];if(!(t===void 0||s===void 0)){this.problem=null;try{await e(t,s)}catch(i){this.problem=se(i)}this.#a(t)}}async#o(){let{api:e,webClientId:t}=this.#t,s=t()??await this.#r();return(await e.post(`/web_clients/${s}/tokens`)).token}async#r(){let{data:e}=await this.#t.api.get("/web_clients",{limit:100}),t=e.find(({status:s})=>s==="active");if(t===void 0)throw new E("web_client_not_found","There is no web client for this phone.");return t.id}#n(e){let{onCall:t}=this.#t,s=i=>()=>{this.#e===e&&i()};e.on("registered",s(()=>this.#l({state:"ready",problem:null}))),e.on("incoming",i=>{this.#a(e),t("incoming",i)}),e.on("ringing",()=>this.#a(e)),e.on("answered",i=>{this.active={call:i,connectedAtMs:Date.now()},this.#a(e),t("answered",i)}),e.on("ended",i=>{this.active?.call.id===i.id&&this.#u(i),this.#a(e),t("ended",i)}),e.on("error",i=>this.#l({problem:se(i)})),e.on("disconnected",({code:i,willReconnect:r})=>{this.#e===e&&(this.#a(e),r?this.#l({state:"reconnecting"}):i===Rt?this.connect():this.#l({state:i===Nt?"elsewhere":"out"}))})}#a(e){if(this.#e!==e)return;let t=e.calls.find(({id:s})=>s===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#t.onChange()}#u(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#i),this.#i=setTimeout(()=>this.#l({ended:null}),Ut)}#l(e){Object.assign(this,e),this.#t.onChange()}};function se(n){return n instanceof g||n instanceof E?Ot[n.code]??n.message:"Something went wrong."}var Dt=[440,480],Lt=2e3,Ht=6e3,It=.08,ne=class{#t;#e;start(){this.#e===void 0&&(this.#t=new AudioContext,this.#i(this.#t),this.#e=setInterval(()=>this.#t&&this.#i(this.#t),Ht))}stop(){clearInterval(this.#e),this.#e=void 0,this.#t?.close(),this.#t=void 0}#i(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:It});t.connect(e.destination);for(let s of Dt){let i=new OscillatorNode(e,{frequency:s});i.connect(t),i.start(),i.stop(e.currentTime+Lt/1e3)}}};var Ke=O`
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
`;var R={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},Ye=n=>(...e)=>({_$litDirective$:n,values:e}),re=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,s){this._$Ct=e,this._$AM=t,this._$Ci=s}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:qs}=He;var Je=n=>n.strings===void 0;var Bt={},Ge=(n,e=Bt)=>n._$AH=e;var Ze=Ye(class extends re{constructor(n){if(super(n),n.type!==R.PROPERTY&&n.type!==R.ATTRIBUTE&&n.type!==R.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Je(n))throw Error("`live` bindings can only contain a single expression")}render(n){return n}update(n,[e]){if(e===_||e===u)return e;let t=n.element,s=n.name;if(n.type===R.PROPERTY){if(e===t[s])return _}else if(n.type===R.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(s))return _}else if(n.type===R.ATTRIBUTE&&t.getAttribute(s)===e+"")return _;return Ge(n),e}});var v=n=>p`<svg viewBox="0 0 24 24" aria-hidden="true">${n}</svg>`,jt="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",S={back:v(b`<path d="m15 5-7 7 7 7" />`),phone:v(b`<path d=${jt} />`),hangUp:v(b`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:v(b`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:v(b`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:v(b`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:v(b`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:v(b`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:v(b`<path d="M9 5v14M15 5v14" />`),keypad:v(b`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};var zt={connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"};function Qe(n){let{line:e}=n;return p`<section class="phone" part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">Phone</h2>
      <span class="state ${e.state==="ready"?"good":""}" role="status">${zt[e.state]}</span>
    </header>
    ${e.active===null?Wt(n):Vt(n,e.active)}
    ${e.problem===null?u:p`<p class="problem error" role="alert">${e.problem}</p>`}
  </section>`}function Wt(n){let{line:e,mayDial:t,number:s,onNumber:i,onDial:r}=n,{ended:o}=e,d=a=>{a.preventDefault(),r()};return p`<div class="body">
    ${o===null?u:p`<p class="ended" role="status">
            Call with ${Q(_e(o.call))} ended${o.seconds===null?"":`, ${ye(o.seconds)}`}
          </p>`}
    ${e.state==="elsewhere"||e.state==="out"?p`<button class="primary" type="button" @click=${()=>e.connect()}>
            ${e.state==="elsewhere"?"Use here":"Connect"}
          </button>`:p`<form class="dial" part="dial" @submit=${d}>
            <label for="number" class="small muted">${t?"Number":"Emergency number (911)"}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${t?"(602) 555-0143":"911"}
              .value=${Ze(s)}
              @input=${a=>i(a.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${e.state!=="ready"||s.trim()===""}>
              ${S.phone}Call
            </button>
          </form>`}
  </div>`}function Vt(n,e){let{call:t}=e,s=t.state==="incoming";return p`<div class="body call ${s?"ringing":""}">
    <p class="small muted" aria-live=${s?"assertive":"polite"}>
      ${Yt(t)}<span class="hidden"> ${Q(_e(t))}</span>
    </p>
    <p class="other" aria-hidden="true">${Q(_e(t))}</p>
    ${s?qt(n.line):Ft(n,e)}
  </div>`}function qt(n){return p`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${n.decline}>
      ${S.hangUp}<span>Decline</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${n.answer}>
      ${S.phone}<span>Answer</span>
    </button>
  </div>`}function Ft(n,{call:e,connectedAtMs:t}){let{line:s,isKeypadOpen:i,onKeypad:r,nowMs:o}=n,d=e.state==="connected",a=l=>p`<button
    class="round"
    type="button"
    aria-pressed=${l.on?"true":"false"}
    ?disabled=${!d}
    @click=${l.act}
  >
    ${l.icon}<span>${l.label}</span>
  </button>`;return p`${t===null?u:p`<p class="timer" role="timer" aria-label="Length of the call">
          ${ye((o-t)/1e3)}
        </p>`}
  ${i&&d?Kt(n):u}
  <div class="actions">
    ${a({label:"Mute",icon:e.muted?S.micOff:S.mic,on:e.muted,act:()=>s.mute(!e.muted)})}
    ${a({label:"Hold",icon:S.hold,on:e.held,act:()=>s.hold(!e.held)})}
    ${a({label:"Keypad",icon:S.keypad,on:i,act:r})}
    <button class="round danger" part="hang-up" type="button" @click=${s.hangUp}>
      ${S.hangUp}<span>Hang up</span>
    </button>
  </div>`}var Xe=["1","2","3","4","5","6","7","8","9","*","0","#"];function Kt({digits:n,onDigit:e}){return p`<div class="keypad" part="keypad" role="group" aria-label="Keypad" @keydown=${({key:s})=>{Xe.includes(s)&&e(s)}}>
    <p class="digits" aria-label="Digits sent">${n||p`&nbsp;`}</p>
    ${Xe.map(s=>p`<button class="key" type="button" @click=${()=>e(s)}>${s}</button>`)}
  </div>`}function Yt({state:n,held:e,direction:t}){return n==="incoming"?"Incoming call from":n==="connected"?e?"On hold with":"Connected with":t==="outbound"&&n==="ringing"?"Ringing":"Calling"}function _e({direction:n,from:e,to:t}){return n==="inbound"?e:t}var Jt={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},oe=class extends j{static styles=[je,Ke];static properties={...j.properties,webClient:{attribute:"web-client"},silent:{type:Boolean}};#t=new ne;#e=new ie({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:s,to:i,direction:r})=>this.emit(Jt[e],{id:t,from:s,to:i,direction:r})});#i="";#s=!1;#o="";#r;async dial(e){this.#i=e,await this.#n()}begin(){this.#e.connect()}end(){this.#e.disconnect(),this.#t.stop(),clearInterval(this.#r),this.#r=void 0}render(){return this.isReady?Qe({line:this.#e,mayDial:this.may("calls:place"),number:this.#i,onNumber:e=>{this.#i=e,this.requestUpdate()},onDial:()=>{this.#n()},isKeypadOpen:this.#s,onKeypad:()=>{this.#s=!this.#s,this.requestUpdate()},digits:this.#o,onDigit:e=>{this.#o+=e,this.#e.sendDigits(e)},nowMs:Date.now()}):p`<p class="problem muted">Waiting for a session.</p>`}updated(){let{active:e}=this.#e;e?.call.state==="incoming"&&this.silent!==!0?this.#t.start():this.#t.stop(),e===null&&([this.#s,this.#o]=[!1,""]),e?.connectedAtMs!=null?this.#r??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#r),this.#r=void 0)}async#n(){let e=Be(this.#i);await this.#e.dial(e),this.#e.active!==null&&(this.#i=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",oe);export{oe as DialplanePhone};
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
