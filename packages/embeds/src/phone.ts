import { DialplanePhone } from './phone/phone.ts';

// A page may load the script twice.
if (customElements.get('dialplane-phone') === undefined) customElements.define('dialplane-phone', DialplanePhone);

export { DialplanePhone };
