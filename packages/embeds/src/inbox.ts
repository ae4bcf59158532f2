import { DialplaneInbox } from './inbox/inbox.ts';

// A page may load the script twice.
if (customElements.get('dialplane-inbox') === undefined) customElements.define('dialplane-inbox', DialplaneInbox);

export { DialplaneInbox };
