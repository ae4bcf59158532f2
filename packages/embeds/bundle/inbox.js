/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var ee=globalThis,te=ee.ShadowRoot&&(ee.ShadyCSS===void 0||ee.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,ke=Symbol(),Be=new WeakMap,B=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==ke)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(te&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=Be.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&Be.set(t,e))}return e}toString(){return this.cssText}},We=s=>new B(typeof s=="string"?s:s+"",void 0,ke),W=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((n,r,i)=>n+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+s[i+1],s[0]);return new B(t,s,ke)},Ke=(s,e)=>{if(te)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),r=ee.litNonce;r!==void 0&&n.setAttribute("nonce",r),n.textContent=t.cssText,s.appendChild(n)}},Ae=te?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return We(t)})(s):s;var{is:zt,defineProperty:Vt,getOwnPropertyDescriptor:Ft,getOwnPropertyNames:qt,getOwnPropertySymbols:Bt,getPrototypeOf:Wt}=Object,ne=globalThis,Ge=ne.trustedTypes,Kt=Ge?Ge.emptyScript:"",Gt=ne.reactiveElementPolyfillSupport,K=(s,e)=>s,Ee={toAttribute(s,e){switch(e){case Boolean:s=s?Kt:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},Xe=(s,e)=>!zt(s,e),Ye={attribute:!0,type:String,converter:Ee,reflect:!1,useDefault:!1,hasChanged:Xe};Symbol.metadata??=Symbol("metadata"),ne.litPropertyMetadata??=new WeakMap;var T=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Ye){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),r=this.getPropertyDescriptor(e,n,t);r!==void 0&&Vt(this.prototype,e,r)}}static getPropertyDescriptor(e,t,n){let{get:r,set:i}=Ft(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:r,set(o){let l=r?.call(this);i?.call(this,o),this.requestUpdate(e,l,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Ye}static _$Ei(){if(this.hasOwnProperty(K("elementProperties")))return;let e=Wt(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(K("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(K("properties"))){let t=this.properties,n=[...qt(t),...Bt(t)];for(let r of n)this.createProperty(r,t[r])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,r]of t)this.elementProperties.set(n,r)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let r=this._$Eu(t,n);r!==void 0&&this._$Eh.set(r,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let r of n)t.unshift(Ae(r))}else e!==void 0&&t.push(Ae(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ke(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,n);if(r!==void 0&&n.reflect===!0){let i=(n.converter?.toAttribute!==void 0?n.converter:Ee).toAttribute(t,n.type);this._$Em=e,i==null?this.removeAttribute(r):this.setAttribute(r,i),this._$Em=null}}_$AK(e,t){let n=this.constructor,r=n._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let i=n.getPropertyOptions(r),o=typeof i.converter=="function"?{fromAttribute:i.converter}:i.converter?.fromAttribute!==void 0?i.converter:Ee;this._$Em=r;let l=o.fromAttribute(t,i.type);this[r]=l??this._$Ej?.get(r)??l,this._$Em=null}}requestUpdate(e,t,n,r=!1,i){if(e!==void 0){let o=this.constructor;if(r===!1&&(i=this[e]),n??=o.getPropertyOptions(e),!((n.hasChanged??Xe)(i,t)||n.useDefault&&n.reflect&&i===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:r,wrapped:i},o){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),i!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,i]of this._$Ep)this[r]=i;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[r,i]of n){let{wrapped:o}=i,l=this[r];o!==!0||this._$AL.has(r)||l===void 0||this.C(r,void 0,i,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};T.elementStyles=[],T.shadowRootOptions={mode:"open"},T[K("elementProperties")]=new Map,T[K("finalized")]=new Map,Gt?.({ReactiveElement:T}),(ne.reactiveElementVersions??=[]).push("2.1.2");var Ce=globalThis,Je=s=>s,se=Ce.trustedTypes,Ze=se?se.createPolicy("lit-html",{createHTML:s=>s}):void 0,Pe="$lit$",k=`lit$${Math.random().toFixed(9).slice(2)}$`,Re="?"+k,Yt=`<${Re}>`,N=document,Y=()=>N.createComment(""),X=s=>s===null||typeof s!="object"&&typeof s!="function",Me=Array.isArray,rt=s=>Me(s)||typeof s?.[Symbol.iterator]=="function",Se=`[ 	
\f\r]`,G=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Qe=/-->/g,et=/>/g,M=RegExp(`>|${Se}(?:([^\\s"'>=/]+)(${Se}*=${Se}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),tt=/'/g,nt=/"/g,it=/^(?:script|style|textarea|title)$/i,Oe=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),d=Oe(1),v=Oe(2),Fn=Oe(3),b=Symbol.for("lit-noChange"),u=Symbol.for("lit-nothing"),st=new WeakMap,O=N.createTreeWalker(N,129);function ot(s,e){if(!Me(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ze!==void 0?Ze.createHTML(e):e}var at=(s,e)=>{let t=s.length-1,n=[],r,i=e===2?"<svg>":e===3?"<math>":"",o=G;for(let l=0;l<t;l++){let a=s[l],p,h,c=-1,f=0;for(;f<a.length&&(o.lastIndex=f,h=o.exec(a),h!==null);)f=o.lastIndex,o===G?h[1]==="!--"?o=Qe:h[1]!==void 0?o=et:h[2]!==void 0?(it.test(h[2])&&(r=RegExp("</"+h[2],"g")),o=M):h[3]!==void 0&&(o=M):o===M?h[0]===">"?(o=r??G,c=-1):h[1]===void 0?c=-2:(c=o.lastIndex-h[2].length,p=h[1],o=h[3]===void 0?M:h[3]==='"'?nt:tt):o===nt||o===tt?o=M:o===Qe||o===et?o=G:(o=M,r=void 0);let m=o===M&&s[l+1].startsWith("/>")?" ":"";i+=o===G?a+Yt:c>=0?(n.push(p),a.slice(0,c)+Pe+a.slice(c)+k+m):a+k+(c===-2?l:m)}return[ot(s,i+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},J=class s{constructor({strings:e,_$litType$:t},n){let r;this.parts=[];let i=0,o=0,l=e.length-1,a=this.parts,[p,h]=at(e,t);if(this.el=s.createElement(p,n),O.currentNode=this.el.content,t===2||t===3){let c=this.el.content.firstChild;c.replaceWith(...c.childNodes)}for(;(r=O.nextNode())!==null&&a.length<l;){if(r.nodeType===1){if(r.hasAttributes())for(let c of r.getAttributeNames())if(c.endsWith(Pe)){let f=h[o++],m=r.getAttribute(c).split(k),g=/([.?@])?(.*)/.exec(f);a.push({type:1,index:i,name:g[2],strings:m,ctor:g[1]==="."?ie:g[1]==="?"?oe:g[1]==="@"?ae:U}),r.removeAttribute(c)}else c.startsWith(k)&&(a.push({type:6,index:i}),r.removeAttribute(c));if(it.test(r.tagName)){let c=r.textContent.split(k),f=c.length-1;if(f>0){r.textContent=se?se.emptyScript:"";for(let m=0;m<f;m++)r.append(c[m],Y()),O.nextNode(),a.push({type:2,index:++i});r.append(c[f],Y())}}}else if(r.nodeType===8)if(r.data===Re)a.push({type:2,index:i});else{let c=-1;for(;(c=r.data.indexOf(k,c+1))!==-1;)a.push({type:7,index:i}),c+=k.length-1}i++}}static createElement(e,t){let n=N.createElement("template");return n.innerHTML=e,n}};function L(s,e,t=s,n){if(e===b)return e;let r=n!==void 0?t._$Co?.[n]:t._$Cl,i=X(e)?void 0:e._$litDirective$;return r?.constructor!==i&&(r?._$AO?.(!1),i===void 0?r=void 0:(r=new i(s),r._$AT(s,t,n)),n!==void 0?(t._$Co??=[])[n]=r:t._$Cl=r),r!==void 0&&(e=L(s,r._$AS(s,e.values),r,n)),e}var re=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,r=(e?.creationScope??N).importNode(t,!0);O.currentNode=r;let i=O.nextNode(),o=0,l=0,a=n[0];for(;a!==void 0;){if(o===a.index){let p;a.type===2?p=new H(i,i.nextSibling,this,e):a.type===1?p=new a.ctor(i,a.name,a.strings,this,e):a.type===6&&(p=new le(i,this,e)),this._$AV.push(p),a=n[++l]}o!==a?.index&&(i=O.nextNode(),o++)}return O.currentNode=N,r}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},H=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,r){this.type=2,this._$AH=u,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=L(this,e,t),X(e)?e===u||e==null||e===""?(this._$AH!==u&&this._$AR(),this._$AH=u):e!==this._$AH&&e!==b&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):rt(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==u&&X(this._$AH)?this._$AA.nextSibling.data=e:this.T(N.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,r=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=J.createElement(ot(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===r)this._$AH.p(t);else{let i=new re(r,this),o=i.u(this.options);i.p(t),this.T(o),this._$AH=i}}_$AC(e){let t=st.get(e.strings);return t===void 0&&st.set(e.strings,t=new J(e)),t}k(e){Me(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,r=0;for(let i of e)r===t.length?t.push(n=new s(this.O(Y()),this.O(Y()),this,this.options)):n=t[r],n._$AI(i),r++;r<t.length&&(this._$AR(n&&n._$AB.nextSibling,r),t.length=r)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=Je(e).nextSibling;Je(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},U=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,r,i){this.type=1,this._$AH=u,this._$AN=void 0,this.element=e,this.name=t,this._$AM=r,this.options=i,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=u}_$AI(e,t=this,n,r){let i=this.strings,o=!1;if(i===void 0)e=L(this,e,t,0),o=!X(e)||e!==this._$AH&&e!==b,o&&(this._$AH=e);else{let l=e,a,p;for(e=i[0],a=0;a<i.length-1;a++)p=L(this,l[n+a],t,a),p===b&&(p=this._$AH[a]),o||=!X(p)||p!==this._$AH[a],p===u?e=u:e!==u&&(e+=(p??"")+i[a+1]),this._$AH[a]=p}o&&!r&&this.j(e)}j(e){e===u?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},ie=class extends U{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===u?void 0:e}},oe=class extends U{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==u)}},ae=class extends U{constructor(e,t,n,r,i){super(e,t,n,r,i),this.type=5}_$AI(e,t=this){if((e=L(this,e,t,0)??u)===b)return;let n=this._$AH,r=e===u&&n!==u||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,i=e!==u&&(n===u||r);r&&this.element.removeEventListener(this.name,this,n),i&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},le=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){L(this,e)}},lt={M:Pe,P:k,A:Re,C:1,L:at,R:re,D:rt,V:L,I:H,H:U,N:oe,U:ae,B:ie,F:le},Xt=Ce.litHtmlPolyfillSupport;Xt?.(J,H),(Ce.litHtmlVersions??=[]).push("3.3.3");var dt=(s,e,t)=>{let n=t?.renderBefore??e,r=n._$litPart$;if(r===void 0){let i=t?.renderBefore??null;n._$litPart$=r=new H(e.insertBefore(Y(),i),i,void 0,t??{})}return r._$AI(s),r};var Ne=globalThis,C=class extends T{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=dt(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return b}};C._$litElement$=!0,C.finalized=!0,Ne.litElementHydrateSupport?.({LitElement:C});var Jt=Ne.litElementPolyfillSupport;Jt?.({LitElement:C});(Ne.litElementVersions??=[]).push("4.2.2");var $=class extends Error{code;status;constructor(e,t="",n=0){super(t),this.code=e,this.status=n}},Zt=6e4,de=class{#n;constructor(e){this.#n=e}socketUrl(e){return`${this.#n.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let n=Object.entries(t).filter(([,i])=>i!==void 0),r=new URLSearchParams(n.map(([i,o])=>[i,String(o)])).toString();return this.#e("GET",r===""?e:`${e}?${r}`,{})}patch(e,t){return this.#e("PATCH",e,{body:t})}post(e,t={},n){return this.#e("POST",e,{body:t,...n!==void 0&&{idempotencyKey:n}})}async#e(e,t,n){let r=await this.#t(e,t,n),i=r.status===401&&await this.#n.renewToken();return Qt(i?await this.#t(e,t,n):r)}async#t(e,t,{body:n,idempotencyKey:r}){let[i,o]=[this.#n.baseUrl(),this.#n.token()];if(o===void 0)throw new $("not_signed_in");let l=new Headers({authorization:`Bearer ${o}`});n!==void 0&&l.set("content-type","application/json"),r!==void 0&&l.set("idempotency-key",r);let a={method:e,headers:l,credentials:"omit",...n&&{body:JSON.stringify(n)}},p=new AbortController,h=setTimeout(()=>p.abort(),Zt);try{let c=await fetch(`${i}/v1${t}`,{...a,signal:p.signal});return{status:c.status,ok:c.ok,text:await c.text()}}catch{let c=e==="GET"&&!p.signal.aborted&&await this.#r(p.signal);throw new $(c?"hidden_reply":"network_error")}finally{clearTimeout(h)}}async#r(e){try{return await fetch(`${this.#n.baseUrl()}/embeds/inbox.js`,{method:"HEAD",mode:"no-cors",credentials:"omit",signal:e}),!0}catch{return!1}}};function Qt({status:s,ok:e,text:t}){let n=en(t);if(e&&(n!==void 0||t===""))return n;let{code:r="unreadable_reply",message:i}=n?.error??{};throw new $(r,i,s)}function en(s){try{return JSON.parse(s)}catch{return}}function ce(){return[...crypto.getRandomValues(new Uint8Array(16))].map(s=>s.toString(16).padStart(2,"0")).join("")}function y(s,e="unexpected"){return s instanceof $?s:{code:e}}var ct=50,ue=class{#n;#e=new Map;constructor(e){this.#n=e}find(e){return this.#e.get(e)?.contact??void 0}clear(){this.#e.clear()}async read(e){for(let{number:n,contactId:r}of e)r===null&&this.#e.set(n,{contact:null,contactId:r});let t=e.filter(({number:n,contactId:r})=>tn.test(n)&&(r===void 0||this.#e.get(n)?.contactId!==r));if(!(t.length===0||!this.#n.mayRead())){try{for(let n=0;n<t.length;n+=ct)await this.#t(t.slice(n,n+ct))}catch(n){if(!(n instanceof $))throw n}this.#n.onChange()}}async#t(e){let{api:t,tenant:n}=this.#n,r=[...new Set(e.map(({number:o})=>o))].join(","),{data:i}=await t.get("/contacts",{phone_numbers:r,limit:100,tenant_id:n()});for(let{number:o,contactId:l}of e){let a=i.find(({phone_numbers:c})=>c.includes(o))??null,h=l!=null&&l!==a?.id?await t.get(`/contacts/${l}`):a;this.#e.set(o,{contact:h,contactId:h?.id??null})}}},tn=/^\+[1-9][0-9]{6,14}$/;function Le(s){let e=new Intl.NumberFormat(s),t=new Intl.PluralRules(s),n=new Map;return{number:r=>e.format(r),plural:(r,i)=>i[t.select(r)]??i.other,date:(r,i)=>{let o=n.get(r)??new Intl.DateTimeFormat(s,r);return n.set(r,o),o.format(i)}}}var ht={en:"en-US",es:"es-US"};function Ue(s,e){let t=(s===void 0?e:[s]).map(ut),n=t.map(pt).find(i=>i!==void 0)??"en",r=[...t,...e.map(ut)].find(i=>pt(i)===n&&i?.region!==void 0);return{language:n,tag:r?.toString()??ht[n]}}function ut(s){try{return new Intl.Locale(s.trim().replaceAll("_","-"))}catch{return}}function pt(s){return Object.keys(ht).find(e=>e===s?.language)}function Ie(s){let e=s;for(;e!==void 0;){let t=e.closest("[lang]");if(t!==null)return t.getAttribute("lang")||void 0;let n=e.getRootNode();e=n instanceof ShadowRoot?n.host:void 0}}function De(s,e){let t=new MutationObserver(e);for(let n=s.getRootNode();t.observe(n,{subtree:!0,attributeFilter:["lang"]}),n instanceof ShadowRoot;n=n.host.getRootNode());return addEventListener("languagechange",e),()=>{t.disconnect(),removeEventListener("languagechange",e)}}function He(s,e,t){if(e==="call"&&s==="Call")return t.call;if(e==="missed_call"&&s==="Missed call")return t.missedCall;let[,n]=/^Voicemail, (\d+:\d\d)$/.exec(s)??[];if(e==="voicemail"&&n!==void 0)return t.voicemail(n);let[r,i="1"]=/^\[(?:(\d+) )?media\]$/.exec(s)??[];return e!=="message"||r===void 0?s:t.files(Number(i))}function P(s,e){return Object.hasOwn(s,e)?s[e]:void 0}var mt=({number:s,plural:e})=>({waiting:"Waiting for a session.",withheld:"Number withheld",today:"Today",yesterday:"Yesterday",problems:{network_error:"The server cannot be reached.",not_signed_in:"There is no session yet.",invalid_api_key:"The session has ended or is not valid. Load this page again to continue.",unexpected:"Something went wrong.",text_not_sent:"The text could not be sent.",note_not_saved:"The note could not be saved.",no_sender:"There is no number to send from yet.",no_recipient:"Enter the number of the person.",no_web_client:"There is no web client for this phone.",calls_not_permitted:"This page may not place calls. 911 can always be called.",microphone_refused:"Allow the microphone for this page to make and answer calls.",speaker_refused:"This speaker cannot be used.",audio_failed:"The sound of this call failed.",not_registered:"The phone is not connected.",disconnected:"The connection was lost.",login_refused:"The server refused the login.",transfer_no_answer:"The transfer failed: nobody answered. The call continues here.",transfer_busy:"The transfer failed: that line is busy. The call continues here.",transfer_rejected:"The transfer failed: that person declined or hung up. The call continues here.",transfer_failed:"The transfer failed: that line could not be reached. The call continues here."},originRefused:t=>`This browser session is not for pages of ${t}: its allowed_origins name others.`,hiddenReply:t=>`The server answers, but pages of ${t} may not read its answers. The session must allow this origin.`,unreadableReply:t=>`The server answered ${t}.`,list:{title:"Conversations",states:{connecting:"Connecting\u2026",live:"Live",polling:"Updated every 10 seconds"},newText:"New text",loading:"Loading conversations\u2026",empty:"No conversations yet. Texts and calls to your numbers appear here.",show:"Conversations shown",filters:{all:"All conversations",open:"Open",mine:"Mine",nobodys:"Of nobody",unread:"New for me",done:"Done"},emptyFilter:"No such conversation.",older:"Older conversations",unread:"New",optedOut:"Opted out",done:"Done",snoozed:"Snoozed",previews:{call:"Call",missedCall:"Missed call",voicemail:t=>`Voicemail, ${t}`,files:t=>t===1?"[media]":`[${t} media]`}},thread:{none:"Choose a conversation.",back:"Back to conversations",newText:"New text",call:t=>`Call ${t}`,contact:"Contact",items:"Messages and calls",earlier:"Earlier",loading:"Loading\u2026",from:"From",to:"To",optedOut:"Opted out.",optedOutMeans:"This person asked to get no more texts. They can write START to get them again.",arrived:(t,n)=>`New text from ${t}: ${n}`},work:{nobody:"Nobody has it",assigned:t=>`${t} has it`,take:"Take it",giveUp:"Give it up",reopen:"Open again",finish:"Mark as done",writeNote:"Write a note",snooze:"Snooze",snoozedUntil:t=>`Snoozed until ${t}`,endSnooze:"End the snooze",lengths:{hour:"For an hour",hours:"For 4 hours",day:"For a day",week:"For a week"}},note:{label:"Note for the team, not sent",save:"Save note",title:"Note",titleOf:t=>`Note of ${t}`,notSent:"not sent"},composer:{label:"Text",placeholder:"Write a text",send:"Send",keys:"Enter sends, Shift+Enter begins a line.",characters:(t,n)=>`${s(t)} of ${s(n)} characters`,parts:t=>e(t,{one:"1 part",other:`${s(t)} parts`}),specialParts:t=>e(t,{one:"1 part, with special characters",other:`${s(t)} parts, with special characters`})},message:{you:"You wrote:",they:"They wrote:",group:"Group text",attachment:t=>`Attachment ${s(t)}`,picture:t=>`Attachment ${s(t)}, a picture`,statuses:{scheduled:"Scheduled",queued:"Sending\u2026",sent:"Sent",delivered:"Delivered",failed:"Not delivered",canceled:"Canceled"},failures:{carrier_rejected:"carrier rejected",send_failed:"send failed",unreachable:"unreachable",spam_blocked:"spam blocked",daily_cap_exceeded:"daily cap exceeded",expired:"expired",recipient_opted_out:"recipient opted out",campaign_suspended:"campaign suspended",insufficient_balance:"insufficient balance"}},call:{inProgress:"Call in progress",ringing:"Ringing\u2026",incoming:"Incoming call",outgoing:"Outgoing call",other:"Call",outcomes:{voicemail:"Went to voicemail",missed:"Missed call",no_answer:"No answer",busy:"Busy",canceled:"Canceled",failed:"Call failed",no_application:"Call failed"},callback:"Callback asked for",callbackIn:t=>`Callback asked for (${t})`,calledBack:t=>`Called back: ${t}`,notCalledBack:"Not called back yet",play:"Play recording",recording:"Recording of the call",voicemail:"Voicemail"},phone:{title:"Phone",states:{connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"},useHere:"Use here",connect:"Connect",number:"Number",emergencyNumber:"Emergency number (911)",call:"Call",ended:t=>`Call with ${t} ended`,endedAfter:(t,n)=>`Call with ${t} ended, ${n}`,transferred:(t,n)=>`${t} was transferred to ${n}`,progress:{incoming:"Incoming call from",incomingOf:t=>`${t}: incoming call from`,asked:t=>`${t} wants to talk to you about`,asking:t=>`Talking to ${t} about`,connected:"Connected with",held:"On hold with",ringing:"Ringing",calling:"Calling"},decline:"Decline",answer:"Answer",hangUp:"Hang up",time:"Length of the call",mute:"Mute",hold:"Hold",keypad:"Keypad",digits:"Digits sent",transfer:"Transfer"},transfer:{colleague:"Colleague",noColleague:"Enter a number below",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"available",away:"away",ringing:"a call rings there",busy:"on a call",wrap_up:"just after a call"},to:"Transfer to",sayFirst:"Say first (optional)",talkFirst:"Talk first",atOnce:"Transfer",talking:t=>`Talking to ${t}`,ringing:t=>`Transfer rings ${t}`,cancel:"Cancel transfer",complete:"Complete transfer"},desk:{queues:"Queues",takeAll:"Take callers of queues",takeOf:t=>`Take callers of ${t}`,sound:"Sound",microphone:"Microphone",speaker:"Speaker",standard:"Default",notify:"Notify me of calls"}});var ft=({number:s,plural:e})=>({waiting:"Esperando una sesi\xF3n.",withheld:"N\xFAmero oculto",today:"Hoy",yesterday:"Ayer",problems:{network_error:"No se puede conectar con el servidor.",not_signed_in:"Todav\xEDa no hay una sesi\xF3n.",invalid_api_key:"La sesi\xF3n termin\xF3 o no es v\xE1lida. Vuelva a cargar esta p\xE1gina para continuar.",unexpected:"Algo sali\xF3 mal.",text_not_sent:"No se pudo enviar el mensaje.",note_not_saved:"No se pudo guardar la nota.",no_sender:"Todav\xEDa no hay un n\xFAmero desde el cual enviar.",no_recipient:"Ingrese el n\xFAmero de la persona.",no_web_client:"No hay un cliente web para este tel\xE9fono.",calls_not_permitted:"Esta p\xE1gina no puede hacer llamadas. Siempre se puede llamar al 911.",microphone_refused:"Permita que esta p\xE1gina use el micr\xF3fono para hacer y contestar llamadas.",speaker_refused:"No se puede usar este altavoz.",audio_failed:"Fall\xF3 el sonido de esta llamada.",not_registered:"El tel\xE9fono no est\xE1 conectado.",disconnected:"Se perdi\xF3 la conexi\xF3n.",login_refused:"El servidor rechaz\xF3 el inicio de sesi\xF3n.",transfer_no_answer:"La transferencia fall\xF3: nadie contest\xF3. La llamada contin\xFAa aqu\xED.",transfer_busy:"La transferencia fall\xF3: esa l\xEDnea est\xE1 ocupada. La llamada contin\xFAa aqu\xED.",transfer_rejected:"La transferencia fall\xF3: esa persona rechaz\xF3 la llamada o colg\xF3. La llamada contin\xFAa aqu\xED.",transfer_failed:"La transferencia fall\xF3: no se pudo comunicar con esa l\xEDnea. La llamada contin\xFAa aqu\xED."},refusals:{account_suspended:"Esta cuenta est\xE1 suspendida.",tenant_restricted_key:"Esta sesi\xF3n es de otra empresa.",rate_limited:"Hay demasiadas solicitudes. Espere un momento e int\xE9ntelo de nuevo.",idempotency_in_progress:"Esta solicitud todav\xEDa se est\xE1 procesando. Espere un momento.",not_found:"No se encontr\xF3.",empty_message:"El mensaje est\xE1 vac\xEDo.",body_too_long:"El mensaje tiene m\xE1s de 1600 caracteres.",message_too_long:"El mensaje tiene m\xE1s partes de las que acepta el operador.",invalid_to:"Este no es un n\xFAmero al que se pueda escribir o llamar.",invalid_to_number:"Este no es un n\xFAmero al que se pueda llamar.",recipient_opted_out:"Esta persona pidi\xF3 no recibir m\xE1s mensajes ni llamadas autom\xE1ticas.",from_number_not_found:"El n\xFAmero desde el cual se env\xEDa no est\xE1 activo.",number_not_sms_capable:"Este n\xFAmero es solo para llamadas.",destination_not_supported:"No se ofrece servicio a este destino.",campaign_not_approved:"El n\xFAmero todav\xEDa no tiene una campa\xF1a aprobada, as\xED que no puede enviar mensajes.",conversation_not_found:"No existe esta conversaci\xF3n.",too_many_notes:"Esta conversaci\xF3n ya tiene todas las notas que puede tener.",recording_not_found:"No existe esta grabaci\xF3n.",web_client_not_found:"No existe este cliente web.",queue_not_found:"No existe esta cola.",call_not_found:"No existe esta llamada.",call_not_active:"El estado de la llamada no lo permite.",transfer_in_progress:"Ya hay una transferencia en curso.",no_consult_in_progress:"No hay una consulta en curso para esta llamada.",insufficient_balance:"El saldo de la cuenta es insuficiente.",internal_error:"Algo sali\xF3 mal en el servidor.",database_unavailable:"El servicio no est\xE1 disponible en este momento.",service_paused:"El servicio est\xE1 en pausa: por ahora solo se puede leer.",storage_unavailable:"Las grabaciones no est\xE1n disponibles en este momento.",carrier_unavailable:"Ning\xFAn operador puede hacerlo en este momento."},originRefused:t=>`Esta sesi\xF3n no es para p\xE1ginas de ${t}: sus or\xEDgenes permitidos son otros.`,hiddenReply:t=>`El servidor responde, pero las p\xE1ginas de ${t} no pueden leer sus respuestas. La sesi\xF3n debe permitir este origen.`,unreadableReply:t=>`El servidor respondi\xF3 ${t}.`,list:{title:"Conversaciones",states:{connecting:"Conectando\u2026",live:"En vivo",polling:"Se actualiza cada 10 segundos"},newText:"Mensaje nuevo",loading:"Cargando conversaciones\u2026",empty:"Todav\xEDa no hay conversaciones. Aqu\xED aparecen los mensajes y las llamadas a sus n\xFAmeros.",show:"Conversaciones que se muestran",filters:{all:"Todas las conversaciones",open:"Abiertas",mine:"M\xEDas",nobodys:"De nadie",unread:"Sin leer",done:"Resueltas"},emptyFilter:"No hay conversaciones as\xED.",older:"Conversaciones anteriores",unread:"Sin leer",optedOut:"Se dio de baja",done:"Resuelta",snoozed:"Pospuesta",previews:{call:"Llamada",missedCall:"Llamada perdida",voicemail:t=>`Mensaje de voz, ${t}`,files:t=>t===1?"[archivo]":`[${t} archivos]`}},thread:{none:"Elija una conversaci\xF3n.",back:"Volver a las conversaciones",newText:"Mensaje nuevo",call:t=>`Llamar a ${t}`,contact:"Contacto",items:"Mensajes y llamadas",earlier:"Anteriores",loading:"Cargando\u2026",from:"Desde",to:"Para",optedOut:"Se dio de baja.",optedOutMeans:"Esta persona pidi\xF3 no recibir m\xE1s mensajes. Puede escribir START para volver a recibirlos.",arrived:(t,n)=>`Mensaje nuevo de ${t}: ${n}`},work:{nobody:"Nadie la atiende",assigned:t=>`La atiende ${t}`,take:"Atender",giveUp:"Dejar de atender",reopen:"Abrir de nuevo",finish:"Marcar como resuelta",writeNote:"Escribir una nota",snooze:"Posponer",snoozedUntil:t=>`Pospuesta hasta: ${t}`,endSnooze:"Dejar de posponer",lengths:{hour:"Una hora",hours:"4 horas",day:"Un d\xEDa",week:"Una semana"}},note:{label:"Nota para el equipo, no se env\xEDa",save:"Guardar nota",title:"Nota",titleOf:t=>`Nota de ${t}`,notSent:"no enviada"},composer:{label:"Mensaje",placeholder:"Escriba un mensaje",send:"Enviar",keys:"Enter env\xEDa; May\xFAs + Enter empieza otra l\xEDnea.",characters:(t,n)=>`${s(t)} de ${s(n)} caracteres`,parts:t=>e(t,{one:"1 parte",other:`${s(t)} partes`}),specialParts:t=>e(t,{one:"1 parte, con caracteres especiales",other:`${s(t)} partes, con caracteres especiales`})},message:{you:"Usted escribi\xF3:",they:"La otra persona escribi\xF3:",group:"Mensaje grupal",attachment:t=>`Archivo adjunto ${s(t)}`,picture:t=>`Archivo adjunto ${s(t)}, una imagen`,statuses:{scheduled:"Programado",queued:"Enviando\u2026",sent:"Enviado",delivered:"Entregado",failed:"No entregado",canceled:"Cancelado"},failures:{carrier_rejected:"rechazado por el operador",send_failed:"no se pudo enviar",unreachable:"n\xFAmero fuera de alcance",spam_blocked:"bloqueado como spam",daily_cap_exceeded:"l\xEDmite diario alcanzado",expired:"vencido",recipient_opted_out:"la persona se dio de baja",campaign_suspended:"campa\xF1a suspendida",insufficient_balance:"saldo insuficiente"}},call:{inProgress:"Llamada en curso",ringing:"Timbrando\u2026",incoming:"Llamada entrante",outgoing:"Llamada saliente",other:"Llamada",outcomes:{voicemail:"Pas\xF3 al buz\xF3n de voz",missed:"Llamada perdida",no_answer:"Sin respuesta",busy:"Ocupado",canceled:"Cancelada",failed:"Fall\xF3 la llamada",no_application:"Fall\xF3 la llamada"},callback:"Pidi\xF3 que le devuelvan la llamada",callbackIn:t=>`Pidi\xF3 que le devuelvan la llamada (${t})`,calledBack:t=>`Se le devolvi\xF3 la llamada: ${t}`,notCalledBack:"Todav\xEDa no se le devolvi\xF3 la llamada",play:"Reproducir grabaci\xF3n",recording:"Grabaci\xF3n de la llamada",voicemail:"Mensaje de voz"},phone:{title:"Tel\xE9fono",states:{connecting:"Conectando\u2026",ready:"Listo",reconnecting:"Conectando de nuevo\u2026",elsewhere:"En uso en otra p\xE1gina",out:"Sin conexi\xF3n"},useHere:"Usar aqu\xED",connect:"Conectar",number:"N\xFAmero",emergencyNumber:"N\xFAmero de emergencia (911)",call:"Llamar",ended:t=>`Termin\xF3 la llamada con ${t}`,endedAfter:(t,n)=>`Termin\xF3 la llamada con ${t}, ${n}`,transferred:(t,n)=>`Se transfiri\xF3 a ${t} a ${n}`,progress:{incoming:"Llamada entrante de",incomingOf:t=>`${t}: llamada entrante de`,asked:t=>`${t} quiere hablar con usted sobre`,asking:t=>`Habla con ${t} sobre`,connected:"En llamada con",held:"En espera con",ringing:"Timbrando a",calling:"Llamando a"},decline:"Rechazar",answer:"Contestar",hangUp:"Colgar",time:"Duraci\xF3n de la llamada",mute:"Silenciar",hold:"En espera",keypad:"Teclado",digits:"D\xEDgitos enviados",transfer:"Transferir"},transfer:{colleague:"Compa\xF1ero",noColleague:"Ingresar un n\xFAmero abajo",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"disponible",away:"ausente",ringing:"le suena una llamada",busy:"en una llamada",wrap_up:"acaba de terminar una llamada"},to:"Transferir a",sayFirst:"Decir antes (opcional)",talkFirst:"Consultar antes",atOnce:"Transferir",talking:t=>`Consultando con ${t}`,ringing:t=>`Llamando a ${t} para transferir`,cancel:"Cancelar transferencia",complete:"Completar transferencia"},desk:{queues:"Colas",takeAll:"Atender llamadas de las colas",takeOf:t=>`Atender llamadas de ${t}`,sound:"Sonido",microphone:"Micr\xF3fono",speaker:"Altavoz",standard:"Predeterminado",notify:"Avisarme de las llamadas"}});var nn={en:mt,es:ft};function gt({language:s,tag:e}){let t=Le(e);return{...nn[s](t),language:s,formats:t}}function I(s,{code:e,message:t,status:n=0}){return e==="unreadable_reply"?s.unreadableReply(n):e==="hidden_reply"?s.hiddenReply(location.origin):e==="key_not_permitted"&&t?.includes("allowed_origins")?s.originRefused(location.origin):P(s.problems,e)??P(s.refusals??{},e)??(t||s.problems.unexpected)}var sn=6e4,rn=15e3,on=2147483647,Z=class extends C{static properties={baseUrl:{attribute:"base-url"},language:{},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new de({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#n;#e;#t;#r;#s;#o;#i;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.#i=De(this,()=>this.requestUpdate()),this.requestUpdate(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),this.#i?.(),clearTimeout(this.#n),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#d(),this.#t?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,n=e.has("baseUrl")||this.session?.tenant_id!==this.#r;this.#r=this.session?.tenant_id,(t||n)&&this.isReady&&this.isConnected&&this.begin()}get texts(){let e=Ue(this.language||Ie(this),navigator.languages);return(this.#o===void 0||this.#s?.tag!==e.tag)&&(this.#o=gt(e)),this.#s=e,this.#o}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#e??=this.#a().finally(()=>{this.#e=void 0}),this.#e}async#a(){let e=this.token,t,n=new Promise(r=>{this.#t=r,t=setTimeout(r,rn)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#c(e,n),n]),await this.updateComplete}catch(r){this.emit("session-lost",{error:r})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#c(e,t){let n;try{n=await this.renew?.()}catch(r){this.token===e&&this.emit("session-lost",{error:r});return}if(n===void 0)return t;this.token===e&&(typeof n=="string"?this.token=n:this.session=n)}#d(){clearTimeout(this.#n);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),n=Math.max(0,t-Math.min(sn,t/2));this.#n=setTimeout(()=>{this.renewToken()},Math.min(n,on))}};function pe(s,e){if(e==="anonymous")return s.withheld;let[,t,n,r]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(e)??[];return t===void 0?e:`(${t}) ${n}-${r}`}function D(s,e,t){return e.find(t)?.name??pe(s,t)}function ze(s){let e=Math.max(0,Math.floor(s)),[t,n,r]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],i=String(r).padStart(2,"0");return t===0?`${n}:${i}`:`${t}:${String(n).padStart(2,"0")}:${i}`}var bt={hour:"numeric",minute:"2-digit"},an={weekday:"long",month:"long",day:"numeric"},ln={month:"short",day:"numeric"},dn={year:"numeric",month:"short",day:"numeric"},Q=({formats:s},e)=>s.date(bt,new Date(e));function Ve(s,e,t=new Date){let n=new Date(e);if(je(n,t))return s.today;if(je(n,new Date(t.getTime()-864e5)))return s.yesterday;let[r="",...i]=s.formats.date(an,n);return r.toLocaleUpperCase(s.language)+i.join("")}function j({formats:s},e,t=new Date){let n=new Date(e);return je(n,t)?s.date(bt,n):s.date(n.getFullYear()===t.getFullYear()?ln:dn,n)}function je(s,e){return s.toDateString()===e.toDateString()}var yt=[1e3,2e3,5e3,1e4,3e4],cn=1e4,he=class{#n;#e;#t;#r;#s=0;#o=0;constructor(e,t){this.#n=e,this.#e=t}start(){this.stop(),this.#s=0,this.#i()}stop(){this.#o++,clearTimeout(this.#r);let e=this.#t;this.#t=void 0,e?.close()}async#i(){let e=this.#o;this.#e.onState("connecting");try{let{token:t}=await this.#n.post("/realtime/tokens");e===this.#o&&this.#a(t)}catch(t){if(e!==this.#o)return;t instanceof $&&t.code==="key_not_permitted"?this.#d():this.#c(),t instanceof $&&t.status===401&&this.#e.onRefused(t)}}#a(e){let t=new WebSocket(`${this.#n.socketUrl("/v1/realtime")}?token=${encodeURIComponent(e)}`);this.#t=t,t.onopen=()=>{this.#t===t&&(this.#s=0,this.#e.onState("live"),this.#e.onGap())},t.onmessage=({data:n})=>{this.#t===t&&this.#e.onEvent(JSON.parse(n))},t.onclose=()=>{this.#t===t&&(this.#t=void 0,this.#c())}}#c(){this.#e.onState("connecting");let e=yt[Math.min(this.#s++,yt.length-1)];this.#r=setTimeout(()=>{this.#i()},e)}#d(){this.#e.onState("polling"),this.#e.onGap(),this.#r=setTimeout(()=>this.#d(),cn)}};function vt(s){let e=s.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}var _t=W`
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
`;var un=250,Fe=1600,me=class{text="";verdict=null;isSending=!1;problem=null;#n;#e;#t;#r=0;#s=null;#o;constructor(e,t){this.#n=e,this.#e=t}write(e,t){this.text=e,this.problem=null,this.#o=void 0,this.#i(t),this.#e()}aim(e){this.#s!==null||e===null||this.text===""||(this.problem=null,this.#i(e))}refuse(e){this.problem={code:e},this.#e()}#i(e){this.#s=e;let t=++this.#r;clearTimeout(this.#t),this.text.trim()===""||e===null?this.verdict=null:this.#t=setTimeout(()=>{this.#a(t,e)},un)}clear(){this.write("",null)}async send({from:e,to:t}){if(!(this.text.trim()===""||this.isSending)){this.isSending=!0,this.problem=null,this.#e(),this.#o??=ce();try{let n=await this.#n.post("/messages",{from:e,to:t,body:this.text},this.#o);return this.clear(),n}catch(n){this.problem=y(n,"text_not_sent");return}finally{this.isSending=!1,this.#e()}}}async#a(e,{from:t,to:n}){try{let r=await this.#n.post("/messages/check",{from:t,to:n,body:this.text});e===this.#r&&(this.verdict=r)}catch{e===this.#r&&(this.verdict=null)}this.#e()}};var A={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},fe=s=>(...e)=>({_$litDirective$:s,values:e}),z=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,n){this._$Ct=e,this._$AM=t,this._$Ci=n}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:pn}=lt,$t=s=>s;var xt=s=>s.strings===void 0,wt=()=>document.createComment(""),V=(s,e,t)=>{let n=s._$AA.parentNode,r=e===void 0?s._$AB:e._$AA;if(t===void 0){let i=n.insertBefore(wt(),r),o=n.insertBefore(wt(),r);t=new pn(i,o,s,s.options)}else{let i=t._$AB.nextSibling,o=t._$AM,l=o!==s;if(l){let a;t._$AQ?.(s),t._$AM=s,t._$AP!==void 0&&(a=s._$AU)!==o._$AU&&t._$AP(a)}if(i!==r||l){let a=t._$AA;for(;a!==i;){let p=$t(a).nextSibling;$t(n).insertBefore(a,r),a=p}}}return t},R=(s,e,t=s)=>(s._$AI(e,t),s),hn={},ge=(s,e=hn)=>s._$AH=e,Tt=s=>s._$AH,be=s=>{s._$AR(),s._$AA.remove()};var E=fe(class extends z{constructor(s){if(super(s),s.type!==A.PROPERTY&&s.type!==A.ATTRIBUTE&&s.type!==A.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!xt(s))throw Error("`live` bindings can only contain a single expression")}render(s){return s}update(s,[e]){if(e===b||e===u)return e;let t=s.element,n=s.name;if(s.type===A.PROPERTY){if(e===t[n])return b}else if(s.type===A.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(n))return b}else if(s.type===A.ATTRIBUTE&&t.getAttribute(n)===e+"")return b;return ge(s),e}});var kt=(s,e,t)=>{let n=new Map;for(let r=e;r<=t;r++)n.set(s[r],r);return n},ye=fe(class extends z{constructor(s){if(super(s),s.type!==A.CHILD)throw Error("repeat() can only be used in text expressions")}dt(s,e,t){let n;t===void 0?t=e:e!==void 0&&(n=e);let r=[],i=[],o=0;for(let l of s)r[o]=n?n(l,o):o,i[o]=t(l,o),o++;return{values:i,keys:r}}render(s,e,t){return this.dt(s,e,t).values}update(s,[e,t,n]){let r=Tt(s),{values:i,keys:o}=this.dt(e,t,n);if(!Array.isArray(r))return this.ut=o,i;let l=this.ut??=[],a=[],p,h,c=0,f=r.length-1,m=0,g=i.length-1;for(;c<=f&&m<=g;)if(r[c]===null)c++;else if(r[f]===null)f--;else if(l[c]===o[m])a[m]=R(r[c],i[m]),c++,m++;else if(l[f]===o[g])a[g]=R(r[f],i[g]),f--,g--;else if(l[c]===o[g])a[g]=R(r[c],i[g]),V(s,a[g+1],r[c]),c++,g--;else if(l[f]===o[m])a[m]=R(r[f],i[m]),V(s,r[c],r[f]),f--,m++;else if(p===void 0&&(p=kt(o,m,g),h=kt(l,c,f)),p.has(l[c]))if(p.has(l[f])){let _=h.get(o[m]),q=_!==void 0?r[_]:null;if(q===null){let qe=V(s,r[c]);R(qe,i[m]),a[m]=qe}else a[m]=R(q,i[m]),V(s,r[c],q),r[_]=null;m++}else be(r[f]),f--;else be(r[c]),c++;for(;m<=g;){let _=V(s,a[g+1]);R(_,i[m]),a[m++]=_}for(;c<=f;){let _=r[c++];_!==null&&be(_)}return this.ut=o,ge(s,a),b}});var w=s=>d`<svg viewBox="0 0 24 24" aria-hidden="true">${s}</svg>`,mn="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",S={back:w(v`<path d="m15 5-7 7 7 7" />`),phone:w(v`<path d=${mn} />`),hangUp:w(v`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:w(v`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:w(v`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:w(v`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:w(v`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:w(v`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:w(v`<path d="M9 5v14M15 5v14" />`),transfer:w(v`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:w(v`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};var At=["all","open","mine","nobodys","unread","done"];function Et(s,e){switch(s){case"all":return{};case"unread":return{unread:"true"};case"mine":return{state:"open",assignee:e??"none"};case"nobodys":return{state:"open",assignee:"none"};default:return{state:s}}}function St(s,{state:e,assignee:t,unread_count:n=0},r){return s==="all"?!0:s==="unread"?n>0:s==="done"?e==="done":e==="open"&&(s==="open"||t===(s==="mine"?r:null))}function Ct(s,e,{mayWrite:t,isShared:n}){let{list:r}=s;return d`<section class="list" part="list" aria-labelledby="list-title">
    <header class="bar">
      <h2 id="list-title">${r.title}</h2>
      <span class="state ${e.live==="connecting"?"":"good"}" role="status">${r.states[e.live]}</span>
      ${t?d`<button class="icon" type="button" aria-label=${r.newText} @click=${()=>e.openNew()}>
              ${S.write}
            </button>`:u}
    </header>
    ${n?fn(s,e):u}
    ${e.problem===null?u:d`<p class="note error" role="alert">${I(s,e.problem)}</p>`}
    ${e.conversations.length===0&&e.cursor===null?gn(s,e):bn(s,e)}
  </section>`}function fn({list:s},e){let t=n=>{e.show(n.target.value)};return d`<label class="filter">
    <span class="hidden">${s.show}</span>
    <select class="field small" @change=${t}>
      ${At.map(n=>d`<option value=${n} .selected=${E(e.filter===n)}>${s.filters[n]}</option>`)}
    </select>
  </label>`}function gn({list:s},{isLoading:e,problem:t,filter:n}){return e?d`<p class="note muted">${s.loading}</p>`:t!==null?d``:d`<p class="note muted">${n==="all"?s.empty:s.emptyFilter}</p>`}function bn(s,e){let{list:t}=s;return d`<ul class="items" aria-label=${t.title} @keydown=${vn}>
      ${ye(e.conversations,({id:n})=>n,n=>{let{id:r,external_number:i,last_activity_at:o,last_message_preview:l,last_activity_kind:a}=n,{opted_out:p,state:h,assignee:c,snoozed_until:f}=n,m=e.thread?.conversation?.id===r,g=e.isUnread(n);return d`<li>
            <button
              type="button"
              class="item ${g?"unread":""}"
              part="conversation"
              aria-current=${m?"true":u}
              @click=${()=>e.open(n)}
            >
              <span class="who">${D(s,e.contacts,i)}</span>
              <time class="small muted" datetime=${o}>${j(s,o)}</time>
              <span class="preview" dir="auto">${He(l,a,t.previews)}</span>
              ${g?d`<span class="dot"><span class="hidden">${t.unread}</span></span>`:u}
              ${p?d`<span class="badge">${t.optedOut}</span>`:u}
              ${h==="done"?d`<span class="badge quiet">${t.done}</span>`:u}
              ${f===null?u:d`<span class="badge quiet">${t.snoozed}</span>`}
              ${c===null?u:d`<span class="badge quiet">${c}</span>`}
            </button>
          </li>`})}
    </ul>
    ${e.cursor===null?u:d`<p class="note"><button class="plain" type="button" @click=${()=>e.loadMore()}>
              ${t.older}
            </button></p>`}`}var yn={ArrowDown:(s,e)=>Math.min(s+1,e),ArrowUp:s=>Math.max(s-1,0),Home:()=>0,End:(s,e)=>e};function vn(s){let e=yn[s.key],n=[...s.currentTarget.querySelectorAll("button.item")],r=n.indexOf(s.target);e===void 0||r<0||(s.preventDefault(),n[e(r,n.length-1)]?.focus())}function x(s){return s.object==="call"?s.started_at:s.created_at}function F(s,e){return[...new Map([...s,...e].map(n=>[n.id,n])).values()].sort((n,r)=>x(n).localeCompare(x(r))||n.id.localeCompare(r.id))}function Pt(s,e){let t=new Set(e.map(({id:r})=>r)),n=e.map(x).sort()[0]??"";return s.filter(r=>r.object!=="note"||x(r)<=n||t.has(r.id))}function ve({events:s}){return s.find(({type:e,detail:t})=>e==="dequeued"&&t.reason==="callback")}function Rt(s,{started_at:e}){return s.filter(n=>n.object==="call").find(n=>n.direction==="outbound"&&n.outcome==="answered"&&n.started_at>e)?.started_at}var Mt=30,_e=class{live="connecting";conversations=[];cursor=null;isLoading=!0;filter="all";problem=null;thread=null;numbers=[];#n=new Set;recordings=new Map;contacts;#e;#t;#r;#s;#o;#i=0;#a=0;constructor({api:e,contacts:t,tenant:n,reader:r,onChange:i,onArrival:o}){this.#e=e,this.contacts=t,this.#t=n,this.#r=r,this.#s=i,this.#o=o}reset(){this.#i++,this.#a++,[this.conversations,this.cursor,this.isLoading,this.problem,this.thread]=[[],null,!0,null,null],this.#n.clear(),this.recordings.clear(),this.contacts.clear(),this.#s()}async show(e){[this.filter,this.conversations,this.cursor,this.isLoading]=[e,[],null,!0],this.#s(),await this.refresh()}setLive(e){this.live=e,this.#s()}setProblem(e){this.problem=e,this.#s()}async refresh(){let e=++this.#i;try{let t=await this.#g();if(e!==this.#i)return;let n=new Set(t.data.map(({id:i})=>i)),r=this.conversations.filter(({id:i})=>!n.has(i));(r.length===0||this.cursor===null)&&(this.cursor=t.next_cursor),this.conversations=[...t.data,...r],this.problem=null,this.#c(t.data)}catch(t){this.problem=y(t)}this.isLoading=!1,this.#s(),this.thread?.conversation&&await this.#p(this.thread.conversation.id)}async loadMore(){if(this.cursor!==null){try{let e=await this.#g(this.cursor),t=new Set(this.conversations.map(({id:n})=>n));this.conversations=[...this.conversations,...e.data.filter(({id:n})=>!t.has(n))],this.cursor=e.next_cursor,this.#c(e.data)}catch(e){this.problem=y(e)}this.#s()}}#c(e){return this.contacts.read(e.map(({external_number:t,contact_id:n})=>({number:t,contactId:n})))}async open(e){this.#n.delete(e.id),this.thread={conversation:e,items:[],cursor:null,isLoading:!0,problem:null},this.#s(),await Promise.all([this.#p(e.id),this.#f()])}isUnread({id:e,unread_count:t}){return t===void 0?this.#n.has(e):t>0}async change(e){let t=this.thread?.conversation?.id;if(t!==void 0){try{await this.#e.patch(`/conversations/${t}`,e),this.#l({problem:null})}catch(n){this.#l({problem:y(n)})}await this.#u(t)}}async openNew(){this.#a++,this.thread={conversation:null,items:[],cursor:null,isLoading:!1,problem:null},this.#s();try{let{data:e}=await this.#e.get("/phone_numbers",{limit:100});this.numbers=e.filter(({status:t,capabilities:n})=>t==="active"&&n.includes("sms"))}catch(e){this.#l({problem:y(e)})}this.#s()}close(){this.#a++,this.thread=null,this.#s()}async loadEarlier(){let{conversation:e,cursor:t}=this.thread??{};if(!(!e||!t))try{let n=await this.#h(e.id,t);if(this.thread?.conversation?.id!==e.id)return;this.#l({items:F(n.data,this.thread.items),cursor:n.next_cursor})}catch(n){this.#l({problem:y(n)})}}async addSent(e){if(this.thread?.conversation?.id===e.conversation_id){this.#l({items:F(this.thread.items,[e])});return}if(this.thread?.conversation||e.conversation_id===null)return;let t=await this.#u(e.conversation_id);t!==void 0&&await this.open(t)}addNote(e){this.thread?.conversation?.id===e.conversation_id&&this.#l({items:F(this.thread.items,[e])})}async playRecording(e){try{let{audio_url:t}=await this.#e.get(`/recordings/${e}`);this.recordings.set(e,t),this.#s()}catch(t){this.#l({problem:y(t)})}}async take({type:e,data:t,resource_id:n}){if(e==="conversation.updated")return await this.#d(n,t);let r=t;if(e==="opt_out.created"||e==="opt_out.removed")return await this.#b(r.external_number);if(typeof r.conversation_id!="string")return;let i=r.conversation_id,o=this.#m(i);(e==="message.received"||e==="call.missed"||e==="voicemail.created")&&!o&&this.#n.add(i),o&&r.object==="message"&&this.#l({items:F(this.thread?.items??[],[t])});let a=await this.#u(i);o&&r.object!=="message"&&await this.#p(i),!(e!=="message.received"||a===void 0)&&this.#o(a.external_number,r.body??"")}async#d(e,{changed:t}){await this.#u(e),t?.includes("notes")&&this.#m(e)&&await this.#p(e,!0)}async#b(e){let t=this.conversations.filter(n=>n.external_number===e);for(let{id:n}of t)await this.#u(n)}async#u(e){try{let t=await this.#e.get(`/conversations/${e}`),n=this.conversations.filter(o=>o.id!==e),r=St(this.filter,t,this.#r())||this.filter==="unread"&&this.#m(e);this.conversations=[...n,...r?[t]:[]].sort((o,l)=>l.last_activity_at.localeCompare(o.last_activity_at)),this.thread!==null&&this.#m(e)&&(this.thread={...this.thread,conversation:t});let i=this.#c([t]);return this.#s(),await Promise.all([i,this.#f()]),t}catch(t){this.problem=y(t),this.#s();return}}async#f(){let{conversation:e}=this.thread??{};if(!e||(e.unread_count??0)===0)return;try{await this.#e.post(`/conversations/${e.id}/read`)}catch(n){return this.#l({problem:y(n)})}let t={...e,unread_count:0};this.conversations=this.conversations.map(n=>n.id===t.id?t:n),this.thread?.conversation?.id===t.id&&(this.thread={...this.thread,conversation:t}),this.#s()}async#p(e,t=!1){let n=++this.#a;try{let r=await this.#h(e);if(n!==this.#a||this.thread?.conversation?.id!==e)return;let i=this.thread.items.length===0,o=t?Pt(this.thread.items,r.data):this.thread.items,l=F(o,r.data);this.#l({items:l,isLoading:!1,problem:null,...i&&{cursor:r.next_cursor}})}catch(r){n===this.#a&&this.#l({isLoading:!1,problem:y(r)})}}#m=e=>this.thread?.conversation?.id===e;#g(e){return this.#e.get("/conversations",{limit:Mt,after:e,tenant_id:this.#t(),...Et(this.filter,this.#r())})}#h(e,t){return this.#e.get(`/conversations/${e}/timeline`,{limit:Mt,after:t})}#l(e){this.thread!==null&&(this.thread={...this.thread,...e}),this.#s()}};var Ot=4e3,$e=class{text="";isOpen=!1;isSaving=!1;problem=null;#n;#e;#t;constructor(e,t){this.#n=e,this.#e=t}toggle(){this.isOpen=!this.isOpen,this.#e()}write(e){this.text=e,this.problem=null,this.#t=void 0,this.#e()}clear(){this.write(""),this.isOpen=!1}async save(e,t){if(this.text.trim()===""||this.isSaving)return;this.isSaving=!0,this.problem=null,this.#e(),this.#t??=ce();let n=this.#t;try{let r={body:this.text,...t!==null&&{author:t}},i=await this.#n.post(`/conversations/${e}/notes`,r,n);return this.#t===n&&this.clear(),i}catch(r){this.problem=y(r,"note_not_saved");return}finally{this.isSaving=!1,this.#e()}}};var Nt=W`
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
  .filter {
    flex: none;
    padding: 0.5em 0.75em 0;
  }
  .filter select {
    width: 100%;
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
  .card {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em 1em;
    margin: 0;
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
`;function Lt(s,e,t){return t.object==="message"?_n(s,t):t.object==="note"?En(s,t):t.object==="call"?xn(s,e,t):An(s,t)}var we=(s,e)=>d`<time datetime=${x(e)}>${Q(s,x(e))}</time>`;function _n(s,e){let{you:t,they:n,group:r,statuses:i,failures:o}=s.message,{direction:l,body:a,media:p,status:h,error_code:c,group:f}=e,m=l==="outbound",g=h==="failed";return d`<li class="entry ${m?"out":"in"}">
    <div class="bubble" part=${m?"bubble bubble-out":"bubble bubble-in"}>
      <span class="hidden">${m?t:n}</span>
      ${p.map((_,q)=>$n(s,_,q+1))}
      ${a===""?u:d`<p class="text" dir="auto">${a}</p>`}
    </div>
    <p class="meta ${g?"error":"muted"}">
      ${we(s,e)}${f?` \xB7 ${r}`:u}${m?` \xB7 ${P(i,h)??h}`:u}${g&&c!==null?` (${P(o,c)??c.replaceAll("_"," ")})`:u}
    </p>
  </li>`}function $n(s,e,t){let{url:n,content_type:r}=e,i=s.message.attachment(t);return/^https?:\/\//.test(n)?r?.startsWith("image/")?d`<a href=${n} target="_blank" rel="noopener noreferrer"
      ><img src=${n} alt=${s.message.picture(t)} loading="lazy" referrerpolicy="no-referrer"
    /></a>`:r?.startsWith("audio/")?d`<audio controls preload="none" src=${n} aria-label=${i}></audio>`:r?.startsWith("video/")?d`<video controls preload="none" src=${n} aria-label=${i}></video>`:d`<p><a href=${n} target="_blank" rel="noopener noreferrer">${i}${r?` (${r})`:""}</a></p>`:d`<p class="muted">${i}</p>`}function wn({call:s},e){let{direction:t,outcome:n,status:r}=e,i=ve(e)?.detail.queue_name;return ve(e)!==void 0?typeof i=="string"?s.callbackIn(i):s.callback:n===null?r==="in_progress"?s.inProgress:s.ringing:n!=="answered"?P(s.outcomes,n)??s.other:t==="inbound"?s.incoming:s.outgoing}function xn(s,e,t){let{direction:n,outcome:r,duration_seconds:i,recording_id:o,summary:l}=t;return d`<li class="entry event">
    <div class="card ${n==="inbound"&&(r==="missed"||r==="no_answer")?"missed":""}" part="call">
      ${S.phone}
      <div>
        <p>
          <strong>${wn(s,t)}</strong>${r==="answered"?`, ${ze(i)}`:u}
        </p>
        ${ve(t)===void 0?u:d`<p class="small">${Tn(s,e,t)}</p>`}
        ${l===null?u:d`<p class="small" dir="auto">${l}</p>`}
        ${o===null?u:kn(s,e,o)}
        <p class="meta muted">${we(s,t)}</p>
      </div>
    </div>
  </li>`}function Tn(s,{thread:e},t){let n=Rt(e?.items??[],t);if(n===void 0)return s.call.notCalledBack;let[r,i]=[j(s,n),Q(s,n)];return s.call.calledBack(r===i?i:`${r}, ${i}`)}function kn({call:s},e,t){let n=e.recordings.get(t);return n===void 0?d`<button class="plain small" type="button" @click=${()=>e.playRecording(t)}>
      ${s.play}
    </button>`:d`<audio controls autoplay src=${n} aria-label=${s.recording}></audio>`}function An(s,e){let t=s.call.voicemail,{duration_seconds:n,transcript:r,audio_url:i}=e;return d`<li class="entry event">
    <div class="card" part="voicemail">
      ${S.voicemail}
      <div>
        <p><strong>${t}</strong>, ${ze(n)}</p>
        ${r===null?u:d`<p class="small" dir="auto">${r}</p>`}
        <audio controls preload="none" src=${i} aria-label=${t}></audio>
        <p class="meta muted">${we(s,e)}</p>
      </div>
    </div>
  </li>`}function En(s,e){let{title:t,titleOf:n,notSent:r}=s.note,{author:i,body:o}=e;return d`<li class="entry event">
    <div class="card note" part="note">
      <div>
        <p class="small"><strong>${i===null?t:n(i)}</strong>, ${r}</p>
        <p class="text" dir="auto">${o}</p>
        <p class="meta muted">${we(s,e)}</p>
      </div>
    </div>
  </li>`}function Ut(s,e,t){if(!e.isOpen)return u;let{text:n,isSaving:r,problem:i}=e;return d`<form class="note-form" part="note-form" @submit=${l=>{l.preventDefault(),t()}}>
    <label for="note" class="small muted">${s.note.label}</label>
    <textarea
      id="note"
      dir="auto"
      class="field"
      rows="2"
      maxlength=${Ot}
      .value=${E(n)}
      @input=${l=>e.write(l.target.value)}
    ></textarea>
    <button class="plain" type="submit" ?disabled=${r||n.trim()===""}>${s.note.save}</button>
    ${i===null?u:d`<p class="small error" role="alert">${I(s,i)}</p>`}
  </form>`}var xe=36e5,Dt={hour:xe,hours:4*xe,day:24*xe,week:168*xe},It="awake";function Ht(s,e,t){let{work:n}=s,{snoozed_until:r}=t,i=r!==null,o=a=>{let{value:p}=a.target;e.change({snoozed_until:p===It?null:Sn(p,t)})},l=i?n.snoozedUntil(Cn(s,r)):n.snooze;return d`<label>
    <span class="hidden">${n.snooze}</span>
    <select class="field small" .value=${E("")} @change=${o}>
      <option value="" selected>${l}</option>
      ${i?d`<option value=${It}>${n.endSnooze}</option>`:""}
      ${Object.keys(Dt).map(a=>d`<option value=${a}>${n.lengths[a]}</option>`)}
    </select>
  </label>`}function Sn(s,{last_activity_at:e}){return new Date(Math.max(Date.now(),Date.parse(e))+Dt[s]).toISOString()}function Cn(s,e){let[t,n]=[j(s,e),Q(s,e)];return t===n?n:`${t}, ${n}`}function jt(s){let{texts:e}=s,{thread:t}=s.model;if(t===null)return d`<section class="thread empty" part="thread"><p class="muted">${e.thread.none}</p></section>`;let n=t.conversation?.external_number;return d`<section class="thread" part="thread" aria-labelledby="thread-title">
    <header class="bar">
      <button class="icon back" type="button" aria-label=${e.thread.back} @click=${s.onBack}>
        ${S.back}
      </button>
      <h2 id="thread-title" tabindex="-1">
        ${n===void 0?e.thread.newText:D(e,s.model.contacts,n)}
      </h2>
      ${s.mayCall&&n!==void 0&&n!=="anonymous"?d`<button
              class="icon"
              type="button"
              aria-label=${e.thread.call(D(e,s.model.contacts,n))}
              @click=${()=>s.onCall(n)}
            >
              ${S.phone}
            </button>`:u}
    </header>
    ${n===void 0?u:Pn(e,s.model,n)}
    ${s.mayChange&&t.conversation?Rn(s,t.conversation):u}
    ${n===void 0?Nn(s):Mn(e,s.model,t)}
    ${t.problem===null?u:d`<p class="note error" role="alert">${I(e,t.problem)}</p>`}
    ${s.mayChange&&t.conversation?Ut(e,s.note,s.onSaveNote):u}
    ${Ln(s,t)}
  </section>`}function Pn(s,{contacts:e},t){let n=e.find(t);if(n===void 0)return u;let{company:r,email:i}=n;return d`<div class="card small muted" part="contact" role="group" aria-label=${s.thread.contact}>
    ${[r,pe(s,t),i].filter(o=>o!==null).map(o=>d`<span dir="auto">${o}</span>`)}
  </div>`}function Rn({texts:s,model:e,note:t,reader:n},r){let{state:i,assignee:o}=r,{work:l}=s,a=i==="done",p=n!==null&&o===n;return d`<div class="work" part="work">
    <span class="small muted">${o===null?l.nobody:l.assigned(o)}</span>
    ${n===null?u:d`<button
            class="plain"
            type="button"
            @click=${()=>e.change({assignee:p?null:n})}
          >
            ${p?l.giveUp:l.take}
          </button>`}
    <button class="plain" type="button" @click=${()=>e.change({state:a?"open":"done"})}>
      ${a?l.reopen:l.finish}
    </button>
    ${Ht(s,e,r)}
    <button class="plain" type="button" aria-expanded=${t.isOpen} @click=${()=>t.toggle()}>
      ${l.writeNote}
    </button>
  </div>`}function Mn(s,e,t){let{items:n,cursor:r,isLoading:i}=t;return d`<div class="scroll" tabindex="0" role="region" aria-label=${s.thread.items}>
    ${r===null?u:d`<p class="note">
            <button class="plain" type="button" @click=${()=>e.loadEarlier()}>${s.thread.earlier}</button>
          </p>`}
    ${i&&n.length===0?d`<p class="note muted">${s.thread.loading}</p>`:u}
    <ol class="entries">
      ${ye(n,({id:o})=>o,(o,l)=>d`${On(s,o,n[l-1])}${Lt(s,e,o)}`)}
    </ol>
  </div>`}function On(s,e,t){let n=Ve(s,x(e));return t!==void 0&&Ve(s,x(t))===n?u:d`<li class="day"><h3 class="small">${n}</h3></li>`}function Nn({texts:s,model:e,draft:t,onDraft:n}){let r=d`<label>
    <span class="small muted">${s.thread.from}</span>
    <select class="field" @change=${i=>n({from:i.target.value})}>
      ${e.numbers.map(({id:i,phone_number:o})=>d`<option value=${i} ?selected=${i===t.from}>${pe(s,o)}</option>`)}
    </select>
  </label>`;return d`<div class="scroll recipient">
    <label>
      <span class="small muted">${s.thread.to}</span>
      <input
        id="to"
        class="field"
        type="tel"
        autocomplete="off"
        placeholder="(602) 555-0143"
        .value=${E(t.to)}
        @input=${i=>n({to:i.target.value})}
      />
    </label>
    ${e.numbers.length>1?r:u}
  </div>`}function Ln(s,{conversation:e}){return e?.opted_out?d`<p class="optout" part="opt-out" role="status">
      <strong>${s.texts.thread.optedOut}</strong> ${s.texts.thread.optedOutMeans}
    </p>`:!s.mayWrite||e?.external_number==="anonymous"?u:Un(s)}function Un({texts:s,composer:e,onWrite:t,onSend:n}){let{text:r,isSending:i,verdict:o}=e,l=o?.accepted===!1,a=h=>{h.preventDefault(),n()},p=h=>{h.key!=="Enter"||h.shiftKey||h.isComposing||a(h)};return d`<form class="composer" part="composer" @submit=${a}>
    <label class="hidden" for="text">${s.composer.label}</label>
    <textarea
      id="text"
      dir="auto"
      class="field"
      rows="1"
      maxlength=${Fe}
      placeholder=${s.composer.placeholder}
      aria-describedby="verdict"
      aria-invalid=${l?"true":"false"}
      .value=${E(r)}
      @input=${h=>t(h.target.value)}
      @keydown=${p}
    ></textarea>
    <button class="primary" part="send" type="submit" ?disabled=${i||l||r.trim()===""}>
      ${S.send}<span class="label">${s.composer.send}</span>
    </button>
    <p id="verdict" class="verdict small" role="status">${In(s,e)}</p>
  </form>`}function In(s,{text:e,verdict:t,problem:n}){let{keys:r,characters:i,parts:o,specialParts:l}=s.composer,a=n??(e===""?null:t?.error);if(a)return d`<span class="error">${I(s,a)}</span>`;if(e==="")return d`<span class="muted">${r}</span>`;let p=i([...e].length,Fe);if(t===null)return d`<span class="muted">${p}</span>`;let h=(t.encoding==="ucs2"?l:o)(t.segments);return d`<span class="muted">${h} · ${p}</span>`}var Dn=80,Te=class extends Z{static styles=[_t,Nt];static properties={...Z.properties,calls:{type:Boolean}};#n=new ue({api:this.api,tenant:()=>this.tenant,mayRead:()=>this.may("conversations:read"),onChange:()=>this.requestUpdate()});#e=new _e({api:this.api,contacts:this.#n,tenant:()=>this.tenant,reader:()=>this.session?.reader??null,onChange:()=>{this.#t.aim(this.#d()),this.requestUpdate()},onArrival:(e,t)=>this.#g(this.texts.thread.arrived(D(this.texts,this.#n,e),t))});#t=new me(this.api,()=>this.requestUpdate());#r=new $e(this.api,()=>this.requestUpdate());#s=new he(this.api,{onEvent:e=>{this.#e.take(e)},onState:e=>this.#e.setLive(e),onGap:()=>{this.#e.refresh()},onRefused:e=>this.#e.setProblem(e)});#o="";#i={to:"",from:""};#a;begin(){this.#e.reset(),this.#t.clear(),this.#r.clear(),this.#e.refresh(),this.#s.start()}end(){this.#s.stop()}render(){let{texts:e}=this,t=this.#e.thread!==null;return d`<div class="inbox ${t?"open":""}" lang=${e.language} @keydown=${this.#m}>
      ${this.isReady?this.#c(e):d`<p class="note muted">${e.waiting}</p>`}
      <p class="hidden" aria-live="polite">${this.#o||u}</p>
    </div>`}#c(e){let t=this.may("messages:send");return d`${Ct(e,this.#e,{mayWrite:t,isShared:(this.session?.reader??null)!==null})}
    ${jt({texts:e,model:this.#e,composer:this.#t,note:this.#r,onSaveNote:()=>{this.#f()},mayWrite:t,mayChange:this.session?.abilities?.includes("conversations:write")??!1,reader:this.session?.reader??null,mayCall:this.calls===!0,draft:this.#i,onDraft:n=>{this.#i={...this.#i,...n},this.#t.write(this.#t.text,this.#d())},onWrite:n=>this.#t.write(n,this.#d()),onSend:()=>{this.#u()},onBack:()=>this.#p(),onCall:n=>this.emit("call-requested",{to:n})})}`}#d(){let{thread:e,numbers:t}=this.#e;if(e?.conversation)return{from:e.conversation.phone_number_id,to:e.conversation.external_number};let n=this.#i.from||t[0]?.id,r=vt(this.#i.to);return n===void 0||r.length<3?null:{from:n,to:r}}#b(){return this.#e.numbers.length===0?"no_sender":"no_recipient"}async#u(){let e=this.#d();if(e===null)return this.#t.refuse(this.#b());let t=await this.#t.send(e);t!==void 0&&(this.#i={to:"",from:""},this.emit("text-sent",{id:t.id}),await this.#e.addSent(t),await this.updateComplete,this.#h("#text")?.focus())}async#f(){let e=this.#e.thread?.conversation?.id;if(e===void 0)return;let t=await this.#r.save(e,this.session?.reader??null);t!==void 0&&this.#e.addNote(t)}#p(){let e=this.#e.thread?.conversation?.id;this.#e.close(),this.updateComplete.then(()=>{let t=this.#e.conversations.findIndex(n=>n.id===e);this.renderRoot.querySelectorAll("button.item")[t]?.focus()})}#m(e){e.key!=="Escape"||this.#e.thread===null||e.defaultPrevented||(e.preventDefault(),this.#p())}#g(e){this.#o=e,this.requestUpdate()}#h(e){return this.renderRoot.querySelector(e)}willUpdate(e){super.willUpdate(e);let t=this.hasUpdated?this.#h(".scroll"):null,n=this.#l;if(t===null||n===void 0){this.#a=void 0;return}let r=t.scrollHeight-t.scrollTop;this.#a={id:n,fromEnd:r,isNearEnd:r-t.clientHeight<Dn}}#l;updated(){let e=this.#e.thread?.conversation?.id??(this.#e.thread===null?void 0:"new"),t=e!==this.#l;this.#l=e;let n=this.#h(".scroll");if(n!==null){let r=t?void 0:this.#a;n.scrollTop=n.scrollHeight-(r===void 0||r.isNearEnd?0:r.fromEnd)}!t||e===void 0||(this.#t.clear(),this.#r.clear(),this.#h(e==="new"?"#to":"#thread-title")?.focus())}};customElements.get("dialplane-inbox")===void 0&&customElements.define("dialplane-inbox",Te);export{Te as DialplaneInbox};
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
