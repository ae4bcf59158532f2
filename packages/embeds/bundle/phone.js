/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var J=globalThis,Q=J.ShadowRoot&&(J.ShadyCSS===void 0||J.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ve=Symbol(),qe=new WeakMap,q=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==ve)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(Q&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=qe.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&qe.set(t,e))}return e}toString(){return this.cssText}},Ie=s=>new q(typeof s=="string"?s:s+"",void 0,ve),I=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((n,i,o)=>n+(r=>{if(r._$cssResult$===!0)return r.cssText;if(typeof r=="number")return r;throw Error("Value passed to 'css' function must be a 'css' function result: "+r+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+s[o+1],s[0]);return new q(t,s,ve)},je=(s,e)=>{if(Q)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),i=J.litNonce;i!==void 0&&n.setAttribute("nonce",i),n.textContent=t.cssText,s.appendChild(n)}},_e=Q?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return Ie(t)})(s):s;var{is:qt,defineProperty:It,getOwnPropertyDescriptor:jt,getOwnPropertyNames:Ht,getOwnPropertySymbols:Ft,getPrototypeOf:zt}=Object,Z=globalThis,He=Z.trustedTypes,Bt=He?He.emptyScript:"",Vt=Z.reactiveElementPolyfillSupport,j=(s,e)=>s,we={toAttribute(s,e){switch(e){case Boolean:s=s?Bt:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},ze=(s,e)=>!qt(s,e),Fe={attribute:!0,type:String,converter:we,reflect:!1,useDefault:!1,hasChanged:ze};Symbol.metadata??=Symbol("metadata"),Z.litPropertyMetadata??=new WeakMap;var x=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Fe){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),i=this.getPropertyDescriptor(e,n,t);i!==void 0&&It(this.prototype,e,i)}}static getPropertyDescriptor(e,t,n){let{get:i,set:o}=jt(this.prototype,e)??{get(){return this[t]},set(r){this[t]=r}};return{get:i,set(r){let a=i?.call(this);o?.call(this,r),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Fe}static _$Ei(){if(this.hasOwnProperty(j("elementProperties")))return;let e=zt(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(j("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(j("properties"))){let t=this.properties,n=[...Ht(t),...Ft(t)];for(let i of n)this.createProperty(i,t[i])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,i]of t)this.elementProperties.set(n,i)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let i=this._$Eu(t,n);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let i of n)t.unshift(_e(i))}else e!==void 0&&t.push(_e(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return je(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,n);if(i!==void 0&&n.reflect===!0){let o=(n.converter?.toAttribute!==void 0?n.converter:we).toAttribute(t,n.type);this._$Em=e,o==null?this.removeAttribute(i):this.setAttribute(i,o),this._$Em=null}}_$AK(e,t){let n=this.constructor,i=n._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let o=n.getPropertyOptions(i),r=typeof o.converter=="function"?{fromAttribute:o.converter}:o.converter?.fromAttribute!==void 0?o.converter:we;this._$Em=i;let a=r.fromAttribute(t,o.type);this[i]=a??this._$Ej?.get(i)??a,this._$Em=null}}requestUpdate(e,t,n,i=!1,o){if(e!==void 0){let r=this.constructor;if(i===!1&&(o=this[e]),n??=r.getPropertyOptions(e),!((n.hasChanged??ze)(o,t)||n.useDefault&&n.reflect&&o===this._$Ej?.get(e)&&!this.hasAttribute(r._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:i,wrapped:o},r){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,r??t??this[e]),o!==!0||r!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,o]of this._$Ep)this[i]=o;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[i,o]of n){let{wrapped:r}=o,a=this[i];r!==!0||this._$AL.has(i)||a===void 0||this.C(i,void 0,o,a)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};x.elementStyles=[],x.shadowRootOptions={mode:"open"},x[j("elementProperties")]=new Map,x[j("finalized")]=new Map,Vt?.({ReactiveElement:x}),(Z.reactiveElementVersions??=[]).push("2.1.2");var Ae=globalThis,Be=s=>s,X=Ae.trustedTypes,Ve=X?X.createPolicy("lit-html",{createHTML:s=>s}):void 0,ke="$lit$",T=`lit$${Math.random().toFixed(9).slice(2)}$`,xe="?"+T,Wt=`<${xe}>`,M=document,F=()=>M.createComment(""),z=s=>s===null||typeof s!="object"&&typeof s!="function",Te=Array.isArray,Qe=s=>Te(s)||typeof s?.[Symbol.iterator]=="function",$e=`[ 	
\f\r]`,H=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,We=/-->/g,Ke=/>/g,C=RegExp(`>|${$e}(?:([^\\s"'>=/]+)(${$e}*=${$e}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Ye=/'/g,Ge=/"/g,Ze=/^(?:script|style|textarea|title)$/i,Se=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),p=Se(1),_=Se(2),Fn=Se(3),v=Symbol.for("lit-noChange"),u=Symbol.for("lit-nothing"),Je=new WeakMap,P=M.createTreeWalker(M,129);function Xe(s,e){if(!Te(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ve!==void 0?Ve.createHTML(e):e}var et=(s,e)=>{let t=s.length-1,n=[],i,o=e===2?"<svg>":e===3?"<math>":"",r=H;for(let a=0;a<t;a++){let l=s[a],c,h,d=-1,m=0;for(;m<l.length&&(r.lastIndex=m,h=r.exec(l),h!==null);)m=r.lastIndex,r===H?h[1]==="!--"?r=We:h[1]!==void 0?r=Ke:h[2]!==void 0?(Ze.test(h[2])&&(i=RegExp("</"+h[2],"g")),r=C):h[3]!==void 0&&(r=C):r===C?h[0]===">"?(r=i??H,d=-1):h[1]===void 0?d=-2:(d=r.lastIndex-h[2].length,c=h[1],r=h[3]===void 0?C:h[3]==='"'?Ge:Ye):r===Ge||r===Ye?r=C:r===We||r===Ke?r=H:(r=C,i=void 0);let y=r===C&&s[a+1].startsWith("/>")?" ":"";o+=r===H?l+Wt:d>=0?(n.push(c),l.slice(0,d)+ke+l.slice(d)+T+y):l+T+(d===-2?a:y)}return[Xe(s,o+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},B=class s{constructor({strings:e,_$litType$:t},n){let i;this.parts=[];let o=0,r=0,a=e.length-1,l=this.parts,[c,h]=et(e,t);if(this.el=s.createElement(c,n),P.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=P.nextNode())!==null&&l.length<a;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(ke)){let m=h[r++],y=i.getAttribute(d).split(T),b=/([.?@])?(.*)/.exec(m);l.push({type:1,index:o,name:b[2],strings:y,ctor:b[1]==="."?te:b[1]==="?"?ne:b[1]==="@"?se:R}),i.removeAttribute(d)}else d.startsWith(T)&&(l.push({type:6,index:o}),i.removeAttribute(d));if(Ze.test(i.tagName)){let d=i.textContent.split(T),m=d.length-1;if(m>0){i.textContent=X?X.emptyScript:"";for(let y=0;y<m;y++)i.append(d[y],F()),P.nextNode(),l.push({type:2,index:++o});i.append(d[m],F())}}}else if(i.nodeType===8)if(i.data===xe)l.push({type:2,index:o});else{let d=-1;for(;(d=i.data.indexOf(T,d+1))!==-1;)l.push({type:7,index:o}),d+=T.length-1}o++}}static createElement(e,t){let n=M.createElement("template");return n.innerHTML=e,n}};function N(s,e,t=s,n){if(e===v)return e;let i=n!==void 0?t._$Co?.[n]:t._$Cl,o=z(e)?void 0:e._$litDirective$;return i?.constructor!==o&&(i?._$AO?.(!1),o===void 0?i=void 0:(i=new o(s),i._$AT(s,t,n)),n!==void 0?(t._$Co??=[])[n]=i:t._$Cl=i),i!==void 0&&(e=N(s,i._$AS(s,e.values),i,n)),e}var ee=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,i=(e?.creationScope??M).importNode(t,!0);P.currentNode=i;let o=P.nextNode(),r=0,a=0,l=n[0];for(;l!==void 0;){if(r===l.index){let c;l.type===2?c=new L(o,o.nextSibling,this,e):l.type===1?c=new l.ctor(o,l.name,l.strings,this,e):l.type===6&&(c=new ie(o,this,e)),this._$AV.push(c),l=n[++a]}r!==l?.index&&(o=P.nextNode(),r++)}return P.currentNode=M,i}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},L=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,i){this.type=2,this._$AH=u,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=N(this,e,t),z(e)?e===u||e==null||e===""?(this._$AH!==u&&this._$AR(),this._$AH=u):e!==this._$AH&&e!==v&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Qe(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==u&&z(this._$AH)?this._$AA.nextSibling.data=e:this.T(M.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,i=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=B.createElement(Xe(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===i)this._$AH.p(t);else{let o=new ee(i,this),r=o.u(this.options);o.p(t),this.T(r),this._$AH=o}}_$AC(e){let t=Je.get(e.strings);return t===void 0&&Je.set(e.strings,t=new B(e)),t}k(e){Te(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,i=0;for(let o of e)i===t.length?t.push(n=new s(this.O(F()),this.O(F()),this,this.options)):n=t[i],n._$AI(o),i++;i<t.length&&(this._$AR(n&&n._$AB.nextSibling,i),t.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=Be(e).nextSibling;Be(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},R=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,i,o){this.type=1,this._$AH=u,this._$AN=void 0,this.element=e,this.name=t,this._$AM=i,this.options=o,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=u}_$AI(e,t=this,n,i){let o=this.strings,r=!1;if(o===void 0)e=N(this,e,t,0),r=!z(e)||e!==this._$AH&&e!==v,r&&(this._$AH=e);else{let a=e,l,c;for(e=o[0],l=0;l<o.length-1;l++)c=N(this,a[n+l],t,l),c===v&&(c=this._$AH[l]),r||=!z(c)||c!==this._$AH[l],c===u?e=u:e!==u&&(e+=(c??"")+o[l+1]),this._$AH[l]=c}r&&!i&&this.j(e)}j(e){e===u?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},te=class extends R{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===u?void 0:e}},ne=class extends R{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==u)}},se=class extends R{constructor(e,t,n,i,o){super(e,t,n,i,o),this.type=5}_$AI(e,t=this){if((e=N(this,e,t,0)??u)===v)return;let n=this._$AH,i=e===u&&n!==u||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,o=e!==u&&(n===u||i);i&&this.element.removeEventListener(this.name,this,n),o&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},ie=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){N(this,e)}},tt={M:ke,P:T,A:xe,C:1,L:et,R:ee,D:Qe,V:N,I:L,H:R,N:ne,U:se,B:te,F:ie},Kt=Ae.litHtmlPolyfillSupport;Kt?.(B,L),(Ae.litHtmlVersions??=[]).push("3.3.3");var nt=(s,e,t)=>{let n=t?.renderBefore??e,i=n._$litPart$;if(i===void 0){let o=t?.renderBefore??null;n._$litPart$=i=new L(e.insertBefore(F(),o),o,void 0,t??{})}return i._$AI(s),i};var Ee=globalThis,S=class extends x{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=nt(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return v}};S._$litElement$=!0,S.finalized=!0,Ee.litElementHydrateSupport?.({LitElement:S});var Yt=Ee.litElementPolyfillSupport;Yt?.({LitElement:S});(Ee.litElementVersions??=[]).push("4.2.2");var A=class extends Error{code;status;constructor(e,t="",n=0){super(t),this.code=e,this.status=n}},Gt=6e4,oe=class{#e;constructor(e){this.#e=e}socketUrl(e){return`${this.#e.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let n=Object.entries(t).filter(([,o])=>o!==void 0),i=new URLSearchParams(n.map(([o,r])=>[o,String(r)])).toString();return this.#t("GET",i===""?e:`${e}?${i}`,{})}patch(e,t){return this.#t("PATCH",e,{body:t})}post(e,t={},n){return this.#t("POST",e,{body:t,...n!==void 0&&{idempotencyKey:n}})}async#t(e,t,n){let i=await this.#n(e,t,n),o=i.status===401&&await this.#e.renewToken();return Jt(o?await this.#n(e,t,n):i)}async#n(e,t,{body:n,idempotencyKey:i}){let[o,r]=[this.#e.baseUrl(),this.#e.token()];if(r===void 0)throw new A("not_signed_in");let a=new Headers({authorization:`Bearer ${r}`});n!==void 0&&a.set("content-type","application/json"),i!==void 0&&a.set("idempotency-key",i);let l={method:e,headers:a,credentials:"omit",...n&&{body:JSON.stringify(n)}},c=new AbortController,h=setTimeout(()=>c.abort(),Gt);try{let d=await fetch(`${o}/v1${t}`,{...l,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{throw new A("network_error")}finally{clearTimeout(h)}}};function Jt({status:s,ok:e,text:t}){let n=Qt(t);if(e&&(n!==void 0||t===""))return n;let{code:i="unreadable_reply",message:o}=n?.error??{};throw new A(i,o,s)}function Qt(s){try{return JSON.parse(s)}catch{return}}function st(s,e="unexpected"){return s instanceof A?s:{code:e}}var it=50,re=class{#e;#t=new Map;constructor(e){this.#e=e}find(e){return this.#t.get(e)?.contact??void 0}clear(){this.#t.clear()}async read(e){for(let{number:n,contactId:i}of e)i===null&&this.#t.set(n,{contact:null,contactId:i});let t=e.filter(({number:n,contactId:i})=>Zt.test(n)&&(i===void 0||this.#t.get(n)?.contactId!==i));if(!(t.length===0||!this.#e.mayRead())){try{for(let n=0;n<t.length;n+=it)await this.#n(t.slice(n,n+it))}catch(n){if(!(n instanceof A))throw n}this.#e.onChange()}}async#n(e){let{api:t,tenant:n}=this.#e,i=[...new Set(e.map(({number:r})=>r))].join(","),{data:o}=await t.get("/contacts",{phone_numbers:i,limit:100,tenant_id:n()});for(let{number:r,contactId:a}of e){let l=o.find(({phone_numbers:d})=>d.includes(r))??null,h=a!=null&&a!==l?.id?await t.get(`/contacts/${a}`):l;this.#t.set(r,{contact:h,contactId:h?.id??null})}}},Zt=/^\+[1-9][0-9]{6,14}$/;function Ce(s){let e=new Intl.NumberFormat(s),t=new Intl.PluralRules(s),n=new Map;return{number:i=>e.format(i),plural:(i,o)=>o[t.select(i)]??o.other,date:(i,o)=>{let r=n.get(i)??new Intl.DateTimeFormat(s,i);return n.set(i,r),r.format(o)}}}var at={en:"en-US",es:"es-US"};function Pe(s,e){let t=(s===void 0?e:[s]).map(ot),n=t.map(rt).find(o=>o!==void 0)??"en",i=[...t,...e.map(ot)].find(o=>rt(o)===n&&o?.region!==void 0);return{language:n,tag:i?.toString()??at[n]}}function ot(s){try{return new Intl.Locale(s.trim().replaceAll("_","-"))}catch{return}}function rt(s){return Object.keys(at).find(e=>e===s?.language)}function Me(s){let e=s;for(;e!==void 0;){let t=e.closest("[lang]");if(t!==null)return t.getAttribute("lang")||void 0;let n=e.getRootNode();e=n instanceof ShadowRoot?n.host:void 0}}function Ne(s,e){let t=new MutationObserver(e);for(let n=s.getRootNode();t.observe(n,{subtree:!0,attributeFilter:["lang"]}),n instanceof ShadowRoot;n=n.host.getRootNode());return addEventListener("languagechange",e),()=>{t.disconnect(),removeEventListener("languagechange",e)}}function ae(s,e){return Object.hasOwn(s,e)?s[e]:void 0}var lt=({number:s,plural:e})=>({waiting:"Waiting for a session.",withheld:"Number withheld",today:"Today",yesterday:"Yesterday",problems:{network_error:"The server cannot be reached.",not_signed_in:"There is no session yet.",unexpected:"Something went wrong.",text_not_sent:"The text could not be sent.",note_not_saved:"The note could not be saved.",no_sender:"There is no number to send from yet.",no_recipient:"Enter the number of the person.",no_web_client:"There is no web client for this phone.",calls_not_permitted:"This page may not place calls. 911 can always be called.",microphone_refused:"Allow the microphone for this page to make and answer calls.",speaker_refused:"This speaker cannot be used.",audio_failed:"The sound of this call failed.",not_registered:"The phone is not connected.",disconnected:"The connection was lost.",login_refused:"The server refused the login."},unreadableReply:t=>`The server answered ${t}.`,list:{title:"Conversations",states:{connecting:"Connecting\u2026",live:"Live",polling:"Updated every 10 seconds"},newText:"New text",loading:"Loading conversations\u2026",empty:"No conversations yet. Texts and calls to your numbers appear here.",older:"Older conversations",unread:"New",optedOut:"Opted out",done:"Done",snoozed:"Snoozed"},thread:{none:"Choose a conversation.",back:"Back to conversations",newText:"New text",call:t=>`Call ${t}`,contact:"Contact",items:"Messages and calls",earlier:"Earlier",loading:"Loading\u2026",from:"From",to:"To",optedOut:"Opted out.",optedOutMeans:"This person asked to get no more texts. They can write START to get them again.",arrived:(t,n)=>`New text from ${t}: ${n}`},work:{nobody:"Nobody has it",assigned:t=>`${t} has it`,take:"Take it",giveUp:"Give it up",reopen:"Open again",finish:"Mark as done",writeNote:"Write a note",snooze:"Snooze",snoozedUntil:t=>`Snoozed until ${t}`,endSnooze:"End the snooze",lengths:{hour:"For an hour",hours:"For 4 hours",day:"For a day",week:"For a week"}},note:{label:"Note for the team, not sent",save:"Save note",title:"Note",titleOf:t=>`Note of ${t}`,notSent:"not sent"},composer:{label:"Text",placeholder:"Write a text",send:"Send",keys:"Enter sends, Shift+Enter begins a line.",characters:(t,n)=>`${s(t)} of ${s(n)} characters`,parts:t=>e(t,{one:"1 part",other:`${s(t)} parts`}),specialParts:t=>e(t,{one:"1 part, with special characters",other:`${s(t)} parts, with special characters`})},message:{you:"You wrote:",they:"They wrote:",group:"Group text",attachment:t=>`Attachment ${s(t)}`,picture:t=>`Attachment ${s(t)}, a picture`,statuses:{scheduled:"Scheduled",queued:"Sending\u2026",sent:"Sent",delivered:"Delivered",failed:"Not delivered",canceled:"Canceled"},failures:{carrier_rejected:"carrier rejected",send_failed:"send failed",unreachable:"unreachable",spam_blocked:"spam blocked",daily_cap_exceeded:"daily cap exceeded",expired:"expired",recipient_opted_out:"recipient opted out",campaign_suspended:"campaign suspended",insufficient_balance:"insufficient balance"}},call:{inProgress:"Call in progress",ringing:"Ringing\u2026",incoming:"Incoming call",outgoing:"Outgoing call",other:"Call",outcomes:{voicemail:"Went to voicemail",missed:"Missed call",no_answer:"No answer",busy:"Busy",canceled:"Canceled",failed:"Call failed",no_application:"Call failed"},play:"Play recording",recording:"Recording of the call",voicemail:"Voicemail"},phone:{title:"Phone",states:{connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"},useHere:"Use here",connect:"Connect",number:"Number",emergencyNumber:"Emergency number (911)",call:"Call",ended:t=>`Call with ${t} ended`,endedAfter:(t,n)=>`Call with ${t} ended, ${n}`,incomingFrom:t=>`Incoming call from ${t}`,progress:{incoming:"Incoming call from",connected:"Connected with",held:"On hold with",ringing:"Ringing",calling:"Calling"},decline:"Decline",answer:"Answer",hangUp:"Hang up",time:"Length of the call",mute:"Mute",hold:"Hold",keypad:"Keypad",digits:"Digits sent",transfer:"Transfer"},transfer:{to:"Transfer to",sayFirst:"Say first (optional)",talkFirst:"Talk first",atOnce:"Transfer",talking:t=>`Talking to ${t}`,ringing:t=>`Transfer rings ${t}`,cancel:"Cancel transfer",complete:"Complete transfer"},desk:{queues:"Queues",takeAll:"Take callers of queues",takeOf:t=>`Take callers of ${t}`,sound:"Sound",microphone:"Microphone",speaker:"Speaker",standard:"Default",notify:"Notify me of calls"}});var dt=({number:s,plural:e})=>({waiting:"Esperando una sesi\xF3n.",withheld:"N\xFAmero oculto",today:"Hoy",yesterday:"Ayer",problems:{network_error:"No se puede conectar con el servidor.",not_signed_in:"Todav\xEDa no hay una sesi\xF3n.",unexpected:"Algo sali\xF3 mal.",text_not_sent:"No se pudo enviar el mensaje.",note_not_saved:"No se pudo guardar la nota.",no_sender:"Todav\xEDa no hay un n\xFAmero desde el cual enviar.",no_recipient:"Ingrese el n\xFAmero de la persona.",no_web_client:"No hay un cliente web para este tel\xE9fono.",calls_not_permitted:"Esta p\xE1gina no puede hacer llamadas. Siempre se puede llamar al 911.",microphone_refused:"Permita que esta p\xE1gina use el micr\xF3fono para hacer y contestar llamadas.",speaker_refused:"No se puede usar este altavoz.",audio_failed:"Fall\xF3 el sonido de esta llamada.",not_registered:"El tel\xE9fono no est\xE1 conectado.",disconnected:"Se perdi\xF3 la conexi\xF3n.",login_refused:"El servidor rechaz\xF3 el inicio de sesi\xF3n."},refusals:{invalid_api_key:"La sesi\xF3n termin\xF3 o no es v\xE1lida.",account_suspended:"Esta cuenta est\xE1 suspendida.",tenant_restricted_key:"Esta sesi\xF3n es de otra empresa.",rate_limited:"Hay demasiadas solicitudes. Espere un momento e int\xE9ntelo de nuevo.",idempotency_in_progress:"Esta solicitud todav\xEDa se est\xE1 procesando. Espere un momento.",not_found:"No se encontr\xF3.",empty_message:"El mensaje est\xE1 vac\xEDo.",body_too_long:"El mensaje tiene m\xE1s de 1600 caracteres.",message_too_long:"El mensaje tiene m\xE1s partes de las que acepta el operador.",invalid_to:"Este no es un n\xFAmero al que se pueda escribir o llamar.",invalid_to_number:"Este no es un n\xFAmero al que se pueda llamar.",recipient_opted_out:"Esta persona pidi\xF3 no recibir m\xE1s mensajes ni llamadas autom\xE1ticas.",from_number_not_found:"El n\xFAmero desde el cual se env\xEDa no est\xE1 activo.",number_not_sms_capable:"Este n\xFAmero es solo para llamadas.",destination_not_supported:"No se ofrece servicio a este destino.",campaign_not_approved:"El n\xFAmero todav\xEDa no tiene una campa\xF1a aprobada, as\xED que no puede enviar mensajes.",conversation_not_found:"No existe esta conversaci\xF3n.",too_many_notes:"Esta conversaci\xF3n ya tiene todas las notas que puede tener.",recording_not_found:"No existe esta grabaci\xF3n.",web_client_not_found:"No existe este cliente web.",queue_not_found:"No existe esta cola.",call_not_found:"No existe esta llamada.",call_not_active:"El estado de la llamada no lo permite.",transfer_in_progress:"Ya hay una transferencia en curso.",no_consult_in_progress:"No hay una consulta en curso para esta llamada.",insufficient_balance:"El saldo de la cuenta es insuficiente.",internal_error:"Algo sali\xF3 mal en el servidor.",database_unavailable:"El servicio no est\xE1 disponible en este momento.",service_paused:"El servicio est\xE1 en pausa: por ahora solo se puede leer.",storage_unavailable:"Las grabaciones no est\xE1n disponibles en este momento.",carrier_unavailable:"Ning\xFAn operador puede hacerlo en este momento."},unreadableReply:t=>`El servidor respondi\xF3 ${t}.`,list:{title:"Conversaciones",states:{connecting:"Conectando\u2026",live:"En vivo",polling:"Se actualiza cada 10 segundos"},newText:"Mensaje nuevo",loading:"Cargando conversaciones\u2026",empty:"Todav\xEDa no hay conversaciones. Aqu\xED aparecen los mensajes y las llamadas a sus n\xFAmeros.",older:"Conversaciones anteriores",unread:"Sin leer",optedOut:"Se dio de baja",done:"Resuelta",snoozed:"Pospuesta"},thread:{none:"Elija una conversaci\xF3n.",back:"Volver a las conversaciones",newText:"Mensaje nuevo",call:t=>`Llamar a ${t}`,contact:"Contacto",items:"Mensajes y llamadas",earlier:"Anteriores",loading:"Cargando\u2026",from:"Desde",to:"Para",optedOut:"Se dio de baja.",optedOutMeans:"Esta persona pidi\xF3 no recibir m\xE1s mensajes. Puede escribir START para volver a recibirlos.",arrived:(t,n)=>`Mensaje nuevo de ${t}: ${n}`},work:{nobody:"Nadie la atiende",assigned:t=>`La atiende ${t}`,take:"Atender",giveUp:"Dejar de atender",reopen:"Abrir de nuevo",finish:"Marcar como resuelta",writeNote:"Escribir una nota",snooze:"Posponer",snoozedUntil:t=>`Pospuesta hasta: ${t}`,endSnooze:"Dejar de posponer",lengths:{hour:"Una hora",hours:"4 horas",day:"Un d\xEDa",week:"Una semana"}},note:{label:"Nota para el equipo, no se env\xEDa",save:"Guardar nota",title:"Nota",titleOf:t=>`Nota de ${t}`,notSent:"no enviada"},composer:{label:"Mensaje",placeholder:"Escriba un mensaje",send:"Enviar",keys:"Enter env\xEDa; May\xFAs + Enter empieza otra l\xEDnea.",characters:(t,n)=>`${s(t)} de ${s(n)} caracteres`,parts:t=>e(t,{one:"1 parte",other:`${s(t)} partes`}),specialParts:t=>e(t,{one:"1 parte, con caracteres especiales",other:`${s(t)} partes, con caracteres especiales`})},message:{you:"Usted escribi\xF3:",they:"La otra persona escribi\xF3:",group:"Mensaje grupal",attachment:t=>`Archivo adjunto ${s(t)}`,picture:t=>`Archivo adjunto ${s(t)}, una imagen`,statuses:{scheduled:"Programado",queued:"Enviando\u2026",sent:"Enviado",delivered:"Entregado",failed:"No entregado",canceled:"Cancelado"},failures:{carrier_rejected:"rechazado por el operador",send_failed:"no se pudo enviar",unreachable:"n\xFAmero fuera de alcance",spam_blocked:"bloqueado como spam",daily_cap_exceeded:"l\xEDmite diario alcanzado",expired:"vencido",recipient_opted_out:"la persona se dio de baja",campaign_suspended:"campa\xF1a suspendida",insufficient_balance:"saldo insuficiente"}},call:{inProgress:"Llamada en curso",ringing:"Timbrando\u2026",incoming:"Llamada entrante",outgoing:"Llamada saliente",other:"Llamada",outcomes:{voicemail:"Pas\xF3 al buz\xF3n de voz",missed:"Llamada perdida",no_answer:"Sin respuesta",busy:"Ocupado",canceled:"Cancelada",failed:"Fall\xF3 la llamada",no_application:"Fall\xF3 la llamada"},play:"Reproducir grabaci\xF3n",recording:"Grabaci\xF3n de la llamada",voicemail:"Mensaje de voz"},phone:{title:"Tel\xE9fono",states:{connecting:"Conectando\u2026",ready:"Listo",reconnecting:"Conectando de nuevo\u2026",elsewhere:"En uso en otra p\xE1gina",out:"Sin conexi\xF3n"},useHere:"Usar aqu\xED",connect:"Conectar",number:"N\xFAmero",emergencyNumber:"N\xFAmero de emergencia (911)",call:"Llamar",ended:t=>`Termin\xF3 la llamada con ${t}`,endedAfter:(t,n)=>`Termin\xF3 la llamada con ${t}, ${n}`,incomingFrom:t=>`Llamada entrante de ${t}`,progress:{incoming:"Llamada entrante de",connected:"En llamada con",held:"En espera con",ringing:"Timbrando a",calling:"Llamando a"},decline:"Rechazar",answer:"Contestar",hangUp:"Colgar",time:"Duraci\xF3n de la llamada",mute:"Silenciar",hold:"En espera",keypad:"Teclado",digits:"D\xEDgitos enviados",transfer:"Transferir"},transfer:{to:"Transferir a",sayFirst:"Decir antes (opcional)",talkFirst:"Consultar antes",atOnce:"Transferir",talking:t=>`Consultando con ${t}`,ringing:t=>`Llamando a ${t} para transferir`,cancel:"Cancelar transferencia",complete:"Completar transferencia"},desk:{queues:"Colas",takeAll:"Atender llamadas de las colas",takeOf:t=>`Atender llamadas de ${t}`,sound:"Sonido",microphone:"Micr\xF3fono",speaker:"Altavoz",standard:"Predeterminado",notify:"Avisarme de las llamadas"}});var Xt={en:lt,es:dt};function ct({language:s,tag:e}){let t=Ce(e);return{...Xt[s](t),language:s,formats:t}}function ht(s,{code:e,message:t,status:n=0}){return e==="unreadable_reply"?s.unreadableReply(n):ae(s.problems,e)??ae(s.refusals??{},e)??(t||s.problems.unexpected)}var en=6e4,tn=15e3,nn=2147483647,V=class extends S{static properties={baseUrl:{attribute:"base-url"},language:{},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new oe({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#e;#t;#n;#s;#i;#r;#o;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.#o=Ne(this,()=>this.requestUpdate()),this.requestUpdate(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),this.#o?.(),clearTimeout(this.#e),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#d(),this.#n?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,n=e.has("baseUrl")||this.session?.tenant_id!==this.#s;this.#s=this.session?.tenant_id,(t||n)&&this.isReady&&this.isConnected&&this.begin()}get texts(){let e=Pe(this.language||Me(this),navigator.languages);return(this.#r===void 0||this.#i?.tag!==e.tag)&&(this.#r=ct(e)),this.#i=e,this.#r}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#t??=this.#c().finally(()=>{this.#t=void 0}),this.#t}async#c(){let e=this.token,t,n=new Promise(i=>{this.#n=i,t=setTimeout(i,tn)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#l(e,n),n]),await this.updateComplete}catch(i){this.emit("session-lost",{error:i})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#l(e,t){let n;try{n=await this.renew?.()}catch(i){this.token===e&&this.emit("session-lost",{error:i});return}if(n===void 0)return t;this.token===e&&(typeof n=="string"?this.token=n:this.session=n)}#d(){clearTimeout(this.#e);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),n=Math.max(0,t-Math.min(en,t/2));this.#e=setTimeout(()=>{this.renewToken()},Math.min(n,nn))}};function W(s,e){if(e==="anonymous")return s.withheld;let[,t,n,i]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(e)??[];return t===void 0?e:`(${t}) ${n}-${i}`}function K(s,e,t){return e.find(t)?.name??W(s,t)}function Re(s){let e=Math.max(0,Math.floor(s)),[t,n,i]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],o=String(i).padStart(2,"0");return t===0?`${n}:${o}`:`${t}:${String(n).padStart(2,"0")}:${o}`}function le(s){let e=s.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}var ut=I`
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
`;var de=class{#e;#t="";#n;get mayAsk(){return"Notification"in globalThis&&Notification.permission==="default"}async ask(){await Notification.requestPermission()}start(e){if(this.#e?.id===e.id){this.#s(e);return}this.stop(),this.#e=e,this.#t=document.title,document.title=e.text,document.hasFocus()||this.#i(e)}stop(){let e=this.#e;e!==void 0&&(this.#e=void 0,document.title===e.text&&(document.title=this.#t),this.#n?.close(),this.#n=void 0)}#s(e){document.title===this.#e?.text&&(document.title=e.text),this.#e=e}#i({id:e,text:t}){if(!(!("Notification"in globalThis)||Notification.permission!=="granted"))try{let n=new Notification(t,{tag:`dialplane-${e}`,requireInteraction:!0});n.onclick=()=>{window.focus(),n.close()},this.#n=n}catch{}}};var sn=/[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,on=/^\+?1?(911|933)$/;function pt(s){return on.exec(String(s).normalize("NFKC").replaceAll(sn,""))?.[1]}function mt(){let s=new Map;return{on:(e,t)=>{let n=s.get(e)??new Set;return s.set(e,n.add(t)),()=>n.delete(t)},emit:(e,t)=>{for(let n of[...s.get(e)??[]])n(t)}}}async function Oe(){let s=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>s.flatMap(({kind:n,deviceId:i,label:o})=>n===t&&i!==""?[{id:i,label:o}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function ft({onOnline:s,onDevices:e}){let t=globalThis.navigator?.mediaDevices,n=()=>{Oe().then(e)};return globalThis.addEventListener?.("online",s),t?.addEventListener("devicechange",n),()=>{globalThis.removeEventListener?.("online",s),t?.removeEventListener("devicechange",n)}}var ce=class{#e=new Map;#t=0;#n=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");nextRef(){return`${this.#n}-${++this.#t}`}place(e,t){let n=this.#e.get(e);if(n!==void 0)return n.promise;let i=Promise.withResolvers();return this.#e.set(e,i),t(),i.promise}take(e=""){let t=this.#e.get(e);return this.#e.delete(e),t}refuseAll(e){for(let t of this.#e.values())t.reject(e());this.#e.clear()}};var f=class extends Error{constructor(e,t,n=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=n}};var gt=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var _=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return _[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return R(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function R(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var g=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(g);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<g)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#h=0;#r=null;#o=0;#a=Number.NaN;stats={received:0,late:0,missing:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#h=0,this.#r=t,t)}get counts(){let{received:t,late:s,missing:e,dropped:n}=this.stats;return{due:t-s+e,lost:e+n,jitterMs:this.#o}}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#a=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#a)?0:Math.abs(e-this.#a);this.#a=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?(this.#t++,this.stats.missing++):++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#h>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),y=5e3/20,p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;#n=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#h();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#h(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0,++this.#n%y===0&&this.port.postMessage(this.#t.counts)}};registerProcessor("dialplane-playback",p);})();
`;function yt(s,e,t=()=>performance.now()){let n={due:0,lost:0},i=0,o=0,r=null,a=()=>{s.readyState===WebSocket.OPEN&&(i++,o=t(),s.send(JSON.stringify({event:"mark",name:`quality-${i}`})))};return s.addEventListener("open",a),{handleMark(l){l===`quality-${i}`&&(r=t()-o)},handleReport({due:l,lost:c,jitterMs:h}){let[d,m]=[l-n.due,c-n.lost];n={due:l,lost:c},d>0&&e({lossPercent:Math.min(100,100*m/d),jitterMs:h,roundTripMs:r}),r=null,a()}}}var rn=12e3,an={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},ln=new Set([1006,1011,1012,1013]),ue=class{#e;#t;#n;#s;#i="";#r=new Set;constructor({microphone:e,workletUrl:t}={}){this.#n={...an,...e},this.#s=t}async prepare(){let[e]=await Promise.all([this.#o(),this.#l()]);await e.resume()}async link({url:e,token:t},{onFlow:n,onLost:i,onNoMicrophone:o,onQuality:r=()=>{}},{isSilent:a=!1,isPlaying:l=!0}={}){let c=await this.#o();c.resume().catch(()=>{});let h=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),d=cn(c,h,{onFlow:n,onQuality:r}),m=hn(c,g=>{h.readyState!==WebSocket.OPEN||h.bufferedAmount>rn||h.send(JSON.stringify({event:"media",payload:pn(g)}))}),y=!1,b=!0,w,E=g=>{h.readyState>WebSocket.OPEN||(w??=c.createMediaStreamSource(g),b||w.connect(m))},Le=g=>{w?.disconnect(),w=void 0,b||g.then(E,o)};this.#r.add(Le);let Ue=g=>{b!==g&&(b=g,g?w?.disconnect():this.#l().then(E,o))},De=g=>{d.disconnect(),g&&d.connect(c.destination)};return Ue(a),De(l),h.onclose=({code:g})=>{this.#r.delete(Le),d.disconnect(),d.port.close(),w?.disconnect(),m.port.close(),!y&&ln.has(g)&&i()},{setSilent:Ue,setPlaying:De,play:g=>un(c,m,g),close:()=>{y=!0,h.close()}}}async useMicrophone(e){let{deviceId:t,...n}=this.#n,i=e===""?n:{...n,deviceId:{exact:e}},o=this.#t;if(o===void 0&&this.#r.size===0){this.#n=i;return}let r=await _t(i).catch(a=>{throw he("microphone_refused",a)});this.#n=i,this.#d(Promise.resolve(r)),bt(await o?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new f("speaker_refused","This browser cannot choose the speaker.");let t=await this.#e;t!==void 0&&await vt(t,e),this.#i=e}async decode(e){return await(await this.#o()).decodeAudioData(e)}async close(){let[e,t]=[this.#e,this.#t];this.#e=void 0,this.#t=void 0,await Promise.all([t?.then(bt),e?.then(n=>n.close())])}#o(){return this.#e??=this.#c().catch(e=>{throw this.#e=void 0,he("audio_failed",e)}),this.#e}async#c(){let e=await dn(this.#s);return this.#i!==""&&await vt(e,this.#i).catch(()=>{}),e}#l(){if(this.#t===void 0){let e=_t(this.#n).catch(t=>{throw this.#t=void 0,he("microphone_refused",t)});this.#a(e)}return this.#t}#d(e){this.#a(e);for(let t of this.#r)t(e)}#a(e){this.#t=e;let t=()=>{if(this.#t!==e)return;this.#t=void 0;let{deviceId:n,...i}=this.#n;this.#n=i,this.#r.size>0&&this.#d(this.#l())};e.then(n=>{for(let i of n.getTracks())i.addEventListener("ended",t)},()=>{})}};function bt(s){for(let e of s?.getTracks()??[])e.stop()}async function vt(s,e){try{await s.setSinkId(e)}catch(t){throw he("speaker_refused",t)}}async function _t(s){return await navigator.mediaDevices.getUserMedia({audio:s})}async function dn(s){let e=new AudioContext({latencyHint:"interactive"});if(s!==void 0)return await e.audioWorklet.addModule(s),e;let t=URL.createObjectURL(new Blob([gt],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function cn(s,e,{onFlow:t,onQuality:n}){let i=new AudioWorkletNode(s,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]}),o=yt(e,n);return i.port.onmessage=({data:r})=>o.handleReport(r),e.onmessage=({data:r})=>{let a=JSON.parse(r);if(a.event==="mark"&&o.handleMark(a.name),a.event!=="media")return;let l=mn(a.payload);t(l),i.port.postMessage({seq:a.seq,codes:l},[l.buffer])},i}function hn(s,e){let t=new AudioWorkletNode(s,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:n})=>e(n),t}function un(s,e,t){let n=new AudioBufferSourceNode(s,{buffer:t}),i=new Promise(o=>{n.onended=()=>o(void 0)});return n.connect(e),n.start(),{ended:i,stop:()=>n.stop()}}function he(s,e){return new f(s,e instanceof Error?e.message:String(e))}function pn(s){return btoa(String.fromCharCode(...s))}function mn(s){return Uint8Array.from(atob(s),e=>e.charCodeAt(0))}var fn="/v1/softphone",wt=[500,1e3,2e3,5e3],gn=new Set(["carrier_unavailable","rate_limited"]),pe=class{listener=()=>{};#e;#t;#n;#s=new Map;#i=new Map;#r=new Set;constructor({url:e,microphone:t,workletUrl:n}){this.#e=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${fn}`,this.#t=new ue({microphone:t,workletUrl:n})}open(e){this.close();let t=new WebSocket(this.#e);this.#n=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:n})=>this.#c(JSON.parse(n)),t.onclose=({code:n,reason:i})=>{this.#n===t&&(this.#n=void 0,this.listener({type:"closed",code:n,reason:i}))}}async prepareAudio(){await this.#t.prepare()}async useMicrophone(e){await this.#t.useMicrophone(e)}async useSpeaker(e){await this.#t.useSpeaker(e)}answer(e){this.#o({type:"answer",call_id:e})}decline(e){this.#o({type:"decline",call_id:e})}hangUp(e){this.#o({type:"hang_up",call_id:e})}place(e){this.#o({type:"place",...e})}setMuted(e,t){this.#o({type:"mute",call_id:e,on:t}),this.#h(`mute:${e}`,e,t)}setHeld(e,t){this.#o({type:"hold",call_id:e,on:t}),this.#h(`hold:${e}`,e,t)}sendDigits(e,t){this.#o({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:n,announceText:i}){let o={...n&&{mode:n},...i&&{announce_text:i}};this.#o({type:"transfer",call_id:e,to:t,...o})}completeTransfer(e){this.#o({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#o({type:"cancel_transfer",call_id:e})}setAvailability(e,t){this.#o({type:"availability",availability:e,...t===void 0?{}:{queue_id:t}})}close(){let e=this.#n;this.#n=void 0,e?.close();for(let t of[...this.#s.keys()])this.#a(t);this.#i.clear(),this.#r.clear(),this.#t.close().catch(()=>{})}#o(e){this.#n?.readyState===WebSocket.OPEN&&this.#n.send(JSON.stringify(e))}#c(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"queues":{let n=e.queues;return this.listener({type:"queues",queues:n.map(({queue_id:i,...o})=>({id:i,...o}))})}case"incoming":case"dialing":{let{type:n,direction:i,from:o,to:r,caller_name:a=null,ref:l,listener:c}=e,h={...l===void 0?{}:{ref:l},...c===void 0?{}:{listener:{id:c.id,speaksTo:c.speaks_to}}};return this.listener({type:n,callId:t,direction:i,from:o,to:r,callerName:a,...h})}case"media":return this.#l(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer});case"ended":return this.#a(t),this.#i.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:n,message:i,ref:o,request:r}=e;if(r==="media")return gn.has(n)?this.#d(t):void 0;let a={type:"error",code:n,message:i,callId:t??null};return this.listener({...a,...o===void 0?{}:{ref:o}})}default:}}#l(e,t){this.#a(e);let n=({code:o="audio_failed",message:r})=>this.listener({type:"error",code:o,message:r,callId:e}),i=this.#t.link({url:t.url,token:t.token},{onFlow:()=>this.#i.delete(e),onLost:()=>{this.#s.get(e)===i&&this.#d(e)},onNoMicrophone:n,onQuality:o=>this.listener({type:"quality",callId:e,...o})}).catch(o=>{n(o)});this.#s.set(e,i),this.#u(e)}#d(e){let t=this.#i.get(e)??0;this.#i.set(e,t+1);let n=this.#s.get(e);setTimeout(()=>{n!==void 0&&this.#s.get(e)===n&&this.#o({type:"media",call_id:e})},wt[Math.min(t,wt.length-1)])}#a(e){let t=this.#s.get(e);this.#s.delete(e),t?.then(n=>n?.close())}#h(e,t,n){n?this.#r.add(e):this.#r.delete(e),this.#u(t)}#u(e){let t=this.#r.has(`mute:${e}`)||this.#r.has(`hold:${e}`);this.#s.get(e)?.then(n=>n?.setSilent(t))}};var $t=new Set([4401,4403,4408,4409]),At=[500,1e3,2e3,5e3,1e4],Y=class{#e;#t=new Map;#n=mt();on=this.#n.on;#s=new ce;#i;#r;#o;#c=0;#l=!1;#d=[];#a=()=>{};constructor({url:e,transport:t,microphone:n,workletUrl:i}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#e=t??new pe({url:e??"",microphone:n,workletUrl:i}),this.#e.listener=o=>this.#g(o)}get calls(){return[...this.#t.values()]}get queues(){return this.#d}get isRegistered(){return this.#l}async connect(e){this.disconnect(),this.#i=e,this.#a=ft({onOnline:()=>this.#f(),onDevices:n=>this.#n.emit("devices",n)});let t=Promise.withResolvers();return this.#r=t,await this.#u(),t.promise}disconnect(){clearTimeout(this.#o),this.#o=void 0,this.#a(),this.#i=void 0,this.#c=0,this.#l=!1,this.#r?.reject(new f("disconnected","The softphone was disconnected.")),this.#r=void 0,this.#s.refuseAll(()=>new f("disconnected","The softphone was disconnected.")),this.#t.clear(),this.#e.close()}async devices(){return await Oe()}async useMicrophone(e=""){await this.#e.useMicrophone(e)}async useSpeaker(e=""){await this.#e.useSpeaker(e)}async answer(e){let t=this.#h(e,n=>n.state==="incoming");await this.#e.prepareAudio(),this.#e.answer(t.id)}decline(e){this.#e.decline(this.#h(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:n=this.#s.nextRef()}={}){if(!this.#l)throw new f("not_registered","The softphone is not connected.");let i=pt(e);i===void 0&&await this.#e.prepareAudio();let o={to:i??e,ref:n,...t===void 0?{}:{from:t}};return this.#s.place(n,()=>this.#e.place(o))}hangUp(e){this.#e.hangUp(this.#h(e).id)}mute(e=!0,t){let n=this.#h(t);this.#e.setMuted(n.id,e),this.#t.set(n.id,{...n,muted:e})}hold(e=!0,t){let n=this.#h(t);this.#e.setHeld(n.id,e),this.#t.set(n.id,{...n,held:e})}sendDigits(e,t){this.#e.sendDigits(this.#h(t).id,e)}transfer(e,{mode:t,announceText:n,callId:i}={}){let o={...t&&{mode:t},...n&&{announceText:n}};this.#e.transfer(this.#h(i).id,{to:e,...o})}completeTransfer(e){this.#e.completeTransfer(this.#h(e).id)}cancelTransfer(e){this.#e.cancelTransfer(this.#h(e).id)}setAvailability(e,t){this.#e.setAvailability(e,t)}#h(e,t=()=>!0){let n=e===void 0?this.calls.filter(t).at(-1):this.#t.get(e);if(n===void 0)throw new f("call_not_found","There is no such call.",e);return n}async#u(){let e=this.#i;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#i===e&&this.#e.open(t)}catch(t){this.#i===e&&this.#m(0,`no token: ${t instanceof Error?t.message:t}`)}}#f(){this.#o!==void 0&&(clearTimeout(this.#o),this.#o=void 0,this.#c=0,this.#u())}#g(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:n,callIds:i}=e;this.#l=!0,this.#c=0,this.#y(i),this.#n.emit("registered",{webClientId:t,expiresAt:n}),this.#r?.resolve(),this.#r=void 0;return}case"queues":return this.#d=e.queues,this.#n.emit("queues",e.queues);case"incoming":case"dialing":return this.#b(e);case"ringing":return this.#p(e.callId,"ringing","ringing");case"answered":return this.#p(e.callId,"connected","answered");case"transfer":{let t=this.#t.get(e.callId);if(t===void 0)return;let n={...t,transfer:e.transfer};this.#t.set(t.id,n),this.#n.emit("transfer",n);return}case"quality":{let{callId:t,lossPercent:n,jitterMs:i,roundTripMs:o}=e;this.#t.has(t)&&this.#n.emit("quality",{callId:t,lossPercent:n,jitterMs:i,roundTripMs:o});return}case"ended":{let t=this.#t.get(e.callId);this.#t.delete(e.callId);let{reason:n,outcome:i}=e;t!==void 0&&this.#n.emit("ended",{...t,state:"ended",reason:n,outcome:i});return}case"error":{let t=new f(e.code,e.message,e.callId),n=this.#s.take(e.ref);n!==void 0?n.reject(t):this.#n.emit("error",t);return}case"closed":return this.#m(e.code,e.reason)}}#y(e){for(let t of this.calls.filter(({id:n})=>!e.includes(n)))this.#t.delete(t.id),this.#n.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#b({type:e,callId:t,direction:n,from:i,to:o,callerName:r=null,ref:a,listener:l}){let c=this.#t.get(t),d={id:t,direction:n,from:i,to:o,callerName:r,state:e,...l===void 0?{}:{listener:l}},m=c?{...c,transfer:null}:{...d,muted:!1,held:!1,transfer:null};this.#t.set(t,m),m.muted&&this.#e.setMuted(t,!0),m.held&&this.#e.setHeld(t,!0),this.#s.take(a)?.resolve(m),c===void 0&&e==="incoming"&&this.#n.emit("incoming",m)}#p(e,t,n){let i=this.#t.get(e);if(i===void 0||i.state===t)return;let o={...i,state:t};this.#t.set(e,o),this.#n.emit(n,o)}#m(e,t){this.#l=!1,this.#s.refuseAll(()=>new f("disconnected","The connection was lost."));let n=typeof this.#i=="function"&&!$t.has(e)&&this.#r===void 0;if(this.#r!==void 0){let o=$t.has(e);this.#r.reject(new f(o?"login_refused":"disconnected",t)),this.#r=void 0,this.#i=void 0}if(n||this.#t.clear(),this.#n.emit("disconnected",{code:e,reason:t,willReconnect:n}),!n)return;let i=At[Math.min(this.#c++,At.length-1)];this.#o=setTimeout(()=>(this.#o=void 0,this.#u()),i)}};var xt="dialplane-phone-devices",me=class{devices={microphones:[],speakers:[]};used={microphone:"",speaker:""};#e={microphone:"",speaker:""};#t;#n;constructor(e){this.#t=e}get mayChooseSpeaker(){return"setSinkId"in AudioContext.prototype}async follow(e){this.#n=e,this.used={microphone:"",speaker:""},this.#e=bn(),e.on("devices",t=>this.#s(e,t)),this.#s(e,await e.devices())}async list(){let e=this.#n;if(e===void 0)return;let t=await e.devices();t.microphones.length===0&&(await yn(),t=await e.devices()),this.#s(e,t)}async choose(e,t){let n=this.#n;if(n===void 0)return;await kt(n,e,t),this.used[e]=t;let{microphones:i,speakers:o}=this.devices,r=e==="microphone"?i:o;this.#e[e]=r.find(a=>a.id===t)?.label??"",_n(this.#e),this.#t()}#s(e,t){this.#n===e&&(this.devices=t,this.#i(e,"microphone",t.microphones),this.mayChooseSpeaker&&this.#i(e,"speaker",t.speakers),this.#t())}#i(e,t,n){let[i,o]=[this.used[t],this.#e[t]],r=o!==""&&n.find(({label:a})=>a===o)?.id||"";r!==i&&(this.used[t]=r,kt(e,t,r).catch(()=>{this.used[t]=i,this.#t()}))}};function kt(s,e,t){return e==="microphone"?s.useMicrophone(t):s.useSpeaker(t)}async function yn(){try{let s=await navigator.mediaDevices.getUserMedia({audio:!0});for(let e of s.getTracks())e.stop()}catch(s){throw new f("microphone_refused",String(s))}}function bn(){let{microphone:s="",speaker:e=""}=vn()??{};return{microphone:String(s),speaker:String(e)}}function vn(){try{return JSON.parse(localStorage.getItem(xt)??"{}")}catch{return null}}function _n(s){try{localStorage.setItem(xt,JSON.stringify(s))}catch{}}var wn=4408,$n=4409,An=4e3,fe=class{state="connecting";problem=null;active=null;ended=null;queues=[];sound;#e;#t;#n;constructor(e){this.#e=e,this.sound=new me(e.onChange)}async connect(){this.disconnect();let e=new Y({url:this.#e.baseUrl()});this.#t=e,this.#c(e),this.#a({state:"connecting",problem:null,queues:[]}),this.sound.follow(e);let t,n=()=>this.#r().catch(i=>{throw t=i,i});try{await e.connect(n)}catch(i){this.#t===e&&this.#a({state:"out",problem:G(t??i)})}}disconnect(){clearTimeout(this.#n);let e=this.#t;this.#t=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#i((e,t)=>e.answer(t));decline=()=>this.#i((e,t)=>e.decline(t));hangUp=()=>this.#i((e,t)=>e.hangUp(t));mute=e=>this.#i((t,n)=>t.mute(e,n));hold=e=>this.#i((t,n)=>t.hold(e,n));transfer=(e,t)=>this.#i((n,i)=>n.transfer(e,{...t,callId:i}));completeTransfer=()=>this.#i((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#i((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#i((t,n)=>t.sendDigits(e,n));async dial(e){let t=this.#t;if(!(t===void 0||this.active!==null)){this.#a({problem:null,ended:null});try{let n=await t.place(e);this.#a({active:{call:n,connectedAtMs:null}})}catch(n){this.#a({problem:G(n)})}}}setAvailable(e,t){this.#t?.setAvailability(e?"available":"away",t),this.#a({problem:null})}listDevices=()=>this.#s(this.sound.list());chooseDevice=(e,t)=>this.#s(this.sound.choose(e,t));async#s(e){try{await e,this.#a({problem:null})}catch(t){this.#a({problem:G(t)})}}async#i(e){let[t,n]=[this.#t,this.active?.call.id];if(!(t===void 0||n===void 0)){this.problem=null;try{await e(t,n)}catch(i){this.problem=G(i)}this.#l(t)}}async#r(){let{api:e,webClientId:t}=this.#e,n=t()??await this.#o();return(await e.post(`/web_clients/${n}/tokens`)).token}async#o(){let{data:e}=await this.#e.api.get("/web_clients",{limit:100}),t=e.find(({status:n})=>n==="active");if(t===void 0)throw new A("no_web_client");return t.id}#c(e){let{onCall:t,onQuality:n}=this.#e,i=o=>()=>{this.#t===e&&o()};e.on("registered",i(()=>this.#a({state:"ready",problem:null}))),e.on("incoming",o=>{this.#l(e),t("incoming",o)}),e.on("queues",o=>{this.#t===e&&this.#a({queues:o})}),e.on("quality",({callId:o,...r})=>n(o,r)),e.on("ringing",()=>this.#l(e)),e.on("transfer",()=>this.#l(e)),e.on("answered",o=>{this.active={call:o,connectedAtMs:Date.now()},this.#l(e),t("answered",o)}),e.on("ended",o=>{this.active?.call.id===o.id&&this.#d(o),this.#l(e),t("ended",o)}),e.on("error",o=>this.#a({problem:G(o)})),e.on("disconnected",({code:o,willReconnect:r})=>{this.#t===e&&(this.#l(e),r?this.#a({state:"reconnecting"}):o===wn?this.connect():this.#a({state:o===$n?"elsewhere":"out"}))})}#l(e){if(this.#t!==e)return;let t=e.calls.find(({id:n})=>n===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#e.onChange()}#d(e){let t=this.active?.connectedAtMs??null;this.ended={call:e,seconds:t===null?null:(Date.now()-t)/1e3},clearTimeout(this.#n),this.#n=setTimeout(()=>this.#a({ended:null}),An)}#a(e){Object.assign(this,e),this.#e.onChange()}};function G(s){return s instanceof f?s.code==="key_not_permitted"?{code:"calls_not_permitted"}:s:st(s)}var kn=[440,480],xn=2e3,Tn=6e3,Sn=.08,ge=class{#e;#t;start(){this.#t===void 0&&(this.#e=new AudioContext,this.#n(this.#e),this.#t=setInterval(()=>this.#e&&this.#n(this.#e),Tn))}stop(){clearInterval(this.#t),this.#t=void 0,this.#e?.close(),this.#e=void 0}#n(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:Sn});t.connect(e.destination);for(let n of kn){let i=new OscillatorNode(e,{frequency:n});i.connect(t),i.start(),i.stop(e.currentTime+xn/1e3)}}};var Tt=I`
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
`;var O={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},St=s=>(...e)=>({_$litDirective$:s,values:e}),ye=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,n){this._$Ct=e,this._$AM=t,this._$Ci=n}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:di}=tt;var Et=s=>s.strings===void 0;var En={},Ct=(s,e=En)=>s._$AH=e;var U=St(class extends ye{constructor(s){if(super(s),s.type!==O.PROPERTY&&s.type!==O.ATTRIBUTE&&s.type!==O.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Et(s))throw Error("`live` bindings can only contain a single expression")}render(s){return s}update(s,[e]){if(e===v||e===u)return e;let t=s.element,n=s.name;if(s.type===O.PROPERTY){if(e===t[n])return v}else if(s.type===O.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(n))return v}else if(s.type===O.ATTRIBUTE&&t.getAttribute(n)===e+"")return v;return Ct(s),e}});var $=s=>p`<svg viewBox="0 0 24 24" aria-hidden="true">${s}</svg>`,Cn="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",k={back:$(_`<path d="m15 5-7 7 7 7" />`),phone:$(_`<path d=${Cn} />`),hangUp:$(_`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:$(_`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:$(_`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:$(_`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:$(_`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:$(_`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:$(_`<path d="M9 5v14M15 5v14" />`),transfer:$(_`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:$(_`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function Nt({desk:s},e){let{queues:t}=e;if(t.length===0||e.state!=="ready")return u;let n=t.some(({availability:r})=>r==="available"),[i]=t,o=i!==void 0&&t.length===1?s.takeOf(i.name):s.takeAll;return p`<fieldset class="queues" part="queues">
    <legend class="hidden">${s.queues}</legend>
    ${Pt(o,n,r=>e.setAvailable(r))}
    ${t.length===1?u:p`<ul>
            ${t.map(({id:r,name:a,availability:l})=>p`<li>${Pt(a,l==="available",c=>e.setAvailable(c,r))}</li>`)}
          </ul>`}
  </fieldset>`}function Pt(s,e,t){let n=i=>t(i.target.checked);return p`<label class="switch">
    <input type="checkbox" role="switch" .checked=${U(e)} @change=${n} /><span>${s}</span>
  </label>`}function Rt({desk:s},e,t){let{sound:n}=e,{microphones:i,speakers:o}=n.devices;return p`<details class="settings" part="settings" @toggle=${a=>{a.target.open&&e.listDevices()}}>
    <summary>${s.sound}</summary>
    ${Mt(s,e,"microphone",i)}
    ${n.mayChooseSpeaker?Mt(s,e,"speaker",o):u}
    ${t.mayAsk?p`<button class="plain" type="button" @click=${t.onAsk}>${s.notify}</button>`:u}
  </details>`}function Mt(s,e,t,n){let i=e.sound.used[t],o=a=>{e.chooseDevice(t,a.target.value)},r=n.filter(({id:a})=>a!=="default");return p`<label
    >${s[t]}<select class="field" @change=${o}>
      <option value="" .selected=${U(i==="")}>${s.standard}</option>
      ${r.map(({id:a,label:l})=>p`<option value=${a} .selected=${U(i===a)}>${l}</option>`)}
    </select></label
  >`}function Ot({transfer:s},e){return p`<form class="transfer" part="transfer" @submit=${n=>{n.preventDefault();let i=new FormData(n.target),o=String(i.get("to")).trim(),r=/[a-z]/i.test(o)?o:le(o),a=String(i.get("announce")).trim(),l=n.submitter?.getAttribute("value")==="consult";e.transfer(r,{mode:l?"consult":"announce",...a&&{announceText:a}})}}>
    <label>${s.to}<input class="field" name="to" required autocomplete="off" /></label>
    <label>${s.sayFirst}<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">${s.talkFirst}</button>
    <button type="submit" value="announce">${s.atOnce}</button>
  </form>`}function Lt(s,e,{transfer:t}){if(t===null)return u;let{mode:n,state:i}=t,{talking:o,ringing:r,cancel:a,complete:l}=s.transfer,c=W(s,t.to);return p`<div class="transfer">
    <p role="status">${i==="talking"?o(c):r(c)}</p>
    ${n==="consult"?p`<button type="button" @click=${e.cancelTransfer}>${a}</button>
            <button class="primary" type="button" @click=${e.completeTransfer}>${l}</button>`:u}
  </div>`}function Dt(s){let{texts:e,line:t}=s;return p`<section class="phone" lang=${e.language} part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">${e.phone.title}</h2>
      <span class="state ${t.state==="ready"?"good":""}" role="status">${e.phone.states[t.state]}</span>
    </header>
    ${Nt(e,t)}
    ${t.active===null?Pn(s):Nn(s,t.active)}
    ${t.problem===null?u:p`<p class="problem error" role="alert">${ht(e,t.problem)}</p>`}
    ${Rt(e,t,{mayAsk:s.mayAskToNotify,onAsk:s.onAskToNotify})}
  </section>`}function Pn(s){let{texts:e,line:t,contacts:n,mayDial:i,number:o,onNumber:r,onDial:a}=s,{phone:l}=e,{ended:c}=t,h=d=>{d.preventDefault(),a()};return p`<div class="body">
    ${c===null?u:p`<p class="ended" role="status">${Mn(e,n,c)}</p>`}
    ${t.state==="elsewhere"||t.state==="out"?p`<button class="primary" type="button" @click=${()=>t.connect()}>
            ${t.state==="elsewhere"?l.useHere:l.connect}
          </button>`:p`<form class="dial" part="dial" @submit=${h}>
            <label for="number" class="small muted">${i?l.number:l.emergencyNumber}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${i?"(602) 555-0143":"911"}
              .value=${U(o)}
              @input=${d=>r(d.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${t.state!=="ready"||o.trim()===""}>
              ${k.phone}${l.call}
            </button>
          </form>`}
  </div>`}function Mn(s,e,{call:t,seconds:n}){let i=K(s,e,D(t));return n===null?s.phone.ended(i):s.phone.endedAfter(i,Re(n))}function Nn(s,e){let{texts:t,contacts:n}=s,{call:i}=e,o=W(t,D(i)),r=K(t,n,D(i)),a=i.state==="incoming";return p`<div class="body call ${a?"ringing":""}">
    <p class="small muted" aria-live=${a?"assertive":"polite"}>
      ${Un(t.phone,i)}<span class="hidden"> ${r}</span>
    </p>
    <p class="other" aria-hidden="true">${r}</p>
    ${r===o?u:p`<p class="small muted" part="number">${o}</p>`}
    ${a?Rn(t,s.line):On(s,e)}
  </div>`}function Rn({phone:s},e){return p`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${e.decline}>
      ${k.hangUp}<span>${s.decline}</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${e.answer}>
      ${k.phone}<span>${s.answer}</span>
    </button>
  </div>`}function On(s,{call:e,connectedAtMs:t}){let{texts:n,line:i,mayDial:o,isKeypadOpen:r,onKeypad:a,isTransferOpen:l,onTransfer:c,nowMs:h}=s,{phone:d}=n,m=e.to==="911"||e.to==="933",y=o&&e.listener===void 0&&e.transfer===null&&!m,b=e.state==="connected",w=E=>p`<button
    class="round"
    type="button"
    aria-pressed=${E.on?"true":"false"}
    ?disabled=${!b}
    @click=${E.act}
  >
    ${E.icon}<span>${E.label}</span>
  </button>`;return p`${t===null?u:p`<p class="timer" role="timer" aria-label=${d.time}>
          ${Re((h-t)/1e3)}
        </p>`}
  ${Lt(n,i,e)} ${l&&b&&y?Ot(n,i):u}
  ${r&&b?Ln(s):u}
  <div class="actions">
    ${w({label:d.mute,icon:e.muted?k.micOff:k.mic,on:e.muted,act:()=>i.mute(!e.muted)})}
    ${w({label:d.hold,icon:k.hold,on:e.held,act:()=>i.hold(!e.held)})}
    ${w({label:d.keypad,icon:k.keypad,on:r,act:a})}
    ${y?w({label:d.transfer,icon:k.transfer,on:l,act:c}):u}
    <button class="round danger" part="hang-up" type="button" @click=${i.hangUp}>
      ${k.hangUp}<span>${d.hangUp}</span>
    </button>
  </div>`}var Ut=["1","2","3","4","5","6","7","8","9","*","0","#"];function Ln({texts:s,digits:e,onDigit:t}){let{phone:n}=s,i=({key:o})=>{Ut.includes(o)&&t(o)};return p`<div class="keypad" part="keypad" role="group" aria-label=${n.keypad} @keydown=${i}>
    <p class="digits" aria-label=${n.digits}>${e||p`&nbsp;`}</p>
    ${Ut.map(o=>p`<button class="key" type="button" @click=${()=>t(o)}>${o}</button>`)}
  </div>`}function Un({progress:s},{state:e,held:t,direction:n}){return e==="incoming"?s.incoming:e==="connected"?t?s.held:s.connected:n==="outbound"&&e==="ringing"?s.ringing:s.calling}function D({direction:s,from:e,to:t}){return s==="inbound"?e:t}var Dn={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},be=class extends V{static styles=[ut,Tt];static properties={...V.properties,webClient:{attribute:"web-client"},silent:{type:Boolean},notify:{type:Boolean}};#e=new ge;#t=new de;#n=new re({api:this.api,tenant:()=>this.tenant,mayRead:()=>this.may("conversations:read"),onChange:()=>this.requestUpdate()});#s=new fe({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:n,to:i,direction:o})=>this.emit(Dn[e],{id:t,from:n,to:i,direction:o}),onQuality:(e,t)=>this.emit("call-quality",{id:e,...t})});#i;#r="";#o=!1;#c=!1;#l="";#d;async dial(e){this.#r=e,await this.#h()}begin(){this.#n.clear(),this.#s.connect()}end(){this.#s.disconnect(),this.#e.stop(),this.#t.stop(),clearInterval(this.#d),this.#d=void 0}render(){let{texts:e}=this;return this.isReady?Dt({texts:e,line:this.#s,contacts:this.#n,mayDial:this.may("calls:place"),number:this.#r,onNumber:t=>{this.#r=t,this.requestUpdate()},onDial:()=>{this.#h()},isKeypadOpen:this.#o,onKeypad:()=>{this.#o=!this.#o,this.requestUpdate()},isTransferOpen:this.#c,onTransfer:()=>{this.#c=!this.#c,this.requestUpdate()},digits:this.#l,onDigit:t=>{this.#l+=t,this.#s.sendDigits(t)},nowMs:Date.now(),mayAskToNotify:this.notify===!0&&this.#t.mayAsk,onAskToNotify:()=>{this.#t.ask().then(()=>this.requestUpdate())}}):p`<p class="problem muted" lang=${e.language}>${e.waiting}</p>`}updated(){let{active:e}=this.#s;this.#a(e);let t=e?.call.state==="incoming"?e.call:void 0;if(t!==void 0&&this.silent!==!0?this.#e.start():this.#e.stop(),t!==void 0&&this.notify===!0){let i=this.texts.phone.incomingFrom(K(this.texts,this.#n,D(t)));this.#t.start({id:t.id,text:i})}else this.#t.stop();e===null&&([this.#o,this.#l]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#c=!1),e?.connectedAtMs!=null?this.#d??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#d),this.#d=void 0)}#a(e){e===null||e.call.id===this.#i||(this.#i=e.call.id,this.#n.read([{number:D(e.call)}]))}async#h(){let e=le(this.#r);await this.#s.dial(e),this.#s.active!==null&&(this.#r=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",be);export{be as DialplanePhone};
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
