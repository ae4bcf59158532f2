/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */
var ee=globalThis,te=ee.ShadowRoot&&(ee.ShadyCSS===void 0||ee.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,xe=Symbol(),Ve=new WeakMap,z=class{constructor(e,t,n){if(this._$cssResult$=!0,n!==xe)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(te&&e===void 0){let n=t!==void 0&&t.length===1;n&&(e=Ve.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),n&&Ve.set(t,e))}return e}toString(){return this.cssText}},Ke=s=>new z(typeof s=="string"?s:s+"",void 0,xe),B=(s,...e)=>{let t=s.length===1?s[0]:e.reduce((n,i,o)=>n+(r=>{if(r._$cssResult$===!0)return r.cssText;if(typeof r=="number")return r;throw Error("Value passed to 'css' function must be a 'css' function result: "+r+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+s[o+1],s[0]);return new z(t,s,xe)},Ge=(s,e)=>{if(te)s.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let n=document.createElement("style"),i=ee.litNonce;i!==void 0&&n.setAttribute("nonce",i),n.textContent=t.cssText,s.appendChild(n)}},Se=te?s=>s:s=>s instanceof CSSStyleSheet?(e=>{let t="";for(let n of e.cssRules)t+=n.cssText;return Ke(t)})(s):s;var{is:en,defineProperty:tn,getOwnPropertyDescriptor:nn,getOwnPropertyNames:sn,getOwnPropertySymbols:on,getPrototypeOf:rn}=Object,ne=globalThis,Ye=ne.trustedTypes,an=Ye?Ye.emptyScript:"",ln=ne.reactiveElementPolyfillSupport,W=(s,e)=>s,Ce={toAttribute(s,e){switch(e){case Boolean:s=s?an:null;break;case Object:case Array:s=s==null?s:JSON.stringify(s)}return s},fromAttribute(s,e){let t=s;switch(e){case Boolean:t=s!==null;break;case Number:t=s===null?null:Number(s);break;case Object:case Array:try{t=JSON.parse(s)}catch{t=null}}return t}},Je=(s,e)=>!en(s,e),Qe={attribute:!0,type:String,converter:Ce,reflect:!1,useDefault:!1,hasChanged:Je};Symbol.metadata??=Symbol("metadata"),ne.litPropertyMetadata??=new WeakMap;var S=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=Qe){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let n=Symbol(),i=this.getPropertyDescriptor(e,n,t);i!==void 0&&tn(this.prototype,e,i)}}static getPropertyDescriptor(e,t,n){let{get:i,set:o}=nn(this.prototype,e)??{get(){return this[t]},set(r){this[t]=r}};return{get:i,set(r){let a=i?.call(this);o?.call(this,r),this.requestUpdate(e,a,n)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Qe}static _$Ei(){if(this.hasOwnProperty(W("elementProperties")))return;let e=rn(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(W("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(W("properties"))){let t=this.properties,n=[...sn(t),...on(t)];for(let i of n)this.createProperty(i,t[i])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[n,i]of t)this.elementProperties.set(n,i)}this._$Eh=new Map;for(let[t,n]of this.elementProperties){let i=this._$Eu(t,n);i!==void 0&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let n=new Set(e.flat(1/0).reverse());for(let i of n)t.unshift(Se(i))}else e!==void 0&&t.push(Se(e));return t}static _$Eu(e,t){let n=t.attribute;return n===!1?void 0:typeof n=="string"?n:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let n of t.keys())this.hasOwnProperty(n)&&(e.set(n,this[n]),delete this[n]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ge(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,n){this._$AK(e,n)}_$ET(e,t){let n=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,n);if(i!==void 0&&n.reflect===!0){let o=(n.converter?.toAttribute!==void 0?n.converter:Ce).toAttribute(t,n.type);this._$Em=e,o==null?this.removeAttribute(i):this.setAttribute(i,o),this._$Em=null}}_$AK(e,t){let n=this.constructor,i=n._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let o=n.getPropertyOptions(i),r=typeof o.converter=="function"?{fromAttribute:o.converter}:o.converter?.fromAttribute!==void 0?o.converter:Ce;this._$Em=i;let a=r.fromAttribute(t,o.type);this[i]=a??this._$Ej?.get(i)??a,this._$Em=null}}requestUpdate(e,t,n,i=!1,o){if(e!==void 0){let r=this.constructor;if(i===!1&&(o=this[e]),n??=r.getPropertyOptions(e),!((n.hasChanged??Je)(o,t)||n.useDefault&&n.reflect&&o===this._$Ej?.get(e)&&!this.hasAttribute(r._$Eu(e,n))))return;this.C(e,t,n)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:n,reflect:i,wrapped:o},r){n&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,r??t??this[e]),o!==!0||r!==void 0)||(this._$AL.has(e)||(this.hasUpdated||n||(t=void 0),this._$AL.set(e,t)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,o]of this._$Ep)this[i]=o;this._$Ep=void 0}let n=this.constructor.elementProperties;if(n.size>0)for(let[i,o]of n){let{wrapped:r}=o,a=this[i];r!==!0||this._$AL.has(i)||a===void 0||this.C(i,void 0,o,a)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(n=>n.hostUpdate?.()),this.update(t)):this._$EM()}catch(n){throw e=!1,this._$EM(),n}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};S.elementStyles=[],S.shadowRootOptions={mode:"open"},S[W("elementProperties")]=new Map,S[W("finalized")]=new Map,ln?.({ReactiveElement:S}),(ne.reactiveElementVersions??=[]).push("2.1.2");var Pe=globalThis,Xe=s=>s,se=Pe.trustedTypes,Ze=se?se.createPolicy("lit-html",{createHTML:s=>s}):void 0,Me="$lit$",C=`lit$${Math.random().toFixed(9).slice(2)}$`,Re="?"+C,dn=`<${Re}>`,L=document,K=()=>L.createComment(""),G=s=>s===null||typeof s!="object"&&typeof s!="function",Ne=Array.isArray,ot=s=>Ne(s)||typeof s?.[Symbol.iterator]=="function",Ee=`[ 	
\f\r]`,V=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,et=/-->/g,tt=/>/g,N=RegExp(`>|${Ee}(?:([^\\s"'>=/]+)(${Ee}*=${Ee}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),nt=/'/g,st=/"/g,rt=/^(?:script|style|textarea|title)$/i,Oe=s=>(e,...t)=>({_$litType$:s,strings:e,values:t}),f=Oe(1),w=Oe(2),cs=Oe(3),_=Symbol.for("lit-noChange"),p=Symbol.for("lit-nothing"),it=new WeakMap,O=L.createTreeWalker(L,129);function at(s,e){if(!Ne(s)||!s.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ze!==void 0?Ze.createHTML(e):e}var lt=(s,e)=>{let t=s.length-1,n=[],i,o=e===2?"<svg>":e===3?"<math>":"",r=V;for(let a=0;a<t;a++){let l=s[a],c,u,d=-1,h=0;for(;h<l.length&&(r.lastIndex=h,u=r.exec(l),u!==null);)h=r.lastIndex,r===V?u[1]==="!--"?r=et:u[1]!==void 0?r=tt:u[2]!==void 0?(rt.test(u[2])&&(i=RegExp("</"+u[2],"g")),r=N):u[3]!==void 0&&(r=N):r===N?u[0]===">"?(r=i??V,d=-1):u[1]===void 0?d=-2:(d=r.lastIndex-u[2].length,c=u[1],r=u[3]===void 0?N:u[3]==='"'?st:nt):r===st||r===nt?r=N:r===et||r===tt?r=V:(r=N,i=void 0);let m=r===N&&s[a+1].startsWith("/>")?" ":"";o+=r===V?l+dn:d>=0?(n.push(c),l.slice(0,d)+Me+l.slice(d)+C+m):l+C+(d===-2?a:m)}return[at(s,o+(s[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),n]},Y=class s{constructor({strings:e,_$litType$:t},n){let i;this.parts=[];let o=0,r=0,a=e.length-1,l=this.parts,[c,u]=lt(e,t);if(this.el=s.createElement(c,n),O.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(i=O.nextNode())!==null&&l.length<a;){if(i.nodeType===1){if(i.hasAttributes())for(let d of i.getAttributeNames())if(d.endsWith(Me)){let h=u[r++],m=i.getAttribute(d).split(C),g=/([.?@])?(.*)/.exec(h);l.push({type:1,index:o,name:g[2],strings:m,ctor:g[1]==="."?oe:g[1]==="?"?re:g[1]==="@"?ae:D}),i.removeAttribute(d)}else d.startsWith(C)&&(l.push({type:6,index:o}),i.removeAttribute(d));if(rt.test(i.tagName)){let d=i.textContent.split(C),h=d.length-1;if(h>0){i.textContent=se?se.emptyScript:"";for(let m=0;m<h;m++)i.append(d[m],K()),O.nextNode(),l.push({type:2,index:++o});i.append(d[h],K())}}}else if(i.nodeType===8)if(i.data===Re)l.push({type:2,index:o});else{let d=-1;for(;(d=i.data.indexOf(C,d+1))!==-1;)l.push({type:7,index:o}),d+=C.length-1}o++}}static createElement(e,t){let n=L.createElement("template");return n.innerHTML=e,n}};function U(s,e,t=s,n){if(e===_)return e;let i=n!==void 0?t._$Co?.[n]:t._$Cl,o=G(e)?void 0:e._$litDirective$;return i?.constructor!==o&&(i?._$AO?.(!1),o===void 0?i=void 0:(i=new o(s),i._$AT(s,t,n)),n!==void 0?(t._$Co??=[])[n]=i:t._$Cl=i),i!==void 0&&(e=U(s,i._$AS(s,e.values),i,n)),e}var ie=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:n}=this._$AD,i=(e?.creationScope??L).importNode(t,!0);O.currentNode=i;let o=O.nextNode(),r=0,a=0,l=n[0];for(;l!==void 0;){if(r===l.index){let c;l.type===2?c=new q(o,o.nextSibling,this,e):l.type===1?c=new l.ctor(o,l.name,l.strings,this,e):l.type===6&&(c=new le(o,this,e)),this._$AV.push(c),l=n[++a]}r!==l?.index&&(o=O.nextNode(),r++)}return O.currentNode=L,i}p(e){let t=0;for(let n of this._$AV)n!==void 0&&(n.strings!==void 0?(n._$AI(e,n,t),t+=n.strings.length-2):n._$AI(e[t])),t++}},q=class s{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,n,i){this.type=2,this._$AH=p,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=n,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=U(this,e,t),G(e)?e===p||e==null||e===""?(this._$AH!==p&&this._$AR(),this._$AH=p):e!==this._$AH&&e!==_&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):ot(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==p&&G(this._$AH)?this._$AA.nextSibling.data=e:this.T(L.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:n}=e,i=typeof n=="number"?this._$AC(e):(n.el===void 0&&(n.el=Y.createElement(at(n.h,n.h[0]),this.options)),n);if(this._$AH?._$AD===i)this._$AH.p(t);else{let o=new ie(i,this),r=o.u(this.options);o.p(t),this.T(r),this._$AH=o}}_$AC(e){let t=it.get(e.strings);return t===void 0&&it.set(e.strings,t=new Y(e)),t}k(e){Ne(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,n,i=0;for(let o of e)i===t.length?t.push(n=new s(this.O(K()),this.O(K()),this,this.options)):n=t[i],n._$AI(o),i++;i<t.length&&(this._$AR(n&&n._$AB.nextSibling,i),t.length=i)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let n=Xe(e).nextSibling;Xe(e).remove(),e=n}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},D=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,n,i,o){this.type=1,this._$AH=p,this._$AN=void 0,this.element=e,this.name=t,this._$AM=i,this.options=o,n.length>2||n[0]!==""||n[1]!==""?(this._$AH=Array(n.length-1).fill(new String),this.strings=n):this._$AH=p}_$AI(e,t=this,n,i){let o=this.strings,r=!1;if(o===void 0)e=U(this,e,t,0),r=!G(e)||e!==this._$AH&&e!==_,r&&(this._$AH=e);else{let a=e,l,c;for(e=o[0],l=0;l<o.length-1;l++)c=U(this,a[n+l],t,l),c===_&&(c=this._$AH[l]),r||=!G(c)||c!==this._$AH[l],c===p?e=p:e!==p&&(e+=(c??"")+o[l+1]),this._$AH[l]=c}r&&!i&&this.j(e)}j(e){e===p?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},oe=class extends D{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===p?void 0:e}},re=class extends D{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==p)}},ae=class extends D{constructor(e,t,n,i,o){super(e,t,n,i,o),this.type=5}_$AI(e,t=this){if((e=U(this,e,t,0)??p)===_)return;let n=this._$AH,i=e===p&&n!==p||e.capture!==n.capture||e.once!==n.once||e.passive!==n.passive,o=e!==p&&(n===p||i);i&&this.element.removeEventListener(this.name,this,n),o&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},le=class{constructor(e,t,n){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=n}get _$AU(){return this._$AM._$AU}_$AI(e){U(this,e)}},dt={M:Me,P:C,A:Re,C:1,L:lt,R:ie,D:ot,V:U,I:q,H:D,N:re,U:ae,B:oe,F:le},cn=Pe.litHtmlPolyfillSupport;cn?.(Y,q),(Pe.litHtmlVersions??=[]).push("3.3.3");var ct=(s,e,t)=>{let n=t?.renderBefore??e,i=n._$litPart$;if(i===void 0){let o=t?.renderBefore??null;n._$litPart$=i=new q(e.insertBefore(K(),o),o,void 0,t??{})}return i._$AI(s),i};var Le=globalThis,P=class extends S{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=ct(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return _}};P._$litElement$=!0,P.finalized=!0,Le.litElementHydrateSupport?.({LitElement:P});var un=Le.litElementPolyfillSupport;un?.({LitElement:P});(Le.litElementVersions??=[]).push("4.2.2");var $=class extends Error{code;status;constructor(e,t="",n=0){super(t),this.code=e,this.status=n}},hn=6e4,de=class{#e;constructor(e){this.#e=e}socketUrl(e){return`${this.#e.baseUrl().replace(/^http/,"ws")}${e}`}get(e,t={}){let n=Object.entries(t).filter(([,o])=>o!==void 0),i=new URLSearchParams(n.map(([o,r])=>[o,String(r)])).toString();return this.#t("GET",i===""?e:`${e}?${i}`,{})}patch(e,t){return this.#t("PATCH",e,{body:t})}post(e,t={},n){return this.#t("POST",e,{body:t,...n!==void 0&&{idempotencyKey:n}})}async#t(e,t,n){let i=await this.#n(e,t,n),o=i.status===401&&await this.#e.renewToken();return pn(o?await this.#n(e,t,n):i)}async#n(e,t,{body:n,idempotencyKey:i}){let[o,r]=[this.#e.baseUrl(),this.#e.token()];if(r===void 0)throw new $("not_signed_in");let a=new Headers({authorization:`Bearer ${r}`});n!==void 0&&a.set("content-type","application/json"),i!==void 0&&a.set("idempotency-key",i);let l={method:e,headers:a,credentials:"omit",...n&&{body:JSON.stringify(n)}},c=new AbortController,u=setTimeout(()=>c.abort(),hn);try{let d=await fetch(`${o}/v1${t}`,{...l,signal:c.signal});return{status:d.status,ok:d.ok,text:await d.text()}}catch{let d=e==="GET"&&!c.signal.aborted&&await this.#s(c.signal);throw new $(d?"hidden_reply":"network_error")}finally{clearTimeout(u)}}async#s(e){try{return await fetch(`${this.#e.baseUrl()}/embeds/inbox.js`,{method:"HEAD",mode:"no-cors",credentials:"omit",signal:e}),!0}catch{return!1}}};function pn({status:s,ok:e,text:t}){let n=mn(t);if(e&&(n!==void 0||t===""))return n;let{code:i="unreadable_reply",message:o}=n?.error??{};throw new $(i,o,s)}function mn(s){try{return JSON.parse(s)}catch{return}}function ut(s,e="unexpected"){return s instanceof $?s:{code:e}}var ht=50,ce=class{#e;#t=new Map;constructor(e){this.#e=e}find(e){return this.#t.get(e)?.contact??void 0}clear(){this.#t.clear()}async read(e){for(let{number:n,contactId:i}of e)i===null&&this.#t.set(n,{contact:null,contactId:i});let t=e.filter(({number:n,contactId:i})=>fn.test(n)&&(i===void 0||this.#t.get(n)?.contactId!==i));if(!(t.length===0||!this.#e.mayRead())){try{for(let n=0;n<t.length;n+=ht)await this.#n(t.slice(n,n+ht))}catch(n){if(!(n instanceof $))throw n}this.#e.onChange()}}async#n(e){let{api:t,tenant:n}=this.#e,i=[...new Set(e.map(({number:r})=>r))].join(","),{data:o}=await t.get("/contacts",{phone_numbers:i,limit:100,tenant_id:n()});for(let{number:r,contactId:a}of e){let l=o.find(({phone_numbers:d})=>d.includes(r))??null,u=a!=null&&a!==l?.id?await t.get(`/contacts/${a}`):l;this.#t.set(r,{contact:u,contactId:u?.id??null})}}},fn=/^\+[1-9][0-9]{6,14}$/;function Ue(s){let e=new Intl.NumberFormat(s),t=new Intl.PluralRules(s),n=new Map;return{number:i=>e.format(i),plural:(i,o)=>o[t.select(i)]??o.other,date:(i,o)=>{let r=n.get(i)??new Intl.DateTimeFormat(s,i);return n.set(i,r),r.format(o)}}}var ft={en:"en-US",es:"es-US"};function De(s,e){let t=(s===void 0?e:[s]).map(pt),n=t.map(mt).find(o=>o!==void 0)??"en",i=[...t,...e.map(pt)].find(o=>mt(o)===n&&o?.region!==void 0);return{language:n,tag:i?.toString()??ft[n]}}function pt(s){try{return new Intl.Locale(s.trim().replaceAll("_","-"))}catch{return}}function mt(s){return Object.keys(ft).find(e=>e===s?.language)}function qe(s){let e=s;for(;e!==void 0;){let t=e.closest("[lang]");if(t!==null)return t.getAttribute("lang")||void 0;let n=e.getRootNode();e=n instanceof ShadowRoot?n.host:void 0}}function Ie(s,e){let t=new MutationObserver(e);for(let n=s.getRootNode();t.observe(n,{subtree:!0,attributeFilter:["lang"]}),n instanceof ShadowRoot;n=n.host.getRootNode());return addEventListener("languagechange",e),()=>{t.disconnect(),removeEventListener("languagechange",e)}}function ue(s,e){return Object.hasOwn(s,e)?s[e]:void 0}var gt=({number:s,plural:e})=>({waiting:"Waiting for a session.",withheld:"Number withheld",today:"Today",yesterday:"Yesterday",problems:{network_error:"The server cannot be reached.",not_signed_in:"There is no session yet.",invalid_api_key:"The session has ended or is not valid. Load this page again to continue.",unexpected:"Something went wrong.",text_not_sent:"The text could not be sent.",note_not_saved:"The note could not be saved.",no_sender:"There is no number to send from yet.",no_recipient:"Enter the number of the person.",no_web_client:"There is no web client for this phone.",calls_not_permitted:"This page may not place calls. 911 can always be called.",microphone_refused:"Allow the microphone for this page to make and answer calls.",speaker_refused:"This speaker cannot be used.",audio_failed:"The sound of this call failed.",not_registered:"The phone is not connected.",disconnected:"The connection was lost.",login_refused:"The server refused the login.",transfer_no_answer:"The transfer failed: nobody answered. The call continues here.",transfer_busy:"The transfer failed: that line is busy. The call continues here.",transfer_rejected:"The transfer failed: that person declined or hung up. The call continues here.",transfer_failed:"The transfer failed: that line could not be reached. The call continues here."},originRefused:t=>`This browser session is not for pages of ${t}: its allowed_origins name others.`,hiddenReply:t=>`The server answers, but pages of ${t} may not read its answers. The session must allow this origin.`,unreadableReply:t=>`The server answered ${t}.`,list:{title:"Conversations",states:{connecting:"Connecting\u2026",live:"Live",polling:"Updated every 10 seconds"},newText:"New text",loading:"Loading conversations\u2026",empty:"No conversations yet. Texts and calls to your numbers appear here.",show:"Conversations shown",filters:{all:"All conversations",open:"Open",mine:"Mine",nobodys:"Of nobody",unread:"New for me",done:"Done"},emptyFilter:"No such conversation.",older:"Older conversations",unread:"New",optedOut:"Opted out",done:"Done",snoozed:"Snoozed",previews:{call:"Call",missedCall:"Missed call",voicemail:t=>`Voicemail, ${t}`,files:t=>t===1?"[media]":`[${t} media]`}},thread:{none:"Choose a conversation.",back:"Back to conversations",newText:"New text",call:t=>`Call ${t}`,contact:"Contact",items:"Messages and calls",earlier:"Earlier",loading:"Loading\u2026",from:"From",to:"To",optedOut:"Opted out.",optedOutMeans:"This person asked to get no more texts. They can write START to get them again.",arrived:(t,n)=>`New text from ${t}: ${n}`},work:{nobody:"Nobody has it",assigned:t=>`${t} has it`,take:"Take it",giveUp:"Give it up",reopen:"Open again",finish:"Mark as done",writeNote:"Write a note",snooze:"Snooze",snoozedUntil:t=>`Snoozed until ${t}`,endSnooze:"End the snooze",lengths:{hour:"For an hour",hours:"For 4 hours",day:"For a day",week:"For a week"}},note:{label:"Note for the team, not sent",save:"Save note",title:"Note",titleOf:t=>`Note of ${t}`,notSent:"not sent"},composer:{label:"Text",placeholder:"Write a text",send:"Send",keys:"Enter sends, Shift+Enter begins a line.",characters:(t,n)=>`${s(t)} of ${s(n)} characters`,parts:t=>e(t,{one:"1 part",other:`${s(t)} parts`}),specialParts:t=>e(t,{one:"1 part, with special characters",other:`${s(t)} parts, with special characters`})},message:{you:"You wrote:",they:"They wrote:",group:"Group text",attachment:t=>`Attachment ${s(t)}`,picture:t=>`Attachment ${s(t)}, a picture`,statuses:{scheduled:"Scheduled",queued:"Sending\u2026",sent:"Sent",delivered:"Delivered",failed:"Not delivered",canceled:"Canceled"},failures:{carrier_rejected:"carrier rejected",send_failed:"send failed",unreachable:"unreachable",spam_blocked:"spam blocked",daily_cap_exceeded:"daily cap exceeded",expired:"expired",recipient_opted_out:"recipient opted out",campaign_suspended:"campaign suspended",insufficient_balance:"insufficient balance"}},call:{inProgress:"Call in progress",ringing:"Ringing\u2026",incoming:"Incoming call",outgoing:"Outgoing call",other:"Call",outcomes:{voicemail:"Went to voicemail",missed:"Missed call",no_answer:"No answer",busy:"Busy",canceled:"Canceled",failed:"Call failed",no_application:"Call failed"},callback:"Callback asked for",callbackIn:t=>`Callback asked for (${t})`,calledBack:t=>`Called back: ${t}`,notCalledBack:"Not called back yet",play:"Play recording",recording:"Recording of the call",voicemail:"Voicemail"},phone:{title:"Phone",states:{connecting:"Connecting\u2026",ready:"Ready",reconnecting:"Connecting again\u2026",elsewhere:"In use on another page",out:"Not connected"},useHere:"Use here",connect:"Connect",number:"Number",emergencyNumber:"Emergency number (911)",call:"Call",ended:t=>`Call with ${t} ended`,endedAfter:(t,n)=>`Call with ${t} ended, ${n}`,transferred:(t,n)=>`${t} was transferred to ${n}`,progress:{incoming:"Incoming call from",incomingOf:t=>`${t}: incoming call from`,asked:t=>`${t} wants to talk to you about`,asking:t=>`Talking to ${t} about`,connected:"Connected with",held:"On hold with",ringing:"Ringing",calling:"Calling"},decline:"Decline",answer:"Answer",hangUp:"Hang up",time:"Length of the call",mute:"Mute",hold:"Hold",keypad:"Keypad",digits:"Digits sent",transfer:"Transfer"},transfer:{colleague:"Colleague",noColleague:"Enter a number below",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"available",away:"away",ringing:"a call rings there",busy:"on a call",wrap_up:"just after a call"},to:"Transfer to",sayFirst:"Say first (optional)",talkFirst:"Talk first",atOnce:"Transfer",talking:t=>`Talking to ${t}`,ringing:t=>`Transfer rings ${t}`,cancel:"Cancel transfer",complete:"Complete transfer"},desk:{queues:"Queues",takeAll:"Take callers of queues",takeOf:t=>`Take callers of ${t}`,sound:"Sound",microphone:"Microphone",speaker:"Speaker",standard:"Default",notify:"Notify me of calls"}});var yt=({number:s,plural:e})=>({waiting:"Esperando una sesi\xF3n.",withheld:"N\xFAmero oculto",today:"Hoy",yesterday:"Ayer",problems:{network_error:"No se puede conectar con el servidor.",not_signed_in:"Todav\xEDa no hay una sesi\xF3n.",invalid_api_key:"La sesi\xF3n termin\xF3 o no es v\xE1lida. Vuelva a cargar esta p\xE1gina para continuar.",unexpected:"Algo sali\xF3 mal.",text_not_sent:"No se pudo enviar el mensaje.",note_not_saved:"No se pudo guardar la nota.",no_sender:"Todav\xEDa no hay un n\xFAmero desde el cual enviar.",no_recipient:"Ingrese el n\xFAmero de la persona.",no_web_client:"No hay un cliente web para este tel\xE9fono.",calls_not_permitted:"Esta p\xE1gina no puede hacer llamadas. Siempre se puede llamar al 911.",microphone_refused:"Permita que esta p\xE1gina use el micr\xF3fono para hacer y contestar llamadas.",speaker_refused:"No se puede usar este altavoz.",audio_failed:"Fall\xF3 el sonido de esta llamada.",not_registered:"El tel\xE9fono no est\xE1 conectado.",disconnected:"Se perdi\xF3 la conexi\xF3n.",login_refused:"El servidor rechaz\xF3 el inicio de sesi\xF3n.",transfer_no_answer:"La transferencia fall\xF3: nadie contest\xF3. La llamada contin\xFAa aqu\xED.",transfer_busy:"La transferencia fall\xF3: esa l\xEDnea est\xE1 ocupada. La llamada contin\xFAa aqu\xED.",transfer_rejected:"La transferencia fall\xF3: esa persona rechaz\xF3 la llamada o colg\xF3. La llamada contin\xFAa aqu\xED.",transfer_failed:"La transferencia fall\xF3: no se pudo comunicar con esa l\xEDnea. La llamada contin\xFAa aqu\xED."},refusals:{account_suspended:"Esta cuenta est\xE1 suspendida.",tenant_restricted_key:"Esta sesi\xF3n es de otra empresa.",rate_limited:"Hay demasiadas solicitudes. Espere un momento e int\xE9ntelo de nuevo.",idempotency_in_progress:"Esta solicitud todav\xEDa se est\xE1 procesando. Espere un momento.",not_found:"No se encontr\xF3.",empty_message:"El mensaje est\xE1 vac\xEDo.",body_too_long:"El mensaje tiene m\xE1s de 1600 caracteres.",message_too_long:"El mensaje tiene m\xE1s partes de las que acepta el operador.",invalid_to:"Este no es un n\xFAmero al que se pueda escribir o llamar.",invalid_to_number:"Este no es un n\xFAmero al que se pueda llamar.",recipient_opted_out:"Esta persona pidi\xF3 no recibir m\xE1s mensajes ni llamadas autom\xE1ticas.",from_number_not_found:"El n\xFAmero desde el cual se env\xEDa no est\xE1 activo.",number_not_sms_capable:"Este n\xFAmero es solo para llamadas.",destination_not_supported:"No se ofrece servicio a este destino.",campaign_not_approved:"El n\xFAmero todav\xEDa no tiene una campa\xF1a aprobada, as\xED que no puede enviar mensajes.",conversation_not_found:"No existe esta conversaci\xF3n.",too_many_notes:"Esta conversaci\xF3n ya tiene todas las notas que puede tener.",recording_not_found:"No existe esta grabaci\xF3n.",web_client_not_found:"No existe este cliente web.",queue_not_found:"No existe esta cola.",call_not_found:"No existe esta llamada.",call_not_active:"El estado de la llamada no lo permite.",transfer_in_progress:"Ya hay una transferencia en curso.",no_consult_in_progress:"No hay una consulta en curso para esta llamada.",insufficient_balance:"El saldo de la cuenta es insuficiente.",internal_error:"Algo sali\xF3 mal en el servidor.",database_unavailable:"El servicio no est\xE1 disponible en este momento.",service_paused:"El servicio est\xE1 en pausa: por ahora solo se puede leer.",storage_unavailable:"Las grabaciones no est\xE1n disponibles en este momento.",carrier_unavailable:"Ning\xFAn operador puede hacerlo en este momento."},originRefused:t=>`Esta sesi\xF3n no es para p\xE1ginas de ${t}: sus or\xEDgenes permitidos son otros.`,hiddenReply:t=>`El servidor responde, pero las p\xE1ginas de ${t} no pueden leer sus respuestas. La sesi\xF3n debe permitir este origen.`,unreadableReply:t=>`El servidor respondi\xF3 ${t}.`,list:{title:"Conversaciones",states:{connecting:"Conectando\u2026",live:"En vivo",polling:"Se actualiza cada 10 segundos"},newText:"Mensaje nuevo",loading:"Cargando conversaciones\u2026",empty:"Todav\xEDa no hay conversaciones. Aqu\xED aparecen los mensajes y las llamadas a sus n\xFAmeros.",show:"Conversaciones que se muestran",filters:{all:"Todas las conversaciones",open:"Abiertas",mine:"M\xEDas",nobodys:"De nadie",unread:"Sin leer",done:"Resueltas"},emptyFilter:"No hay conversaciones as\xED.",older:"Conversaciones anteriores",unread:"Sin leer",optedOut:"Se dio de baja",done:"Resuelta",snoozed:"Pospuesta",previews:{call:"Llamada",missedCall:"Llamada perdida",voicemail:t=>`Mensaje de voz, ${t}`,files:t=>t===1?"[archivo]":`[${t} archivos]`}},thread:{none:"Elija una conversaci\xF3n.",back:"Volver a las conversaciones",newText:"Mensaje nuevo",call:t=>`Llamar a ${t}`,contact:"Contacto",items:"Mensajes y llamadas",earlier:"Anteriores",loading:"Cargando\u2026",from:"Desde",to:"Para",optedOut:"Se dio de baja.",optedOutMeans:"Esta persona pidi\xF3 no recibir m\xE1s mensajes. Puede escribir START para volver a recibirlos.",arrived:(t,n)=>`Mensaje nuevo de ${t}: ${n}`},work:{nobody:"Nadie la atiende",assigned:t=>`La atiende ${t}`,take:"Atender",giveUp:"Dejar de atender",reopen:"Abrir de nuevo",finish:"Marcar como resuelta",writeNote:"Escribir una nota",snooze:"Posponer",snoozedUntil:t=>`Pospuesta hasta: ${t}`,endSnooze:"Dejar de posponer",lengths:{hour:"Una hora",hours:"4 horas",day:"Un d\xEDa",week:"Una semana"}},note:{label:"Nota para el equipo, no se env\xEDa",save:"Guardar nota",title:"Nota",titleOf:t=>`Nota de ${t}`,notSent:"no enviada"},composer:{label:"Mensaje",placeholder:"Escriba un mensaje",send:"Enviar",keys:"Enter env\xEDa; May\xFAs + Enter empieza otra l\xEDnea.",characters:(t,n)=>`${s(t)} de ${s(n)} caracteres`,parts:t=>e(t,{one:"1 parte",other:`${s(t)} partes`}),specialParts:t=>e(t,{one:"1 parte, con caracteres especiales",other:`${s(t)} partes, con caracteres especiales`})},message:{you:"Usted escribi\xF3:",they:"La otra persona escribi\xF3:",group:"Mensaje grupal",attachment:t=>`Archivo adjunto ${s(t)}`,picture:t=>`Archivo adjunto ${s(t)}, una imagen`,statuses:{scheduled:"Programado",queued:"Enviando\u2026",sent:"Enviado",delivered:"Entregado",failed:"No entregado",canceled:"Cancelado"},failures:{carrier_rejected:"rechazado por el operador",send_failed:"no se pudo enviar",unreachable:"n\xFAmero fuera de alcance",spam_blocked:"bloqueado como spam",daily_cap_exceeded:"l\xEDmite diario alcanzado",expired:"vencido",recipient_opted_out:"la persona se dio de baja",campaign_suspended:"campa\xF1a suspendida",insufficient_balance:"saldo insuficiente"}},call:{inProgress:"Llamada en curso",ringing:"Timbrando\u2026",incoming:"Llamada entrante",outgoing:"Llamada saliente",other:"Llamada",outcomes:{voicemail:"Pas\xF3 al buz\xF3n de voz",missed:"Llamada perdida",no_answer:"Sin respuesta",busy:"Ocupado",canceled:"Cancelada",failed:"Fall\xF3 la llamada",no_application:"Fall\xF3 la llamada"},callback:"Pidi\xF3 que le devuelvan la llamada",callbackIn:t=>`Pidi\xF3 que le devuelvan la llamada (${t})`,calledBack:t=>`Se le devolvi\xF3 la llamada: ${t}`,notCalledBack:"Todav\xEDa no se le devolvi\xF3 la llamada",play:"Reproducir grabaci\xF3n",recording:"Grabaci\xF3n de la llamada",voicemail:"Mensaje de voz"},phone:{title:"Tel\xE9fono",states:{connecting:"Conectando\u2026",ready:"Listo",reconnecting:"Conectando de nuevo\u2026",elsewhere:"En uso en otra p\xE1gina",out:"Sin conexi\xF3n"},useHere:"Usar aqu\xED",connect:"Conectar",number:"N\xFAmero",emergencyNumber:"N\xFAmero de emergencia (911)",call:"Llamar",ended:t=>`Termin\xF3 la llamada con ${t}`,endedAfter:(t,n)=>`Termin\xF3 la llamada con ${t}, ${n}`,transferred:(t,n)=>`Se transfiri\xF3 a ${t} a ${n}`,progress:{incoming:"Llamada entrante de",incomingOf:t=>`${t}: llamada entrante de`,asked:t=>`${t} quiere hablar con usted sobre`,asking:t=>`Habla con ${t} sobre`,connected:"En llamada con",held:"En espera con",ringing:"Timbrando a",calling:"Llamando a"},decline:"Rechazar",answer:"Contestar",hangUp:"Colgar",time:"Duraci\xF3n de la llamada",mute:"Silenciar",hold:"En espera",keypad:"Teclado",digits:"D\xEDgitos enviados",transfer:"Transferir"},transfer:{colleague:"Compa\xF1ero",noColleague:"Ingresar un n\xFAmero abajo",colleagueIn:(t,n)=>`${t} (${n})`,states:{available:"disponible",away:"ausente",ringing:"le suena una llamada",busy:"en una llamada",wrap_up:"acaba de terminar una llamada"},to:"Transferir a",sayFirst:"Decir antes (opcional)",talkFirst:"Consultar antes",atOnce:"Transferir",talking:t=>`Consultando con ${t}`,ringing:t=>`Llamando a ${t} para transferir`,cancel:"Cancelar transferencia",complete:"Completar transferencia"},desk:{queues:"Colas",takeAll:"Atender llamadas de las colas",takeOf:t=>`Atender llamadas de ${t}`,sound:"Sonido",microphone:"Micr\xF3fono",speaker:"Altavoz",standard:"Predeterminado",notify:"Avisarme de las llamadas"}});var gn={en:gt,es:yt};function bt({language:s,tag:e}){let t=Ue(e);return{...gn[s](t),language:s,formats:t}}function vt(s,{code:e,message:t,status:n=0}){return e==="unreadable_reply"?s.unreadableReply(n):e==="hidden_reply"?s.hiddenReply(location.origin):e==="key_not_permitted"&&t?.includes("allowed_origins")?s.originRefused(location.origin):ue(s.problems,e)??ue(s.refusals??{},e)??(t||s.problems.unexpected)}var yn=6e4,bn=15e3,vn=2147483647,Q=class extends P{static properties={baseUrl:{attribute:"base-url"},language:{},tenant:{},token:{attribute:!1},session:{attribute:!1},renew:{attribute:!1}};api=new de({baseUrl:()=>this.baseUrl.replace(/\/+$/,""),token:()=>this.token,renewToken:()=>this.renewToken()});#e;#t;#n;#s;#o;#i;#r;constructor(){super(),this.baseUrl=""}connectedCallback(){super.connectedCallback(),this.#r=Ie(this,()=>this.requestUpdate()),this.requestUpdate(),this.hasUpdated&&this.isReady&&this.begin()}disconnectedCallback(){super.disconnectedCallback(),this.#r?.(),clearTimeout(this.#e),this.end()}willUpdate(e){if(e.has("session")&&this.session!==void 0&&(this.token=this.session.token),!e.has("token")&&!e.has("baseUrl"))return;this.#l(),this.#n?.(),this.isReady||this.end();let t=e.has("token")&&e.get("token")===void 0,n=e.has("baseUrl")||this.session?.tenant_id!==this.#s;this.#s=this.session?.tenant_id,(t||n)&&this.isReady&&this.isConnected&&this.begin()}get texts(){let e=De(this.language||qe(this),navigator.languages);return(this.#i===void 0||this.#o?.tag!==e.tag)&&(this.#i=bt(e)),this.#o=e,this.#i}get isReady(){return this.token!==void 0&&this.baseUrl!==""}may(e){return this.session?.abilities?.includes(e)??!0}emit(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}renewToken(){return this.#t??=this.#c().finally(()=>{this.#t=void 0}),this.#t}async#c(){let e=this.token,t,n=new Promise(i=>{this.#n=i,t=setTimeout(i,bn)});this.emit("token-expiring",{expiresAt:this.session?.expires_at??null});try{await Promise.race([this.#d(e,n),n]),await this.updateComplete}catch(i){this.emit("session-lost",{error:i})}return clearTimeout(t),this.token!==void 0&&this.token!==e}async#d(e,t){let n;try{n=await this.renew?.()}catch(i){this.token===e&&this.emit("session-lost",{error:i});return}if(n===void 0)return t;this.token===e&&(typeof n=="string"?this.token=n:this.session=n)}#l(){clearTimeout(this.#e);let e=Date.parse(this.session?.token===this.token?this.session?.expires_at??"":"");if(Number.isNaN(e))return;let t=e-Date.now(),n=Math.max(0,t-Math.min(yn,t/2));this.#e=setTimeout(()=>{this.renewToken()},Math.min(n,vn))}};function M(s,e){if(e==="anonymous")return s.withheld;let[,t,n,i]=/^\+1(\d{3})(\d{3})(\d{4})$/.exec(e)??[];return t===void 0?e:`(${t}) ${n}-${i}`}function J(s,e,t){return e.find(t)?.name??M(s,t)}function je(s){let e=Math.max(0,Math.floor(s)),[t,n,i]=[Math.floor(e/3600),Math.floor(e%3600/60),e%60],o=String(i).padStart(2,"0");return t===0?`${n}:${o}`:`${t}:${String(n).padStart(2,"0")}:${o}`}function he(s){let e=s.normalize("NFKC").replaceAll(/[^\d+]/g,"");return/^\d{10}$/.test(e)?`+1${e}`:/^1\d{10}$/.test(e)?`+${e}`:e}var _t=B`
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
`;var pe=class{#e;#t="";#n;get mayAsk(){return"Notification"in globalThis&&Notification.permission==="default"}async ask(){await Notification.requestPermission()}start(e){if(this.#e?.id===e.id){this.#s(e);return}this.stop(),this.#e=e,this.#t=document.title,document.title=e.text,document.hasFocus()||this.#o(e)}stop(){let e=this.#e;e!==void 0&&(this.#e=void 0,document.title===e.text&&(document.title=this.#t),this.#n?.close(),this.#n=void 0)}#s(e){document.title===this.#e?.text&&(document.title=e.text),this.#e=e}#o({id:e,text:t}){if(!(!("Notification"in globalThis)||Notification.permission!=="granted"))try{let n=new Notification(t,{tag:`dialplane-${e}`,requireInteraction:!0});n.onclick=()=>{window.focus(),n.close()},this.#n=n}catch{}}};var wt=["busy","ringing","available","wrap_up","away"],_n=5,me=class{list=[];#e;#t;constructor(e,t){this.#e=e,this.#t=t}nameOf(e){return this.list.find(t=>t.address===e)?.name??void 0}clear(){this.list=[]}async read(e){try{let[t,n]=await Promise.all([this.#n("/web_clients"),this.#n("/queues")]);this.list=wn(t,n).filter(({address:i})=>i!==e)}catch(t){if(!(t instanceof $))throw t}this.#t()}async#n(e){let t=[],n;for(let i=0;i<_n;i++){let o=await this.#e.get(e,{limit:100,after:n});if(t.push(...o.data),o.next_cursor===null)break;n=o.next_cursor}return t}};function wn(s,e){let t=new Map;for(let{id:n,name:i,status:o}of s)o==="active"&&t.set(n,{address:n,name:i,state:null});for(let{agent:n,state:i}of e.flatMap(({agents:o})=>o)){let o=t.get(n);if(o===void 0&&n.startsWith("wcl_"))continue;let r=o?.state??null,a=r===null||wt.indexOf(i)<wt.indexOf(r);t.set(n,{address:n,name:o?.name??null,state:a?i:r})}return[...t.values()].sort((n,i)=>$t(n)-$t(i)||At(n).localeCompare(At(i)))}var $t=({state:s})=>s==="available"?0:s===null?1:2,At=({name:s,address:e})=>s??e;var $n=/[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,An=/^\+?1?(911|933)$/;function kt(s){return An.exec(String(s).normalize("NFKC").replaceAll($n,""))?.[1]}function Tt(){let s=new Map;return{on:(e,t)=>{let n=s.get(e)??new Set;return s.set(e,n.add(t)),()=>n.delete(t)},emit:(e,t)=>{for(let n of[...s.get(e)??[]])n(t)}}}async function He(){let s=await globalThis.navigator?.mediaDevices?.enumerateDevices()??[],e=t=>s.flatMap(({kind:n,deviceId:i,label:o})=>n===t&&i!==""?[{id:i,label:o}]:[]);return{microphones:e("audioinput"),speakers:e("audiooutput")}}function xt({onOnline:s,onDevices:e}){let t=globalThis.navigator?.mediaDevices,n=()=>{He().then(e)};return globalThis.addEventListener?.("online",s),t?.addEventListener("devicechange",n),()=>{globalThis.removeEventListener?.("online",s),t?.removeEventListener("devicechange",n)}}var fe=class{#e=new Map;#t=0;#n=[...crypto.getRandomValues(new Uint32Array(4))].map(e=>e.toString(36)).join("");nextRef(){return`${this.#n}-${++this.#t}`}place(e,t){let n=this.#e.get(e);if(n!==void 0)return n.promise;let i=Promise.withResolvers();return this.#e.set(e,i),t(),i.promise}take(e=""){let t=this.#e.get(e);return this.#e.delete(e),t}refuseAll(e){for(let t of this.#e.values())t.reject(e());this.#e.clear()}};var kn=new Set([4401,4403,4408,4409]),Tn=[500,1e3,2e3,5e3],xn=1e4,Fe=s=>kn.has(s),St=s=>Tn[s]??xn;var b=class extends Error{constructor(e,t,n=null){super(t),this.name="SoftphoneError",this.code=e,this.callId=n}};function Ct({type:s,callId:e,ref:t,listener:n,...i},o){let{queue:r=null,consultedBy:a=null,callerName:l=null,contactName:c=null,direction:u,from:d,to:h}=i;return o!==void 0?{...o,consultedBy:a,transfer:null}:{id:e,...{direction:u,from:d,to:h,callerName:l,contactName:c,queue:r,consultedBy:a},state:s,...n===void 0?{}:{listener:n},muted:!1,held:!1,transfer:null}}function Et(s,e,t=()=>!0){let n=e===void 0?s.filter(t).at(-1):s.find(({id:i})=>i===e);if(n===void 0)throw new b("call_not_found","There is no such call.",e);return n}var Pt=`/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */
"use strict";(()=>{var _=Int16Array.from({length:256},(i,t)=>{let s=~t&255,e=s>>4&7,n=(((s&15)<<3)+132<<e)-132;return(s&128)===0?n:-n});function E(i){let t=i<0?128:0,s=Math.min(Math.abs(i),32635)+132,e=31-Math.clz32(s)-7;return~(t|e<<4|s>>e+3&15)&255}function I(i){return _[i&255]}function M(i){let t=new Uint8Array(i.length);for(let s=0;s<i.length;s++){let e=Math.round(i[s]*32768);t[s]=E(Math.max(-32768,Math.min(32767,e)))}return t}function m(i){let t=new Float32Array(i.length);for(let s=0;s<i.length;s++)t[s]=I(i[s])/32768;return t}var a=class{#s;#t;#e;#i;#n=0;constructor(t,s){let e=S(t,s),n=s/e;this.#s=t/e;let h=Math.min(t,s)*.925/2/t,r=Math.ceil(12/(2*h));this.#e=2*r,this.#t=Array.from({length:n},(o,c)=>N(c/n,h,r)),this.#i=new Float32Array(this.#e-1)}push(t){let s=new Float32Array(this.#i.length+t.length);s.set(this.#i),s.set(t,this.#i.length);let e=this.#t.length,n=s.length-this.#e,h=[],r=Math.floor(this.#n/e);for(;r<=n;){let c=this.#t[this.#n%e],d=0;for(let l=0;l<c.length;l++)d+=c[l]*s[r+l];h.push(d),this.#n+=this.#s,r=Math.floor(this.#n/e)}let o=Math.min(r,s.length);return this.#i=s.slice(o),this.#n-=o*e,Float32Array.from(h)}};function N(i,t,s){let e=Float64Array.from({length:2*s},(h,r)=>{let o=r-s+1-i;return R(2*t*o)*T(o/s)}),n=e.reduce((h,r)=>h+r,0);return e.map(h=>h/n)}function R(i){return i===0?1:Math.sin(Math.PI*i)/(Math.PI*i)}function T(i){return Math.abs(i)>1?0:A(4.5*Math.sqrt(1-i*i))/A(4.5)}function A(i){let t=1,s=1;for(let e=1;s>t*1e-12;e++)s*=(i/(2*e))**2,t+=s;return t}function S(i,t){return t===0?i:S(t,i%t)}var g=160,f=class extends AudioWorkletProcessor{#s=new a(sampleRate,8e3);#t=new Float32Array(g);#e=0;process([t]){let s=t?.[0];if(s===void 0)return!0;for(let e of this.#s.push(s)){if(this.#t[this.#e++]=e,this.#e<g)continue;let n=M(this.#t);this.port.postMessage(n,[n.buffer]),this.#e=0}return!0}};registerProcessor("dialplane-capture",f);var u=class{#s=new Map;#t=-1;#e=!1;#i=0;#n=0;#h=0;#r=null;#o=0;#a=Number.NaN;stats={received:0,late:0,missing:0,concealed:0,dropped:0};push(t,s,e){if(this.stats.received++,Math.abs(t-this.#t)>500&&this.#u(t),t<this.#t){if(this.stats.late++,this.#c(t,e),this.#e)return;this.#t=t}else this.#c(t,e);for(this.#s.set(t,s);this.#s.size>10;)this.#l()}pull(){if(!this.#e){if(this.#s.size<this.depth)return;this.#e=!0,this.#t=Math.min(...this.#s.keys())}this.#f();let t=this.#s.get(this.#t);return t===void 0?this.#p():(this.#s.delete(this.#t),this.#t++,this.#i=0,this.#h=0,this.#r=t,t)}get counts(){let{received:t,late:s,missing:e,dropped:n}=this.stats;return{due:t-s+e,lost:e+n,jitterMs:this.#o}}get depth(){let t=2+Math.ceil(3*this.#o/20-.5);return Math.max(2,Math.min(10,t))}get size(){return this.#s.size}#u(t){this.#s.clear(),this.#t=t,this.#e=!1,this.#a=Number.NaN}#c(t,s){let e=s-t*20,n=Number.isNaN(this.#a)?0:Math.abs(e-this.#a);this.#a=e,this.#o+=(n-this.#o)/16}#l(){let t=Math.min(...this.#s.keys());this.#s.delete(t),this.#t=Math.max(this.#t,t+1),this.stats.dropped++}#f(){this.#n=this.#s.size>this.depth+1?this.#n+1:0,!(this.#n<25)&&(this.#n=0,this.#l())}#p(){if(this.#s.size>0?(this.#t++,this.stats.missing++):++this.#i>=3&&(this.#e=!1,this.#i=0),!(this.#r===null||++this.#h>3))return this.stats.concealed++,this.#r=this.#r.map(t=>t*.5),this.#r}};var P=new Float32Array(160),y=5e3/20,p=class extends AudioWorkletProcessor{#s=new a(8e3,sampleRate);#t=new u;#e=new Float32Array(0);#i=0;#n=0;constructor(){super(),this.port.onmessage=({data:{seq:t,codes:s}})=>{this.#t.push(t,m(s),currentTime*1e3)}}process(t,[s]){let e=s??[],n=e[0]?.length??0;for(;this.#e.length-this.#i<n;)this.#h();let h=this.#e.subarray(this.#i,this.#i+n);for(let r of e)r.set(h);return this.#i+=n,!0}#h(){let t=this.#e.subarray(this.#i),s=this.#s.push(this.#t.pull()??P),e=new Float32Array(t.length+s.length);e.set(t),e.set(s,t.length),this.#e=e,this.#i=0,++this.#n%y===0&&this.port.postMessage(this.#t.counts)}};registerProcessor("dialplane-playback",p);})();
`;function Mt(s,e,t=()=>performance.now()){let n={due:0,lost:0},i=0,o=0,r=null,a=()=>{s.readyState===WebSocket.OPEN&&(i++,o=t(),s.send(JSON.stringify({event:"mark",name:`quality-${i}`})))};return s.addEventListener("open",a),{handleMark(l){l===`quality-${i}`&&(r=t()-o)},handleReport({due:l,lost:c,jitterMs:u}){let[d,h]=[l-n.due,c-n.lost];n={due:l,lost:c},d>0&&e({lossPercent:Math.min(100,100*h/d),jitterMs:u,roundTripMs:r}),r=null,a()}}}var Sn=12e3,Cn={echoCancellation:!0,noiseSuppression:!0,autoGainControl:!0},En=new Set([1006,1011,1012,1013]),ye=class{#e;#t;#n;#s;#o="";#i=new Set;constructor({microphone:e,workletUrl:t}={}){this.#n={...Cn,...e},this.#s=t}async prepare(){let[e]=await Promise.all([this.#r(),this.#d()]);await e.resume()}async link({url:e,token:t},{onFlow:n,onLost:i,onNoMicrophone:o,onQuality:r=()=>{}},{isSilent:a=!1,isPlaying:l=!0}={}){let c=await this.#r();c.resume().catch(()=>{});let u=new WebSocket(`${e}?token=${encodeURIComponent(t)}`),d=Mn(c,u,{onFlow:n,onQuality:r}),h=Rn(c,v=>{u.readyState!==WebSocket.OPEN||u.bufferedAmount>Sn||u.send(JSON.stringify({event:"media",payload:On(v)}))}),m=!1,g=!0,y,A=v=>{u.readyState>WebSocket.OPEN||(y??=c.createMediaStreamSource(v),g||y.connect(h))},T=v=>{y?.disconnect(),y=void 0,g||v.then(A,o)};this.#i.add(T);let Be=v=>{g!==v&&(g=v,v?y?.disconnect():this.#d().then(A,o))},We=v=>{d.disconnect(),v&&d.connect(c.destination)};return Be(a),We(l),u.onclose=({code:v})=>{this.#i.delete(T),d.disconnect(),d.port.close(),y?.disconnect(),h.port.close(),!m&&En.has(v)&&i()},{setSilent:Be,setPlaying:We,play:v=>Nn(c,h,v),close:()=>{m=!0,u.close()}}}async useMicrophone(e){let{deviceId:t,...n}=this.#n,i=e===""?n:{...n,deviceId:{exact:e}},o=this.#t;if(o===void 0&&this.#i.size===0){this.#n=i;return}let r=await Ot(i).catch(a=>{throw ge("microphone_refused",a)});this.#n=i,this.#l(Promise.resolve(r)),Rt(await o?.catch(()=>{}))}async useSpeaker(e){if(!("setSinkId"in AudioContext.prototype))throw new b("speaker_refused","This browser cannot choose the speaker.");let t=await this.#e;t!==void 0&&await Nt(t,e),this.#o=e}async decode(e){return await(await this.#r()).decodeAudioData(e)}async close(){let[e,t]=[this.#e,this.#t];this.#e=void 0,this.#t=void 0,await Promise.all([t?.then(Rt),e?.then(n=>n.close())])}#r(){return this.#e??=this.#c().catch(e=>{throw this.#e=void 0,ge("audio_failed",e)}),this.#e}async#c(){let e=await Pn(this.#s);return this.#o!==""&&await Nt(e,this.#o).catch(()=>{}),e}#d(){if(this.#t===void 0){let e=Ot(this.#n).catch(t=>{throw this.#t=void 0,ge("microphone_refused",t)});this.#u(e)}return this.#t}#l(e){this.#u(e);for(let t of this.#i)t(e)}#u(e){this.#t=e;let t=()=>{if(this.#t!==e)return;this.#t=void 0;let{deviceId:n,...i}=this.#n;this.#n=i,this.#i.size>0&&this.#l(this.#d())};e.then(n=>{for(let i of n.getTracks())i.addEventListener("ended",t)},()=>{})}};function Rt(s){for(let e of s?.getTracks()??[])e.stop()}async function Nt(s,e){try{await s.setSinkId(e)}catch(t){throw ge("speaker_refused",t)}}async function Ot(s){return await navigator.mediaDevices.getUserMedia({audio:s})}async function Pn(s){let e=new AudioContext({latencyHint:"interactive"});if(s!==void 0)return await e.audioWorklet.addModule(s),e;let t=URL.createObjectURL(new Blob([Pt],{type:"text/javascript"}));try{await e.audioWorklet.addModule(t)}finally{URL.revokeObjectURL(t)}return e}function Mn(s,e,{onFlow:t,onQuality:n}){let i=new AudioWorkletNode(s,"dialplane-playback",{numberOfInputs:0,outputChannelCount:[1]}),o=Mt(e,n);return i.port.onmessage=({data:r})=>o.handleReport(r),e.onmessage=({data:r})=>{let a=JSON.parse(r);if(a.event==="mark"&&o.handleMark(a.name),a.event!=="media")return;let l=Ln(a.payload);t(l),i.port.postMessage({seq:a.seq,codes:l},[l.buffer])},i}function Rn(s,e){let t=new AudioWorkletNode(s,"dialplane-capture",{numberOfOutputs:0,channelCount:1});return t.port.onmessage=({data:n})=>e(n),t}function Nn(s,e,t){let n=new AudioBufferSourceNode(s,{buffer:t}),i=new Promise(o=>{n.onended=()=>o(void 0)});return n.connect(e),n.start(),{ended:i,stop:()=>n.stop()}}function ge(s,e){return new b(s,e instanceof Error?e.message:String(e))}function On(s){return btoa(String.fromCharCode(...s))}function Ln(s){return Uint8Array.from(atob(s),e=>e.charCodeAt(0))}var Un="/v1/softphone",Lt=[500,1e3,2e3,5e3],Dn=new Set(["carrier_unavailable","rate_limited"]),be=class{listener=()=>{};#e;#t;#n;#s=new Map;#o=new Map;#i=new Set;constructor({url:e,microphone:t,workletUrl:n}){this.#e=`${e.replace(/^http/,"ws").replace(/\/+$/,"")}${Un}`,this.#t=new ye({microphone:t,workletUrl:n})}open(e){this.close();let t=new WebSocket(this.#e);this.#n=t,t.onopen=()=>t.send(JSON.stringify({type:"register",token:e})),t.onmessage=({data:n})=>this.#c(JSON.parse(n)),t.onclose=({code:n,reason:i})=>{this.#n===t&&(this.#n=void 0,this.listener({type:"closed",code:n,reason:i}))}}async prepareAudio(){await this.#t.prepare()}async useMicrophone(e){await this.#t.useMicrophone(e)}async useSpeaker(e){await this.#t.useSpeaker(e)}answer(e){this.#r({type:"answer",call_id:e})}decline(e){this.#r({type:"decline",call_id:e})}hangUp(e){this.#r({type:"hang_up",call_id:e})}place(e){this.#r({type:"place",...e})}setMuted(e,t){this.#r({type:"mute",call_id:e,on:t}),this.#a(`mute:${e}`,e,t)}setHeld(e,t){this.#r({type:"hold",call_id:e,on:t}),this.#a(`hold:${e}`,e,t)}sendDigits(e,t){this.#r({type:"dtmf",call_id:e,digits:t})}transfer(e,{to:t,mode:n,announceText:i}){let o={...n&&{mode:n},...i&&{announce_text:i}};this.#r({type:"transfer",call_id:e,to:t,...o})}completeTransfer(e){this.#r({type:"complete_transfer",call_id:e})}cancelTransfer(e){this.#r({type:"cancel_transfer",call_id:e})}setAvailability(e,t){this.#r({type:"availability",availability:e,...t===void 0?{}:{queue_id:t}})}close(){let e=this.#n;this.#n=void 0,e?.close();for(let t of[...this.#s.keys()])this.#u(t);this.#o.clear(),this.#i.clear(),this.#t.close().catch(()=>{})}#r(e){this.#n?.readyState===WebSocket.OPEN&&this.#n.send(JSON.stringify(e))}#c(e){let t=e.call_id;switch(e.type){case"registered":return this.listener({type:"registered",webClientId:e.web_client_id,expiresAt:new Date(e.expires_at),callIds:e.call_ids});case"queues":{let n=e.queues;return this.listener({type:"queues",queues:n.map(({queue_id:i,...o})=>({id:i,...o}))})}case"incoming":case"dialing":{let{type:n,direction:i,from:o,to:r,caller_name:a=null,contact_name:l=null,queue:c,consulted_by:u=null,ref:d,listener:h}=e,m={...d===void 0?{}:{ref:d},...h===void 0?{}:{listener:{id:h.id,speaksTo:h.speaks_to}},queue:c?{id:c.queue_id,name:c.name}:null,consultedBy:u};return this.listener({type:n,callId:t,direction:i,from:o,to:r,callerName:a,contactName:l,...m})}case"media":return this.#d(t,e);case"ringing":case"answered":return this.listener({type:e.type,callId:t});case"transfer":return this.listener({type:"transfer",callId:t,transfer:e.transfer,...e.failure===void 0?{}:{failure:e.failure}});case"consult":return this.listener({type:"consult",callId:t,consultedBy:e.consulted_by});case"ended":return this.#u(t),this.#o.delete(t),this.listener({type:"ended",callId:t,reason:e.reason,outcome:e.outcome});case"error":{let{code:n,message:i,ref:o,request:r}=e;if(r==="media")return Dn.has(n)?this.#l(t):void 0;let a={type:"error",code:n,message:i,callId:t??null};return this.listener({...a,...o===void 0?{}:{ref:o}})}default:}}#d(e,t){this.#u(e);let n=({code:o="audio_failed",message:r})=>this.listener({type:"error",code:o,message:r,callId:e}),i=this.#t.link({url:t.url,token:t.token},{onFlow:()=>this.#o.delete(e),onLost:()=>{this.#s.get(e)===i&&this.#l(e)},onNoMicrophone:n,onQuality:o=>this.listener({type:"quality",callId:e,...o})}).catch(o=>{n(o)});this.#s.set(e,i),this.#h(e)}#l(e){let t=this.#o.get(e)??0;this.#o.set(e,t+1);let n=this.#s.get(e);setTimeout(()=>{n!==void 0&&this.#s.get(e)===n&&this.#r({type:"media",call_id:e})},Lt[Math.min(t,Lt.length-1)])}#u(e){let t=this.#s.get(e);this.#s.delete(e),t?.then(n=>n?.close())}#a(e,t,n){n?this.#i.add(e):this.#i.delete(e),this.#h(t)}#h(e){let t=this.#i.has(`mute:${e}`)||this.#i.has(`hold:${e}`);this.#s.get(e)?.then(n=>n?.setSilent(t))}};var X=class{#e;#t=new Map;#n=Tt();on=this.#n.on;#s=new fe;#o;#i;#r;#c=0;#d=!1;#l=[];#u=()=>{};constructor({url:e,transport:t,microphone:n,workletUrl:i}){if(t===void 0&&e===void 0)throw new TypeError("a softphone needs a url or a transport");this.#e=t??new be({url:e??"",microphone:n,workletUrl:i}),this.#e.listener=o=>this.#y(o)}get calls(){return[...this.#t.values()]}get queues(){return this.#l}get isRegistered(){return this.#d}async connect(e){this.disconnect(),this.#o=e,this.#u=xt({onOnline:()=>this.#g(),onDevices:n=>this.#n.emit("devices",n)});let t=Promise.withResolvers();return this.#i=t,await this.#h(),t.promise}disconnect(){clearTimeout(this.#r),this.#r=void 0,this.#u(),this.#o=void 0,this.#c=0,this.#d=!1,this.#i?.reject(new b("disconnected","The softphone was disconnected.")),this.#i=void 0,this.#s.refuseAll(()=>new b("disconnected","The softphone was disconnected.")),this.#t.clear(),this.#e.close()}async devices(){return await He()}async useMicrophone(e=""){await this.#e.useMicrophone(e)}async useSpeaker(e=""){await this.#e.useSpeaker(e)}async answer(e){let t=this.#a(e,n=>n.state==="incoming");await this.#e.prepareAudio(),this.#e.answer(t.id)}decline(e){this.#e.decline(this.#a(e,t=>t.state==="incoming").id)}async place(e,{from:t,ref:n=this.#s.nextRef()}={}){if(!this.#d)throw new b("not_registered","The softphone is not connected.");let i=kt(e);i===void 0&&await this.#e.prepareAudio();let o={to:i??e,ref:n,...t===void 0?{}:{from:t}};return this.#s.place(n,()=>this.#e.place(o))}hangUp(e){this.#e.hangUp(this.#a(e).id)}mute(e=!0,t){let n=this.#a(t);this.#e.setMuted(n.id,e),this.#t.set(n.id,{...n,muted:e})}hold(e=!0,t){let n=this.#a(t);this.#e.setHeld(n.id,e),this.#t.set(n.id,{...n,held:e})}sendDigits(e,t){this.#e.sendDigits(this.#a(t).id,e)}transfer(e,{mode:t,announceText:n,callId:i}={}){let o={...t&&{mode:t},...n&&{announceText:n}};this.#e.transfer(this.#a(i).id,{to:e,...o})}completeTransfer(e){this.#e.completeTransfer(this.#a(e).id)}cancelTransfer(e){this.#e.cancelTransfer(this.#a(e).id)}setAvailability(e,t){this.#e.setAvailability(e,t)}#a(e,t){return Et(this.calls,e,t)}async#h(){let e=this.#o;if(e!==void 0)try{let t=typeof e=="function"?await e():e;this.#o===e&&this.#e.open(t)}catch(t){this.#o===e&&this.#f(0,`no token: ${t instanceof Error?t.message:t}`)}}#g(){this.#r!==void 0&&(clearTimeout(this.#r),this.#r=void 0,this.#c=0,this.#h())}#y(e){switch(e.type){case"registered":{let{webClientId:t,expiresAt:n,callIds:i}=e;this.#d=!0,this.#c=0,this.#b(i),this.#n.emit("registered",{webClientId:t,expiresAt:n}),this.#i?.resolve(),this.#i=void 0;return}case"queues":return this.#l=e.queues,this.#n.emit("queues",e.queues);case"incoming":case"dialing":return this.#v(e);case"ringing":return this.#m(e.callId,"ringing","ringing");case"answered":return this.#m(e.callId,"connected","answered");case"transfer":{let t=this.#p(e.callId,{transfer:e.transfer});t&&this.#n.emit("transfer",t),t&&e.failure&&this.#n.emit("transferFailed",{...t,reason:e.failure});return}case"consult":{let t=this.#p(e.callId,{consultedBy:e.consultedBy});t!==void 0&&this.#n.emit("consult",t);return}case"quality":{let{callId:t,lossPercent:n,jitterMs:i,roundTripMs:o}=e;this.#t.has(t)&&this.#n.emit("quality",{callId:t,lossPercent:n,jitterMs:i,roundTripMs:o});return}case"ended":{let t=this.#t.get(e.callId);this.#t.delete(e.callId);let{reason:n,outcome:i}=e;t!==void 0&&this.#n.emit("ended",{...t,state:"ended",reason:n,outcome:i});return}case"error":{let t=new b(e.code,e.message,e.callId),n=this.#s.take(e.ref);n!==void 0?n.reject(t):this.#n.emit("error",t);return}case"closed":return this.#f(e.code,e.reason)}}#b(e){for(let t of this.calls.filter(({id:n})=>!e.includes(n)))this.#t.delete(t.id),this.#n.emit("ended",{...t,state:"ended",reason:"ended",outcome:null})}#v(e){let t=this.#t.get(e.callId),n=Ct(e,t);this.#t.set(n.id,n),n.muted&&this.#e.setMuted(n.id,!0),n.held&&this.#e.setHeld(n.id,!0),this.#s.take(e.ref)?.resolve(n),t===void 0&&e.type==="incoming"&&this.#n.emit("incoming",n)}#p(e,t){let n=this.#t.get(e),i=n&&{...n,...t};return i&&this.#t.set(e,i),i}#m(e,t,n){if(this.#t.get(e)?.state===t)return;let i=this.#p(e,{state:t});i!==void 0&&this.#n.emit(n,i)}#f(e,t){this.#d=!1,this.#s.refuseAll(()=>new b("disconnected","The connection was lost."));let n=typeof this.#o=="function"&&!Fe(e)&&this.#i===void 0;this.#i!==void 0&&(this.#i.reject(new b(Fe(e)?"login_refused":"disconnected",t)),this.#i=void 0,this.#o=void 0),n||this.#t.clear(),this.#n.emit("disconnected",{code:e,reason:t,willReconnect:n}),n&&(this.#r=setTimeout(()=>(this.#r=void 0,this.#h()),St(this.#c++)))}};var Dt="dialplane-phone-devices",ve=class{devices={microphones:[],speakers:[]};used={microphone:"",speaker:""};#e={microphone:"",speaker:""};#t;#n;constructor(e){this.#t=e}get mayChooseSpeaker(){return"setSinkId"in AudioContext.prototype}async follow(e){this.#n=e,this.used={microphone:"",speaker:""},this.#e=In(),e.on("devices",t=>this.#s(e,t)),this.#s(e,await e.devices())}async list(){let e=this.#n;if(e===void 0)return;let t=await e.devices();t.microphones.length===0&&(await qn(),t=await e.devices()),this.#s(e,t)}async choose(e,t){let n=this.#n;if(n===void 0)return;await Ut(n,e,t),this.used[e]=t;let{microphones:i,speakers:o}=this.devices,r=e==="microphone"?i:o;this.#e[e]=r.find(a=>a.id===t)?.label??"",Hn(this.#e),this.#t()}#s(e,t){this.#n===e&&(this.devices=t,this.#o(e,"microphone",t.microphones),this.mayChooseSpeaker&&this.#o(e,"speaker",t.speakers),this.#t())}#o(e,t,n){let[i,o]=[this.used[t],this.#e[t]],r=o!==""&&n.find(({label:a})=>a===o)?.id||"";r!==i&&(this.used[t]=r,Ut(e,t,r).catch(()=>{this.used[t]=i,this.#t()}))}};function Ut(s,e,t){return e==="microphone"?s.useMicrophone(t):s.useSpeaker(t)}async function qn(){try{let s=await navigator.mediaDevices.getUserMedia({audio:!0});for(let e of s.getTracks())e.stop()}catch(s){throw new b("microphone_refused",String(s))}}function In(){let{microphone:s="",speaker:e=""}=jn()??{};return{microphone:String(s),speaker:String(e)}}function jn(){try{return JSON.parse(localStorage.getItem(Dt)??"{}")}catch{return null}}function Hn(s){try{localStorage.setItem(Dt,JSON.stringify(s))}catch{}}var Fn=4408,zn=4409,Bn=4e3,_e=class{state="connecting";problem=null;active=null;ended=null;queues=[];webClientId=null;sound;#e;#t;#n;#s=null;constructor(e){this.#e=e,this.sound=new ve(e.onChange)}async connect(){this.disconnect();let e=new X({url:this.#e.baseUrl()});this.#t=e,this.#d(e),this.#a({state:"connecting",problem:null,queues:[]}),this.sound.follow(e);let t,n=()=>this.#r().catch(i=>{throw t=i,i});try{await e.connect(n)}catch(i){this.#t===e&&this.#a({state:"out",problem:Z(t??i)})}}disconnect(){clearTimeout(this.#n);let e=this.#t;this.#t=void 0,e?.disconnect(),this.active=null,this.ended=null}answer=()=>this.#i((e,t)=>e.answer(t));decline=()=>this.#i((e,t)=>e.decline(t));hangUp=()=>this.#i((e,t)=>e.hangUp(t));mute=e=>this.#i((t,n)=>t.mute(e,n));hold=e=>this.#i((t,n)=>t.hold(e,n));transfer=(e,t)=>this.#i((n,i)=>n.transfer(e,{...t,callId:i}));completeTransfer=()=>this.#i((e,t)=>e.completeTransfer(t));cancelTransfer=()=>this.#i((e,t)=>e.cancelTransfer(t));sendDigits=e=>this.#i((t,n)=>t.sendDigits(e,n));async dial(e){let t=this.#t;if(!(t===void 0||this.active!==null)){this.#a({problem:null,ended:null});try{let n=await t.place(e);this.#a({active:{call:n,connectedAtMs:null}})}catch(n){this.#a({problem:Z(n)})}}}setAvailable(e,t){this.#t?.setAvailability(e?"available":"away",t),this.#a({problem:null})}listDevices=()=>this.#o(this.sound.list());chooseDevice=(e,t)=>this.#o(this.sound.choose(e,t));async#o(e){try{await e,this.#a({problem:null})}catch(t){this.#a({problem:Z(t)})}}async#i(e){let[t,n]=[this.#t,this.active?.call.id];if(!(t===void 0||n===void 0)){this.problem=null;try{await e(t,n)}catch(i){this.problem=Z(i)}this.#l(t)}}async#r(){let{api:e,webClientId:t}=this.#e,n=t()??await this.#c();return(await e.post(`/web_clients/${n}/tokens`)).token}async#c(){let{data:e}=await this.#e.api.get("/web_clients",{limit:100}),t=e.find(({status:n})=>n==="active");if(t===void 0)throw new $("no_web_client");return t.id}#d(e){let{onCall:t,onQuality:n}=this.#e;e.on("registered",({webClientId:i})=>{this.#t===e&&this.#a({state:"ready",problem:null,webClientId:i})}),e.on("incoming",i=>{this.#l(e),t("incoming",i)}),e.on("queues",i=>{this.#t===e&&this.#a({queues:i})}),e.on("quality",({callId:i,...o})=>n(i,o)),e.on("ringing",()=>this.#l(e)),e.on("transfer",({transfer:i})=>{this.#s=i?.to??this.#s,this.#l(e)}),e.on("consult",()=>this.#l(e)),e.on("transferFailed",({reason:i})=>{this.#t===e&&i!=="canceled"&&this.#a({problem:{code:`transfer_${i}`}})}),e.on("answered",i=>{this.active={call:i,connectedAtMs:Date.now()},this.#l(e),t("answered",i)}),e.on("ended",i=>{this.active?.call.id===i.id&&this.#u(i,i.outcome===null?this.#s:null),this.#s=null,this.#l(e),t("ended",i)}),e.on("error",i=>this.#a({problem:Z(i)})),e.on("disconnected",({code:i,willReconnect:o})=>{this.#t===e&&(this.#l(e),o?this.#a({state:"reconnecting"}):i===Fn?this.connect():this.#a({state:i===zn?"elsewhere":"out"}))})}#l(e){if(this.#t!==e)return;let t=e.calls.find(({id:n})=>n===this.active?.call.id)??e.calls.at(-1);t===void 0?this.active=null:this.active={call:t,connectedAtMs:this.active?.call.id===t.id?this.active.connectedAtMs:null},this.#e.onChange()}#u(e,t){let n=this.active?.connectedAtMs??null;this.ended={call:e,seconds:n===null?null:(Date.now()-n)/1e3,transferredTo:t},clearTimeout(this.#n),this.#n=setTimeout(()=>this.#a({ended:null}),Bn)}#a(e){Object.assign(this,e),this.#e.onChange()}};function Z(s){return s instanceof b?s.code==="key_not_permitted"?{code:"calls_not_permitted"}:s:ut(s)}var Wn=[440,480],Vn=2e3,Kn=6e3,Gn=.08,we=class{#e;#t;start(){this.#t===void 0&&(this.#e=new AudioContext,this.#n(this.#e),this.#t=setInterval(()=>this.#e&&this.#n(this.#e),Kn))}stop(){clearInterval(this.#t),this.#t=void 0,this.#e?.close(),this.#e=void 0}#n(e){if(e.state!=="running")return;let t=new GainNode(e,{gain:Gn});t.connect(e.destination);for(let n of Wn){let i=new OscillatorNode(e,{frequency:n});i.connect(t),i.start(),i.stop(e.currentTime+Vn/1e3)}}};var qt=B`
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
`;var E={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},$e=s=>(...e)=>({_$litDirective$:s,values:e}),I=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,n){this._$Ct=e,this._$AM=t,this._$Ci=n}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};var{I:Yn}=dt,It=s=>s;var Ht=s=>s.strings===void 0,jt=()=>document.createComment(""),j=(s,e,t)=>{let n=s._$AA.parentNode,i=e===void 0?s._$AB:e._$AA;if(t===void 0){let o=n.insertBefore(jt(),i),r=n.insertBefore(jt(),i);t=new Yn(o,r,s,s.options)}else{let o=t._$AB.nextSibling,r=t._$AM,a=r!==s;if(a){let l;t._$AQ?.(s),t._$AM=s,t._$AP!==void 0&&(l=s._$AU)!==r._$AU&&t._$AP(l)}if(o!==i||a){let l=t._$AA;for(;l!==o;){let c=It(l).nextSibling;It(n).insertBefore(l,i),l=c}}}return t},R=(s,e,t=s)=>(s._$AI(e,t),s),Qn={},Ae=(s,e=Qn)=>s._$AH=e,Ft=s=>s._$AH,ke=s=>{s._$AR(),s._$AA.remove()};var H=$e(class extends I{constructor(s){if(super(s),s.type!==E.PROPERTY&&s.type!==E.ATTRIBUTE&&s.type!==E.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Ht(s))throw Error("`live` bindings can only contain a single expression")}render(s){return s}update(s,[e]){if(e===_||e===p)return e;let t=s.element,n=s.name;if(s.type===E.PROPERTY){if(e===t[n])return _}else if(s.type===E.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(n))return _}else if(s.type===E.ATTRIBUTE&&t.getAttribute(n)===e+"")return _;return Ae(s),e}});var k=s=>f`<svg viewBox="0 0 24 24" aria-hidden="true">${s}</svg>`,Jn="M5 4h3.5l1.8 4.4-2.2 1.6a12 12 0 0 0 5.9 5.9l1.6-2.2L20 15.5V19a2 2 0 0 1-2.2 2A16 16 0 0 1 3 6.2 2 2 0 0 1 5 4Z",x={back:k(w`<path d="m15 5-7 7 7 7" />`),phone:k(w`<path d=${Jn} />`),hangUp:k(w`<path d="M3 15.5c0-5.3 18-5.3 18 0v1.2a1.3 1.3 0 0 1-1.6 1.3l-3-.8a1.3 1.3 0 0 1-1-1.2l-.1-1.7a10 10 0 0 0-6.6 0L8.6 16a1.3 1.3 0 0 1-1 1.2l-3 .8A1.3 1.3 0 0 1 3 16.7Z" />`),send:k(w`<path d="M5 12 4 4.5 20.5 12 4 19.5 5 12Zm0 0h7" />`),write:k(w`<path d="M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4" />`),voicemail:k(w`<circle cx="6.5" cy="12" r="3.5" /><circle cx="17.5" cy="12" r="3.5" /><path d="M6.5 15.5h11" />`),mic:k(w`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5 11a7 7 0 0 0 14 0M12 18v3" />`),micOff:k(w`<path d="M9 9V6a3 3 0 0 1 6 0v5a3 3 0 0 1-.3 1.3M9 9v2a3 3 0 0 0 4.5 2.6M5 11a7 7 0 0 0 11.5 5.4M19 11a7 7 0 0 1-.6 2.8M12 18v3M4 4l16 16" />`),hold:k(w`<path d="M9 5v14M15 5v14" />`),transfer:k(w`<path d="M4 12h15m-5-5 5 5-5 5" />`),keypad:k(w`<path d="M6 5h.01M12 5h.01M18 5h.01M6 12h.01M12 12h.01M18 12h.01M6 19h.01M12 19h.01M18 19h.01" stroke-width="3" />`)};function Wt({desk:s},e){let{queues:t}=e;if(t.length===0||e.state!=="ready")return p;let n=t.some(({availability:r})=>r==="available"),[i]=t,o=i!==void 0&&t.length===1?s.takeOf(i.name):s.takeAll;return f`<fieldset class="queues" part="queues">
    <legend class="hidden">${s.queues}</legend>
    ${zt(o,n,r=>e.setAvailable(r))}
    ${t.length===1?p:f`<ul>
            ${t.map(({id:r,name:a,availability:l})=>f`<li>${zt(a,l==="available",c=>e.setAvailable(c,r))}</li>`)}
          </ul>`}
  </fieldset>`}function zt(s,e,t){let n=i=>t(i.target.checked);return f`<label class="switch">
    <input type="checkbox" role="switch" .checked=${H(e)} @change=${n} /><span>${s}</span>
  </label>`}function Vt({desk:s},e,t){let{sound:n}=e,{microphones:i,speakers:o}=n.devices;return f`<details class="settings" part="settings" @toggle=${a=>{a.target.open&&e.listDevices()}}>
    <summary>${s.sound}</summary>
    ${Bt(s,e,"microphone",i)}
    ${n.mayChooseSpeaker?Bt(s,e,"speaker",o):p}
    ${t.mayAsk?f`<button class="plain" type="button" @click=${t.onAsk}>${s.notify}</button>`:p}
  </details>`}function Bt(s,e,t,n){let i=e.sound.used[t],o=a=>{e.chooseDevice(t,a.target.value)},r=n.filter(({id:a})=>a!=="default");return f`<label
    >${s[t]}<select class="field" @change=${o}>
      <option value="" .selected=${H(i==="")}>${s.standard}</option>
      ${r.map(({id:a,label:l})=>f`<option value=${a} .selected=${H(i===a)}>${l}</option>`)}
    </select></label
  >`}var Kt=(s,e,t)=>{let n=new Map;for(let i=e;i<=t;i++)n.set(s[i],i);return n},Gt=$e(class extends I{constructor(s){if(super(s),s.type!==E.CHILD)throw Error("repeat() can only be used in text expressions")}dt(s,e,t){let n;t===void 0?t=e:e!==void 0&&(n=e);let i=[],o=[],r=0;for(let a of s)i[r]=n?n(a,r):r,o[r]=t(a,r),r++;return{values:o,keys:i}}render(s,e,t){return this.dt(s,e,t).values}update(s,[e,t,n]){let i=Ft(s),{values:o,keys:r}=this.dt(e,t,n);if(!Array.isArray(i))return this.ut=r,o;let a=this.ut??=[],l=[],c,u,d=0,h=i.length-1,m=0,g=o.length-1;for(;d<=h&&m<=g;)if(i[d]===null)d++;else if(i[h]===null)h--;else if(a[d]===r[m])l[m]=R(i[d],o[m]),d++,m++;else if(a[h]===r[g])l[g]=R(i[h],o[g]),h--,g--;else if(a[d]===r[g])l[g]=R(i[d],o[g]),j(s,l[g+1],i[d]),d++,g--;else if(a[h]===r[m])l[m]=R(i[h],o[m]),j(s,i[d],i[h]),h--,m++;else if(c===void 0&&(c=Kt(r,m,g),u=Kt(a,d,h)),c.has(a[d]))if(c.has(a[h])){let y=u.get(r[m]),A=y!==void 0?i[y]:null;if(A===null){let T=j(s,i[d]);R(T,o[m]),l[m]=T}else l[m]=R(A,o[m]),j(s,i[d],A),i[y]=null;m++}else ke(i[h]),h--;else ke(i[d]),d++;for(;m<=g;){let y=j(s,l[g+1]);R(y,o[m]),l[m++]=y}for(;d<=h;){let y=i[d++];y!==null&&ke(y)}return this.ut=r,Ae(s,l),_}});function Yt({texts:s,line:e,colleagues:t}){let{transfer:n}=s;return f`<form class="transfer" part="transfer" @submit=${o=>{o.preventDefault();let r=new FormData(o.target),a=String(r.get("colleague")||r.get("to")).trim(),l=/[a-z]/i.test(a)?a:he(a),c=String(r.get("announce")).trim(),u=o.submitter?.getAttribute("value")==="consult";e.transfer(l,{mode:u?"consult":"announce",...c&&{announceText:c}})}}>
    ${t.list.length===0?p:Xn(s,t)}
    <label>${n.to}<input class="field" name="to" required autocomplete="off" /></label>
    <label>${n.sayFirst}<input class="field" name="announce" maxlength="500" autocomplete="off" /></label>
    <button class="primary" type="submit" value="consult">${n.talkFirst}</button>
    <button type="submit" value="announce">${n.atOnce}</button>
  </form>`}function Xn(s,{list:e}){let{transfer:t}=s,n=({target:o})=>{let{form:r,value:a}=o,l=r?.elements.namedItem("to");l.disabled=a!==""},i=({address:o,name:r,state:a})=>{let l=r??M(s,o);return a===null?l:t.colleagueIn(l,t.states[a])};return f`<label
    >${t.colleague}<select class="field" name="colleague" @change=${n}>
      <option value="">${t.noColleague}</option>
      ${Gt(e,({address:o})=>o,o=>f`<option value=${o.address}>${i(o)}</option>`)}
    </select></label
  >`}function Qt({texts:s,line:e,colleagues:t},{transfer:n}){if(n===null)return p;let{mode:i,state:o}=n,{talking:r,ringing:a,cancel:l,complete:c}=s.transfer,u=t.nameOf(n.to)??M(s,n.to);return f`<div class="transfer">
    <p role="status">${o==="talking"?r(u):a(u)}</p>
    ${i==="consult"?f`<button type="button" @click=${e.cancelTransfer}>${l}</button>
            <button class="primary" type="button" @click=${e.completeTransfer}>${c}</button>`:p}
  </div>`}function Xt(s){let{texts:e,line:t}=s;return f`<section class="phone" lang=${e.language} part="phone" aria-labelledby="title">
    <header class="bar">
      <h2 id="title">${e.phone.title}</h2>
      <span class="state ${t.state==="ready"?"good":""}" role="status">${e.phone.states[t.state]}</span>
    </header>
    ${Wt(e,t)}
    ${t.active===null?Zn(s):ts(s,t.active)}
    ${t.problem===null?p:f`<p class="problem error" role="alert">${vt(e,t.problem)}</p>`}
    ${Vt(e,t,{mayAsk:s.mayAskToNotify,onAsk:s.onAskToNotify})}
  </section>`}function Zn(s){let{texts:e,line:t,mayDial:n,number:i,onNumber:o,onDial:r}=s,{phone:a}=e,{ended:l}=t,c=u=>{u.preventDefault(),r()};return f`<div class="body">
    ${l===null?p:f`<p class="ended" role="status">${es(s,l)}</p>`}
    ${t.state==="elsewhere"||t.state==="out"?f`<button class="primary" type="button" @click=${()=>t.connect()}>
            ${t.state==="elsewhere"?a.useHere:a.connect}
          </button>`:f`<form class="dial" part="dial" @submit=${c}>
            <label for="number" class="small muted">${n?a.number:a.emergencyNumber}</label>
            <input
              id="number"
              class="field"
              type="tel"
              autocomplete="off"
              placeholder=${n?"(602) 555-0143":"911"}
              .value=${H(i)}
              @input=${u=>o(u.target.value)}
            />
            <button class="primary" type="submit" ?disabled=${t.state!=="ready"||i.trim()===""}>
              ${x.phone}${a.call}
            </button>
          </form>`}
  </div>`}function es({texts:s,contacts:e,colleagues:t},{call:n,seconds:i,transferredTo:o}){let r=J(s,e,F(n));return n.consultedBy!==null?s.phone.ended(Zt(s,n.consultedBy)):o!==null?s.phone.transferred(r,t.nameOf(o)??M(s,o)):i===null?s.phone.ended(r):s.phone.endedAfter(r,je(i))}function ts(s,e){let{texts:t,contacts:n}=s,{call:i}=e,o=M(t,F(i)),r=J(t,n,F(i)),a=i.state==="incoming";return f`<div class="body call ${a?"ringing":""}">
    <p class="small muted" aria-live=${a?"assertive":"polite"}>
      ${ze(t,i)}<span class="hidden"> ${r}</span>
    </p>
    <p class="other" aria-hidden="true">${r}</p>
    ${r===o?p:f`<p class="small muted" part="number">${o}</p>`}
    ${a?ns(t,s.line):ss(s,e)}
  </div>`}function ns({phone:s},e){return f`<div class="actions">
    <button class="round danger" part="decline" type="button" @click=${e.decline}>
      ${x.hangUp}<span>${s.decline}</span>
    </button>
    <button class="round success" part="answer" type="button" @click=${e.answer}>
      ${x.phone}<span>${s.answer}</span>
    </button>
  </div>`}function ss(s,{call:e,connectedAtMs:t}){let{texts:n,line:i,mayDial:o,isKeypadOpen:r,onKeypad:a,isTransferOpen:l,onTransfer:c,nowMs:u}=s,{phone:d}=n,h=e.to==="911"||e.to==="933",m=e.listener===void 0&&e.consultedBy===null,g=o&&m&&e.transfer===null&&!h,y=e.state==="connected",A=T=>f`<button
    class="round"
    type="button"
    aria-pressed=${T.on?"true":"false"}
    ?disabled=${!y}
    @click=${T.act}
  >
    ${T.icon}<span>${T.label}</span>
  </button>`;return f`${t===null?p:f`<p class="timer" role="timer" aria-label=${d.time}>
          ${je((u-t)/1e3)}
        </p>`}
  ${Qt(s,e)} ${l&&y&&g?Yt(s):p}
  ${r&&y?is(s):p}
  <div class="actions">
    ${A({label:d.mute,icon:e.muted?x.micOff:x.mic,on:e.muted,act:()=>i.mute(!e.muted)})}
    ${A({label:d.hold,icon:x.hold,on:e.held,act:()=>i.hold(!e.held)})}
    ${A({label:d.keypad,icon:x.keypad,on:r,act:a})}
    ${g?A({label:d.transfer,icon:x.transfer,on:l,act:c}):p}
    <button class="round danger" part="hang-up" type="button" @click=${i.hangUp}>
      ${x.hangUp}<span>${d.hangUp}</span>
    </button>
  </div>`}var Jt=["1","2","3","4","5","6","7","8","9","*","0","#"];function is({texts:s,digits:e,onDigit:t}){let{phone:n}=s,i=({key:o})=>{Jt.includes(o)&&t(o)};return f`<div class="keypad" part="keypad" role="group" aria-label=${n.keypad} @keydown=${i}>
    <p class="digits" aria-label=${n.digits}>${e||f`&nbsp;`}</p>
    ${Jt.map(o=>f`<button class="key" type="button" @click=${()=>t(o)}>${o}</button>`)}
  </div>`}function ze(s,{state:e,held:t,direction:n,consultedBy:i,queue:o}){let{progress:r}=s.phone;if(i!==null){let a=Zt(s,i);return e==="incoming"?r.asked(a):r.asking(a)}return e==="incoming"?o===null?r.incoming:r.incomingOf(o.name):e==="connected"?t?r.held:r.connected:n==="outbound"&&e==="ringing"?r.ringing:r.calling}var Zt=(s,{agent:e,name:t})=>t??M(s,e);function F({direction:s,from:e,to:t}){return s==="inbound"?e:t}var os={incoming:"call-incoming",answered:"call-answered",ended:"call-ended"},Te=class extends Q{static styles=[_t,qt];static properties={...Q.properties,webClient:{attribute:"web-client"},silent:{type:Boolean},notify:{type:Boolean}};#e=new we;#t=new pe;#n=new ce({api:this.api,tenant:()=>this.tenant,mayRead:()=>this.may("conversations:read"),onChange:()=>this.requestUpdate()});#s=new me(this.api,()=>this.requestUpdate());#o=new _e({api:this.api,baseUrl:()=>this.baseUrl.replace(/\/+$/,""),webClientId:()=>this.webClient??this.session?.web_client_id??void 0,onChange:()=>this.requestUpdate(),onCall:(e,{id:t,from:n,to:i,direction:o})=>this.emit(os[e],{id:t,from:n,to:i,direction:o}),onQuality:(e,t)=>this.emit("call-quality",{id:e,...t})});#i;#r="";#c=!1;#d=!1;#l="";#u;async dial(e){this.#r=e,await this.#h()}begin(){this.#n.clear(),this.#s.clear(),this.#o.connect()}end(){this.#o.disconnect(),this.#e.stop(),this.#t.stop(),clearInterval(this.#u),this.#u=void 0}render(){let{texts:e}=this;return this.isReady?Xt({texts:e,line:this.#o,contacts:this.#n,colleagues:this.#s,mayDial:this.may("calls:place"),number:this.#r,onNumber:t=>{this.#r=t,this.requestUpdate()},onDial:()=>{this.#h()},isKeypadOpen:this.#c,onKeypad:()=>{this.#c=!this.#c,this.requestUpdate()},isTransferOpen:this.#d,onTransfer:()=>{this.#d=!this.#d,this.#d&&this.#s.read(this.#o.webClientId),this.requestUpdate()},digits:this.#l,onDigit:t=>{this.#l+=t,this.#o.sendDigits(t)},nowMs:Date.now(),mayAskToNotify:this.notify===!0&&this.#t.mayAsk,onAskToNotify:()=>{this.#t.ask().then(()=>this.requestUpdate())}}):f`<p class="problem muted" lang=${e.language}>${e.waiting}</p>`}updated(){let{active:e}=this.#o;this.#a(e);let t=e?.call.state==="incoming"?e.call:void 0;if(t!==void 0&&this.silent!==!0?this.#e.start():this.#e.stop(),t!==void 0&&this.notify===!0){let i=J(this.texts,this.#n,F(t));this.#t.start({id:t.id,text:`${ze(this.texts,t)} ${i}`})}else this.#t.stop();e===null&&([this.#c,this.#l]=[!1,""]),(e===null||e.call.transfer!==null)&&(this.#d=!1),e?.connectedAtMs!=null?this.#u??=setInterval(()=>this.requestUpdate(),1e3):(clearInterval(this.#u),this.#u=void 0)}#a(e){e===null||e.call.id===this.#i||(this.#i=e.call.id,this.#n.read([{number:F(e.call)}]))}async#h(){let e=he(this.#r);await this.#o.dial(e),this.#o.active!==null&&(this.#r=""),this.requestUpdate()}};customElements.get("dialplane-phone")===void 0&&customElements.define("dialplane-phone",Te);export{Te as DialplanePhone};
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
